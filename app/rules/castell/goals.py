"""What a tower is built for: a festival, a tower shape, a skill exhibition (rules 7, 8)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from app.rules.castell.components import Skill, Tower
from app.rules.castell.towers import (
    WIDTH_LIMIT,
    Hand,
    Ranks,
    TowerProblem,
    Uses,
    castellers_in,
    check_tower,
    possible_uses,
    widths,
)


@dataclass(frozen=True, slots=True)
class FestivalGoal:
    """At least `min_levels` levels and one casteller of every size token (rule 8)."""

    tokens: tuple[int, ...]
    min_levels: int = 4


@dataclass(frozen=True, slots=True)
class ShapeGoal:
    """Exactly these castellers per level, bottom first (rule 7)."""

    widths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExhibitionGoal:
    """At least (or `exact`: just) `levels` levels, every one of `skills` really used (rule 7)."""

    skills: tuple[Skill, ...]
    levels: int
    exact: bool = False


Goal: TypeAlias = FestivalGoal | ShapeGoal | ExhibitionGoal


def check_goal(
    tower: Tower,
    goal: Goal,
    ranks: Ranks,
    hand: Hand | None = None,
    *,
    width_limit: int = WIDTH_LIMIT,
) -> Uses:
    """Return the skill uses with which `tower` serves `goal`.

    Raises IllegalMoveError with the first problem of the tower (rule 6.2), else
    with the first thing it lacks for the goal.
    """
    uses = check_tower(tower, ranks, hand, width_limit=width_limit)
    if isinstance(goal, ExhibitionGoal):
        uses = exhibited_uses(tower, goal, ranks, width_limit=width_limit)
    for problem in goal_problems(tower, goal, uses):
        raise problem.error()
    return uses


def exhibited_uses(
    tower: Tower, goal: ExhibitionGoal, ranks: Ranks, *, width_limit: int = WIDTH_LIMIT
) -> Uses:
    """Return the reckoning of a standing `tower` that uses most of the skills shown."""
    return max(
        possible_uses(tower, ranks, width_limit=width_limit),
        key=lambda uses: sum(uses[skill] > 0 for skill in goal.skills),
    )


def goal_problems(tower: Tower, goal: Goal, uses: Uses) -> Iterator[TowerProblem]:
    """Yield what `tower`, reckoned as `uses`, still lacks for `goal`."""
    match goal:
        case FestivalGoal():
            yield from _festival_problems(tower, goal)
        case ShapeGoal():
            yield from _shape_problems(tower, goal)
        case ExhibitionGoal():
            yield from _exhibition_problems(tower, goal, uses)
        case _:  # pragma: no cover - the union is closed
            assert_never(goal)


def _festival_problems(tower: Tower, goal: FestivalGoal) -> Iterator[TowerProblem]:
    levels = len(tower)
    if levels < goal.min_levels:
        yield TowerProblem(
            "tower.too_low", None, {"levels": levels, "needed": goal.min_levels}, "8", "more_levels"
        )
    counts = castellers_in(tower)
    for size in goal.tokens:
        if not counts[size - 1]:
            yield TowerProblem("tower.token_missing", None, {"size": size}, "8", "token")


def _shape_problems(tower: Tower, goal: ShapeGoal) -> Iterator[TowerProblem]:
    built, wanted = widths(tower), goal.widths
    for number, (count, target) in enumerate(zip(built, wanted, strict=False), start=1):
        if count != target:
            details = {"count": count, "wanted": target}
            yield TowerProblem("tower.wrong_shape", number, details, "7", "width")
    if len(built) != len(wanted):
        fix = "more_levels" if len(built) < len(wanted) else "fewer_levels"
        details = {"levels": len(built), "wanted": len(wanted)}
        yield TowerProblem("tower.wrong_height", None, details, "7", fix)


def _exhibition_problems(tower: Tower, goal: ExhibitionGoal, uses: Uses) -> Iterator[TowerProblem]:
    levels = len(tower)
    if levels < goal.levels:
        details = {"levels": levels, "needed": goal.levels}
        yield TowerProblem("tower.too_low", None, details, "7", "more_levels")
    elif goal.exact and levels > goal.levels:
        details = {"levels": levels, "wanted": goal.levels}
        yield TowerProblem("tower.wrong_height", None, details, "7", "fewer_levels")
    for skill in goal.skills:
        if not uses[skill]:
            yield TowerProblem("tower.skill_unused", None, {"skill": skill}, "7", "use_skill")
