"""Sealed specials (sections 13, 14): who is asked, when it is settled, what is due."""

from collections.abc import Mapping

from app.rules.el_grande.edition import tables
from app.rules.el_grande.effects import effects
from app.rules.el_grande.events import AnswersOpened, Event, SpecialDone
from app.rules.el_grande.legal import has_question, may_veto, waiting
from app.rules.el_grande.moves import Move, Pass, Special, Veto
from app.rules.el_grande.reach import (
    area_can_pay,
    disc_choices,
    return_sources,
    returns_freely,
)
from app.rules.el_grande.scoring import areas_of
from app.rules.el_grande.state import CASTILLO, State
from app.rules.game import Seat


def is_sealed(state: State, seat: int, special: Special) -> bool:
    """Tell whether `special` waits for others, or would show what is hidden (section 14).

    Only public facts decide this.
    """
    if not _changes(state, special):
        return False
    if any(holder != seat for holder, _ in state.vetoes):
        return True
    if state.castillo == "hidden" and CASTILLO in _scored_areas(state, special):
        return True
    return bool(_choosing(state, seat, special))


def _changes(state: State, special: Special) -> bool:
    """Tell whether a legal `special` can change anything; a chosen scoring may not (section 13)."""
    if special.kind != "score":
        return True
    return area_can_pay(state, tables(state.edition).index[special.area], state.card_taken())


def _scored_areas(state: State, special: Special) -> tuple[int, ...]:
    if special.kind == "score":
        return (tables(state.edition).index[special.area],)
    card = state.card_taken()
    return areas_of(state, card) if card.action == "score_castillo" else ()


def _choosing(state: State, seat: int, special: Special) -> tuple[int, ...]:
    """Return the others with more than one legal answer to the card's question."""
    others, card = state.clockwise(seat), state.card_taken()
    if special.kind == "expel":
        source = tables(state.edition).index[special.area]
        return tuple(other for other in others if state.pieces[other][source])
    if special.kind != "do":
        return ()
    if card.action == "return_chosen":
        return tuple(other for other in others if returns_freely(state, other))
    if card.action in ("disc_return", "score_picked"):
        return tuple(other for other in others if len(disc_choices(state, other)) > 1)
    return ()


def awaits_own_disc(state: State, seat: int) -> bool:
    """Tell whether the card's owner has to set a disc too (sections 5, 14)."""
    action = state.card_taken().action
    return action in ("disc_return", "score_picked") and len(disc_choices(state, seat)) > 1


def opening(state: State) -> AnswersOpened | None:
    """Return the questions to a sealed special action, None if nobody has to answer."""
    seat = state.seat()
    special = state.special or Special("skip")
    asked = _choosing(state, seat, special)
    others = state.clockwise(seat)
    holding = {holder for holder, _ in state.vetoes}
    holders = tuple(Seat(other) for other in others if other in holding)
    if not asked and not holders:
        return None
    if state.card_taken().action == "return_chosen":
        # Who has only one answer gives it in turn, unasked.
        asked = tuple(other for other in others if return_sources(state, other))
    return AnswersOpened(seat, state.card, holders, tuple(map(Seat, asked)))


def settled(state: State) -> tuple[Event, ...]:
    """Return what is now certain of a sealed special action that nobody has vetoed."""
    special, seat = state.special, state.seat()
    if special is None or state.window_open():
        return ()
    if special.kind == "do" and state.card_taken().action == "return_chosen":
        returned = effects(state, seat, special)
        if len(returned) < len(state.questioned):
            return returned
        return *returned, SpecialDone(seat, state.card)
    if waiting(state):
        return ()
    return *effects(state, seat, special), SpecialDone(seat, state.card)


def due(state: State, answers: Mapping[Seat, Move]) -> tuple[Seat, ...]:
    """Return whose filed answers are decided now, in that order (section 14).

    The nearest holder that vetoes settles the window once all nearer ones have
    passed.  Discs are due when all are in, lists of card 2-04 in order of play.
    """
    asked = tuple(map(Seat, waiting(state)))
    if state.phase == "disc":
        return tuple(sorted(asked)) if all(seat in answers for seat in asked) else ()
    holders = [seat for seat in asked if may_veto(state, seat)]
    for seat in holders:
        if seat not in answers:
            return ()
        if isinstance(answers[seat], Veto):
            return (seat,)
    passed = tuple(seat for seat in holders if isinstance(answers[seat], Pass))
    chosen = tuple(
        seat for seat in asked if has_question(state, seat) and _chosen(answers.get(seat))
    )
    ready = _ready(state, chosen)
    # A holder who chooses passes by it: its window closes with its choice alone.
    if all(seat in passed or seat in ready for seat in holders):
        return *passed, *ready
    return ()


def _chosen(answer: Move | None) -> bool:
    return answer is not None and not isinstance(answer, Pass)


def _ready(state: State, chosen: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return which of the seats that have chosen need not wait for another choice."""
    questioned = [Seat(seat) for seat in state.questioned if has_question(state, seat)]
    if state.phase == "answers" and state.card_taken().action == "return_chosen":
        first = next((n for n, seat in enumerate(questioned) if seat not in chosen), None)
        return tuple(questioned[:first])
    return tuple(sorted(chosen)) if set(chosen) == set(questioned) else ()
