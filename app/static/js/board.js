// The match page with a script: the same links and forms, followed in place.
// Nothing is decided here; the page works without this file.

const board = () => document.querySelector("#board");
const wide = () => matchMedia("(min-width: 48rem)").matches;

// Swap in what `link` opens, and show its tab on a phone.
async function follow(link) {
  const to = new URL(link.getAttribute("href"), location.href);
  await window.htmx.ajax("GET", board().dataset.part + to.search, {
    source: link, target: "#board", swap: "outerMorph",
  });
  if (to.hash && (to.hash !== "#region" || !wide())) location.replace(to.hash);
  if (to.hash === "#region" && wide()) document.querySelector("#region")?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("a[data-follow]");
  if (!link) return;
  event.preventDefault();
  // On a desk a target on the map is as good as its button; a phone shows the region first,
  // unless one tap more or less is easily taken back.
  const acts = link.dataset.acts && (wide() || "direct" in link.dataset);
  const button = acts ? document.getElementById(link.dataset.acts) : null;
  if (!button) { follow(link); return; }
  button.click();
  if (!wide()) location.replace("#turn");
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
let said = "";
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-say]")) said = event.target.elements.text.value;
});
document.addEventListener("htmx:before:swap", () => { focused = board()?.contains(document.activeElement); });
document.addEventListener("htmx:after:swap", (event) => {
  // What was said is gone from the field once it is heard; what was typed meanwhile stays.
  const { sourceElement, response } = event.detail?.ctx ?? {};
  const field = document.querySelector("#say");
  if (sourceElement?.matches?.("[data-say]") && response?.status === 200 && field?.value === said) {
    field.value = "";
  }
  // The address bar tells the truth: a reload shows the same.
  const here = board()?.dataset.here;
  if (here && here !== location.pathname + location.search) {
    history.replaceState(history.state, "", here + location.hash);
  }
  if (focused && document.activeElement === document.body) {
    document.querySelector("#turn-h")?.focus({ preventScroll: true });
  }
});

// Opening a tab reads on at its heading.
addEventListener("hashchange", () => {
  const panel = document.getElementById(location.hash.slice(1));
  if (!panel?.matches(".panel")) return;
  const first = (wide() && panel.querySelector("[data-first]")) || panel.querySelector("h2[tabindex]");
  first?.focus({ preventScroll: true });
});
