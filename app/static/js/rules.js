// Find in the rules: parts that do not hold every word are put away. Without a script the contents lead there.

const form = document.querySelector("[data-find]");
const field = form.querySelector("input");
const count = form.querySelector("output");
const parts = [...document.querySelectorAll(".rule[id]")];
const contents = new Map([...document.querySelectorAll(".rules__contents a")].map((link) => [link.hash, link.parentElement]));
const words = parts.map((part) => plain(part.textContent));

// Accents do not matter to whoever types on a phone.
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function find() {
  const wanted = plain(field.value).split(/\s+/).filter(Boolean);
  let found = 0;
  parts.forEach((part, number) => {
    const fits = wanted.every((word) => words[number].includes(word));
    part.hidden = !fits;
    contents.get(`#${part.id}`)?.toggleAttribute("hidden", !fits);
    if (fits) found += 1;
  });
  count.textContent = wanted.length ? form.dataset.found.replace("{n}", found) : "";
}

field.addEventListener("input", find);
form.addEventListener("submit", (event) => event.preventDefault());
// A link to a part that is put away brings everything back.
addEventListener("hashchange", () => {
  if (document.getElementById(location.hash.slice(1))?.closest("[hidden]")) {
    field.value = "";
    find();
    document.getElementById(location.hash.slice(1)).scrollIntoView();
  }
});
form.hidden = false;
