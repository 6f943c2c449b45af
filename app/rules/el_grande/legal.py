"""What a seat may do (sections 4, 5, 6.1, 13, 14): the checks.

`check` refuses with a stable code, the numbers and the rule.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.rules.el_grande.components import COURT, Counts
from app.rules.el_grande.edition import tables
from app.rules.el_grande.moves import (
    Disc,
    End,
    Move,
    Pass,
    Place,
    PlayPower,
    Refill,
    Return,
    Special,
    Take,
    TakeCard,
    Veto,
)
from app.rules.el_grande.reach import (
    court_left,
    disc_choices,
    most_taken,
    placing_king,
    return_sources,
    returns_freely,
    shortage,
    to_return,
)
from app.rules.el_grande.specials import (
    area_index,
    check_complete,
    check_refill,
    check_special,
    check_taboo,
)
from app.rules.el_grande.state import CASTILLO, State
from app.rules.game import IllegalMoveError


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMoveError if `seat` may not make `move` now."""
    if state.phase == "over":
        raise IllegalMoveError("match.over", rule="4")
    if state.phase in ("answers", "disc"):
        _check_answer(state, seat, move)
        return
    if seat != state.current():
        raise IllegalMoveError("turn.not_yours", rule="4", seat=state.current())
    checked = _CHECKS.get(type(move))
    if checked is None:
        raise IllegalMoveError("answer.not_asked", rule="14")
    if state.phase == "power" and not isinstance(move, PlayPower):
        raise IllegalMoveError("power.first", rule="4")
    checked(state, seat, move)


def waiting(state: State) -> tuple[int, ...]:
    """Return the seats that are asked out of turn and have not answered, in order of play."""
    if state.phase == "disc":
        return tuple(seat for seat in state.questioned if not has_chosen(state, seat))
    if state.phase != "answers":
        return ()
    asked = (*state.holders, *(seat for seat in state.questioned if seat not in state.holders))
    return tuple(seat for seat in asked if may_veto(state, seat) or has_question(state, seat))


def has_chosen(state: State, seat: int) -> bool:
    """Tell whether a seat has answered its question already."""
    return state.answer_of(seat, "disc", "return") is not None


def may_veto(state: State, seat: int) -> bool:
    """Tell whether a seat may still stop the special action that has been announced."""
    return seat in state.holders and state.answer_of(seat, "pass") is None


def has_question(state: State, seat: int) -> bool:
    """Tell whether a seat has yet to choose."""
    if seat not in state.questioned or has_chosen(state, seat):
        return False
    return is_free(state, seat)


def is_free(state: State, seat: int) -> bool:
    """Tell whether a seat that is questioned has a choice: one answer is not asked for."""
    return _asks_disc(state) or returns_freely(state, seat)


def blocked(state: State) -> tuple[int, ...]:
    """Return the power values that have been played this round (R3)."""
    return tuple(value for _, value in state.bids)


def _check_power(state: State, seat: int, move: PlayPower) -> None:
    if state.phase != "power":
        raise IllegalMoveError("power.not_now", rule="4")
    if move.value not in state.hands[seat]:
        raise IllegalMoveError("power.not_held", rule="4", value=move.value)
    for who, played in state.bids:
        if played == move.value:
            raise IllegalMoveError("power.blocked", rule="4", value=played, seat=who)


def _check_not_placing(state: State) -> None:
    if state.phase == "place":
        raise IllegalMoveError("turn.only_placing", rule="14")


def _check_card_taken(state: State) -> None:
    if not state.card:
        raise IllegalMoveError("card.first", rule="4")


def _check_take(state: State, seat: int, move: Take) -> None:
    _check_not_placing(state)
    if state.took >= 0 or state.card:
        raise IllegalMoveError("take.already", rule="4")
    most = most_taken(state, seat)
    if move.count > most:
        raise IllegalMoveError("take.too_many", rule="4", count=move.count, most=most)


def _check_refill(state: State, seat: int, move: Refill) -> None:
    _check_not_placing(state)
    if state.card:
        raise IllegalMoveError("refill.too_late", rule="4")
    room = shortage(state, seat)
    if not room:
        raise IllegalMoveError("refill.no_shortage", rule="4")
    if not move.sources:
        raise IllegalMoveError("refill.nobody", rule="4")
    check_refill(state, seat, move.sources, room)


