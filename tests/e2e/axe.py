"""axe-core over a page: WCAG 2.2 A and AA, target size included.

The dark theme is the light one in other colours: `tokens.css` says both of every colour, and
nothing else asks for the theme.  So a page is looked at in light, then turned dark where it
stands, and asked only for what depends on colours; `AXE_ALL=1` asks everything of both.
"""

import os
from collections.abc import Sequence
from typing import Any, Final, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Theme = Literal["light", "dark"]
BOTH: Final[tuple[Theme, ...]] = ("light", "dark")

_TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What passes is not told node by node: that would take as long as the looking.
_OPTIONS: Final[dict[str, Any]] = {
    "runOnly": {"type": "tag", "values": _TAGS},
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
_COLOURS: Final[dict[str, Any]] = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
_RUN: Final = """async ([options, dark]) => {
  if (matchMedia("(prefers-color-scheme: dark)").matches !== dark) throw Error("the other theme");
  const found = await axe.run(document, options);
  return found.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)}`);
}"""


def violations(page: Page, themes: Sequence[Theme] = BOTH) -> list[str]:
    """Return one line for each thing axe finds wrong, with the first place.

    The page is left in the last of `themes`, and in light by the next look at it.
    """
    page.evaluate(AXE_SCRIPT)
    found: list[str] = []
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        dark = theme == "dark"
        options = _COLOURS if dark and not os.environ.get("AXE_ALL") else _OPTIONS
        lines: list[str] = page.evaluate(_RUN, [options, dark])
        found += [f"{page.url}, {theme}: {line}" for line in lines]
    return found
