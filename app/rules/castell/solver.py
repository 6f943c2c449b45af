"""Exact answers about towers: the best for a festival, any for a local tile.

Nothing here guesses: `None` means that no such tower exists.  Answers are kept,
because assistants and bots ask the same question again and again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

from app.rules.castell.best_search import BestSearch
from app.rules.castell.components import SKILLS, Skill, Tower
from app.rules.castell.goals import ExhibitionGoal, FestivalGoal, Goal, ShapeGoal
from app.rules.castell.tile_search import exhibition_search, shape_search
from app.rules.castell.towers import WIDTH_LIMIT, Hand, Ranks, Uses, possible_uses, tower_score


@dataclass(frozen=True, slots=True)
class Best:
    """The best tower for a festival, its score and the skills it really uses."""

    score: int
    tower: Tower
    uses: Uses


def best_tower(
    hand: Hand,
    ranks: Ranks,
    tokens: tuple[int, ...],
    *,
    min_levels: int = 4,
    width_limit: int = WIDTH_LIMIT,
) -> Best | None:
    """Return the tower with the highest score, or None if no tower qualifies.

    It has at least `min_levels` levels and a casteller of every size token.
    Among equal scores the most castellers of the rarest token win (the token
    of which `hand` has fewest; of these, the smallest), then the tower of
    fewest castellers (rule 13).
    """
    tower = _best(hand, _key(ranks), tuple(sorted(set(tokens))), min_levels, width_limit)
    if tower is None:
        return None
    uses = next(possible_uses(tower, ranks, width_limit=width_limit))
    return Best(tower_score(tower, tokens), tower, uses)


def shape_tower(
    hand: Hand, ranks: Ranks, widths: tuple[int, ...], *, width_limit: int = WIDTH_LIMIT
) -> Tower | None:
    """Return a tower of exactly this shape (rule 7), or None."""
    return _shape(hand, _key(ranks), widths, width_limit)


def exhibition_tower(
    hand: Hand, ranks: Ranks, goal: ExhibitionGoal, *, width_limit: int = WIDTH_LIMIT
) -> Tower | None:
    """Return a tower that really uses all skills of `goal` (rule 7), or None."""
    return _exhibition(hand, _key(ranks), goal, width_limit)


def tower_for(
    hand: Hand, ranks: Ranks, goal: Goal, *, width_limit: int = WIDTH_LIMIT
) -> Tower | None:
    """Return a tower that serves `goal`, the best one for a festival, or None."""
    return find_tower(hand, _key(ranks), goal, width_limit)


def find_tower(hand: Hand, ranks: tuple[int, ...], goal: Goal, width_limit: int) -> Tower | None:
    """Return what `tower_for` does; `ranks` are in the order of SKILLS."""
    match goal:
        case FestivalGoal(tokens, min_levels):
            tokens = tuple(sorted(set(tokens)))
            return _best(hand, ranks, tokens, min_levels, width_limit)
        case ShapeGoal(widths):
            return _shape(hand, ranks, widths, width_limit)
        case ExhibitionGoal():
            return _exhibition(hand, ranks, goal, width_limit)
        case _:  # pragma: no cover - the union is closed
            assert_never(goal)


def _key(ranks: Mapping[Skill, int]) -> tuple[int, ...]:
    return tuple([ranks.get(skill, 0) for skill in SKILLS])


@lru_cache(maxsize=1 << 14)
def _best(
    hand: Hand, ranks: tuple[int, ...], tokens: tuple[int, ...], min_levels: int, width_limit: int
) -> Tower | None:
    return BestSearch(hand, ranks, tokens, width_limit).run(min_levels)


@lru_cache(maxsize=1 << 14)
def _shape(
    hand: Hand, ranks: tuple[int, ...], widths: tuple[int, ...], width_limit: int
) -> Tower | None:
    return shape_search(hand, ranks, widths, width_limit)


@lru_cache(maxsize=1 << 14)
def _exhibition(
    hand: Hand, ranks: tuple[int, ...], goal: ExhibitionGoal, width_limit: int
) -> Tower | None:
    return exhibition_search(hand, ranks, goal, width_limit)
