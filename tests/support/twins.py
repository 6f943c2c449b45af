"""Pairs of matches that differ only in what a viewer may not know.

A random match is played, and beside it twins of it: matches in which one hidden
choice was another, and everything since the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from app.rules.game import Game, IllegalMoveError, Seat, replay
from app.rules.rng import HmacRng

AnyGame = Game[Any, Any, Any, Any]

# How many twins walk along at once, and how many other choices are tried for one.
MOST_TWINS = 6
TRIES = 6


def any_of(state: Any, seat: Seat, moves: Sequence[Any], rng: HmacRng) -> Any:
    """Choose a move like any other."""
    return moves[rng.below(len(moves))]


@dataclass(frozen=True, slots=True)
class Way:
    """How the matches are played.

    `choose` makes the moves; `instead` is what might have been done in the place of
    one, None if none of it would be secret.  `comparable` says whether two states
    agree in what follows from a hidden choice and is public all the same.
    """

    choose: Callable[[Any, Seat, Sequence[Any], HmacRng], Any] = any_of
    instead: Callable[[Any, Seat, Sequence[Any], HmacRng], Any] = any_of
    comparable: Callable[[Any, Any], bool] = lambda one, other: True


@dataclass(frozen=True, slots=True)
class Side:
    """One of two matches: its state, and its log with the seat that made each step."""

    state: Any
    steps: tuple[tuple[Seat | None, tuple[Any, ...]], ...]

    @property
    def events(self) -> tuple[Any, ...]:
        """The whole log."""
        return tuple(event for _, events in self.steps for event in events)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matches that `viewer` (None: a spectator) may not tell apart; `kind` says why."""

    viewer: Seat | None
    kind: str
    sides: tuple[Side, Side]


class _Step(NamedTuple):
    seat: Seat
    move: Any
    chance: str


@dataclass(frozen=True, slots=True)
class _Twin:
    viewers: frozenset[Seat | None]
    kind: str
    side: Side


def pairs(
    game: AnyGame, seats: int, options: Mapping[str, Any], seed: str, way: Way
) -> Iterator[Pair]:
    """Yield every pair that one match and its twins come by."""
    choice = HmacRng(seed.encode(), "choice")
    setup = game.setup(seats, options, HmacRng(seed.encode(), "setup"))
    main = Side(replay(game, setup), ((None, setup),))
    everybody = (None, *map(Seat, range(seats)))
    twins: list[_Twin] = []
    for step in count():
        asked = sorted(game.prompts(main.state))
        if not asked:
            return
        seat = asked[choice.below(len(asked))]
        moves = list(game.legal_moves(main.state, seat))
        move = way.choose(main.state, seat, moves, choice)
        done = _Step(seat, move, f"{seed}:{step}")
        after, told = _after(game, main, done)
        twins = [
            walked
            for twin in twins
            if (walked := _walk(game, twin, done, told)) is not None
            and way.comparable(after.state, walked.side.state)
        ]
        tried = {told}
        for _ in range(TRIES):
            other = way.instead(main.state, seat, moves, choice)
            if other is None or len(twins) >= MOST_TWINS:
                break
            side, heard = _after(game, main, done._replace(move=other))
            viewers = frozenset(who for who in everybody if _alike(game, told, heard, who))
            if heard not in tried and viewers and way.comparable(after.state, side.state):
                twins.append(_Twin(viewers, game.format((other,)).split()[0], side))
            tried.add(heard)
        main = after
        for twin in twins:
            for viewer in twin.viewers:
                yield Pair(viewer, twin.kind, (main, twin.side))


def _walk(game: AnyGame, twin: _Twin, done: _Step, told: tuple[Any, ...]) -> _Twin | None:
    """Make the same move in the twin; None once nobody is told the same any more."""
    try:
        side, heard = _after(game, twin.side, done)
    except IllegalMoveError:
        return None
    viewers = frozenset(who for who in twin.viewers if _alike(game, told, heard, who))
    return _Twin(viewers, twin.kind, side) if viewers else None


def _after(game: AnyGame, side: Side, step: _Step) -> tuple[Side, tuple[Any, ...]]:
    chance = HmacRng(step.chance.encode(), "chance")
    events = game.decide(side.state, step.seat, step.move, chance)
    after = replay(game, events, side.state)
    return Side(after, (*side.steps, (step.seat, events))), events


def _alike(
    game: AnyGame, one: tuple[Any, ...], other: tuple[Any, ...], viewer: Seat | None
) -> bool:
    """Tell whether a viewer is told the same while it happens."""
    told = [
        [seen for event in events if (seen := game.event_view(event, viewer)) is not None]
        for events in (one, other)
    ]
    return told[0] == told[1]
