"""The castellers waiting beside the tower, and where a tap on one of them puts it."""

from dataclasses import dataclass
from typing import Literal

from app.i18n import gettext
from app.matches.pages import MatchPage
from app.rules.castell.components import SKILLS, Tower
from app.rules.castell.goals import ExhibitionGoal, Goal, exhibited_uses
from app.rules.castell.towers import (
    Ranks,
    TowerProblem,
    Uses,
    possible_uses,
    problems,
    widths,
)
from app.web.boards.castell_steps import Building, add, used
from app.web.boards.castell_target import my_colla
from app.web.boards.castell_words import skill_name


@dataclass(frozen=True, slots=True)
class Card:
    """All castellers of one size; `query` adds one, None when none is left.

    `starts` is the number of the level that a tap begins, None when it joins
    the chosen one.
    """

    size: int
    total: int
    left: int
    state: Literal["legal", "blocked", "used", "none"]
    why: str
    starts: int | None
    query: str | None


@dataclass(frozen=True, slots=True)
class Hand:
    """What the viewer may build with: castellers by size, ranks, and the plain width."""

    castellers: tuple[int, ...]
    ranks: Ranks
    width_limit: int

    @classmethod
    def of(cls, page: MatchPage) -> "Hand":
        """Return the hand of the page's viewer, the draft applied."""
        colla = my_colla(page)
        return cls(colla.castellers, colla.ranks, page.view.width_limit)

    def problems(self, tower: Tower) -> tuple[TowerProblem, ...]:
        """Return what keeps `tower` from standing."""
        return problems(tower, self.ranks, self.castellers, width_limit=self.width_limit)

    def uses(self, tower: Tower, goal: Goal) -> Uses:
        """Return the skill uses of `tower`, reckoned as the goal likes best.

        A tower that does not stand is reckoned as if every rank that is missing
        were there, Width first used in full.
        """
        reckonings = list(possible_uses(tower, self.ranks, width_limit=self.width_limit))
        if tower and reckonings:
            if isinstance(goal, ExhibitionGoal):
                return exhibited_uses(tower, goal, self.ranks, width_limit=self.width_limit)
            return reckonings[0]
        wide = self.ranks.get("width", 0)
        plain: Ranks = {**dict.fromkeys(SKILLS, 0), "base": len(tower)}
        uses = next(possible_uses(tower, plain, width_limit=self.width_limit + wide))
        spent = max((count - self.width_limit for count in widths(tower)), default=0)
        return {**uses, "width": max(0, min(wide, spent))}


def tray(building: Building, hand: Hand) -> tuple[Card, ...]:
    """Return a card for every size, the largest first."""
    up = used(building.tower)
    return tuple(
        _card(building, hand, size, hand.castellers[size - 1] - up[size])
        for size in range(10, 0, -1)
    )


def _card(building: Building, hand: Hand, size: int, left: int) -> Card:
    total = hand.castellers[size - 1]
    if left <= 0:
        state: Literal["none", "used"] = "used" if total else "none"
        why = gettext("all up") if total else gettext("none yet")
        return Card(size, total, 0, state, why, None, None)
    tower, level, problem = _place(building, hand, size)
    starts = level if level > len(building.tower) else None
    query = building.become(tower, None if building.on_top or starts else level).query()
    if problem:
        return Card(size, total, left, "blocked", _short(problem), starts, query)
    why = _how(building, hand, tower, starts)
    return Card(size, total, left, "legal", why, starts, query)


def _place(building: Building, hand: Hand, size: int) -> tuple[Tower, int, TowerProblem | None]:
    """Return where a tap puts `size`: the chosen level, or by itself a new one on top.

    When nobody chose a level, the place that takes no further skill is the one
    meant; if both take one, equals stand side by side and others on top.
    """
    chosen = building.at
    places = [chosen]
    if building.on_top and building.tower:
        top = chosen + 1
        same = building.tower[-1][0][1] == size
        places = [chosen, top] if same else [top, chosen]
        cost = {place: _cost(building, hand, place, size) for place in places}
        places.sort(key=lambda place: cost[place])
    level = places[0]
    tower = add(building.tower, level, size)
    before = {(problem.code, problem.level) for problem in hand.problems(building.tower)}
    added = [
        problem
        for problem in hand.problems(tower)
        if problem.level is not None and (problem.code, problem.level) not in before
    ]
    return tower, level, min(added, key=_weight, default=None)


def _how(building: Building, hand: Hand, tower: Tower, starts: int | None) -> str:
    """Say in a word or two how a casteller fits: with a skill, as a new level, or as it is."""
    before, after = _reckoned(building.tower, hand), _reckoned(tower, hand)
    more = [skill_name(skill) for skill in SKILLS if after.get(skill, 0) > before.get(skill, 0)]
    if more:
        return " + ".join(more)
    if starts and building.tower:
        return gettext("level %(level)s", level=starts)
    return gettext("fits")


def _reckoned(tower: Tower, hand: Hand) -> Uses:
    return next(possible_uses(tower, hand.ranks, width_limit=hand.width_limit), {})


def _weight(problem: TowerProblem) -> int:
    """Rank reasons by how soon a builder sees them: size first, then number, then skill."""
    order = ("tower.not_descending", "tower.sizes_apart", "tower.too_many_sizes")
    return order.index(problem.code) if problem.code in order else len(order)


def _cost(building: Building, hand: Hand, level: int, size: int) -> tuple[int, int]:
    tower = add(building.tower, level, size)
    wrong = len(hand.problems(tower))
    if wrong:
        return wrong, 0
    return wrong, sum(_reckoned(tower, hand).values())


def _short(problem: TowerProblem) -> str:
    """Say in a word or two why a casteller does not fit."""
    match problem.code:
        case "tower.not_descending":
            return gettext("too big")
        case "tower.sizes_apart" | "tower.too_many_sizes":
            return gettext("wrong size")
        case "tower.rank_too_low":
            return gettext("needs %(skill)s", skill=skill_name(problem.details["skill"]))
        case "tower.not_narrower":
            return gettext("needs %(skill)s", skill=skill_name("balance"))
        case _:
            return gettext("too many")
