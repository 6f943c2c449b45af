"""The values of one edition of Castell (rule 12), and what follows from them.

The edition is data: it is read from a mapping by `edition_from_mapping`, is
frozen into the first event of a match and never changes while that match lives.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from app.rules.castell.components import PRIZES, SKILLS, Prize, Skill, WheelSkill
from app.rules.castell.goals import ExhibitionGoal, Goal, ShapeGoal
from app.rules.castell.moves import MovePawn, Special, TrainSpecial

# One value per number of seats: two, three and four.
PerSeats: TypeAlias = tuple[int, int, int]

SEAT_COUNTS: Final = range(2, 5)
# The wheel label that is not a region: All Regions, No Regions on the other side.
EVERYWHERE: Final = "ALL"
WHEEL_SIDES: Final = ("all_regions", "no_regions")


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the board (rule 2.1)."""

    id: str
    name: str
    neighbours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A local performance tile (rule 7): a shape has widths, an exhibition skills."""

    id: str
    points: int
    widths: tuple[int, ...]
    skills: tuple[Skill, ...]


@dataclass(frozen=True, slots=True)
class FestivalRound:
    """How many festivals of which back a round holds (rule 2.2)."""

    round: int
    back: str
    festivals: PerSeats


@dataclass(frozen=True, slots=True)
class Edition:
    """Every value that the printed game may hold differently."""

    name: str
    rounds: int
    rotate_first_player: bool
    castellers_per_size: int
    castellers_at_start: int
    size_tokens_per_size: int
    special_tokens: int
    prize_supply: tuple[int, ...]
    regions: tuple[Region, ...]
    refill_rounds: tuple[int, ...]
    refill_to: PerSeats
    wheel_labels: tuple[str, ...]
    wheel_direction: str
    wheel_tiles: tuple[WheelSkill, ...]
    recruits: int
    max_rank: int
    width_limit: int
    tiles_per_region: int
    exhibition_levels: str
    collect_own_payment: bool
    tiles: tuple[Tile, ...]
    min_festival_levels: int
    size_tokens: tuple[int, int]
    prize_chart: tuple[tuple[Prize, ...], ...]
    size_token_tie: tuple[str, ...]
    calendar: tuple[FestivalRound, ...]
    region_points: tuple[int, ...]
    prize_points: tuple[int, ...]
    size_token_first: int
    size_token_further: int
    collected_token: int
    tie_break: tuple[str, ...]

    def __hash__(self) -> int:
        """Hash by name only: tables are looked up by edition at every move."""
        return hash(self.name)

    def points_of(self, prize: Prize) -> int:
        """Return what a prize is worth (rule 9)."""
        return self.prize_points[PRIZES.index(prize)]

    def tokens_of(self, back: str) -> int:
        """Return how many size tokens lie at a festival with this back (rule 2.2)."""
        return self.size_tokens[("I", "II").index(back)]


@dataclass(frozen=True, slots=True)
class Tables:
    """Look-ups derived once from an edition; regions by index, as in the state.

    `slots[r - 1][j]` is the wheel slot of region `j` in round `r`, and
    `slots[r - 1][-1]` the one of the All Regions label (rule 6.1).  `steps[j]`
    are the moves out of region `j`, and `steps[-1]` those that place a pawn.
    `goals` says what a tower must be to claim a tile (rule 7), and `least` which
    ranks, in the order of SKILLS, any such tower needs.
    """

    index: dict[str, int]
    ids: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    slots: tuple[tuple[int, ...], ...]
    tiles: dict[str, Tile]
    goals: dict[str, Goal]
    least: dict[str, tuple[int, ...]]
    steps: tuple[tuple[MovePawn, ...], ...]
    token_steps: tuple[tuple[Special, ...], ...]
    wheel_steps: tuple[tuple[TrainSpecial, ...], ...]


@lru_cache(maxsize=64)
def shared(edition: Edition) -> Edition:
    """Return one edition for all that are equal, so that look-ups need not compare them."""
    return edition


@lru_cache(maxsize=64)
def tables(edition: Edition) -> Tables:
    """Return the look-ups of `edition`."""
    ids = tuple(region.id for region in edition.regions)
    index = {region: number for number, region in enumerate(ids)}
    places = [edition.wheel_labels.index(region) for region in (*ids, EVERYWHERE)]
    step = 1 if edition.wheel_direction == "clockwise" else -1
    size = len(edition.wheel_labels)
    neighbours = tuple(
        tuple(sorted(index[other] for other in region.neighbours)) for region in edition.regions
    )
    everywhere = tuple(range(len(ids)))
    steps = tuple(
        tuple(MovePawn(ids[other]) for other in others) for others in (*neighbours, everywhere)
    )
    return Tables(
        index=index,
        ids=ids,
        neighbours=neighbours,
        slots=tuple(
            tuple((place + step * turned) % size for place in places)
            for turned in range(edition.rounds)
        ),
        tiles={tile.id: tile for tile in edition.tiles},
        goals={tile.id: _goal(edition, tile) for tile in edition.tiles},
        least={tile.id: _least_ranks(tile) for tile in edition.tiles},
        steps=steps,
        token_steps=tuple(tuple(map(Special, moves)) for moves in steps),
        wheel_steps=tuple(tuple(map(TrainSpecial, moves)) for moves in steps),
    )


def _goal(edition: Edition, tile: Tile) -> Goal:
    if tile.widths:
        return ShapeGoal(tile.widths)
    return ExhibitionGoal(tile.skills, tile.points, exact=edition.exhibition_levels == "exact")


def _least_ranks(tile: Tile) -> tuple[int, ...]:
    least = {skill: int(skill in tile.skills) for skill in SKILLS}
    least["balance"] += sum(low == up for low, up in pairwise(tile.widths))
    return tuple(least.values())
