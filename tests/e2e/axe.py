"""axe-core over a page: WCAG 2.2 A and AA, target size included."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_OPTIONS: dict[str, Any] = {
    "runOnly": {"type": "tag", "values": _TAGS},
    "rules": {"target-size": {"enabled": True}},
}


def violations(page: Page) -> list[str]:
    """Return one line for each thing axe finds wrong, with the first place."""
    found = Axe().run(page, options=_OPTIONS).response["violations"]
    return [f"{page.url}: {one['id']}: {one['nodes'][0]['html'][:160]}" for one in found]
