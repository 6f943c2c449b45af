"""The charts of Castell: points by category."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from app.i18n import current_locale, gettext
from app.rules.castell.scoring import CATEGORIES
from app.web.boards import charts
from app.web.boards.charts import Category, Chart
from app.web.boards.seats import Who

# The classes of the style sheet by category.
STYLES: Final = {
    "best_tower": "tower",
    "regions": "regions",
    "prizes": "prizes",
    "size_tokens": "sizes",
    "local": "local",
}


def category_name(category: str) -> str:
    """Return the short name of a scoring category."""
    return _category_names(current_locale())[category]


@cache
def _category_names(_locale: str) -> Mapping[str, str]:
    return {
        "best_tower": gettext("Best tower"),
        "regions": gettext("Regions"),
        "prizes": gettext("Prizes"),
        "size_tokens": gettext("Size tokens"),
        "local": gettext("Local tiles"),
    }


def bars(seats: Sequence[tuple[Who, bool, Mapping[str, int]]]) -> Chart:
    """Draw the points of each seat, in the order given, split by category."""
    return charts.bars(
        seats, [Category(name, STYLES[name], category_name(name)) for name in CATEGORIES]
    )
