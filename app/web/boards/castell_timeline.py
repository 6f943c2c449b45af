"""How the points of a match grew: its log replayed, round by round and gain by gain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.matches.pages import StoryEvent
from app.rules.castell import CASTELL
from app.rules.castell.events import Event, FestivalHeld, LocalPerformed, RoundStarted
from app.rules.castell.scoring import categories
from app.rules.castell.state import State
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class Gain:
    """An event that brought points; `gains` holds them by seat."""

    version: int
    round: int
    event: FestivalHeld | LocalPerformed
    gains: Mapping[Seat, int]

    @property
    def best(self) -> tuple[Seat, int]:
        """Who gained most by it, and how much; the first seat among equals."""
        return max(self.gains.items(), key=lambda item: (item[1], -item[0]))


@dataclass(frozen=True, slots=True)
class Timeline:
    """`rounds[r][seat]` are the points after round r + 1; `gains` in the order of the match."""

    rounds: tuple[tuple[int, ...], ...]
    gains: tuple[Gain, ...]


def timeline(story: Sequence[StoryEvent]) -> Timeline:
    """Replay `story`, which begins with the first event of the match."""
    state: State | None = None
    points: tuple[int, ...] = ()
    rounds: list[tuple[int, ...]] = []
    gains: list[Gain] = []
    for told in story:
        event: Event = told.event
        if isinstance(event, RoundStarted) and event.round > 1:
            rounds.append(points)
        state = CASTELL.evolve(state, event)
        if not points:
            points = _points(state)
        if isinstance(event, FestivalHeld | LocalPerformed):
            now = _points(state)
            won = {
                Seat(seat): after - before
                for seat, (before, after) in enumerate(zip(points, now, strict=True))
                if after > before
            }
            if won:
                gains.append(Gain(told.version, state.round, event, won))
            points = now
    return Timeline((*rounds, points), tuple(gains))


def _points(state: State) -> tuple[int, ...]:
    return tuple(sum(categories(state, seat).values()) for seat in range(state.seats))
