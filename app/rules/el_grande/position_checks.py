"""What must hold in every position of El Grande (sections 2, 3): no piece lost, none added."""

from collections import Counter
from typing import NoReturn

from app.rules.el_grande.edition import cards_by_stack, tables
from app.rules.el_grande.state import CASTILLO, RECALL, State
from app.rules.game import NotationError


def check_position(state: State) -> None:
    """Raise NotationError `position.*` if pieces or cards are missing, too many or misplaced."""
    _check_caballeros(state)
    _check_powers(state)
    _check_cards(state)
    _check_boards(state)
    _check_moment(state)


def _refuse(code: str, **numbers: int | str) -> NoReturn:
    raise NotationError(f"position.{code}", rule="2", **numbers)


def _check_caballeros(state: State) -> None:
    needed = state.edition.caballeros
    for seat, row in enumerate(state.pieces):
        if sum(row) != needed:
            _refuse("caballeros", seat=seat, there=sum(row), needed=needed)


def _check_powers(state: State) -> None:
    """A power card is in the hand or in the pile, as plays and recalls have left it."""
    for seat, (hand, log) in enumerate(zip(state.hands, state.logs, strict=True)):
        pile = len(log) - 2 * log.count(RECALL)
        played = set(log) - {RECALL}
        kept = set(range(1, len(state.edition.powers) + 1)) - set(hand)
        if len(hand) != len(set(hand)) or len(kept) != pile or not kept <= played:
            _refuse("powers", seat=seat)
    for seat, value in state.bids:
        if value not in state.logs[seat]:
            _refuse("powers", seat=seat)


def _check_cards(state: State) -> None:
    there = Counter(state.offer) + Counter(card for _, card in state.taken)
    for stack in state.unseen:
        there += Counter(stack)
    for number, stack in enumerate(cards_by_stack(state.edition, state.veto), 1):
        owned = Counter(stack)
        for card, copies in there.items():
            if tables(state.edition).cards[card].stack == number and copies > owned[card]:
                _refuse("cards", card=card, there=copies, needed=owned[card])
    holding = len(state.vetoes)
    if holding > sum(card.copies for card in state.edition.cards if card.action == "veto"):
        _refuse("vetoes", there=holding)


def _check_boards(state: State) -> None:
    lying = [here for here in state.boards if here >= 0]
    if len(lying) != len(set(lying)):
        _refuse("boards")


def _check_moment(state: State) -> None:
    """Who is to act has something to act on."""
    bidders = [seat for seat, _ in state.bids]
    round_fits = (
        state.round in state.edition.played(state.length)
        and len({value for _, value in state.bids}) == len(state.bids)
        and bidders == [(state.first + step) % state.seats for step in range(len(bidders))]
    )
    if not (round_fits and _turn_fits(state) and _asked_fit(state)):
        _refuse("moment", phase=state.phase)


def _turn_fits(state: State) -> bool:
    if state.phase == "power":
        return len(state.bids) < state.seats and not (state.order or state.turn or state.card)
    order = tuple(seat for seat, _ in sorted(state.bids, key=lambda bid: -bid[1]))
    if len(state.bids) != state.seats or state.order != order:
        return False
    if state.phase in ("disc", "over"):
        return state.turn == state.seats and not state.card
    if state.turn == state.seats:
        return False
    taken = dict(state.taken).get(state.order[state.turn], "")
    if state.phase == "place":
        return bool(taken) and state.card == taken
    return state.card == taken and (state.phase == "turn" or bool(taken))


def _asked_fit(state: State) -> bool:
    asked = {*state.questioned, *state.holders}
    if not {filed.seat for filed in state.filed} <= asked:
        return False
    if state.phase == "disc":
        return bool(asked) and all(state.pieces[seat][CASTILLO] for seat in asked)
    if state.phase == "answers":
        return bool(asked) and state.special is not None and state.sealed
    return not asked
