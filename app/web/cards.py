"""What the card of a match shows: pawn letters, and where the pawns stand on the small map."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.matches.pages import MatchCard
from app.rules.castell.view import CastellView

# As the licence of the data asks, wherever a map is shown.
MAP_CREDIT: Final = (
    "own work derived from CC-BY 4.0 data © Instituto Geográfico Nacional de España"
    " (ign.es), via es-atlas"
)

# Where a pawn's drawing starts in the small map, by region.
_PLACES: Final[Mapping[str, tuple[int, int]]] = {
    "TAR": (95, 640),
    "VAL": (205, 395),
    "VFR": (365, 340),
    "VNO": (395, 560),
    "BCN": (625, 420),
    "TER": (485, 200),
    "GIR": (745, 160),
}
_CROWDED: Final = 62


@dataclass(frozen=True, slots=True)
class PawnPlace:
    """A pawn on the small map."""

    kit: int
    letter: str
    x: int
    y: int


def letters(names: Iterable[str]) -> tuple[str, ...]:
    """Return one letter for each name: its first one that nobody before has taken."""
    taken: list[str] = []
    for name in names:
        own = [letter for letter in name.upper() if letter.isalnum()]
        free = [letter for letter in own if letter not in taken]
        taken.append((free or own or ["?"])[0])
    return tuple(taken)


def rounds_of(card: MatchCard) -> tuple[int, int] | None:
    """Return the round being played and how many there are, if the game has rounds."""
    view = card.view
    return (view.round, view.rounds) if isinstance(view, CastellView) else None


def pawns_of(card: MatchCard) -> Sequence[PawnPlace]:
    """Return the pawns that stand in some region, those of one region side by side."""
    if not isinstance(card.view, CastellView):
        return ()
    signs = letters(seat.name for seat in card.seats)
    standing: dict[str, int] = {}
    pawns = []
    for colla in card.view.collas:
        if colla.region is None or colla.region not in _PLACES:
            continue
        nth = standing.get(colla.region, 0)
        standing[colla.region] = nth + 1
        x, y = _PLACES[colla.region]
        pawns.append(
            PawnPlace(
                kit=card.seats[colla.seat].kit,
                letter=signs[colla.seat],
                x=x + nth * _CROWDED,
                y=y + (nth % 2) * (_CROWDED // 2),
            )
        )
    return tuple(pawns)
