"""Whole matches of Castell played by a simple greedy player, without a database."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from app.db.session import Sessions
from app.matches.editions import edition
from app.matches.pages import Draft, MatchPage, SeatInfo, StoryEvent
from app.matches.queries import match_page
from app.matches.service import commit
from app.matches.values import Commit
from app.rules.castell import CASTELL
from app.rules.castell.events import Event
from app.rules.castell.moves import (
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
from app.rules.game import Outcome, Seat
from app.rules.rng import HmacRng, NoRng

NOW = datetime(2026, 9, 24, 21, tzinfo=UTC)
MATCH = UUID(int=42)
NAMES = ("Mar", "Jordi", "Txell", "Wiebe")


@dataclass(frozen=True, slots=True)
class Played:
    """A match as it was played; every step of the log is one version."""

    states: tuple[State, ...]
    story: tuple[StoryEvent, ...]

    def page(
        self, seat: int | None = 0, *, version: int | None = None, **changes: Any
    ) -> MatchPage:
        """Return the page of a viewer at `version` (None: at the end)."""
        number = len(self.states) if version is None else version
        return replace(page_of(self.states[number - 1], seat, number), **changes)

    def first(self, phase: str, *, round_: int = 1) -> int:
        """Return the first version in this phase from this round on."""
        return next(
            number
            for number, state in enumerate(self.states, start=1)
            if state.phase == phase and state.round >= round_
        )


def page_of(state: State, seat: int | None, version: int) -> MatchPage:
    """Return what the queries would hand over for `state`."""
    viewer = None if seat is None else Seat(seat)
    view = CASTELL.view(state, viewer)
    outcome: Outcome | None = CASTELL.outcome(state)
    return MatchPage(
        id=MATCH,
        game="castell",
        seat=viewer,
        version=version,
        latest=version,
        status="running" if outcome is None else "finished",
        seats=tuple(
            SeatInfo(Seat(n), NAMES[n], n + 1, None, None, resigned=False)
            for n in range(state.seats)
        ),
        prompts=CASTELL.prompts(state),
        view=view,
        base_view=view,
        options=None,
        draft=Draft(),
        answered=frozenset(),
        answer=None,
        standing={},
        decisions=(),
        since=(),
        outcome=outcome,
        match_options={"edition": edition("castell")},
        clock=None,
        proposals=0,
        created_at=NOW,
        finished_at=NOW if outcome else None,
        commitment="0" * 64,
        seed=None,
        nonce=None,
    )


def play(seats: int = 4, *, seed: int = 1, options: dict[str, Any] | None = None) -> Played:
    """Play a match to its end; the same seed gives the same match."""
    rng = HmacRng(seed.to_bytes(32, "big"), "played")
    setup = CASTELL.setup(seats, {"edition": edition("castell"), **(options or {})}, rng)
    states: list[State] = []
    story: list[StoryEvent] = []
    state: State | None = None

    def tell(events: tuple[Event, ...], seat: Seat | None) -> None:
        nonlocal state
        version = len(states) + 1
        for event in events:
            state = CASTELL.evolve(state, event)
            story.append(StoryEvent(version, seat, NOW, event))
        assert state is not None
        states.append(state)

    tell(setup, None)
    while state is not None and CASTELL.outcome(state) is None:
        seat = min(CASTELL.prompts(state))
        tell(CASTELL.decide(state, seat, choose(state, seat), rng), seat)
    return Played(tuple(states), tuple(story))


def choose(state: State, seat: Seat) -> Move:
    """Return the move that looks best at once: tiles, festivals, skills, people, the way there."""
    return max(CASTELL.legal_moves(state, seat), key=lambda move: _worth(state, seat, move))


def _worth(state: State, seat: Seat, move: Move) -> tuple[int, ...]:
    match move:
        case Special(Perform()) | TrainSpecial(Perform()) | EnterFestival():
            return (9,)
        case Train(skill):
            rank = state.rank_map(seat)[skill]
            return (8, 3 if skill == "balance" and rank < 4 else 2 - rank)
        case Recruit(sizes):
            have = state.hands[seat]
            return (7, len(sizes), -max(have[size - 1] for size in sizes))
        case MovePawn(region):
            return (6, *_pull(state, region), -(seat + state.round + len(region)) % 3)
        case EndTurn():
            return (5,)
        case _:
            return (4,)


def _pull(state: State, region: str) -> Iterator[int]:
    ids = [place.id for place in state.edition.regions]
    place = ids.index(region)
    yield int(any(fest.region == place and fest.round == state.round for fest in state.festivals))
    yield int(
        any(fest.region == place and fest.round == state.round + 1 for fest in state.festivals)
    )
    yield len(state.tiles[place])


def line_for(view: CastellView, seat: Seat) -> str:
    """Return the turn or the answer that `choose` would give in `view`, in notation."""
    state = CASTELL.determinise(view, HmacRng(bytes(32), "line"))
    moves: list[Move] = []
    while True:
        move = choose(state, seat)
        if isinstance(move, EndTurn):
            return CASTELL.format(moves)
        moves.append(move)
        if state.phase == "festivals":
            return CASTELL.format(moves)
        for event in CASTELL.decide(state, seat, move, NoRng()):
            state = CASTELL.evolve(state, event)


async def play_on(
    sessions: Sessions, match_id: UUID, *, until: Callable[[MatchPage], bool] = lambda _page: False
) -> MatchPage:
    """Play a stored match on with every seat, until its end or until `until` says so."""
    while True:
        async with sessions.begin() as session:
            page = await match_page(session, match_id=match_id, seat=None)
            if page.outcome is not None or until(page):
                return page
            seat = min(page.asked)
            line = line_for(page.base_view, seat)
            command = Commit(
                match_id=match_id,
                seat=seat,
                expected_version=page.version,
                key=f"v{page.version}s{seat}",
                line=line,
                now=NOW,
            )
            await commit(session, command)
