"""Deciding moves: what a move brings about, chance included (rules 4, 5, 7, 8)."""

from collections.abc import Callable
from typing import TypeAlias

from app.rules.castell.components import SKILLS
from app.rules.castell.events import (
    Event,
    FestivalAnswered,
    FestivalsOpened,
    LocalPerformed,
    MatchEnded,
    PawnMoved,
    Recruited,
    RoundStarted,
    Source,
    SpecialTokenPlaced,
    Trained,
    TurnEnded,
)
from app.rules.castell.festivals import entrants, hold
from app.rules.castell.fold import evolve
from app.rules.castell.legal import check, waiting
from app.rules.castell.moves import (
    EndTurn,
    EnterFestival,
    Move,
    MovePawn,
    Perform,
    Recruit,
    Special,
    SpecialOption,
    Train,
    TrainSpecial,
)
from app.rules.castell.scoring import reckon
from app.rules.castell.state import State
from app.rules.game import Seat

# How a refill is found: drawn from the bag, or read from a record of a match.
Refill: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
Draw: TypeAlias = Callable[[State], Refill]


def decide(state: State, seat: int, move: Move, draw: Draw) -> tuple[Event, ...]:
    """Return the events of `move`; raises IllegalMoveError, and calls `draw` for a refill."""
    check(state, seat, move)
    who = Seat(seat)
    match move:
        case MovePawn() | Recruit():
            return (_option(state, who, move, "action"),)
        case EndTurn():
            return _end_turn(state, who, draw)
        case Special(option):
            return _special(state, who, option)
        case Train(skill):
            return (Trained(who, skill, state.ranks[seat][SKILLS.index(skill)] + 1),)
        case TrainSpecial(option):
            return (_option(state, who, option, "wheel"),)
    tower = move.tower if isinstance(move, EnterFestival) else None
    return _answer(state, FestivalAnswered(who, move.region, tower), draw)


def _option(state: State, seat: Seat, option: SpecialOption, source: Source) -> Event:
    if isinstance(option, MovePawn):
        return PawnMoved(seat, option.region, source)
    here = state.pawns[seat]
    region = state.edition.regions[here].id
    if isinstance(option, Recruit):
        return Recruited(seat, region, tuple(sorted(option.sizes, reverse=True)), source)
    row = tuple(Seat(owner) for owner in state.rows[here])
    return LocalPerformed(seat, region, option.tile, option.tower, row, source)


def _special(state: State, seat: Seat, option: SpecialOption) -> tuple[Event, ...]:
    """Do the option, then put the token where the pawn now stands (rule 5).

    Whether a performance collects its own token is the edition's ruling (rule 7).
    """
    here = state.edition.regions[state.pawns[seat]].id
    if isinstance(option, Perform) and state.edition.collect_own_payment:
        paid = SpecialTokenPlaced(seat, here)
        return paid, _option(evolve(state, paid), seat, option, "token")
    region = option.region if isinstance(option, MovePawn) else here
    return _option(state, seat, option, "token"), SpecialTokenPlaced(seat, region)


def _end_turn(state: State, seat: Seat, draw: Draw) -> tuple[Event, ...]:
    ended = TurnEnded(seat, state.round)
    if state.turn + 1 < state.seats:
        return (ended,)
    after = evolve(state, ended)
    asked = entrants(after)
    if asked:
        return ended, FestivalsOpened(state.round, asked)
    return ended, *_hold_all(after, draw)


def _answer(state: State, answer: FestivalAnswered, draw: Draw) -> tuple[Event, ...]:
    after = evolve(state, answer)
    if waiting(after):
        return (answer,)
    return answer, *_hold_all(after, draw)


def _hold_all(state: State, draw: Draw) -> tuple[Event, ...]:
    """Hold this round's festivals in calendar order, then go on to the next round."""
    events: list[Event] = []
    for number in state.held_now():
        events.append(hold(state, state.festivals[number]))
        state = evolve(state, events[-1])
    events.append(_next_round(state, draw))
    return tuple(events)


def _next_round(state: State, draw: Draw) -> Event:
    edition = state.edition
    number = state.round + 1
    if number > edition.rounds:
        scores = reckon(state).scores
        return MatchEnded(tuple(scores[Seat(seat)] for seat in range(state.seats)))
    first = (state.first + edition.rotate_first_player) % state.seats
    refill = draw(state) if number in edition.refill_rounds else ()
    return RoundStarted(number, Seat(first), refill)
