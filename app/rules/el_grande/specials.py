"""What a special action may be (section 5): the checks of each kind.

Every check looks at the whole special, earlier steps included, against the
position before it began; numbers worded "up to" stay free, everything else
must be complete before another part begins.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NoReturn

from app.rules.el_grande.components import BOARDS, CAS, Action, Counts, SpecialKind
from app.rules.el_grande.edition import Card, tables
from app.rules.el_grande.joining import STEPPED, joined_specials
from app.rules.el_grande.moves import Special
from app.rules.el_grande.reach import (
    before_special,
    can_change,
    court_left,
    courted_from_province,
    outside,
)
from app.rules.el_grande.state import NOWHERE, State
from app.rules.game import IllegalMoveError

KINDS: Final[Mapping[Action, tuple[SpecialKind, ...]]] = {
    "move": ("move",),
    "move_from": ("move",),
    "move_all": ("move",),
    "add": ("add",),
    "move_all_or_add": ("move", "add"),
    "veto": (),
    "return_courts": ("do",),
    "return_chosen": ("do",),
    "return_one": ("return",),
    "disc_return": ("do",),
    "score_one": ("score",),
    "score_valued": ("do",),
    "score_castillo": ("do",),
    "score_first": ("do",),
    "score_most": ("do",),
    "score_fewest": ("do",),
    "board": ("board",),
    "king_adjacent": ("king",),
    "expel": ("expel",),
    "grande": ("grande",),
    "court": ("court",),
    "recall": ("recall",),
    "score_picked": ("do",),
    "king_anywhere": ("king",),
}


def check_special(state: State, seat: int, special: Special) -> None:
    """Raise IllegalMoveError if `special` is not a step of the special action now."""
    card = state.card_taken()
    kinds = KINDS[card.action]
    if not kinds:
        raise IllegalMoveError("special.none", rule="5.2", card=card.id)
    if "s" in state.parts and not _continues(state, special):
        raise IllegalMoveError("special.already", rule="4")
    if special.kind == "skip":
        return
    if special.kind not in kinds:
        raise IllegalMoveError(
            "special.wrong_kind", rule="5", card=card.id, kind=special.kind, kinds=list(kinds)
        )
    whole = special if state.special is None else joined_specials(state.special, special)
    _CHECKS[special.kind](state, seat, card, special, whole)


def _continues(state: State, special: Special) -> bool:
    return (
        state.parts[-1] == "s"
        and state.special is not None
        and special.kind == state.special.kind
        and special.kind in STEPPED
    )


def check_complete(state: State, seat: int) -> None:
    """Raise IllegalMoveError while a special action that has begun is not complete."""
    special = state.special
    # Once another part has begun, or the others have answered, it is complete.
    if special is None or state.parts[-1] != "s" or state.phase == "place":
        return
    if state.awaits_disc:
        raise IllegalMoveError("special.disc_missing", rule="14", card=state.card)
    action = state.card_taken().action
    if special.kind == "move" and action in ("move_all", "move_all_or_add"):
        origin = special.moves[0][1]
        moved = sum(move[3] for move in special.moves)
        there = before_special(state)[seat][tables(state.edition).index[origin]]
        if moved < there:
            raise IllegalMoveError(
                "special.not_all_moved", rule="5", region=origin, left=there - moved
            )
    if action == "return_one":
        missing = owing(state, seat)
        if missing:
            raise IllegalMoveError("special.return_missing", rule="5", seats=list(missing))


def owing(state: State, seat: int) -> tuple[int, ...]:
    """Return the opponents of whom a caballero must still be returned by card 2-05."""
    done = {owner for owner, _ in state.special.owners} if state.special else set()
    return tuple(
        sorted(
            other for other in state.clockwise(seat) if other not in done and outside(state, other)
        )
    )


def area_index(state: State, area: str) -> int:
    """Return the index of a region or the Castillo; raises IllegalMoveError if there is none."""
    index = tables(state.edition).index.get(area)
    if index is None:
        raise IllegalMoveError("area.unknown", rule="1.1", area=area)
    return index


def check_taboo(state: State, area: int, king: int | None = None) -> None:
    """Raise IllegalMoveError if `area` is the King's region (section 4)."""
    if area == (state.king if king is None else king):
        raise IllegalMoveError("king.taboo", rule="4", region=tables(state.edition).ids[area])


def _region(state: State, area: str) -> int:
    if area == CAS:
        raise IllegalMoveError("area.castillo", rule="1.3")
    return area_index(state, area)


def _owner(state: State, owner: int) -> None:
    if not 0 <= owner < state.seats:
        raise IllegalMoveError("seat.unknown", rule="2", seat=owner)


def no_effect(card: Card) -> NoReturn:
    """Refuse a special action that cannot change anything: it is skipped instead."""
    raise IllegalMoveError("special.no_effect", rule="14", card=card.id)


