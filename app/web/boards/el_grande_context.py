"""What all parts of the turn panel look at, and how an area is told in few words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext
from app.rules.el_grande.components import CAS
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_preview import Points, points_with_one
from app.web.boards.el_grande_words import counts_words
from app.web.boards.opened import Opened
from app.web.boards.seats import Who

SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Context:
    """What all parts of the panel look at."""

    view: ElGrandeView
    seats: Mapping[Seat, Who]
    lines: tuple[str, ...]
    opened: Opened
    points: Points


def held_words(context: Context, area: str) -> str:
    """Say who stands in an area, the most first."""
    view = context.view
    if area == CAS:
        counts = [player.castillo for player in view.players]
        held = counts_words(counts, context.seats, view.seat, most=SHOWN)
        if view.castillo == "hidden":
            return gettext("%(mine)s, the rest hidden", mine=held) if held else gettext("hidden")
        return held or gettext("nobody")
    region = next(region for region in view.regions if region.id == area)
    return counts_words(region.caballeros, context.seats, view.seat, most=SHOWN) or gettext(
        "nobody"
    )


def gain_words(context: Context, area: str, *, more: bool) -> str:
    """Say what the area would give the viewer if it were scored now, and with one `more`."""
    points, seat = context.points.get(area), context.view.seat
    if points is None or seat is None:
        return ""
    then = points_with_one(context.view, seat, area)[seat] if more else points[seat]
    return f"+{points[seat]}" if then == points[seat] else f"+{points[seat]} → +{then}"
