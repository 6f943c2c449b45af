// The tower workshop with a script: the same links as without one, followed in place.
// Taps, keys and drags only choose a link; what it leads to is worked out by the server.

const SLOP = 8; // pixels a finger may tremble before a press becomes a drag

const workshop = () => document.querySelector("[data-workshop]");

// Swap in the workshop that `query` describes, and keep the address bar true to it.
async function follow(query) {
  const main = workshop();
  const focused = document.activeElement?.id;
  await window.htmx.ajax("GET", main.dataset.part + query, { target: main, swap: "outerMorph" });
  const now = workshop();
  history.replaceState(history.state, "", `${now.dataset.page}?${now.dataset.query}${location.hash}`);
  // The last casteller of a size takes its link along: keep the keys alive on the square.
  if (focused && document.activeElement === document.body) {
    document.querySelector("#stage").focus({ preventScroll: true });
  }
}

// One step at a time, each from where the one before has led: fast fingers lose nothing.
let steps = Promise.resolve();

function step(find) {
  steps = steps.then(async () => {
    const query = find();
    if (query) await follow(query);
  }).catch(() => {});
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (link.dataset.dragged) delete link.dataset.dragged;
  else step(() => (link.id ? document.getElementById(link.id) : link)?.search);
});

// Keys work while the focus is on the square or in the tray, so they disturb nothing else.
const KEYS = { ArrowUp: "up", ArrowDown: "down", Backspace: "remove" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!event.target.closest("#stage, #tray")) return;
  const size = /^[0-9]$/.test(event.key) ? event.key.replace(/^0$/, "10") : null;
  const wanted = size ? `[data-add="${size}"]` : `[data-key="${KEYS[event.key]}"]`;
  if (!size && !KEYS[event.key]) return;
  event.preventDefault();
  step(() => workshop()?.querySelector(wanted)?.search);
});

// Drag a casteller from the tray onto a level, or above the tower for a new one.
let drag = null;

function placeUnder(x, y) {
  const under = document.elementFromPoint(x, y);
  const stage = under?.closest("#stage");
  return under?.closest("[data-level]") ?? stage?.querySelector("[data-levels]") ?? null;
}

function startDrag(event) {
  const ghost = document.createElement("div");
  ghost.className = "drag-ghost";
  ghost.dataset.kit = workshop().dataset.kit;
  ghost.append(drag.card.querySelector(".figure").cloneNode(true));
  document.body.append(ghost);
  drag.ghost = ghost;
  moveDrag(event);
}

function moveDrag(event) {
  const { width, height } = drag.ghost.getBoundingClientRect();
  drag.ghost.style.translate = `${event.clientX - width / 2}px ${event.clientY - height * 0.7}px`;
  const place = placeUnder(event.clientX, event.clientY);
  if (place === drag.place) return;
  drag.place?.classList.remove("is-over");
  place?.classList.add("is-over");
  drag.place = place;
}

function endDrag() {
  drag?.ghost?.remove();
  drag?.place?.classList.remove("is-over");
  drag = null;
}

document.addEventListener("pointerdown", (event) => {
  const card = event.target.closest(".card__figure")?.closest("a[data-add]");
  if (!card || event.button) return;
  drag = { card, x: event.clientX, y: event.clientY, ghost: null, place: null };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (drag.ghost) moveDrag(event);
  else if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLOP) startDrag(event);
});

document.addEventListener("pointerup", () => {
  if (!drag?.ghost) {
    drag = null;
    return;
  }
  const { card, place } = drag;
  endDrag();
  // The click that follows a drag on the same card is not a tap.
  card.dataset.dragged = "yes";
  setTimeout(() => delete card.dataset.dragged, 0);
  if (!place) return;
  const level = place.dataset.level ?? Number(place.dataset.levels) + 1;
  step(() => `?${workshop().dataset.query}&add=${card.dataset.add}&at=${level}`);
});

document.addEventListener("pointercancel", endDrag);
document.documentElement.classList.add("js");
