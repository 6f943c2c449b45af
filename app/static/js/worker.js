// Shows notices while no page is open.  It answers no request and keeps nothing.

const home = new URL(registration.scope);
const key = new URL(location.href).searchParams.get("key");

addEventListener("install", () => skipWaiting());

async function show(data) {
  let told = {};
  // Browsers insist that something is shown, whatever has come.
  try { told = data.json() ?? {}; } catch { /* a title has to do */ }
  const { title = "Plaça", body = "", link = "", tag = "" } = told;
  const icon = new URL("icon.png", home).href;
  await registration.showNotification(title, { body, tag, renotify: tag !== "", icon, data: { link } });
}

// Links lead to pages of ours and nowhere else.
function address(link) {
  try {
    const wanted = new URL(link || "matches", home);
    return wanted.href.startsWith(home.href) ? wanted.href : home.href;
  } catch {
    return home.href;
  }
}

async function open(link) {
  const wanted = address(link);
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = windows.find((one) => one.url.split("#")[0] === wanted);
  await (found ? found.focus() : clients.openWindow(wanted));
}

// The browser has another subscription: the server takes it in place of the former one, if it
// still tells this browser anything.
async function renew(fresh) {
  const made = fresh ?? await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  const body = new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth, renewed: "true" });
  await fetch(new URL("account/notices/browser", home), { method: "POST", body, redirect: "manual" });
}

addEventListener("push", (event) => event.waitUntil(show(event.data)));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.link));
});
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.newSubscription)));
