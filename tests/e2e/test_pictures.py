"""The picture in a mail against the page: a browser paints both in the same way.

The page is the same templates with the style sheets themselves, as a phone shows it; the
picture's drawing needs none.  What either comes to, element by element, is compared.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser

from app.web.boards.registry import BOARDS
from app.web.pictures.picture import drawing_of, page_of
from app.web.pictures.sheets import EVERYWHERE
from app.web.static import DIRECTORY
from tests.web.pictures.positions import EVERY, page

Painted: TypeAlias = Sequence[tuple[str, dict[str, str]]]

# What is seen of every element that is drawn, in the order of drawing.
SEEN: Final = """
(root) => {
  const said = ['fill', 'stroke', 'fill-opacity', 'stroke-width', 'stroke-dasharray',
    'stroke-linecap', 'stroke-linejoin', 'paint-order', 'font-family', 'font-size', 'font-weight',
    'font-style', 'text-anchor', 'text-decoration-line', 'word-spacing', 'filter', 'color'];
  const none = (value) => value === 'none' || value === 'rgba(0, 0, 0, 0)';
  return [...root.querySelectorAll('path, rect, circle, ellipse, text, use')]
    .filter((element) => element.closest('defs, symbol') === null)
    .filter((element) => {
      for (let at = element; at && at !== root; at = at.parentElement)
        if (getComputedStyle(at).display === 'none') return false;
      return true;
    })
    .map((element) => {
      const style = getComputedStyle(element);
      const seen = Object.fromEntries(said.map((name) => [name, style.getPropertyValue(name)]));
      // A line is seen through by either property.
      seen.opacity = String(Number(style.opacity) * Number(style.strokeOpacity));
      if (element.tagName !== 'text')
        for (const name of Object.keys(seen))
          if (name.startsWith('font') || name.startsWith('text') || name.startsWith('word'))
            delete seen[name];
      if (element.tagName !== 'use') delete seen.color;
      if (none(seen.stroke))
        for (const name of Object.keys(seen)) if (name.startsWith('stroke-')) delete seen[name];
      return [element.tagName, seen];
    });
}
"""


def page_text(game: str, kind: str) -> str:
    """Return the drawing in a page with the style sheets of the match page."""
    _, root = page_of(page(game, kind))
    names = (*EVERYWHERE, *BOARDS[game].sheets)
    sheets = "".join(
        f"<style>{(DIRECTORY / 'css' / f'{name}.css').read_text()}</style>" for name in names
    )
    body = ET.tostring(root, encoding="unicode", method="html")
    return "<!doctype html>" + body.replace("<body", f"<head>{sheets}</head><body", 1)


@pytest.mark.parametrize(("game", "kind"), EVERY)
def test_a_picture_is_painted_as_the_page_is(chromium: Browser, game: str, kind: str) -> None:
    context = chromium.new_context(
        viewport={"width": 375, "height": 812}, color_scheme="light", reduced_motion="reduce"
    )
    shown = context.new_page()
    shown.set_content(page_text(game, kind))
    wanted: Painted = shown.eval_on_selector("svg.map", SEEN)
    shown.set_content(drawing_of(page(game, kind)))
    painted: Painted = shown.eval_on_selector("svg > g:last-of-type", SEEN)
    context.close()

    assert len(wanted) > 60
    assert len(painted) == len(wanted)
    for number, (one, other) in enumerate(zip(painted, wanted, strict=True)):
        assert one == other, f"{number} of {game}, {kind}"
