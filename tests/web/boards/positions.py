"""Positions to draw: whole matches played by the rules, and a region full to bursting."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from random import Random
from typing import Any

from app.matches.pages import SeatInfo
from app.rules.castell import CASTELL
from app.rules.castell.moves import (
    DeclineFestival,
    EndTurn,
    EnterFestival,
    Move,
    MovePawn,
    Perform,
    Recruit,
    Special,
    Train,
    TrainSpecial,
)
from app.rules.castell.state import State
from app.rules.castell.view import CastellView
from app.rules.game import Seat, replay
from app.rules.rng import HmacRng, NoRng

NAMES = ("Mar", "Jordi", "Txell", "Wiebe")
LONG_NAMES = (
    "Maria Montserrat de la Roca",
    "Donaudampfschifffahrt",
    "Wwwwwwwwwwwwwwwwwwww",
    "Jo",
)
ME = Seat(0)
_LIKED: dict[type, float] = {
    EnterFestival: 50,
    DeclineFestival: 0.1,
    Train: 9,
    MovePawn: 2,
    EndTurn: 0.5,
}


def options(**choices: Any) -> dict[str, Any]:
    """The options of a match with the built-in edition."""
    text = files("app.rules.castell.editions").joinpath("castell-1.toml").read_text("utf-8")
    return {"edition": tomllib.loads(text), **choices}


def seats(count: int = 4, names: tuple[str, ...] = NAMES) -> tuple[SeatInfo, ...]:
    return tuple(
        SeatInfo(Seat(n), names[n], n + 1, None, "steady" if n == 3 else None, False)
        for n in range(count)
    )


def start(count: int = 4, seed: bytes = b"plaza", **choices: Any) -> State:
    return replay(CASTELL, CASTELL.setup(count, options(**choices), HmacRng(seed, "setup")))


def play(state: State, seat: Seat, line: str) -> State:
    """The state after `line`, which must not draw."""
    for move in CASTELL.parse(line):
        state = replay(CASTELL, CASTELL.decide(state, seat, move, NoRng()), state)
    return state


def playing(state: State, seed: int = 7) -> Iterator[State]:
    """Every state of a match whose players like to do things, each action once a turn."""
    random, rng = Random(seed), HmacRng(b"playing", str(seed))
    while prompts := CASTELL.prompts(state):
        seat = min(prompts)
        move = _liked(list(CASTELL.legal_moves(state, seat)), random)
        state = replay(CASTELL, CASTELL.decide(state, seat, move, rng), state)
        yield state


def _liked(moves: list[Move], random: Random) -> Move:
    return random.choices(moves, [_liking(move) for move in moves])[0]


def _liking(move: Move) -> float:
    if isinstance(move, Special | TrainSpecial):
        performs = isinstance(move.option, Perform)
        return 60 if performs else 0.2 if isinstance(move, Special) else 1
    if isinstance(move, Recruit):
        return 5 * len(move.sizes)
    return _LIKED[type(move)]


def middle(count: int = 4, seat: Seat = ME, number: int = 6) -> State:
    """My turn in the middle of a match, nothing done yet."""
    for state in playing(start(count)):
        turn = CASTELL.view(state, seat).turn
        if state.round == number and turn is not None and turn.seat == seat and not state.used:
            return state
    raise AssertionError("that turn never came")


def bursting(view: CastellView, *, pawns: int = 4) -> CastellView:
    """The same with every region as full as one can be."""
    everybody = tuple(Seat(n) for n in range(view.seats))[:pawns]
    tiles = [tile for region in view.regions for tile in region.tiles]
    regions = tuple(
        replace(
            region,
            castellers=(10, 10, 9, 8, 10)[: 5 if n % 2 else 4] + (1,) * (n % 2 == 0),
            pawns=everybody,
            tiles=(tiles[n % len(tiles)], tiles[(n + 3) % len(tiles)]),
            tokens=tuple(Seat(i % view.seats) for i in range(4 + n)),
        )
        for n, region in enumerate(view.regions)
    )
    codes = [region.id for region in view.regions]
    calendar = tuple(
        replace(
            cell,
            festivals=tuple(
                replace(
                    view.calendar[9].festivals[0],
                    region=code,
                    tokens=(10, 8),
                    resolved=False,
                    towers=(),
                    prizes=(),
                    token_winners=(),
                )
                for code in {view.round: codes[:3], 9: codes[3:], 10: codes}.get(cell.number, ())
            ),
        )
        for cell in view.calendar
    )
    return replace(view, regions=regions, calendar=calendar)
