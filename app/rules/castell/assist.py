"""What the building assistants know (rule 15): exact, and only from public facts."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.rules.castell.components import SIZES, SKILLS, Skill, Tower
from app.rules.castell.edition import tables
from app.rules.castell.goals import FestivalGoal, Goal
from app.rules.castell.legal import tile_goal
from app.rules.castell.solver import tower_for
from app.rules.castell.state import State
from app.rules.castell.towers import WIDTH_LIMIT, Hand, Ranks, tower_score
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class Unlocks:
    """What one more would make possible: a tile, or a higher score at a festival.

    `skills` of which one rank more, `sizes` of which one casteller more is
    enough, each with what it is worth: the best score at a festival, 1 for a tile.
    """

    skills: Mapping[Skill, int]
    sizes: Mapping[int, int]


def unlocks(
    hand: Hand, ranks: Ranks, goal: Goal, *, max_rank: int, width_limit: int = WIDTH_LIMIT
) -> Unlocks:
    """Return what one more rank or casteller would make possible for `goal`."""

    def worth(hand: Hand, ranks: Ranks) -> int:
        return _worth(hand, ranks, goal, width_limit)

    now = worth(hand, ranks)
    skills = {
        skill: worth(hand, {**ranks, skill: ranks[skill] + 1})
        for skill in SKILLS
        if ranks[skill] < max_rank
    }
    sizes = {size: worth(_one_more(hand, size), ranks) for size in SIZES}
    return Unlocks(
        {skill: points for skill, points in skills.items() if points > now},
        {size: points for size, points in sizes.items() if points > now},
    )


def _one_more(hand: Hand, size: int) -> Hand:
    return (*hand[: size - 1], hand[size - 1] + 1, *hand[size:])


def _worth(hand: Hand, ranks: Ranks, goal: Goal, width_limit: int) -> int:
    """Return the best score at a festival, 1 for a tile, 0 if nothing serves the goal."""
    tower = tower_for(hand, ranks, goal, width_limit=width_limit)
    if tower is None:
        return 0
    return tower_score(tower, goal.tokens) if isinstance(goal, FestivalGoal) else 1


def performable_tiles(state: State, seat: Seat) -> dict[str, Tower]:
    """Return every local tile on the board that `seat` could claim, with a tower for it."""
    found = {}
    lookup = tables(state.edition).tiles
    ranks = state.rank_map(seat)
    limit = state.edition.width_limit
    for tile in (tile for row in state.tiles for tile in row):
        goal = tile_goal(state.edition, lookup[tile])
        tower = tower_for(state.hands[seat], ranks, goal, width_limit=limit)
        if tower is not None:
            found[tile] = tower
    return found