def _check_card(state: State, seat: int, move: TakeCard) -> None:
    _check_not_placing(state)
    card = move.card
    if card not in tables(state.edition).cards:
        raise IllegalMoveError("card.unknown", rule="5", card=card)
    if state.card:
        raise IllegalMoveError("card.already", rule="4", card=state.card)
    if card in state.offer:
        return
    for who, taken in state.taken:
        if taken == card:
            raise IllegalMoveError("card.taken", rule="4", card=card, seat=who)
    raise IllegalMoveError("card.not_on_offer", rule="4", card=card, offer=list(state.offer))


def _check_special(state: State, seat: int, move: Special) -> None:
    _check_not_placing(state)
    _check_card_taken(state)
    check_special(state, seat, move)


def _check_own_disc(state: State, seat: int, move: Disc) -> None:
    _check_not_placing(state)
    _check_card_taken(state)
    if not state.awaits_disc:
        raise IllegalMoveError("disc.not_asked", rule="14")
    _check_disc(state, seat, move.region)


def _check_place(state: State, seat: int, move: Place) -> None:
    _check_card_taken(state)
    if state.phase == "turn":
        check_placing_now(state, seat)
    king = placing_king(state)
    near = tables(state.edition).neighbours[king]
    count = 0
    for name, number in move.to:
        area = area_index(state, name)
        check_taboo(state, area, king)
        if area != CASTILLO and area not in near:
            ids = tables(state.edition).ids
            raise IllegalMoveError(
                "place.not_adjacent",
                rule="4",
                region=name,
                king=ids[king],
                adjacent=[ids[other] for other in near],
            )
        count += number
    limit = state.edition.placement[state.card_taken().stack - 1]
    done = state.placed if state.vetoed else state.placed or state.plan or ()
    placed = sum(number for _, number in done)
    if placed + count > limit:
        raise IllegalMoveError("place.too_many", rule="5", count=placed + count, limit=limit)
    left = court_left(state, seat)
    if count > left:
        raise IllegalMoveError("place.court_short", rule="4", count=count, court=left)


def check_placing_now(state: State, seat: int) -> None:
    """Raise IllegalMoveError if placing cannot begin or go on: the parts never split (R4)."""
    if "p" in state.parts:
        if state.parts[-1] != "p":
            raise IllegalMoveError("place.already", rule="4")
    else:
        check_complete(state, seat)


def _check_end(state: State, seat: int, move: End) -> None:
    _check_card_taken(state)
    check_complete(state, seat)


def _check_disc(state: State, seat: int, region: str) -> None:
    area = tables(state.edition).index.get(region)
    if area is None or area == CASTILLO:
        raise IllegalMoveError("disc.unknown_region", rule="2", region=region)
    choices = disc_choices(state, seat)
    if area not in choices:
        if area == state.king:
            check_taboo(state, area)
        ids = tables(state.edition).ids
        raise IllegalMoveError(
            "disc.not_allowed",
            rule="5",
            region=region,
            card=state.card,
            allowed=[ids[choice] for choice in choices],
        )


def _check_answer(state: State, seat: int, move: Move) -> None:
    veto, question = may_veto(state, seat), has_question(state, seat)
    match move:
        case Veto():
            if not veto:
                raise IllegalMoveError("veto.not_asked", rule="13")
        case Pass():
            if not veto:
                raise IllegalMoveError("veto.not_asked", rule="13")
        case Disc(region):
            if not question or not _asks_disc(state):
                raise IllegalMoveError("answer.not_asked", rule="14")
            _check_disc(state, seat, region)
        case Return(sources):
            if not question or _asks_disc(state):
                raise IllegalMoveError("answer.not_asked", rule="14")
            _check_return(state, seat, sources)
        case _:
            raise IllegalMoveError("turn.not_running", rule="14")


def _asks_disc(state: State) -> bool:
    return state.phase == "disc" or state.card_taken().action != "return_chosen"


def _check_return(state: State, seat: int, sources: Counts) -> None:
    there = dict(return_sources(state, seat))
    for name, count in sources:
        if name != COURT:
            area = area_index(state, name)
            if area == CASTILLO:
                raise IllegalMoveError("area.castillo", rule="1.3")
            check_taboo(state, area)
        if count > there.get(name, 0):
            raise IllegalMoveError(
                "return.too_many", rule="5", area=name, count=count, there=there.get(name, 0)
            )
    count = sum(count for _, count in sources)
    needed = to_return(state, seat)
    if count != needed:
        raise IllegalMoveError("return.wrong_count", rule="5", count=count, needed=needed)


_CHECKS: Final[Mapping[type, Callable[[State, int, Any], None]]] = {
    PlayPower: _check_power,
    Take: _check_take,
    Refill: _check_refill,
    TakeCard: _check_card,
    Place: _check_place,
    Special: _check_special,
    Disc: _check_own_disc,
    End: _check_end,
}
