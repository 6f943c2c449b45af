// Left and right walk through the match, Home and End go to its ends: the same links as on the page.

const WAYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  // Only where the keys do nothing else: on the ways themselves, or nowhere in particular.
  if (event.target !== document.body && !event.target.closest(".walk")) return;
  const link = document.querySelector(`a[data-walk="${way}"]`);
  if (!link) return;
  event.preventDefault();
  sessionStorage.setItem("walk", way);
  link.click();
});

// After a step by key the focus stands where it stood, so the next press goes on from there.
const way = sessionStorage.getItem("walk");
sessionStorage.removeItem("walk");
if (way) document.querySelector(`a[data-walk="${way}"]`)?.focus();
