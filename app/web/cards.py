"""What the card of a match shows: pawn letters, and where the pawns stand on the small map."""

from collections.abc import Sequence
from typing import Final

from app.matches.pages import MatchCard
from app.web.boards.board import PawnPlace
from app.web.boards.registry import BOARDS
from app.web.boards.seats import letters

# As the licence of the data asks, wherever a map is shown.
MAP_CREDIT: Final = (
    "own work derived from CC-BY 4.0 data © Instituto Geográfico Nacional de España"
    " (ign.es), via es-atlas"
)


def letters_of(card: MatchCard) -> tuple[str, ...]:
    """Return the letter on the pawn of each seat of a match."""
    return letters((seat.name for seat in card.seats), (seat.bot for seat in card.seats))


def rounds_of(card: MatchCard) -> tuple[int, int]:
    """Return the round being played and the last one."""
    return BOARDS[card.game].rounds(card.view)


def pawns_of(card: MatchCard) -> Sequence[PawnPlace]:
    """Return the pawns on the small map of a match."""
    signs = letters_of(card)
    return BOARDS[card.game].mini.pawns(card, signs)
