// What every page may use: copy buttons, and "your turn" in the tab's title and as a sound.
// Nothing here is needed to play; each part looks for its own data attributes.

import { found, lost } from "./connection.js";

const plainTitle = document.title;
let wasMine = document.querySelector("#turn-signal")?.hasAttribute("data-my-turn") ?? false;

// <div id="turn-signal" data-title="Your turn · Tuesday castells" data-my-turn> inside the polled fragment.
function signal() {
  const state = document.querySelector("#turn-signal");
  if (!state) return;
  const mine = state.hasAttribute("data-my-turn");
  document.title = state.dataset.title || plainTitle;
  if (mine && !wasMine && document.body.dataset.sound === "on") chime();
  wasMine = mine;
}

// Two soft bell notes, made here: no file to fetch.
function chime() {
  const audio = new AudioContext();
  [[659.25, 0], [880, 0.16]].forEach(([pitch, start]) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const from = audio.currentTime + start;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(0.2, from + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.7);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.75);
    tone.onended = () => { if (start > 0) audio.close(); };
  });
}

// <button data-copy="#invite-link" data-copied="Copied" hidden>: shown only where it can work.
function offerCopy(root) {
  if (!navigator.clipboard) return;
  root.querySelectorAll("[data-copy][hidden]").forEach((button) => { button.hidden = false; });
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(field.value ?? field.textContent.trim());
  const told = button.querySelector("[data-label]") ?? button;
  const label = told.textContent;
  told.textContent = button.dataset.copied;
  setTimeout(() => { told.textContent = label; }, 2000);
});

// Forms marked data-autosubmit save a choice at once; their button stays for those without script.
document.addEventListener("change", (event) => {
  event.target.closest("form[data-autosubmit]")?.requestSubmit();
});

// <form data-inplace>: a refusal is shown above the button and nothing typed is lost;
// any other answer is gone to as the browser itself would have gone.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-inplace]");
  if (!form) return;
  event.preventDefault();
  const button = event.submitter;
  if (button) button.disabled = true;
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const answer = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
    found();
    if (answer.ok) return answer.redirected ? location.assign(answer.url) : location.reload();
    form.querySelector("[data-error]").innerHTML = await answer.text();
  } catch {
    lost();
  } finally {
    if (button) button.disabled = false;
  }
});

// What was said is out of the field; a poll in between leaves half-typed text alone.
document.addEventListener("htmx:after:request", (event) => {
  const form = event.target.closest?.("form[data-reset]");
  if (form && event.detail?.ctx?.response?.raw?.ok) form.reset();
});

// The server learns once in which time zone deadlines are to be shown; it can be changed by hand.
function tellZone() {
  const address = document.body.dataset.zoneUnknown;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!address || !zone) return;
  fetch(address, { method: "POST", body: new URLSearchParams({ zone }), redirect: "manual" }).catch(() => {});
}

document.addEventListener("htmx:after:swap", () => { signal(); offerCopy(document); });
signal();
offerCopy(document);
tellZone();
