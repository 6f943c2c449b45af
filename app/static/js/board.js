// The match page with a script: the same links and forms, followed in place.
// Nothing is decided here; the page works without this file.

const board = () => document.querySelector("#board");
const wide = () => matchMedia("(min-width: 48rem)").matches;

// Swap in what `link` opens, keep the address bar true to it, show its tab on a phone.
async function follow(link) {
  const to = new URL(link.getAttribute("href"), location.href);
  await window.htmx.ajax("GET", board().dataset.part + to.search, {
    source: link, target: "#board", swap: "outerMorph",
  });
  history.replaceState(history.state, "", to.pathname + to.search + location.hash);
  if (to.hash && (to.hash !== "#region" || !wide())) location.replace(to.hash);
  if (to.hash === "#region" && wide()) document.querySelector("#region")?.scrollIntoView({ block: "nearest" });
  if (to.hash === "#talk") document.querySelector("#say")?.focus();
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("a[data-follow]");
  if (!link) return;
  event.preventDefault();
  // On a desk a target on the map is as good as its button; a phone shows the region first.
  const button = link.dataset.acts && wide() ? document.getElementById(link.dataset.acts) : null;
  if (button) button.click();
  else follow(link);
});

// Arrows lead from region to region, in the direction they point.
const AHEAD = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function neighbour(region, [dx, dy]) {
  const [x, y] = middle(region);
  let best = null;
  document.querySelectorAll(".map a.region").forEach((other) => {
    if (other === region) return;
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    const far = along + 2 * aside;
    if (along > 8 && (!best || far < best.far)) best = { other, far };
  });
  return best?.other;
}

document.addEventListener("keydown", (event) => {
  const region = event.target.closest?.(".map a.region");
  const ahead = AHEAD[event.key];
  if (!region || !ahead) return;
  event.preventDefault();
  neighbour(region, ahead)?.focus();
});

// A swap may take the focused button away: the reader goes on at the turn, not at the top.
let focused = false;
document.addEventListener("htmx:before:swap", () => { focused = board()?.contains(document.activeElement); });
document.addEventListener("htmx:after:swap", () => {
  if (focused && document.activeElement === document.body) {
    document.querySelector("#turn-h")?.focus({ preventScroll: true });
  }
});

// What was said is gone from the field once it is heard.
document.addEventListener("htmx:after:request", (event) => {
  const form = event.target.closest?.("form[data-say]");
  if (form && event.detail?.ctx?.response?.raw?.ok) form.reset();
});

// Opening a tab reads on at its heading.
addEventListener("hashchange", () => {
  const panel = document.getElementById(location.hash.slice(1));
  if (panel?.matches(".panel")) panel.querySelector("h2[tabindex]")?.focus({ preventScroll: true });
});
