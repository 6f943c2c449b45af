"""Every end of a turn of Castell that could be wanted, each different one once.

The actions of a turn come in any order, so most orders lead to the same end.
A breadth-first search over what the seat has at each step meets each of these
once and keeps the first way that led there.  Left out is what cannot be better
than something else: recruiting one where two wait, and ending a turn in which
somebody could still be recruited or a skill trained.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from app.rules.castell import CASTELL
from app.rules.castell.moves import EndTurn, Move, Recruit, Train
from app.rules.castell.state import State
from app.rules.game import Seat, replay
from app.rules.rng import NoRng


@dataclass(frozen=True, slots=True)
class Ending:
    """A turn so far: the state, and the moves that led there."""

    state: State
    moves: tuple[Move, ...]


def endings(state: State, seat: Seat, most: int, is_late: Callable[[], bool]) -> Iterator[Ending]:
    """Yield every position in which `seat` may want to end its turn, simplest first.

    Looks no further once there are `most` positions or `is_late()`; what has been
    reached by then is yielded as it is.
    """
    queue = [Ending(state, ())]
    seen = {_key(state, seat)}
    cut = False
    for reached in queue:
        cut = cut or is_late() or len(seen) >= most
        # A search cut short takes what it has, better ends may be out of reach.
        if cut:
            yield reached
            continue
        moves = list(CASTELL.legal_moves(reached.state, seat))
        if not any(isinstance(move, Recruit | Train) for move in moves):
            yield reached
        for move in _sensible(moves):
            events = CASTELL.decide(reached.state, seat, move, NoRng())
            after = replay(CASTELL, events, reached.state)
            key = _key(after, seat)
            if key not in seen:
                seen.add(key)
                queue.append(Ending(after, (*reached.moves, move)))


def _sensible(moves: list[Move]) -> Iterator[Move]:
    most = max((len(move.sizes) for move in moves if isinstance(move, Recruit)), default=0)
    for move in moves:
        if isinstance(move, EndTurn) or (isinstance(move, Recruit) and len(move.sizes) < most):
            continue
        yield move


def _key(state: State, seat: Seat) -> Any:
    # Where castellers and tokens were taken from and put is left out: to the
    # seat itself it makes next to no difference, and it multiplies the search.
    return (
        state.pawns[seat],
        state.used,
        state.hands[seat],
        state.ranks[seat],
        state.tokens[seat],
        state.earned[seat],
    )
