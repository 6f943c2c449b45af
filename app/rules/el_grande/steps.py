"""The finite choices of a seat, as steps of one caballero each (section 14).

Only what `legal.check` accepts is listed, and the steps of one part in their
canonical order, so that no two ways lead to the same turn.  Not listed, as an
`End` comes to the same: placing nobody, and skipping the special action.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from app.rules.el_grande.components import SpecialKind
from app.rules.el_grande.edition import REGIONS, Card, tables
from app.rules.el_grande.joining import STEPPED, area_rank
from app.rules.el_grande.legal import blocked, has_question, may_veto, waiting
from app.rules.el_grande.moves import (
    DO,
    END,
    PASS,
    VETO,
    Move,
    Refill,
    Return,
    Shift,
    Special,
    Take,
)
from app.rules.el_grande.reach import (
    before_special,
    can_change,
    court_left,
    courted_from_province,
    disc_choices,
    most_taken,
    outside,
    placing_king,
    placing_left,
    return_choices,
    shortage,
)
from app.rules.el_grande.specials import KINDS, check_complete, owing
from app.rules.el_grande.state import RECALL, State
from app.rules.game import IllegalMoveError, Seat


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    """Yield every choice of `seat`, step by step."""
    if seat == state.current() and state.phase != "answers":
        if state.phase == "power":
            powers, played = tables(state.edition).powers, blocked(state)
            return iter([powers[v - 1] for v in state.hands[seat] if v not in played])
        return iter(_turn_moves(state, seat))
    return iter(_answers(state, seat)) if seat in waiting(state) else iter(())


def is_complete(state: State, seat: int) -> bool:
    """Tell whether the special action, if it has begun, is complete."""
    try:
        check_complete(state, seat)
    except IllegalMoveError:
        return False
    return True


def _turn_moves(state: State, seat: int) -> list[Move]:
    if not state.card:
        return _before_card(state, seat)
    if state.phase == "place":
        return [*_places(state, seat), END]
    if state.awaits_disc:
        discs = tables(state.edition).discs
        return [discs[region] for region in disc_choices(state, seat)]
    moves: list[Move] = []
    parts = state.parts
    complete = parts[-1:] != "s" or is_complete(state, seat)
    if ("p" not in parts and complete) or parts[-1:] == "p":
        moves += _places(state, seat)
    if "s" not in parts or (parts[-1] == "s" and state.special is not None):
        moves += special_steps(state, seat)
    if complete:
        moves.append(END)
    return moves


def _before_card(state: State, seat: int) -> list[Move]:
    lookup = tables(state.edition)
    moves: list[Move] = [lookup.takes[card] for card in state.offer]
    if state.took < 0:
        moves += [Take(count) for count in range(most_taken(state, seat))]
    if shortage(state, seat):
        last = lookup.index[state.refilled[-1][0]] if state.refilled else 0
        moves += [Refill(((lookup.ids[area], 1),)) for area in outside(state, seat) if area >= last]
    return moves


def _places(state: State, seat: int) -> list[Move]:
    if placing_left(state, seat) <= 0:
        return []
    steps = tables(state.edition).places[placing_king(state)]
    done = state.placed or (() if state.vetoed else state.plan)
    if not done:
        return [move for _, move in steps]
    last = tables(state.edition).index[done[-1][0]]
    return [move for area, move in steps if area >= last]


def special_steps(state: State, seat: int) -> list[Special]:
    """Return the next steps of the special action, or its first ones."""
    card, begun = state.card_taken(), state.special
    if begun is None:
        return [step for kind in KINDS[card.action] for step in _STEPS[kind](state, seat, card)]
    return _STEPS[begun.kind](state, seat, card) if begun.kind in STEPPED else []


def _do(state: State, seat: int, card: Card) -> list[Special]:
    return [DO] if can_change(state, seat, card) else []


def _score(state: State, seat: int, card: Card) -> list[Special]:
    return [*tables(state.edition).chosen["score"]]


def _board(state: State, seat: int, card: Card) -> list[Special]:
    free = [area for area in _open(state) if area not in state.boards]
    return [
        steps[area]
        for steps, here in zip(tables(state.edition).boards, state.boards, strict=True)
        if here != state.king
        for area in free
    ]


def _open(state: State) -> list[int]:
    return [area for area in range(REGIONS) if area != state.king]


def _king(state: State, seat: int, card: Card) -> list[Special]:
    lookup = tables(state.edition)
    near = card.action == "king_adjacent"
    areas = lookup.neighbours[state.king] if near else _open(state)
    return [lookup.chosen["king"][area] for area in areas]


def _expel(state: State, seat: int, card: Card) -> list[Special]:
    steps, rivals = tables(state.edition).chosen["expel"], state.clockwise(seat)
    return [
        steps[area] for area in _open(state) if any(state.pieces[rival][area] for rival in rivals)
    ]


def _grande(state: State, seat: int, card: Card) -> list[Special]:
    steps, here = tables(state.edition).chosen["grande"], state.grandes[seat]
    if here == state.king:
        return []
    return [steps[area] for area in _open(state) if area != here]


def _recall(state: State, seat: int, card: Card) -> list[Special]:
    played = set(state.logs[seat]) - set(state.hands[seat]) - {RECALL}
    recalls = tables(state.edition).recalls
    return [recalls[value] for value in sorted(played)]


def _move(state: State, seat: int, card: Card) -> list[Special]:
    lookup = tables(state.edition)
    done = state.special.moves if state.special is not None else ()
    own = sum(move[3] for move in done if move[0] == seat)
    others = sum(move[3] for move in done if move[0] != seat)
    all_own = card.action in ("move_all", "move_all_or_add")
    if all_own or card.any:
        room_own = room_others = (card.any or state.edition.caballeros) - own - others
    else:
        room_own, room_others = card.own - own, card.opponents - others
    rows = before_special(state) if done else state.pieces
    steps: list[Special] = []
    for owner in range(state.seats):
        if owner != seat and all_own:
            continue
        if (room_own if owner == seat else room_others) <= 0:
            continue
        shifts, row = lookup.shifts[state.king][owner], rows[owner]
        for origin in range(REGIONS):
            if row[origin] and shifts[origin]:
                steps += _after(done, shifts[origin], row[origin]) if done else shifts[origin]
    if done and card.action != "move":
        source = done[0][1]
        steps = [step for step in steps if step.moves[0][1] == source]
    return steps


def _after(done: tuple[Shift, ...], shifts: tuple[Special, ...], there: int) -> tuple[Special, ...]:
    """Return the shifts that come after those already done, while somebody is left to move."""
    owner, origin, _, _ = shifts[0].moves[0]
    last_owner, last_origin, last_target, _ = done[-1]
    if (owner, origin) != (last_owner, last_origin):
        return shifts if (owner, origin) > (last_owner, last_origin) else ()
    if there <= sum(count for who, area, _, count in done if (who, area) == (owner, origin)):
        return ()
    least = area_rank(last_target)
    return tuple(shift for shift in shifts if area_rank(shift.moves[0][2]) >= least)


def _add(state: State, seat: int, card: Card) -> list[Special]:
    done = state.special.areas if state.special is not None else ()
    if sum(count for _, count in done) >= card.count or court_left(state, seat) <= 0:
        return []
    lookup = tables(state.edition)
    last = lookup.index[done[-1][0]] if done else 0
    return [step for area, step in lookup.adds[state.king] if area >= last]


def _return(state: State, seat: int, card: Card) -> list[Special]:
    owners = owing(state, seat)
    if not owners:
        return []
    owner, ids = owners[0], tables(state.edition).ids
    return [Special("return", owners=((Seat(owner), ids[area]),)) for area in outside(state, owner)]


def _court(state: State, seat: int, card: Card) -> list[Special]:
    province = courted_from_province(state, seat)
    if province and state.special is None:
        return [Special("court")]
    done = state.special.areas if state.special is not None else ()
    announced = dict(done) if state.sealed else {}
    if card.count - state.courted - province - sum(announced.values()) <= 0:
        return []
    lookup = tables(state.edition)
    last = lookup.index[done[-1][0]] if done else 0
    return [
        Special("court", areas=((lookup.ids[area], 1),))
        for area in outside(state, seat)
        if area >= last and state.pieces[seat][area] > announced.get(lookup.ids[area], 0)
    ]


def _answers(state: State, seat: int) -> list[Move]:
    moves: list[Move] = []
    if may_veto(state, seat):
        moves.append(VETO)
        if not has_question(state, seat):
            moves.append(PASS)
    if not has_question(state, seat):
        return moves
    if state.phase == "answers" and state.card_taken().action == "return_chosen":
        return [*moves, *map(Return, return_choices(state, seat))]
    discs = tables(state.edition).discs
    return [*moves, *(discs[region] for region in disc_choices(state, seat))]


_STEPS: Final[Mapping[SpecialKind, Callable[[State, int, Card], list[Special]]]] = {
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
