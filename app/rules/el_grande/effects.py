"""What a special action brings about (section 5), once nobody can stop it any more."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from app.rules.el_grande.components import BOARDS, COURT, Action, Counts, SpecialKind
from app.rules.el_grande.edition import REGIONS, tables
from app.rules.el_grande.events import (
    Added,
    BoardMoved,
    Courted,
    DiscsRevealed,
    Event,
    GrandeMoved,
    KingMoved,
    Moved,
    Recalled,
    Returned,
)
from app.rules.el_grande.fold import evolve
from app.rules.el_grande.moves import Shift, Special
from app.rules.el_grande.reach import (
    courted_from_province,
    disc_choices,
    return_sources,
    returns_freely,
)
from app.rules.el_grande.scoring import areas_of, scored_by
from app.rules.el_grande.state import AT_COURT, NOWHERE, State
from app.rules.game import Seat

# Where each seat has set its disc.
Discs: TypeAlias = Mapping[int, str]
Effect: TypeAlias = Callable[[State, Seat, Special], tuple[Event, ...]]


def effects(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    """Return the events of `special`, a step or a whole, as if nobody vetoes.

    Cards that need discs take them from `discs_set`.
    """
    return _KINDS[special.kind](state, seat, special)


def discs_set(state: State) -> dict[int, str]:
    """Return every disc that takes part: set, or the only one there can be (section 14)."""
    ids = tables(state.edition).ids
    discs: dict[int, str] = {}
    for seat in range(state.seats):
        filed = state.answer_of(seat, "disc")
        choices = disc_choices(state, seat)
        if filed is not None:
            discs[seat] = filed.region
        elif seat == state.current() and state.disc:
            discs[seat] = state.disc
        elif len(choices) == 1:
            discs[seat] = ids[choices[0]]
    return discs


def _move(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    return (Moved(seat, special.moves),)


def _add(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    return (Added(seat, special.areas),)


def _return(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    return (Returned(seat, tuple((owner, region, 1) for owner, region in special.owners)),)


def _score(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    area = tables(state.edition).index[special.area]
    return scored_by(state, state.card_taken(), (area,))


def _board(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    board = special.board or BOARDS[0]
    here = state.boards[BOARDS.index(board)]
    origin = None if here == NOWHERE else tables(state.edition).ids[here]
    return (BoardMoved(seat, board, origin, special.area),)


def _king(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    return (KingMoved(seat, tables(state.edition).ids[state.king], special.area),)


def _expel(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    discs = discs_set(state)
    source = tables(state.edition).index[special.area]
    there = [owner for owner in state.clockwise(seat) if state.pieces[owner][source]]
    shown = tuple((Seat(owner), discs[owner]) for owner in sorted(there))
    moves: tuple[Shift, ...] = tuple(
        (owner, special.area, target, state.pieces[owner][source]) for owner, target in shown
    )
    return DiscsRevealed(state.card, shown), Moved(seat, moves)


def _grande(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    origin = tables(state.edition).ids[state.grandes[seat]]
    return (GrandeMoved(seat, origin, special.area),)


def _court(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    return (Courted(seat, courted_from_province(state, seat), special.areas),)


def _recall(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    return (Recalled(seat, special.value),)


def _do(state: State, seat: Seat, special: Special) -> tuple[Event, ...]:
    action = state.card_taken().action
    if action in _BARE:
        return _BARE[action](state, seat)
    card = state.card_taken()
    return scored_by(state, card, areas_of(state, card))


def _return_courts(state: State, seat: Seat) -> tuple[Event, ...]:
    most = state.card_taken().count
    returned = tuple(
        (Seat(other), COURT, min(most, there))
        for other in state.clockwise(seat)
        if (there := state.pieces[other][AT_COURT])
    )
    return (Returned(seat, returned),)


def _return_chosen(state: State, seat: Seat) -> tuple[Event, ...]:
    """Return what opponents return in order of play, up to the first that has yet to answer."""
    events = []
    for owner in state.questioned or state.clockwise(seat):
        filed = state.answer_of(owner, "return")
        if filed is not None:
            returned = filed.sources
        elif returns_freely(state, owner):
            break
        else:
            returned = _all_there_is(return_sources(state, owner), state.card_taken().count)
        if returned:
            events.append(Returned(seat, tuple((Seat(owner), *part) for part in returned)))
    return tuple(events)


def _all_there_is(sources: Counts, most: int) -> Counts:
    """Return what is taken from `sources` when they leave no choice."""
    return tuple((area, min(most, count)) for area, count in sources)


def _disc_return(state: State, seat: Seat) -> tuple[Event, ...]:
    card, index = state.card_taken(), tables(state.edition).index
    shown = tuple((Seat(owner), region) for owner, region in discs_set(state).items())
    returned = tuple(
        (owner, region, min(card.count, state.pieces[owner][index[region]]))
        for owner, region in shown
    )
    return DiscsRevealed(card.id, shown), Returned(seat, returned)


def _score_picked(state: State, seat: Seat) -> tuple[Event, ...]:
    card, lookup = state.card_taken(), tables(state.edition)
    discs = discs_set(state)
    times = Counter(discs.values())
    picked = [area for area in range(REGIONS) if times[lookup.ids[area]] == 1]
    shown = tuple((Seat(owner), region) for owner, region in discs.items())
    return DiscsRevealed(card.id, shown), *scored_by(state, card, picked)


_KINDS: Final[Mapping[SpecialKind, Effect]] = {
    "do": _do,
    "move": _move,
    "add": _add,
    "return": _return,
    "score": _score,
    "board": _board,
    "king": _king,
    "expel": _expel,
    "grande": _grande,
    "court": _court,
    "recall": _recall,
}
_BARE: Final[Mapping[Action, Callable[[State, Seat], tuple[Event, ...]]]] = {
    "return_courts": _return_courts,
    "return_chosen": _return_chosen,
    "disc_return": _disc_return,
    "score_picked": _score_picked,
}


def projected(state: State) -> State:
    """Return the state as if the announced special and the plan had been carried out.

    For boards and previews: what needs others' answers, or would show a hidden
    Castillo's numbers, is left out.
    """
    special, seat = state.special, state.current()
    if not state.sealed or special is None or seat is None:
        return state
    if special.kind in ("do", "score", "expel"):
        return state
    for event in effects(state, Seat(seat), special):
        state = evolve(state, event)
    return state
