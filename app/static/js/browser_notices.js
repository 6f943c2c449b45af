// Notices in this browser: asked for with a button, and told in words how it stands.
// The server keeps the subscription; what it has forgotten is given up here as well.

const form = document.querySelector("[data-subscribe]");
const button = form.querySelector("button");
const { here, key, scope, worker } = form.dataset;

function say(state) {
  form.querySelectorAll("[data-state]").forEach((line) => { line.hidden = line.dataset.state !== state; });
  button.hidden = !["off", "lost", "failed"].includes(state);
}

// Another program on the same host may have a worker above ours: it is none of our business.
async function subscription() {
  const found = await navigator.serviceWorker.getRegistration(scope);
  if (found?.scope !== new URL(scope, location.href).href) return null;
  return found.pushManager.getSubscription();
}

async function look() {
  if (!isSecureContext) return say("insecure");
  if (![navigator.serviceWorker, window.PushManager, window.Notification].every(Boolean)) return say("unsupported");
  if (Notification.permission === "denied") return say("blocked");
  const made = await subscription();
  if (made && !here) await made.unsubscribe();
  if (!here) return say("off");
  return say(made && here === "works" ? "on" : "lost");
}

async function subscribe() {
  const allowed = await Notification.requestPermission();
  if (allowed !== "granted") return look();
  await navigator.serviceWorker.register(worker, { scope });
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made for another key takes nothing of ours.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  Object.entries({ endpoint, p256dh: keys.p256dh, auth: keys.auth }).forEach(([name, value]) => {
    form.elements[name].value = value;
  });
  return form.submit();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  button.disabled = true;
  subscribe().catch(() => say("failed")).finally(() => { button.disabled = false; });
});
look().catch(() => say("unsupported"));
