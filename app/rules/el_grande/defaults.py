"""What answers for a seat that is not there: its standing order, or the safest move."""

import re
from typing import Final

from app.rules.el_grande.components import COURT, Counts
from app.rules.el_grande.edition import tables
from app.rules.el_grande.fold import evolve
from app.rules.el_grande.joining import area_rank
from app.rules.el_grande.legal import has_question, may_veto
from app.rules.el_grande.moves import END, PASS, VETO, Disc, Move, Return, TakeCard
from app.rules.el_grande.play import decide
from app.rules.el_grande.reach import disc_choices, return_sources, to_return
from app.rules.el_grande.state import State
from app.rules.el_grande.steps import legal_moves
from app.rules.game import NotationError

_ORDER: Final = re.compile(r"ask|pass|veto ([1-5]-[0-9]{2}(?:,[1-5]-[0-9]{2})*)")


def check_standing(order: str) -> None:
    """Raise NotationError unless `order` is `ask`, `pass` or `veto ID[,ID…]` (section 13)."""
    _read(order)


def _read(order: str) -> tuple[str, frozenset[str]]:
    found = _ORDER.fullmatch(re.sub(r"\s*,\s*", ",", " ".join(order.lower().split())))
    if found is None:
        raise NotationError("notation.bad_standing", rule="13", text=order[:80])
    return found[0].split()[0], frozenset((found[1] or "").split(","))


def standing(state: State, seat: int, order: str) -> Move | None:
    """Return what a holder's standing order answers to an announced special action.

    None where it does not apply: the order says to ask, names other cards, or
    the seat has to choose something as well, which is an answer of its own.
    """
    word, cards = _read(order)
    if not may_veto(state, seat):
        return None
    if word == "veto" and state.card in cards:
        return VETO
    return PASS if word == "pass" and not has_question(state, seat) else None


def safe_default(state: State, seat: int) -> tuple[Move, ...]:
    """Return the moves that answer for an absent seat with the least harm (section 14)."""
    moves = list(legal_moves(state, seat))
    if not moves or state.phase == "power":
        return tuple(moves[:1])
    if has_question(state, seat):
        return (_choice(state, seat),)
    if may_veto(state, seat):
        return (PASS,)
    return _turn(state, seat)


def _turn(state: State, seat: int) -> tuple[Move, ...]:
    """Take the card of the lowest stack and leave out all that can be left out."""
    moves: list[Move] = []
    if not state.card:
        return TakeCard(min(state.offer)), END
    while END not in (steps := list(legal_moves(state, seat))):
        moves.append(steps[0])
        for event in decide(state, seat, steps[0], lambda _stacks: ()):
            state = evolve(state, event)
    return *moves, END


def _choice(state: State, seat: int) -> Move:
    if state.phase == "answers" and state.card_taken().action == "return_chosen":
        return Return(_least_returned(state, seat))
    ids, choices = tables(state.edition).ids, disc_choices(state, seat)
    if state.phase == "disc":
        return Disc(ids[state.king])
    row = state.pieces[seat]
    if state.card_taken().action == "disc_return":
        most = state.card_taken().count
        return Disc(ids[min(choices, key=lambda area: min(most, row[area]))])
    return Disc(ids[choices[0]])


def _least_returned(state: State, seat: int) -> Counts:
    """Return from the court first, then from where most caballeros stand."""
    needed = to_return(state, seat)
    returned: dict[str, int] = {}
    sources = dict(return_sources(state, seat))
    for _ in range(needed):
        left = {area: count - returned.get(area, 0) for area, count in sources.items()}
        pick = COURT if left.get(COURT) else min(left, key=lambda area: (-left[area], area))
        returned[pick] = returned.get(pick, 0) + 1
    return tuple((area, returned[area]) for area in sorted(returned, key=area_rank))
