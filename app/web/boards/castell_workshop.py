"""What the tower workshop shows: the tower being built, judged by the rules.

Whether a level stands, what a casteller may join, what repairs a mistake and
how high anybody could build is asked of `app.rules`; this module only arranges
the answers for the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from app.i18n import gettext, ngettext
from app.i18n.sentences import refusal
from app.matches.pages import MatchPage
from app.rules.castell.components import SKILLS, Skill, Tower
from app.rules.castell.goals import goal_problems
from app.rules.castell.towers import TowerProblem, Uses, matching, width
from app.web.boards.castell_stage import (
    StageLevel,
    TakeDown,
    by_level,
    choose,
    skills_at,
    stage_levels,
    take_down,
    tall,
    widest,
)
from app.web.boards.castell_steps import Building, read_tower
from app.web.boards.castell_target import Target, target_of
from app.web.boards.castell_tray import Card, Hand, tray
from app.web.boards.castell_words import anded, skill_name

# An empty stage shows three ghosts, as small as if the ground were this wide.
EMPTY_WIDE: Final = 5


@dataclass(frozen=True, slots=True)
class Counter:
    """How often a skill is used of how often it may be."""

    skill: Skill
    name: str
    note: str
    used: int
    rank: int


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the check list; `todo` is what comes next, neither right nor wrong so far."""

    ok: bool
    text: str
    value: str = ""
    todo: bool = False


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything the template writes out; `state` is one of empty, bad, short, ready."""

    target: Target
    building: Building
    state: Literal["empty", "bad", "short", "ready"]
    verdict: str
    levels: tuple[StageLevel, ...]
    tall: str
    wide: int
    at: int
    up_query: str | None
    down_query: str | None
    take_down: tuple[TakeDown, ...]
    undo_query: str | None
    clear_query: str | None
    base_query: str
    cards: tuple[Card, ...]
    up: int
    waiting: int
    counters: tuple[Counter, ...]
    checks: tuple[Check, ...]
    matching: int
    total: int
    line: str


def workshop(page: MatchPage, building: Building) -> Workshop:
    """Return the workshop of the viewer's seat for `building`.

    Raises NotFoundError if the goal is no festival and no tile of this match.
    """
    target = target_of(page, building.goal)
    hand = Hand.of(page)
    found = hand.problems(building.tower)
    bad = by_level(found)
    uses = hand.uses(building.tower, target.goal)
    lacking = tuple(goal_problems(building.tower, target.goal, uses)) if not found else ()
    state, verdict = _verdict(building.tower, bad, lacking)
    up = sum(map(width, building.tower))
    levels = stage_levels(building, hand, uses, found, lacking)
    return Workshop(
        target=target,
        building=building,
        state=state,
        verdict=verdict,
        levels=levels,
        tall=tall(building),
        wide=widest(levels) or EMPTY_WIDE,
        at=building.at,
        up_query=choose(building, building.at + 1) if building.at <= len(building.tower) else None,
        down_query=choose(building, building.at - 1) if building.at > 1 else None,
        take_down=take_down(building),
        undo_query=_undo(building),
        clear_query=building.become((), None).query() if building.tower else None,
        base_query=building.query(),
        cards=tray(building, hand),
        up=up,
        waiting=sum(hand.castellers) - up,
        counters=_counters(building.tower, hand, uses),
        checks=_checks(building.tower, target, bad, lacking, uses),
        matching=matching(building.tower, target.tokens),
        total=target.worth(building.tower),
        line=target.line(building.tower),
    )


def _verdict(
    tower: Tower, bad: dict[int, TowerProblem], lacking: Sequence[TowerProblem]
) -> tuple[Literal["empty", "bad", "short", "ready"], str]:
    if not tower:
        return "empty", gettext("Choose who stands on the ground")
    if bad:
        numbers = [str(number) for number in sorted(bad)]
        return "bad", ngettext(
            "Not legal yet: level %(levels)s",
            "Not legal yet: levels %(levels)s",
            len(numbers),
            levels=anded(numbers),
        )
    if lacking:
        problem = lacking[0]
        return "short", refusal("castell", problem.code, problem.error().details, problem.rule)
    return "ready", gettext("Every level stands")


def _counters(tower: Tower, hand: Hand, uses: Uses) -> tuple[Counter, ...]:
    limit = hand.width_limit + uses["width"]
    where: dict[Skill, list[str]] = {skill: [] for skill in SKILLS}
    for number in range(1, len(tower) + 1):
        for skill, _ in skills_at(tower, number, hand.width_limit, limit):
            where[skill].append(str(number))
    return tuple(
        Counter(
            skill,
            skill_name(skill),
            _where(where[skill], uses[skill], hand.ranks[skill]),
            uses[skill],
            hand.ranks[skill],
        )
        for skill in SKILLS
    )


def _where(levels: list[str], used: int, rank: int) -> str:
    if used:
        return ngettext("level %(levels)s", "levels %(levels)s", len(levels), levels=anded(levels))
    return gettext("to spare") if rank else gettext("not trained yet")


def _checks(
    tower: Tower,
    target: Target,
    bad: dict[int, TowerProblem],
    lacking: Sequence[TowerProblem],
    uses: Uses,
) -> tuple[Check, ...]:
    if not tower:
        return _first_steps(target)
    counts = [count for level in tower for count in level]
    checks = [_pawn(target)]
    if target.tile is None or not target.tile.widths:
        enough = len(tower) >= target.min_levels
        text = ngettext("%(n)s level or more", "%(n)s levels or more", target.min_levels)
        checks.append(Check(enough, text, str(len(tower))))
    for size in target.tokens:
        here = sum(count for count, other in counts if other == size)
        text = gettext("At least one %(size)s", size=size)
        checks.append(Check(here > 0, text, str(here)))
    if target.tile is not None and target.tile.widths:
        wanted = target.tile.widths
        right = sum(width(level) == count for level, count in zip(tower, wanted, strict=False))
        checks.append(
            Check(
                right == len(wanted) == len(tower),
                gettext("As in the picture"),
                gettext("%(done)s of %(all)s", done=right, all=len(wanted)),
            )
        )
    elif target.tile is not None:
        checks.extend(
            Check(uses[skill] > 0, gettext("%(skill)s used", skill=skill_name(skill)))
            for skill in target.tile.skills
        )
    legal = len(tower) - len(bad)
    checks.append(
        Check(
            not bad,
            gettext("Every level legal"),
            gettext("%(done)s of %(all)s", done=legal, all=len(tower)),
        )
    )
    return tuple(checks)


def _pawn(target: Target) -> Check:
    if target.here:
        return Check(ok=True, text=gettext("Your pawn is here"))
    return Check(ok=False, text=gettext("Your pawn is elsewhere"))


def _first_steps(target: Target) -> tuple[Check, ...]:
    """Say what to do while nobody stands on the square yet: nothing is wrong with it."""
    steps = [gettext("Begin on the ground: tap somebody large in the tray")]
    if target.tile is not None and target.tile.widths:
        steps.append(gettext("Build as in the picture, from the ground up"))
    else:
        steps.append(
            ngettext(
                "Go up to %(n)s level or more, smaller and fewer as you climb",
                "Go up to %(n)s levels or more, smaller and fewer as you climb",
                target.min_levels,
            )
        )
    if target.tokens:
        steps.append(gettext("Let size %(sizes)s stand in it", sizes=anded(target.tokens)))
    if target.tile is not None and target.tile.skills:
        skills = anded(map(skill_name, target.tile.skills))
        steps.append(gettext("Use %(skills)s", skills=skills))
    return (_pawn(target), *(Check(ok=False, text=step, todo=True) for step in steps))


def _undo(building: Building) -> str | None:
    if not building.back:
        return None
    return building.undone(read_tower(building.back[-1])).query()
