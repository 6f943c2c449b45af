"""What the building assistants know (rule 15): exact, and only from public facts."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.rules.castell.components import SIZES, SKILLS, Level, Skill, Tower, WheelSkill
from app.rules.castell.edition import tables
from app.rules.castell.festivals import best_for
from app.rules.castell.goals import (
    ExhibitionGoal,
    FestivalGoal,
    Goal,
    exhibited_uses,
    goal_problems,
)
from app.rules.castell.legal import tile_goal
from app.rules.castell.solver import Best, tower_for
from app.rules.castell.state import Festival, State
from app.rules.castell.towers import (
    Hand,
    Ranks,
    TowerProblem,
    Uses,
    castellers_in,
    possible_uses,
    problems,
    tower_score,
)
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class Unlocks:
    """What one more would make possible: a tile, or a higher score at a festival.

    `skills` of which one rank more, `sizes` of which one casteller more is
    enough, each with what it is worth: the best score at a festival, 1 for a tile.
    """

    skills: Mapping[Skill, int]
    sizes: Mapping[int, int]


def unlocks(state: State, seat: Seat, goal: Goal) -> Unlocks:
    """Return what one more rank or casteller would make possible for `goal`."""
    hand, ranks = state.hands[seat], state.rank_map(seat)
    now = _worth(state, hand, ranks, goal)
    skills = {
        skill: _worth(state, hand, {**ranks, skill: ranks[skill] + 1}, goal)
        for skill in SKILLS
        if ranks[skill] < state.edition.max_rank
    }
    sizes = {size: _worth(state, _one_more(hand, size), ranks, goal) for size in SIZES}
    return Unlocks(
        {skill: worth for skill, worth in skills.items() if worth > now},
        {size: worth for size, worth in sizes.items() if worth > now},
    )


def _one_more(hand: Hand, size: int) -> Hand:
    return (*hand[: size - 1], hand[size - 1] + 1, *hand[size:])


def _worth(state: State, hand: Hand, ranks: Ranks, goal: Goal) -> int:
    """Return the best score at a festival, 1 for a tile, 0 if nothing serves the goal."""
    tower = tower_for(hand, ranks, goal, width_limit=state.edition.width_limit)
    if tower is None:
        return 0
    return tower_score(tower, goal.tokens) if isinstance(goal, FestivalGoal) else 1


def best_for_festival(state: State, seat: Seat, region: str) -> Best | None:
    """Return the best tower for the next festival in `region`; None: none, or no festival."""
    festival = next_festival(state, region)
    return best_for(state, seat, festival) if festival else None


def next_festival(state: State, region: str) -> Festival | None:
    """Return the next festival in `region` that is not yet held."""
    place = tables(state.edition).index[region]
    return next(
        (held for held in state.festivals if held.region == place and held.result is None), None
    )


def rivals_reach(state: State, seat: Seat, region: str) -> dict[Seat, int | None]:
    """Return what each other seat could score at most at the next festival in `region`.

    Every other seat, wherever its pawn stands: None if it can build no tower.
    """
    festival = next_festival(state, region)
    reach: dict[Seat, int | None] = {}
    for other in range(state.seats):
        if other != seat:
            best = best_for(state, other, festival) if festival else None
            reach[Seat(other)] = best.score if best else None
    return reach


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


def training_ahead(state: State, region: str) -> tuple[tuple[WheelSkill, ...], ...]:
    """Return what can be trained in `region`, this round first, to the last round."""
    place = tables(state.edition).index[region]
    ahead = []
    for number in range(state.round, state.edition.rounds + 1):
        skills = (state.skill_at(place, number), state.skill_everywhere(number))
        ahead.append(tuple(dict.fromkeys(skill for skill in skills if skill is not None)))
    return tuple(ahead)


@dataclass(frozen=True, slots=True)
class TowerReport:
    """A tower under construction, examined.

    `problems` keep it from standing, `lacking` from serving its goal; `left`
    counts the castellers still free.  `fits[size]` says whether one of that
    size may join the level asked about: `fits`, `too_big`, `too_small`,
    `full`, or `all_up` if none is free.  `repaired` is the nearest tower that
    stands: one casteller or one level less, or what is below the problem.
    """

    problems: tuple[TowerProblem, ...]
    lacking: tuple[TowerProblem, ...]
    uses: Uses | None
    left: Hand
    fits: Mapping[int, str]
    score: int
    legal: bool
    repaired: Tower


def examine_tower(
    state: State, seat: Seat, goal: Goal, tower: Tower, level: int | None = None
) -> TowerReport:
    """Examine the unfinished `tower` that `seat` builds for `goal`.

    `level` is the one, from 1 at the bottom, that the next casteller would
    join; None stands for a new level on top.
    """
    site = _Site(state.hands[seat], state.rank_map(seat), state.edition.width_limit)
    found = site.problems(tower)
    uses = site.uses(tower, goal) if tower and not found else None
    lacking = tuple(goal_problems(tower, goal, uses or dict.fromkeys(SKILLS, 0)))
    up = castellers_in(tower)
    number = len(tower) + 1 if level is None else level
    return TowerReport(
        problems=found,
        lacking=lacking,
        uses=uses,
        left=tuple(max(0, owned - used) for owned, used in zip(site.hand, up, strict=True)),
        fits={size: site.fit(tower, number, size) for size in SIZES},
        score=tower_score(tower, goal.tokens if isinstance(goal, FestivalGoal) else ()),
        legal=not found and not lacking,
        repaired=site.repair(tower) if tower and found else tower,
    )


@dataclass(frozen=True, slots=True)
class _Site:
    hand: Hand
    ranks: Ranks
    width_limit: int

    def problems(self, tower: Tower) -> tuple[TowerProblem, ...]:
        return problems(tower, self.ranks, self.hand, width_limit=self.width_limit)

    def uses(self, tower: Tower, goal: Goal) -> Uses:
        if isinstance(goal, ExhibitionGoal):
            return exhibited_uses(tower, goal, self.ranks, width_limit=self.width_limit)
        return next(possible_uses(tower, self.ranks, width_limit=self.width_limit))

    def fit(self, tower: Tower, number: int, size: int) -> str:
        """Say whether one more of `size` on level `number` keeps it and those below standing."""
        if castellers_in(tower)[size - 1] >= self.hand[size - 1]:
            return "all_up"
        grown = (*tower[: number - 1], _joined(tower[number - 1 : number], size))
        known = self.problems(tower[:number])
        new = [problem for problem in self.problems(grown) if problem not in known]
        if not new:
            return "fits"
        sizes = [held for level in tower[number - 1 : number] for _, held in level]
        if any(problem.code in _FULL for problem in new):
            return "full"
        return "too_small" if sizes and size < min(sizes) else "too_big"

    def repair(self, tower: Tower) -> Tower:
        """Return the nearest tower that stands; nobody at all always does."""
        lowest = next(
            problem.level for problem in self.problems(tower) if problem.level is not None
        )
        candidates = [
            *(_without_one(tower, lowest, size) for _, size in reversed(tower[lowest - 1])),
            (*tower[: lowest - 1], *tower[lowest:]),
        ]
        for candidate in candidates:
            if candidate and not self.problems(candidate):
                return candidate
        return tower[: lowest - 1]


_FULL = ("tower.wider_than_below", "tower.not_narrower", "tower.too_wide")


def _joined(level: tuple[Level, ...], size: int) -> Level:
    """Return the level (or a new one) with one more of `size`."""
    counts = {held: count for groups in level for count, held in groups}
    counts[size] = counts.get(size, 0) + 1
    return tuple((counts[held], held) for held in sorted(counts, reverse=True))


def _without_one(tower: Tower, number: int, size: int) -> Tower:
    counts = {held: count - (held == size) for count, held in tower[number - 1]}
    level = tuple((count, held) for held, count in counts.items() if count > 0)
    return (*tower[: number - 1], *([level] if level else []), *tower[number:])
