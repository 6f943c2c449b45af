"""What a scoring would give: reckoned by the rules, on what the viewer sees.

Nothing hidden comes in: the rules leave out a hidden Castillo, and all else that
is scored lies open on the board.
"""

from collections.abc import Mapping
from typing import Final

from app.rules.el_grande.components import CAS
from app.rules.el_grande.edition import Card
from app.rules.el_grande.events import AreaScored
from app.rules.el_grande.game import EL_GRANDE
from app.rules.el_grande.scoring import areas_of, if_scored, scored_by
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.rules.rng import HmacRng
from app.web.boards.el_grande_projected import with_caballeros

# Draws only what no scoring looks at; the same view always gives the same.
_PREVIEW: Final = b"preview"
_CHOSEN: Final = frozenset({"score_valued", "score_first", "score_most", "score_fewest"})

Points = Mapping[str, tuple[int, ...]]


def points_by_area(view: ElGrandeView) -> Points:
    """Return what each area would give each seat if it were scored now."""
    state = EL_GRANDE.determinise(view, HmacRng(_PREVIEW, ""))
    return {event.area: total(event) for event in if_scored(state)}


def points_with_one(view: ElGrandeView, seat: Seat, area: str) -> tuple[int, ...]:
    """Return what `area` would give each seat with one more caballero of `seat`."""
    changed = with_caballeros(view, seat, area, 1)
    return points_by_area(changed)[area]


def total(event: AreaScored) -> tuple[int, ...]:
    """Return what each seat gets by a scoring, bonuses included."""
    return tuple(map(sum, zip(event.points, event.king, event.home, strict=True)))


def gains(points: Points) -> dict[Seat, int]:
    """Return what all regions together would give each seat."""
    regions = [values for area, values in points.items() if area != CAS]
    return {Seat(seat): sum(column) for seat, column in enumerate(zip(*regions, strict=True))}


def card_points(view: ElGrandeView, card: Card) -> tuple[int, ...] | None:
    """Return what a card that scores without a choice would give; None: it does not, or it hides.

    The Castillo counts only where it lies open.
    """
    hidden = card.action == "score_castillo" and view.castillo == "hidden"
    if hidden or card.action not in _CHOSEN | {"score_castillo"}:
        return None
    state = EL_GRANDE.determinise(view, HmacRng(_PREVIEW, ""))
    events = scored_by(state, card, areas_of(state, card))
    return tuple(map(sum, zip(*map(total, events), strict=True))) or (0,) * view.seats
