"""A second generator of steps, slow and plain, that knows only what a view shows."""

from collections.abc import Iterator

from app.rules.el_grande.edition import Card
from app.rules.el_grande.view import ElGrandeView, TurnView
from app.rules.game import Seat

OWN = ("move_all", "move_all_or_add")


def naive_steps(view: ElGrandeView) -> set[str]:
    """Return, in notation, every step the viewer may take in its own turn or bid."""
    assert view.seat is not None
    me = view.players[view.seat]
    if view.phase == "power":
        played = {value for _, value in view.bids}
        return {f"power {value}" for value in me.hand or () if value not in played}
    turn = view.turn
    assert turn is not None
    if turn.card is None:
        return set(_before_card(view, turn))
    steps = set()
    complete = _complete(view, turn)
    if turn.awaits_disc:
        return {f"disc {region}" for region in _disc_regions(view, _card(view, turn))}
    if complete or view.phase == "place":
        steps.add("end")
        if "p" not in turn.parts or turn.parts[-1] == "p" or view.phase == "place":
            steps |= set(_places(view, turn))
    if view.phase == "turn" and ("s" not in turn.parts or turn.parts[-1] == "s"):
        steps |= {f"special {step}".strip() for step in _specials(view, turn)}
    return steps


def _card(view: ElGrandeView, turn: TurnView) -> Card:
    return next(card for card in view.values.cards if card.id == turn.card)


def _there(view: ElGrandeView, seat: int, *, least: int = 1) -> list[str]:
    """Return the regions where a seat has caballeros that are free to move."""
    return [
        region.id for region in view.regions if region.caballeros[seat] >= least and not region.king
    ]


def _open(view: ElGrandeView) -> list[str]:
    return [region.id for region in view.regions if not region.king]


def _before_card(view: ElGrandeView, turn: TurnView) -> Iterator[str]:
    me = view.players[turn.seat]
    yield from (f"card {card}" for card in view.offer)
    if turn.took is None:
        yield from (f"take {count}" for count in range(min(turn.power, me.province)))
    got = turn.took if turn.took is not None else min(turn.power, me.province)
    emptied = me.province == got if turn.took is None else me.province == 0
    lacking = turn.power - got - sum(count for _, count in turn.refilled)
    if emptied and lacking > 0:
        last = turn.refilled[-1][0] if turn.refilled else ""
        yield from (f"refill {area} 1" for area in _there(view, turn.seat) if area >= last)


def _court(view: ElGrandeView, turn: TurnView) -> int:
    court = view.players[turn.seat].court
    if turn.sealed and turn.special is not None:
        if turn.special.kind == "add":
            court -= sum(count for _, count in turn.special.areas)
        if turn.special.kind == "court":
            court += min(_card(view, turn).count, view.players[turn.seat].province)
            court += sum(count for _, count in turn.special.areas)
    if turn.plan and not turn.vetoed:
        court -= sum(count for _, count in turn.plan)
    return court


def _places(view: ElGrandeView, turn: TurnView) -> Iterator[str]:
    king = view.king
    if turn.sealed and turn.special is not None and turn.special.kind == "king":
        king = turn.special.area
    done = turn.placed or (() if turn.vetoed else turn.plan or ())
    limit = view.values.placement[int((turn.card or "")[0]) - 1]
    if _court(view, turn) <= 0 or sum(count for _, count in done) >= limit:
        return
    near = [region.id for region in view.regions if king in region.neighbours]
    for area in (*near, "CAS"):
        if not done or area == "CAS" or (done[-1][0] <= area != "CAS" and done[-1][0] != "CAS"):
            yield f"place {area} 1"


def _complete(view: ElGrandeView, turn: TurnView) -> bool:
    special, card = turn.special, _card(view, turn)
    if special is None or turn.parts[-1] != "s":
        return True
    if turn.awaits_disc:
        return False
    if special.kind == "move" and card.action in OWN:
        origin = special.moves[0][1]
        left = next(r.caballeros[turn.seat] for r in view.regions if r.id == origin)
        moved = sum(move[3] for move in special.moves)
        return left == (moved if turn.sealed else 0)
    if card.action == "return_one":
        return not _owing(view, turn)
    return True


def _owing(view: ElGrandeView, turn: TurnView) -> list[int]:
    done = {owner for owner, _ in turn.special.owners} if turn.special else set()
    return [
        seat
        for seat in range(view.seats)
        if seat != turn.seat and seat not in done and _there(view, seat)
    ]