def _do(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    if not can_change(state, seat, card):
        no_effect(card)


def _move(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    if not step.moves:
        raise IllegalMoveError("special.no_target", rule="15", card=card.id)
    for owner, origin, target, _ in step.moves:
        _owner(state, owner)
        for area in (_region(state, origin), area_index(state, target)):
            check_taboo(state, area)
        if origin == target:
            raise IllegalMoveError("move.same_region", rule="14", region=origin)
    _check_limits(seat, card, whole)
    rows, index = before_special(state), tables(state.edition).index
    taken: Counter[tuple[int, str]] = Counter()
    for owner, origin, _, count in whole.moves:
        taken[owner, origin] += count
    for (who, source), wanted in taken.items():
        there = rows[who][index[source]]
        if wanted > there:
            raise IllegalMoveError(
                "move.not_there",
                rule="14",
                seat=who,
                region=source,
                there=there,
                wanted=wanted,
            )


def _check_limits(seat: int, card: Card, whole: Special) -> None:
    origins = {move[1] for move in whole.moves}
    if card.action != "move" and len(origins) > 1:
        raise IllegalMoveError("move.one_region", rule="5", regions=sorted(origins))
    own = sum(count for owner, _, _, count in whole.moves if owner == seat)
    others = sum(count for owner, _, _, count in whole.moves if owner != seat)
    if card.action in ("move_all", "move_all_or_add"):
        if others:
            raise IllegalMoveError("move.own_only", rule="5", card=card.id)
        return
    if card.any:
        if own + others > card.any:
            _too_many("any", own + others, card.any)
        return
    if own and not card.own:
        raise IllegalMoveError("move.opponents_only", rule="5", card=card.id)
    if others and not card.opponents:
        raise IllegalMoveError("move.own_only", rule="5", card=card.id)
    if own > card.own:
        _too_many("own", own, card.own)
    if others > card.opponents:
        _too_many("opponents", others, card.opponents)


def _too_many(whose: str, count: int, limit: int) -> NoReturn:
    raise IllegalMoveError("move.too_many", rule="5", whose=whose, count=count, limit=limit)


def _add(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    if not step.areas:
        raise IllegalMoveError("special.no_target", rule="15", card=card.id)
    for area, _ in step.areas:
        check_taboo(state, area_index(state, area))
    total = sum(count for _, count in whole.areas)
    if total > card.count:
        raise IllegalMoveError("add.too_many", rule="5", count=total, limit=card.count)
    count = sum(count for _, count in step.areas)
    left = court_left(state, seat)
    if count > left:
        raise IllegalMoveError("place.court_short", rule="4", count=count, court=left)


def _return(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    if not step.owners:
        raise IllegalMoveError("special.no_target", rule="15", card=card.id)
    for owner, region in step.owners:
        _owner(state, owner)
        if owner == seat:
            raise IllegalMoveError("return.own", rule="5")
        area = _region(state, region)
        check_taboo(state, area)
        if not state.pieces[owner][area]:
            raise IllegalMoveError("return.not_there", rule="14", seat=owner, region=region)
    for who, times in Counter(owner for owner, _ in whole.owners).items():
        if times > 1:
            raise IllegalMoveError("return.twice", rule="14", seat=who)


def _score(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    area_index(state, step.area)


def _board(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    area = _region(state, step.area)
    if step.board is None or step.board not in BOARDS:
        raise IllegalMoveError("board.unknown", rule="5", board=step.board)
    here = state.boards[BOARDS.index(step.board)]
    if here == area:
        raise IllegalMoveError("board.same_region", rule="14", region=step.area)
    if here != NOWHERE:
        check_taboo(state, here)
    check_taboo(state, area)
    if area in state.boards:
        raise IllegalMoveError("board.occupied", rule="5.3", region=step.area)


def _king(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    area = _region(state, step.area)
    lookup = tables(state.edition)
    if area == state.king:
        raise IllegalMoveError("king.same_region", rule="14", region=step.area)
    near = lookup.neighbours[state.king]
    if card.action == "king_adjacent" and area not in near:
        raise IllegalMoveError(
            "king.not_adjacent",
            rule="5",
            region=step.area,
            king=lookup.ids[state.king],
            adjacent=[lookup.ids[other] for other in near],
        )


def _expel(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    area = _region(state, step.area)
    check_taboo(state, area)
    if not any(state.pieces[other][area] for other in state.clockwise(seat)):
        raise IllegalMoveError("expel.nobody", rule="14", region=step.area)


def _grande(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    area = _region(state, step.area)
    if state.grandes[seat] == state.king:
        raise IllegalMoveError("grande.locked", rule="5")
    check_taboo(state, area)
    if area == state.grandes[seat]:
        raise IllegalMoveError("grande.same_region", rule="14", region=step.area)


def _court(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    _check_own_sources(state, seat, whole.areas if state.sealed else step.areas)
    count = sum(count for _, count in step.areas)
    announced = state.special.areas if state.sealed and state.special else ()
    province = courted_from_province(state, seat)
    room = card.count - state.courted - province - sum(count for _, count in announced)
    if count > room:
        raise IllegalMoveError("refill.too_many", rule="14", count=count, shortage=room)
    if not count and not (province and state.special is None):
        no_effect(card)


def _check_own_sources(state: State, seat: int, sources: Counts) -> None:
    for area, wanted in sources:
        region = _region(state, area)
        check_taboo(state, region)
        there = state.pieces[seat][region]
        if wanted > there:
            raise IllegalMoveError(
                "move.not_there", rule="4", seat=seat, region=area, there=there, wanted=wanted
            )


def check_refill(state: State, seat: int, sources: Counts, room: int) -> None:
    """Raise IllegalMoveError unless `sources` make up at most `room` caballeros (R4.1)."""
    _check_own_sources(state, seat, sources)
    count = sum(count for _, count in sources)
    if count > room:
        raise IllegalMoveError("refill.too_many", rule="4", count=count, shortage=room)


def _recall(state: State, seat: int, card: Card, step: Special, whole: Special) -> None:
    if step.value is None:
        raise IllegalMoveError("recall.unnamed", rule="15")
    if step.value in state.hands[seat] or step.value not in state.logs[seat]:
        raise IllegalMoveError("recall.not_played", rule="5", value=step.value)


_CHECKS: Final[Mapping[SpecialKind, Callable[[State, int, Card, Special, Special], None]]] = {
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
