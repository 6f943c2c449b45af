"""axe-core over a page: WCAG 2.2 A and AA, target size included.

The dark theme is the light one in other colours, so of a dark page only what depends on
colours is asked; `AXE_ALL=1` asks everything of every page.
"""

import os
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

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
_IS_DARK: Final = "matchMedia('(prefers-color-scheme: dark)').matches"


def violations(page: Page) -> list[str]:
    """Return one line for each thing axe finds wrong, with the first place."""
    of_colours = page.evaluate(_IS_DARK) and not os.environ.get("AXE_ALL")
    options = _COLOURS if of_colours else _OPTIONS
    found = Axe().run(page, options=options).response["violations"]
    return [f"{page.url}: {one['id']}: {one['nodes'][0]['html'][:160]}" for one in found]
