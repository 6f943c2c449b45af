"""A state that looks like a view: what the viewer may not know is drawn."""

from functools import lru_cache

from app.rules.el_grande.answers import awaits_own_disc
from app.rules.el_grande.components import BOARDS
from app.rules.el_grande.edition import Edition, shared, tables
from app.rules.el_grande.moves import Special
from app.rules.el_grande.reach import disc_choices
from app.rules.el_grande.scoring import CATEGORIES
from app.rules.el_grande.state import NOWHERE, RECALL, Filed, Pieces, State
from app.rules.el_grande.view import ElGrandeView, SeatView, TurnView
from app.rules.game import Rng


def determinise(seen: ElGrandeView, rng: Rng) -> State:
    """Return a state that looks like `seen`.

    Drawn are the hands of others after a recall, a value being recalled and a
    disc already set.  A hidden Castillo follows from the pieces elsewhere.
    Answers and plans of others are taken not to exist yet.
    """
    edition, turn = shared(seen.values), seen.turn
    index = tables(edition).index
    hands = tuple(_hand(edition, player, rng) for player in seen.players)
    state = State(
        edition=edition,
        seats=seen.seats,
        length=seen.length,
        veto=seen.veto,
        castillo=seen.castillo,
        phase=seen.phase,
        round=seen.round,
        first=seen.first,
        bids=seen.bids,
        order=seen.order,
        turn=seen.turn_number,
        offer=seen.offer,
        taken=seen.taken,
        unseen=seen.unseen,
        king=index[seen.king],
        boards=tuple(
            NOWHERE if here is None else index[here]
            for here in (seen.boards[board] for board in BOARDS)
        ),
        grandes=tuple(index[player.home] for player in seen.players),
        pieces=tuple(_pieces(seen, player) for player in seen.players),
        hands=hands,
        logs=tuple(player.log for player in seen.players),
        vetoes=_vetoes(seen),
        tally=tuple(
            tuple(player.categories[name] for name in CATEGORIES) for player in seen.players
        ),
        took=NOWHERE if turn is None or turn.took is None else turn.took,
        refilled=turn.refilled if turn else (),
        courted=turn.courted if turn else 0,
        card=(turn.card or "") if turn else "",
        parts=turn.parts if turn else "",
        placed=turn.placed if turn else (),
        special=_special(edition, turn, hands, rng) if turn else None,
        sealed=turn.sealed if turn else False,
        awaits_disc=turn.awaits_disc if turn else False,
        disc=(turn.disc or "") if turn else "",
        plan=turn.plan if turn else None,
        vetoed=turn.vetoed if turn else False,
        holders=seen.holders,
        questioned=seen.questioned,
        filed=tuple(
            Filed(seen.seat, own.answer, own.region, own.sources)
            for own in seen.own
            if seen.seat is not None
        ),
    )
    _set_disc(state, seen, rng)
    return state


def _pieces(seen: ElGrandeView, player: SeatView) -> Pieces:
    there = tuple(region.caballeros[player.seat] for region in seen.regions)
    known = sum(there) + player.court + player.province
    castillo = seen.values.caballeros - known if player.castillo is None else player.castillo
    return (*there, castillo, player.court, player.province)


def _vetoes(seen: ElGrandeView) -> tuple[tuple[int, int], ...]:
    """Return the Vetoes held, those taken first before the others."""
    held = [(taken, player.seat) for player in seen.players for taken in player.vetoes]
    order = {seat: place for place, seat in enumerate(seen.order)}
    return tuple(
        (seat, taken)
        for taken, seat in sorted(held, key=lambda veto: (veto[0], order.get(veto[1], 0)))
    )


def _hand(edition: Edition, player: SeatView, rng: Rng) -> tuple[int, ...]:
    if player.hand is not None:
        return player.hand
    hands = possible_hands(len(edition.powers), player.log, player.highest)
    return hands[rng.below(len(hands))] if len(hands) > 1 else hands[0]


@lru_cache(maxsize=4096)
def possible_hands(powers: int, log: tuple[int, ...], highest: int) -> tuple[tuple[int, ...], ...]:
    """Return every hand to which a log of plays and recalls can have led.

    The highest card of the pile is public (section 13), the card recalled is not.
    """
    everything = frozenset(range(1, powers + 1))
    hands = {everything}
    for value in log:
        if value == RECALL:
            hands = {hand | {back} for hand in hands for back in everything - hand}
        else:
            hands = {hand - {value} for hand in hands if value in hand}
    fitting = [hand for hand in hands if max(everything - hand, default=0) == highest]
    return tuple(sorted(tuple(sorted(hand)) for hand in fitting))


def _special(
    edition: Edition, turn: TurnView, hands: tuple[tuple[int, ...], ...], rng: Rng
) -> Special | None:
    special = turn.special
    if special is None or special.kind != "recall" or special.value is not None:
        return special
    pile = [value for value in range(1, len(edition.powers) + 1) if value not in hands[turn.seat]]
    # Once it is done the card is in the hand; which one it was no longer matters.
    return Special("recall", value=pile[rng.below(len(pile))] if turn.sealed else None)


def _set_disc(state: State, seen: ElGrandeView, rng: Rng) -> None:
    """Set the disc of a card that waits for the others, if the viewer may not know it."""
    turn = seen.turn
    if state.phase != "answers" or turn is None or turn.seat == seen.seat:
        return
    if state.special is not None and state.special.kind == "do":
        choices = disc_choices(state, turn.seat) if awaits_own_disc(state, turn.seat) else ()
        if choices:
            state.disc = tables(state.edition).ids[choices[rng.below(len(choices))]]
