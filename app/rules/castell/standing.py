"""What answers for a seat that is not there: its standing order, or the safest move."""

import re
from typing import Final

from app.rules.castell.festivals import best_for, festival_at
from app.rules.castell.legal import waiting
from app.rules.castell.moves import DeclineFestival, EndTurn, EnterFestival, Move
from app.rules.castell.state import State
from app.rules.game import Decision, IllegalMoveError, NotationError

EVERY: Final = "festivals"
_ORDER: Final = re.compile(r"(best)(?: ([1-9][0-9]?))?|(decline)")


def decisions(state: State, seat: int) -> tuple[Decision, ...]:
    """Return the next festivals and every one there is yet, while one is to come (rule 8)."""
    first = state.round + (state.phase != "turns")
    rounds = [festival.round for festival in state.festivals if festival.round >= first]
    if not rounds:
        return ()
    coming = min(rounds)
    return Decision(_festival(coming), "festival", coming), Decision(EVERY, "festival")


def asked_for(state: State, seat: int) -> tuple[str, ...]:
    """Return the festival that waits for `seat`, and that it is one of all."""
    return (_festival(state.round), EVERY) if seat in waiting(state) else ()


def check_standing(state: State, seat: int, decision: str, order: str) -> str:
    """Return `best`, `best N` or `decline` as it is printed.

    Raises NotationError for another order, IllegalMoveError for another decision.
    """
    if decision not in {one.key for one in decisions(state, seat)}:
        raise IllegalMoveError("standing.passed", rule="8", decision=decision[:80])
    word, least = read_order(order)
    return f"{word} {least}" if least else word


def standing(state: State, seat: int, order: str) -> Move | None:
    """Return what `order` answers to the festival that asks `seat` (rule 8).

    `best` enters the best tower, `best N` only one that scores as much, `decline`
    shows none.  None outside festivals, and for a tower that scores less.
    """
    word, least = read_order(order)
    if seat not in waiting(state):
        return None
    region = state.pawns[seat]
    name = state.edition.regions[region].id
    if word == "decline":
        return DeclineFestival(name)
    festival = festival_at(state, region)
    best = best_for(state, seat, festival) if festival else None
    return EnterFestival(name, best.tower) if best and best.score >= least else None


def safe_default(state: State, seat: int) -> tuple[Move, ...]:
    """Return what costs an absent seat nothing it has: no action, no tower shown."""
    if seat == state.current():
        return (EndTurn(),)
    region = state.edition.regions[state.pawns[seat]].id
    return (DeclineFestival(region),) if seat in waiting(state) else ()


def _festival(number: int) -> str:
    return f"festival:{number}"


def read_order(order: str) -> tuple[str, int]:
    """Return the word of an order and what its tower must score; raises NotationError."""
    found = _ORDER.fullmatch(" ".join(order.lower().split()))
    if found is None:
        raise NotationError("notation.bad_standing", rule="8", text=order[:80])
    return found[1] or found[3], int(found[2] or 0)
