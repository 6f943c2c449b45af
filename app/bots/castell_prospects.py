"""What lies ahead in Castell: festivals, tiles and rivals, as one turn sees them.

Everything here is settled once a turn, from public facts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from app.rules.castell.components import Tower
from app.rules.castell.edition import Edition, Tile, tables
from app.rules.castell.festivals import best_for
from app.rules.castell.state import Festival, State
from app.rules.castell.towers import castellers_in
from app.rules.game import Seat

# How likely a rival comes to a festival of a later round, and to one of this
# round by the steps that are left to it.
COMES_LATER = 0.4
COMES_NOW = (0.7, 0.5, 0.25, 0.05)
# Steps a pawn makes in a turn at its best, with what it then has left to do.
REACHED_NEXT = (1.0, 1.0, 0.7, 0.25)


@dataclass(frozen=True, slots=True)
class Rival:
    """What another seat may bring to a festival: how likely it comes, what it builds."""

    comes: float
    score: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Prospect:
    """A festival not yet held, `ahead` rounds from now (0: at the end of this one)."""

    festival: Festival
    ahead: int
    rivals: tuple[Rival, ...]

    def prize(self, edition: Edition, score: int) -> float:
        """Return the points of prize that `score` may hope for."""
        return _hope(edition, score, tuple((rival.comes, rival.score) for rival in self.rivals))

    def token(self, number: int, count: int) -> float:
        """Return how likely `count` castellers take the size token at `number`."""
        likely = 1.0
        for rival in self.rivals:
            theirs = rival.counts[number]
            loses = 1.0 if theirs > count else 0.5 if theirs == count else 0.0
            likely *= 1 - rival.comes * loses
        return likely


@lru_cache(maxsize=1 << 14)
def _hope(edition: Edition, score: int, rivals: tuple[tuple[float, int], ...]) -> float:
    # chances[n][k]: n rivals come, k of them build higher.
    chances = {(0, 0): 1.0}
    for comes, theirs in rivals:
        after: dict[tuple[int, int], float] = {}
        for (there, above), chance in chances.items():
            came = (there + 1, above + (theirs > score))
            after[came] = after.get(came, 0.0) + chance * comes
            after[there, above] = after.get((there, above), 0.0) + chance * (1 - comes)
        chances = after
    chart = edition.prize_chart
    return sum(
        chance * edition.points_of(chart[there][above])
        for (there, above), chance in chances.items()
        if above < len(chart[there])
    )


def matching(tower: Tower | None, tokens: Iterable[int]) -> tuple[int, ...]:
    """Return how many castellers of each token's size stand in `tower`."""
    counts = castellers_in(tower or ())
    return tuple(counts[size - 1] for size in tokens)


def prospects(state: State, seat: Seat, horizon: int) -> tuple[Prospect, ...]:
    """Return the festivals of this and the next `horizon` rounds, as `seat` sees them."""
    return tuple(
        Prospect(held, held.round - state.round, _rivals(state, seat, held))
        for held in state.festivals
        if held.result is None and held.round - state.round <= horizon
    )


def _rivals(state: State, seat: Seat, festival: Festival) -> tuple[Rival, ...]:
    done = set(state.order()[: state.turn])
    found = []
    for other in range(state.seats):
        best = None if other == seat else best_for(state, other, festival)
        if best is None:
            continue
        comes = COMES_LATER
        if festival.round == state.round:
            steps = distances(state.edition)[festival.region][state.pawns[other]]
            comes = float(steps == 0) if other in done else COMES_NOW[min(steps, 3)]
        found.append(Rival(comes, best.score, matching(best.tower, festival.tokens)))
    return tuple(found)


@lru_cache(maxsize=16)
def distances(edition: Edition) -> tuple[tuple[int, ...], ...]:
    """Return the steps between any two regions; the last column is 1: a pawn to be placed."""
    neighbours = tables(edition).neighbours
    return tuple((*_steps_from(region, neighbours), 1) for region in range(len(neighbours)))


def _steps_from(start: int, neighbours: tuple[tuple[int, ...], ...]) -> list[int]:
    steps = [len(neighbours)] * len(neighbours)
    steps[start] = 0
    queue = [start]
    for region in queue:
        for other in neighbours[region]:
            if steps[other] > steps[region] + 1:
                steps[other] = steps[region] + 1
                queue.append(other)
    return steps


def open_tiles(state: State) -> tuple[tuple[int, Tile, int], ...]:
    """Return the tiles on the board: region, tile, and the tokens that lie in its row."""
    lookup = tables(state.edition).tiles
    return tuple(
        (region, lookup[tile], len(state.rows[region]))
        for region, row in enumerate(state.tiles)
        for tile in row
    )
