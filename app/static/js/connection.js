// The server out of reach: the page says so, and tries on until there is an answer again.
// Nothing is lost by it: what was drafted is kept by the server, what was typed by the page.

const TRY_EVERY = 3000;
// What a proxy answers for a server that is gone.
const GONE = [502, 503, 504];
const line = document.querySelector("#offline");
let trying = null;

export function lost() {
  line.hidden = false;
  trying ??= setInterval(tryAgain, TRY_EVERY);
}

export function found() {
  line.hidden = true;
  clearInterval(trying);
  trying = null;
}

// Pages that do not poll ask for their own icon.
async function tryAgain() {
  const { href } = document.querySelector("link[rel=icon]");
  try {
    const answer = await fetch(href, { method: "HEAD", cache: "no-store" });
    if (!GONE.includes(answer.status)) found();
  } catch { /* still gone: the line stays */ }
}

document.addEventListener("htmx:error", (event) => {
  const { ctx, error } = event.detail ?? {};
  if (ctx && !ctx.response && error instanceof TypeError) lost();
});
document.addEventListener("htmx:after:request", (event) => {
  if (GONE.includes(event.detail?.ctx?.response?.status)) lost();
  else found();
});
