"""The square of the workshop: every level with its people, its skills and its mistakes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from app.i18n import gettext
from app.i18n.sentences import refusal
from app.rules.castell.components import SKILLS, Level, Skill, Tower
from app.rules.castell.towers import TowerProblem, Uses, width
from app.web.boards.castell_repair import repair
from app.web.boards.castell_steps import Building, remove
from app.web.boards.castell_tower import SHOULDERS, Person, draw_tower, tallness
from app.web.boards.castell_tray import Hand
from app.web.boards.castell_words import anded, skill_name

# More people than anybody owns in a match: equals beyond the first few are then counted.
CROWD: Final = 60
GROUPED: Final = 3


@dataclass(frozen=True, slots=True)
class Why:
    """A refusal where it happens: the sentence, the rule's number, and one tap that mends it."""

    head: str
    more: str
    rule: str
    fix: str
    query: str


@dataclass(frozen=True, slots=True)
class StageUse:
    """A skill used by a level; `over` if the colla has not trained it so far."""

    skill: Skill
    name: str
    note: str
    over: bool


@dataclass(frozen=True, slots=True)
class StagePerson:
    """A casteller on the stage; `query` takes it down.

    `more` equals beside it are counted instead of drawn.
    """

    figure: Person
    query: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class StageLevel:
    """One level of the stage, `number` counted from the ground; `query` chooses it."""

    number: int
    size: int
    text: str
    people: tuple[StagePerson, ...]
    uses: tuple[StageUse, ...]
    note: str
    is_selected: bool
    is_bad: bool
    why: Why | None
    query: str


@dataclass(frozen=True, slots=True)
class TakeDown:
    """Take one casteller of `size` off the chosen level."""

    size: int
    query: str


def by_level(found: Sequence[TowerProblem]) -> dict[int, TowerProblem]:
    """Return the first problem of each level that has one."""
    first: dict[int, TowerProblem] = {}
    for problem in found:
        if problem.level is not None:
            first.setdefault(problem.level, problem)
    return first


def stage_levels(
    building: Building,
    hand: Hand,
    uses: Uses,
    found: Sequence[TowerProblem],
    lacking: Sequence[TowerProblem],
) -> tuple[StageLevel, ...]:
    """Return the levels from the top down, the first broken one with its reason."""
    tower = building.tower
    drawn = draw_tower(tower).levels[::-1]
    reasons = by_level(found)
    notes = {problem.level: problem for problem in lacking if problem.level is not None}
    lowest = min(reasons, default=0)
    crowded = sum(map(width, tower)) > CROWD
    levels = []
    for number, (level, figures) in enumerate(zip(tower, drawn, strict=True), start=1):
        lacks = notes.get(number)
        levels.append(
            StageLevel(
                number=number,
                size=max(size for _, size in level),
                text=" + ".join(f"{count} × {size}" for count, size in level),
                people=tuple(
                    StagePerson(figure, _without(building, number, figure.size), more)
                    for figure, more in _drawn(figures, crowded=crowded)
                ),
                uses=_uses_of(tower, number, hand, uses),
                note=""
                if lacks is None
                else gettext("picture: %(wanted)s", wanted=lacks.details["wanted"]),
                is_selected=building.at == number,
                is_bad=number in reasons,
                why=_why(building, hand, reasons[number]) if number == lowest else None,
                query=choose(building, number),
            )
        )
    return tuple(levels[::-1])


def _drawn(figures: Sequence[Person], *, crowded: bool) -> Iterator[tuple[Person, int]]:
    """Yield the figures to draw, with how many more of that size are only counted."""
    sizes = Counter(figure.size for figure in figures)
    drawn: Counter[int] = Counter()
    for figure in figures:
        drawn[figure.size] += 1
        if not crowded or sizes[figure.size] <= GROUPED:
            yield figure, 0
        elif drawn[figure.size] <= GROUPED:
            last = drawn[figure.size] == GROUPED
            yield figure, sizes[figure.size] - GROUPED if last else 0


def widest(levels: Sequence[StageLevel]) -> int:
    """Return how many figures stand in the level that shows most of them."""
    return max((len(level.people) for level in levels), default=0)


def _why(building: Building, hand: Hand, problem: TowerProblem) -> Why:
    sentence = refusal("castell", problem.code, problem.error().details, problem.rule)
    head, stop, more = sentence.partition(". ")
    mended = repair(
        building.tower,
        problem.level or 1,
        hand.ranks,
        hand.castellers,
        width_limit=hand.width_limit,
    )
    return Why(
        head=head + stop.strip(),
        more=more,
        rule=problem.rule,
        fix=mended.words,
        query=building.become(mended.tower, None).query(),
    )


def _uses_of(tower: Tower, number: int, hand: Hand, uses: Uses) -> tuple[StageUse, ...]:
    """Return the skills that level `number` uses, in the reckoning `uses`."""
    limit = hand.width_limit + uses["width"]
    spent: dict[Skill, int] = dict.fromkeys(SKILLS, 0)
    mine: list[tuple[Skill, str]] = []
    for current in range(1, number + 1):
        mine = skills_at(tower, current, hand.width_limit, limit)
        for skill, _ in mine:
            spent[skill] += 1
    return tuple(
        StageUse(
            skill, skill_name(skill), note, skill != "width" and spent[skill] > hand.ranks[skill]
        )
        for skill, note in mine
        if skill != "width" or uses["width"]
    )


def skills_at(tower: Tower, number: int, plain: int, limit: int) -> list[tuple[Skill, str]]:
    """Return the skills that level `number` leans on, each with what for.

    `plain` is the width everybody may build, `limit` the one that Width allows.
    """
    level = tower[number - 1]
    below: Level | None = tower[number - 2] if number > 1 else None
    count = width(level)
    sizes = [size for _, size in level]
    found: list[tuple[Skill, str]] = []
    if below is not None and count == width(below):
        found.append(("balance", gettext("again %(count)s", count=count)))
    if count > limit:
        found.append(("base", gettext("%(count)s wide", count=count)))
    elif count > plain:
        found.append(("width", gettext("%(count)s wide", count=count)))
    if len(sizes) > 1:
        found.append(("mix", anded([str(size) for size in reversed(sizes)])))
    if below is not None and sizes[0] == below[-1][1]:
        found.append(
            ("strength", gettext("%(size)s on %(below)s", size=sizes[0], below=below[-1][1]))
        )
    return found


def choose(building: Building, level: int) -> str:
    """Return the query that chooses `level`, the tower as it is."""
    return replace(building, level=level).query()


def _without(building: Building, level: int, size: int) -> str:
    less = remove(building.tower, level, size)
    keep = level if building.level is not None and len(less) == len(building.tower) else None
    return building.become(less, keep).query()


def take_down(building: Building) -> tuple[TakeDown, ...]:
    """Return a way down for each size on the chosen level, the smaller first."""
    if not building.tower or building.at > len(building.tower):
        return ()
    level = building.tower[building.at - 1]
    return tuple(
        TakeDown(size, _without(building, building.at, size)) for _, size in reversed(level)
    )


def tall(building: Building) -> str:
    """Return the height of the tower for the style sheet, in quarters of a ten's height.

    A level that is only begun, with nobody on it yet, counts as one of the size below it.
    """
    heights = [tallness(max(size for _, size in level)) for level in building.tower]
    if building.at > len(heights) or not heights:
        heights.append(heights[-1] if heights else 1.0)
    total = sum(heights[:-1]) * (1 - SHOULDERS) + heights[-1]
    return f"{ceil(total * 4) / 4:g}"
