"""Deciding moves: what a move brings about, chance included (sections 4, 5, 13, 14)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from app.rules.el_grande.answers import awaits_own_disc, is_sealed, opening, settled
from app.rules.el_grande.effects import effects
from app.rules.el_grande.events import (
    Announced,
    Answered,
    CardTaken,
    DiscChosen,
    Event,
    Placed,
    Planned,
    PowerPlayed,
    Refilled,
    SpecialSkipped,
    Took,
    Vetoed,
)
from app.rules.el_grande.fold import evolve
from app.rules.el_grande.joining import joined_counts, joined_specials
from app.rules.el_grande.legal import check, may_veto
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
from app.rules.el_grande.reach import most_taken
from app.rules.el_grande.rounds import general_scoring, turn_ended
from app.rules.el_grande.setup import Draw
from app.rules.el_grande.state import AT_COURT, State
from app.rules.game import Seat


def decide(state: State, seat: int, move: Move, draw: Draw) -> tuple[Event, ...]:
    """Return the events of `move`; raises IllegalMoveError, and calls `draw` for new cards."""
    check(state, seat, move)
    return _DECISIONS[type(move)](state, Seat(seat), move, draw)


def _folded(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def _power(state: State, seat: Seat, move: PlayPower, draw: Draw) -> tuple[Event, ...]:
    return (PowerPlayed(seat, state.round, move.value),)


def _take(state: State, seat: Seat, move: Take, draw: Draw) -> tuple[Event, ...]:
    return (Took(seat, move.count, most_taken(state, seat)),)


def _taken(state: State, seat: Seat) -> tuple[Event, ...]:
    """Return the maximum that comes to the court where nothing else was chosen."""
    if state.took >= 0:
        return ()
    most = most_taken(state, seat)
    return (Took(seat, most, most),)


def _refill(state: State, seat: Seat, move: Refill, draw: Draw) -> tuple[Event, ...]:
    return *_taken(state, seat), Refilled(seat, joined_counts(move.sources))


def _card(state: State, seat: Seat, move: TakeCard, draw: Draw) -> tuple[Event, ...]:
    return *_taken(state, seat), CardTaken(seat, move.card)


def _place(state: State, seat: Seat, move: Place, draw: Draw) -> tuple[Event, ...]:
    listed = joined_counts(move.to) if len(move.to) > 1 else move.to
    return (Planned(seat, listed) if state.sealed else Placed(seat, listed),)


def _special(state: State, seat: Seat, move: Special, draw: Draw) -> tuple[Event, ...]:
    if move.kind == "skip":
        return (SpecialSkipped(seat, state.card),)
    listed = max(len(move.moves), len(move.areas), len(move.owners))
    step = joined_specials(move, Special(move.kind)) if listed > 1 else move
    sealed = state.sealed if state.special else is_sealed(state, seat, step)
    awaits = step.kind == "do" and awaits_own_disc(state, seat)
    announced = Announced(seat, state.card, step, sealed, awaits)
    if sealed or awaits:
        return (announced,)
    return announced, *effects(state, seat, step)


def _disc(state: State, seat: Seat, move: Disc, draw: Draw) -> tuple[Event, ...]:
    if state.phase != "turn":
        return _answer(state, Answered(seat, "disc", move.region), draw)
    chosen = DiscChosen(seat, move.region)
    if state.sealed or state.special is None:
        return (chosen,)
    return chosen, *effects(evolve(state, chosen), seat, state.special)


def _end(state: State, seat: Seat, move: End, draw: Draw) -> tuple[Event, ...]:
    if state.sealed:
        opened = opening(state)
        if opened is not None:
            state = evolve(state, opened)
            return opened, *_then(state, settled(state), draw)
        return _then(state, settled(state), draw)
    events: list[Event] = []
    if "p" not in state.parts:
        events.append(Placed(seat, ()))
    if "s" not in state.parts and state.card_taken().action != "veto":
        events.append(SpecialSkipped(seat, state.card))
    return *events, *turn_ended(_folded(state, events), draw)


def _return(state: State, seat: Seat, move: Return, draw: Draw) -> tuple[Event, ...]:
    return _answer(state, Answered(seat, "return", "", joined_counts(move.sources)), draw)


def _veto(state: State, seat: Seat, move: Veto, draw: Draw) -> tuple[Event, ...]:
    return _then(state, (Vetoed(seat, state.card),), draw)


def _pass(state: State, seat: Seat, move: Pass, draw: Draw) -> tuple[Event, ...]:
    return _answer(state, Answered(seat, "pass"), draw)


def _answer(state: State, answer: Answered, draw: Draw) -> tuple[Event, ...]:
    """Return an answer and what it settles; who may veto and chooses instead has passed."""
    answers = [answer]
    if answer.answer != "pass" and may_veto(state, answer.seat):
        answers.insert(0, Answered(answer.seat, "pass"))
    after = _folded(state, answers)
    if state.phase == "disc":
        return *answers, *general_scoring(after, draw)
    return *answers, *_then(after, settled(after), draw)


def _then(state: State, events: tuple[Event, ...], draw: Draw) -> tuple[Event, ...]:
    """Return `events` and, if they end a sealed special action, what follows it (section 14)."""
    state = _folded(state, events)
    if state.phase != "place":
        return events
    seat = state.seat()
    if "p" in state.parts and state.plan is None:
        return *events, *turn_ended(state, draw)
    if state.plan is not None and not state.vetoed:
        placed = Placed(seat, state.plan, "plan")
    elif not state.pieces[seat][AT_COURT]:
        placed = Placed(seat, (), "rules")
    else:
        return events
    return *events, placed, *turn_ended(evolve(state, placed), draw)


# Looked up by class: a `match` over eleven moves would be a third of the cost.
_DECISIONS: Final[Mapping[type, Callable[[State, Seat, Any, Draw], tuple[Event, ...]]]] = {
    PlayPower: _power,
    Take: _take,
    Refill: _refill,
    TakeCard: _card,
    Place: _place,
    Special: _special,
    Disc: _disc,
    End: _end,
    Return: _return,
    Veto: _veto,
    Pass: _pass,
}
