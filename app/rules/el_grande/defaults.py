"""What answers for a seat that is not there: the safest move (section 14)."""

from app.rules.el_grande.components import COURT, Counts
from app.rules.el_grande.edition import tables
from app.rules.el_grande.fold import evolve
from app.rules.el_grande.joining import area_rank
from app.rules.el_grande.legal import has_question, may_veto
from app.rules.el_grande.moves import END, PASS, Disc, Move, Return, TakeCard
from app.rules.el_grande.play import decide
from app.rules.el_grande.reach import disc_choices, return_sources, to_return
from app.rules.el_grande.state import State
from app.rules.el_grande.steps import legal_moves


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
