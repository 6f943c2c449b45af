"""Setting the stage: the matches and positions from which the tests start."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from app.matches.editions import edition
from app.rules.castell import CASTELL, Event, Move, State
from app.rules.castell.edition import tables
from app.rules.castell.setup import counts_of
from app.rules.castell.state import Counts
from app.rules.game import IllegalMoveError, Rng, Seat, replay
from app.rules.rng import HmacRng, NoRng

REGIONS = ("TAR", "VAL", "VFR", "VNO", "BCN", "TER", "GIR")
TAR, VAL, VFR, VNO, BCN, TER, GIR = range(7)
# In round 1 slot 0 is everywhere, and slots 1 to 7 are those of REGIONS.
WHEEL = ("special", "balance", "mix", "strength", "base", "width", "balance", "mix")


def values(changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the values of castell-1 with some, by dotted key, changed."""
    data = deepcopy(edition("castell"))
    for key, value in (changes or {}).items():
        *path, name = key.split(".")
        table = data
        for step in path:
            table = table[step]
        table[name] = value
    return data


def chance(seed: object = 1) -> Rng:
    return HmacRng(b"castell", str(seed))


def begin(
    seats: int = 3,
    seed: object = 1,
    changes: Mapping[str, Any] | None = None,
    **options: Any,
) -> State:
    """Return the state after setup."""
    return replay(CASTELL, setup(seats, seed, changes, **options))


def setup(
    seats: int = 3, seed: object = 1, changes: Mapping[str, Any] | None = None, **options: Any
) -> tuple[Event, ...]:
    return CASTELL.setup(seats, {"edition": values(changes), **options}, chance(seed))


def hand(*sizes: int) -> Counts:
    return counts_of(sizes)


def staged(
    changes: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """Return round 1 of a three-seat match: seat 0 to move, every pawn in Valls.

    Four castellers, 9 7 7 4, wait in every region; seat 0 owns 9 9 9 8 8 8 5 5 1.
    """
    state = begin(3, changes=changes, **(options or {}))
    owned = (hand(9, 9, 9, 8, 8, 8, 5, 5, 1), hand(9, 7, 5, 3), hand(2, 2, 2))
    tiles = (("S01",), ("S04", "E01"), (), ("S07",), ("E05",), ("S11",), ("S16",))
    usual: dict[str, Any] = {
        "first": 0,
        "wheel": WHEEL,
        "castellers": (hand(9, 7, 7, 4),) * 7,
        "tiles": tiles,
        "pawns": (VAL, VAL, VAL),
        "hands": owned,
    }
    return replace(state, **(usual | fields))


def with_ranks(state: State, seat: int, **ranks: int) -> State:
    """Return `state` in which `seat` has these ranks and no others."""
    row = tuple(ranks.get(skill, 0) for skill in ("balance", "base", "mix", "strength", "width"))
    return replace(state, ranks=(*state.ranks[:seat], row, *state.ranks[seat + 1 :]))


def play(state: State, seat: int, line: str, rng: Rng | None = None) -> State:
    """Return the state after a line of notation; draws only from `rng`."""
    return replay(CASTELL, events_of(state, seat, line, rng), state)


def events_of(state: State, seat: int, line: str, rng: Rng | None = None) -> list[Event]:
    """Return all events of a line of notation."""
    happened: list[Event] = []
    for move in CASTELL.parse(line):
        new = CASTELL.decide(state, Seat(seat), move, rng or NoRng())
        state = replay(CASTELL, new, state)
        happened += new
    return happened


def refusal(state: State, seat: int, line: str) -> IllegalMoveError:
    """Return the refusal of the last move of a line; those before it are made."""
    *made, last = CASTELL.parse(line)
    for move in made:
        state = replay(CASTELL, CASTELL.decide(state, Seat(seat), move, NoRng()), state)
    with pytest.raises(IllegalMoveError) as refused:
        CASTELL.check(state, Seat(seat), last)
    return refused.value


def end_round(state: State, rng: Rng | None = None) -> State:
    """Let every seat that is still to move end its turn."""
    number = state.round
    while state.round == number and (seat := state.current()) is not None:
        state = play(state, seat, "end", rng or chance())
    return state


def lines(state: State, seat: int) -> list[str]:
    """Return every legal move in notation."""
    return [CASTELL.format((move,)) for move in CASTELL.legal_moves(state, Seat(seat))]


def region_index(state: State, region: str) -> int:
    return tables(state.edition).index[region]


def random_match(
    seats: int, seed: object, choices: Rng | None = None, **options: Any
) -> Iterator[tuple[State, Event, State]]:
    """Play at random; yield each event with the state before and after it."""
    rng, choose = chance(seed), choices or chance(f"choices {seed}")
    state = None
    for event in setup(seats, seed, **options):
        state = CASTELL.evolve(None, event)
    assert state is not None
    while prompts := CASTELL.prompts(state):
        seat = min(prompts)
        moves: list[Move] = list(CASTELL.legal_moves(state, seat))
        assert moves, "a seat that is asked has something to answer"
        for event in CASTELL.decide(state, seat, moves[choose.below(len(moves))], rng):
            before, state = state, CASTELL.evolve(state, event)
            yield before, event, state


def random_events(seats: int, seed: object, **options: Any) -> list[Event]:
    """Return all events of a random match."""
    return [
        *setup(seats, seed, **options),
        *(e for _, e, _ in random_match(seats, seed, **options)),
    ]