def _specials(view: ElGrandeView, turn: TurnView) -> Iterator[str]:
    card, begun = _card(view, turn), turn.special
    action = card.action
    if begun is None and "s" in turn.parts:
        return  # It has been skipped.
    if action in ("move", "move_from", *OWN) and (begun is None or begun.kind == "move"):
        yield from _moves(view, turn, card)
    if action in ("add", "move_all_or_add") and (begun is None or begun.kind == "add"):
        done = begun.areas if begun is not None else ()
        if sum(count for _, count in done) < card.count and _court(view, turn) > 0:
            last = done[-1][0] if done else ""
            areas = [area for area in _open(view) if last != "CAS" and area >= last]
            yield from (f"add {area} 1" for area in (*areas, "CAS"))
    if action == "return_one":
        for owner in _owing(view, turn)[:1]:
            yield from (f"return p{owner + 1} {area}" for area in _there(view, owner))
    if action == "court":
        yield from _fill(view, turn, card)
    if begun is None:
        yield from _at_once(view, turn, card)


def _moves(view: ElGrandeView, turn: TurnView, card: Card) -> Iterator[str]:
    done = turn.special.moves if turn.special is not None else ()
    for owner in range(view.seats):
        for origin in _open(view):
            for target in (*_open(view), "CAS"):
                step = (Seat(owner), origin, target, 1)
                if target != origin and _may_move(view, turn, card, (*done, step)):
                    key = (owner, origin, target == "CAS", target)
                    last = done[-1] if done else None
                    if last is None or key >= (last[0], last[1], last[2] == "CAS", last[2]):
                        yield f"move p{owner + 1} {origin}>{target} 1"


def _may_move(
    view: ElGrandeView,
    turn: TurnView,
    card: Card,
    moves: tuple[tuple[Seat, str, str, int], ...],
) -> bool:
    done = turn.special.moves if turn.special is not None and not turn.sealed else ()
    for owner in range(view.seats):
        for region in view.regions:
            there = region.caballeros[owner]
            for who, origin, target, count in done:
                if who == owner:
                    there += count * ((origin == region.id) - (target == region.id))
            if sum(m[3] for m in moves if m[:2] == (owner, region.id)) > there:
                return False
    own = sum(move[3] for move in moves if move[0] == turn.seat)
    others = sum(move[3] for move in moves if move[0] != turn.seat)
    if card.action in OWN:
        return others == 0 and len({move[1] for move in moves}) == 1
    if card.action == "move_from" and len({move[1] for move in moves}) > 1:
        return False
    if card.any:
        return own + others <= card.any
    return own <= card.own and others <= card.opponents


def _fill(view: ElGrandeView, turn: TurnView, card: Card) -> Iterator[str]:
    me, begun = view.players[turn.seat], turn.special
    province = min(card.count - turn.courted, me.province)
    if begun is None and province:
        yield "court"
        return
    done = begun.areas if begun is not None else ()
    announced = dict(done) if turn.sealed else {}
    if card.count - turn.courted - province - sum(announced.values()) <= 0:
        return
    for region in view.regions:
        left = region.caballeros[turn.seat] - announced.get(region.id, 0)
        if not region.king and left > 0 and (not done or region.id >= done[-1][0]):
            yield f"court {region.id} 1"


def _disc_regions(view: ElGrandeView, card: Card) -> list[str]:
    assert view.seat is not None
    if card.action == "disc_return":
        return _there(view, view.seat, least=card.least)
    return [region.id for region in view.regions]


def _at_once(view: ElGrandeView, turn: TurnView, card: Card) -> Iterator[str]:
    others = [seat for seat in range(view.seats) if seat != turn.seat]
    me, regions = view.players[turn.seat], [region.id for region in view.regions]
    hand = me.hand or ()
    choices = {
        "score_one": [f"score {area}" for area in (*regions, "CAS")],
        "king_adjacent": [f"king {region.id}" for region in view.regions if region.open],
        "king_anywhere": [f"king {region}" for region in _open(view)],
        "expel": [
            f"expel {region}"
            for region in _open(view)
            if any(region in _there(view, seat) for seat in others)
        ],
        "grande": [f"grande {region}" for region in _open(view) if view.king != me.home != region],
        "board": [
            f"board {board} {region.id}"
            for board, here in view.boards.items()
            for region in view.regions
            if here != view.king and not region.king and region.board is None
        ],
        "recall": [
            f"recall {value}"
            for value in range(1, len(view.values.powers) + 1)
            if value not in hand
        ],
    }
    yield from choices.get(card.action, [])
