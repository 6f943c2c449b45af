"""What the card of a match shows: pawn letters, and where the pawns stand on the small map."""

from collections.abc import Iterable, Sequence
from typing import Final

from app.matches.pages import MatchCard
from app.web.boards.board import PawnPlace
from app.web.boards.registry import BOARDS

# As the licence of the data asks, wherever a map is shown.
MAP_CREDIT: Final = (
    "own work derived from CC-BY 4.0 data © Instituto Geográfico Nacional de España"
    " (ign.es), via es-atlas"
)


def letters(names: Iterable[str]) -> tuple[str, ...]:
    """Return one letter for each name: its first one that nobody before has taken."""
    taken: list[str] = []
    for name in names:
        own = [letter for letter in name.upper() if letter.isalnum()]
        free = [letter for letter in own if letter not in taken]
        taken.append((free or own or ["?"])[0])
    return tuple(taken)


def rounds_of(card: MatchCard) -> tuple[int, int]:
    """Return the round being played and the last one."""
    return BOARDS[card.game].rounds(card.view)


def pawns_of(card: MatchCard) -> Sequence[PawnPlace]:
    """Return the pawns on the small map of a match."""
    signs = letters(seat.name for seat in card.seats)
    return BOARDS[card.game].mini.pawns(card, signs)
