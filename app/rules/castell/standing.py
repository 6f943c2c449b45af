"""What answers for a seat that is not there: its standing order, or the safest move."""

from typing import Final

from app.rules.castell.legal import legal_moves, waiting
from app.rules.castell.moves import DeclineFestival, EndTurn, Move
from app.rules.castell.state import State
from app.rules.game import NotationError

BEST: Final = "best"


def check_standing(order: str) -> None:
    """Raise NotationError unless `order` is one that exists."""
    if order.strip().lower() != BEST:
        raise NotationError("notation.bad_standing", rule="8", text=order[:80])


def standing(state: State, seat: int, order: str) -> Move | None:
    """Return the best tower for the festival that asks `seat`, None outside festivals."""
    check_standing(order)
    return next(iter(legal_moves(state, seat)), None) if seat in waiting(state) else None


def safe_default(state: State, seat: int) -> tuple[Move, ...]:
    """Return what costs an absent seat nothing it has: no action, no tower shown."""
    if seat == state.current():
        return (EndTurn(),)
    region = state.edition.regions[state.pawns[seat]].id
    return (DeclineFestival(region),) if seat in waiting(state) else ()
