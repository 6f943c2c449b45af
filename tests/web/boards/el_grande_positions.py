"""Positions of El Grande to draw: matches played by the rules, and pages made of them."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any
from uuid import UUID

from app.matches.pages import Draft, MatchPage, SeatInfo, StoryEvent
from app.rules.el_grande import EL_GRANDE
from app.rules.el_grande.moves import End, Move, Place, Special
from app.rules.el_grande.state import State
from app.rules.game import Seat, replay
from app.rules.rng import HmacRng, NoRng
from app.web.boards.el_grande import ElGrandeBoard, draw
from app.web.boards.opened import Opened

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NAMES = ("Mar", "Jordi", "Txell", "Wiebe", "Aneu")
ME = Seat(0)


def options(**choices: Any) -> dict[str, Any]:
    """The options of a match with the built-in edition."""
    text = files("app.rules.el_grande.editions").joinpath("el-grande-1.toml").read_text("utf-8")
    return {"edition": tomllib.loads(text), **choices}


def start(count: int = 4, seed: bytes = b"corte", **choices: Any) -> State:
    rng = HmacRng(seed, "setup")
    return replay(EL_GRANDE, EL_GRANDE.setup(count, options(**choices), rng))


def play(state: State, seat: Seat, line: str) -> State:
    """The state after `line`, which must not draw."""
    for move in EL_GRANDE.parse(line):
        state = replay(EL_GRANDE, EL_GRANDE.decide(state, seat, move, NoRng()), state)
    return state


def playing(state: State, seed: int = 7) -> Iterator[tuple[State, tuple[Any, ...]]]:
    """Every state of a match whose players like to place, with the events that led there."""
    random, rng = Random(seed), HmacRng(b"playing", str(seed))
    while prompts := EL_GRANDE.prompts(state):
        seat = min(prompts)
        moves = list(EL_GRANDE.legal_moves(state, seat))
        move = random.choices(moves, [_liking(move) for move in moves])[0]
        events = EL_GRANDE.decide(state, seat, move, rng)
        state = replay(EL_GRANDE, events, state)
        yield state, events


def _liking(move: Move) -> float:
    if isinstance(move, Place):
        return 9 if move.to else 0.3
    if isinstance(move, Special) and move.kind == "skip":
        return 0.2
    return 0.15 if isinstance(move, End) else 1


def find(wanted: Callable[[State], bool], count: int = 4, **choices: Any) -> State:
    """The first position that is `wanted`, in whichever match it comes."""
    for seed in range(80):
        first = start(count, seed=bytes([seed]), **choices)
        for state, _ in playing(first, seed):
            if wanted(state):
                return state
    raise AssertionError("that position never came")


@cache
def my_turn(card: str = "", number: int = 4, count: int = 4, castillo: str = "hidden") -> State:
    """My turn with nothing done yet, and `card` on the table."""

    def wanted(state: State) -> bool:
        if state.phase != "turn" or state.current() != ME or state.card or state.took >= 0:
            return False
        return state.round >= number and (not card or card in state.offer)

    return find(wanted, count, castillo=castillo)


@cache
def asked(phase: str) -> State:
    """A position in which I am asked something in this phase."""
    return find(lambda state: state.phase == phase and ME in EL_GRANDE.prompts(state))


@cache
def veto() -> State:
    """A position in which I may stop what another seat has announced."""
    return find(lambda state: state.phase == "answers" and ME in state.holders and
                ME in EL_GRANDE.prompts(state))  # fmt: skip


@cache
def over(count: int = 4) -> tuple[State, tuple[StoryEvent, ...]]:
    """The end of a match, with its whole story, a version for each decision."""
    rng = HmacRng(b"corte", "setup")
    first = EL_GRANDE.setup(count, options(), rng)
    story = [StoryEvent(1, None, NOW, event) for event in first]
    state = replay(EL_GRANDE, first)
    for number, (after, events) in enumerate(playing(state), start=2):
        story += [
            StoryEvent(number, getattr(events[0], "seat", None), NOW, event) for event in events
        ]
        state = after
    return state, tuple(story)


def seats(count: int) -> tuple[SeatInfo, ...]:
    return tuple(
        SeatInfo(Seat(n), NAMES[n], n + 1, None, "steady" if n == 3 else None, False)
        for n in range(count)
    )


def page_of(
    state: State, *lines: str, seat: Seat | None = ME, since: tuple[Any, ...] = (), **values: Any
) -> MatchPage:
    """The page of `seat` with these lines drafted."""
    drafted = state
    for line in lines:
        drafted = play(drafted, ME, line)
    prompts = EL_GRANDE.prompts(state)
    outcome = EL_GRANDE.outcome(state)
    page = MatchPage(
        id=UUID(int=42),
        game="el_grande",
        seat=seat,
        version=118,
        latest=118,
        status="finished" if outcome else "running",
        seats=seats(state.seats),
        prompts=prompts,
        view=EL_GRANDE.view(drafted, seat),
        base_view=EL_GRANDE.view(state, seat),
        options=EL_GRANDE.options(drafted, seat) if seat is not None and seat in prompts else None,
        draft=Draft(lines, len(lines)),
        answered=frozenset(),
        answer=None,
        standing={},
        decisions=(),
        since=tuple(StoryEvent(1, None, NOW, event) for event in since),
        outcome=outcome,
        match_options={},
        clock=None,
        proposals=0,
        created_at=NOW,
        finished_at=None,
        commitment="",
        seed=None,
        nonce=None,
    )
    return replace(page, **values)


def board_of(state: State, *lines: str, opened: str = "", **values: Any) -> ElGrandeBoard:
    """The page drawn, with something opened."""
    pick = values.pop("pick", 0)
    region = values.pop("region", "")
    return draw(page_of(state, *lines, **values), Opened(opened, pick, region))
