"""Does this tower stand?  The validator of rule 6.2, with reasons and repairs.

A tower is a tuple of levels, bottom first; a level is one group of castellers
of a size, or two groups in a mixed level, the larger size first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

from app.rules.castell.components import SIZES, SKILLS, Level, Skill, Tower
from app.rules.game import IllegalMoveError

WIDTH_LIMIT: Final = 3

# How many castellers of size `s + 1`, for each of the ten sizes.
Hand: TypeAlias = tuple[int, ...]
Ranks: TypeAlias = Mapping[Skill, int]
# How often each of the five skills is really used in a tower.
Uses: TypeAlias = dict[Skill, int]


@dataclass(frozen=True, slots=True)
class TowerProblem:
    """One reason why a tower does not stand, or does not serve its purpose.

    `level` counts from 1 at the bottom (None: the tower as a whole).  `fix` says
    what repairs just this problem: a skill of which one more rank is enough, or
    `fewer`, `smaller`, `one_size`, `recruit`, `more_levels`, `fewer_levels`,
    `token`, `width`, `use_skill`; None when the level is not a level at all.
    """

    code: str
    level: int | None
    details: Mapping[str, Any]
    rule: str = "6.2"
    fix: str | None = None

    def error(self) -> IllegalMoveError:
        """Return the refusal that states this problem."""
        details = dict(self.details)
        if self.level is not None:
            details = {"level": self.level, **details}
        if self.fix is not None:
            details["fix"] = self.fix
        return IllegalMoveError(self.code, rule=self.rule, **details)


def width(level: Level) -> int:
    """Return how many castellers stand in `level`."""
    return sum(count for count, _ in level)


def widths(tower: Tower) -> tuple[int, ...]:
    """Return the shape of `tower`: castellers per level, bottom first."""
    return tuple(width(level) for level in tower)


def castellers_in(tower: Tower) -> Hand:
    """Return how many castellers of each size `tower` is made of."""
    counts = [0] * len(SIZES)
    for level in tower:
        for count, size in level:
            counts[size - 1] += count
    return tuple(counts)


def hand_of(sizes: tuple[int, ...] | list[int]) -> Hand:
    """Return the counts per size of castellers listed one by one.

    >>> hand_of([9, 9, 1])
    (1, 0, 0, 0, 0, 0, 0, 0, 2, 0)
    """
    return tuple(sizes.count(size) for size in SIZES)


def matching(tower: Tower, tokens: tuple[int, ...]) -> int:
    """Return how many castellers match a size token; each counts once (rule 8)."""
    wanted = set(tokens)
    return sum(count for level in tower for count, size in level if size in wanted)


def tower_score(tower: Tower, tokens: tuple[int, ...]) -> int:
    """Return levels plus castellers matching a size token (rule 8)."""
    return len(tower) + matching(tower, tokens)


def check_tower(
    tower: Tower, ranks: Ranks, hand: Hand | None = None, *, width_limit: int = WIDTH_LIMIT
) -> Uses:
    """Return the skill uses of `tower`, as few Width as possible.

    Raises IllegalMoveError with the lowest problem if the tower breaks rule 6.2
    or needs castellers that `hand` does not hold (None: all are at hand).
    """
    for problem in problems(tower, ranks, hand, width_limit=width_limit):
        raise problem.error()
    return next(possible_uses(tower, ranks, width_limit=width_limit))


def possible_uses(tower: Tower, ranks: Ranks, *, width_limit: int = WIDTH_LIMIT) -> Iterator[Uses]:
    """Yield every way to reckon the skills of a standing `tower`, least Width first.

    Width and Base are interchangeable for a level above the limit.  A use of
    Width counts only if one use less would push another level over the limit.
    """
    shape = widths(tower)
    uses = dict.fromkeys(SKILLS, 0)
    for below, level in pairwise(tower):
        uses["balance"] += width(level) == width(below)
        uses["strength"] += level[0][1] == below[-1][1]
    uses["mix"] = sum(len(level) > 1 for level in tower)
    for extra in range(ranks.get("width", 0) + 1):
        limit = width_limit + extra
        over = sum(count > limit for count in shape)
        if over <= ranks.get("base", 0) and (extra == 0 or limit in shape):
            yield {**uses, "base": over, "width": extra}


def problems(
    tower: Tower, ranks: Ranks, hand: Hand | None = None, *, width_limit: int = WIDTH_LIMIT
) -> tuple[TowerProblem, ...]:
    """Return everything that keeps `tower` from standing, bottom first.

    Uses of a skill are granted from the bottom up to its rank; the levels
    beyond are the ones reported.  Empty if and only if the tower is legal.
    """
    if not tower:
        return (TowerProblem("tower.empty", None, {}, fix="more_levels"),)
    audit = _Audit(ranks, hand, width_limit)
    below: Level | None = None
    for number, level in enumerate(tower, start=1):
        below = audit.inspect(number, level, below)
    return tuple(audit.found)


class _Audit:
    """Walks up a tower, counting skill uses and castellers on the way."""

    def __init__(self, ranks: Ranks, hand: Hand | None, width_limit: int) -> None:
        self.found: list[TowerProblem] = []
        self._ranks = ranks
        self._hand = hand
        self._limit = width_limit + ranks.get("width", 0)
        self._uses: Uses = dict.fromkeys(SKILLS, 0)
        self._up = [0] * len(SIZES)
        self._over_with_one_more = 0

    def inspect(self, number: int, level: Level, below: Level | None) -> Level | None:
        """Judge `level` on `below` (None: ground or nonsense); return it if it is a level."""
        sizes = [size for _, size in level]
        if (
            not level
            or any(count < 1 or size not in SIZES for count, size in level)
            or sizes != sorted(set(sizes), reverse=True)
        ):
            self.found.append(TowerProblem("tower.bad_level", number, {}))
            return None
        self._inspect_sizes(number, sizes)
        if below is not None:
            self._inspect_counts(number, width(level), width(below))
        self._inspect_width(number, width(level))
        if below is not None:
            self._inspect_descent(number, sizes[0], below[-1][1])
        self._inspect_owned(number, level)
        return level

    def _report(self, code: str, number: int, fix: str, **details: Any) -> None:
        self.found.append(TowerProblem(code, number, details, fix=fix))

    def _spend(self, skill: Skill) -> tuple[int, int]:
        self._uses[skill] += 1
        return self._uses[skill], self._ranks.get(skill, 0)

    def _inspect_sizes(self, number: int, sizes: list[int]) -> None:
        if len(sizes) > 2:
            self._report("tower.too_many_sizes", number, "one_size", sizes=sizes)
        elif sizes[0] - sizes[-1] > 1:
            self._report("tower.sizes_apart", number, "one_size", sizes=sizes)
        elif len(sizes) == 2:
            needed, rank = self._spend("mix")
            if needed > rank:
                fix = "mix" if needed == rank + 1 else "one_size"
                self._report(
                    "tower.rank_too_low", number, fix,
                    skill="mix", needed=needed, rank=rank, sizes=sizes,
                )  # fmt: skip

    def _inspect_counts(self, number: int, count: int, below: int) -> None:
        if count > below:
            self._report("tower.wider_than_below", number, "fewer", count=count, below=below)
        elif count == below:
            needed, rank = self._spend("balance")
            if needed > rank:
                fix = "balance" if needed == rank + 1 else "fewer"
                self._report(
                    "tower.not_narrower", number, fix,
                    count=count, below=below, needed=needed, rank=rank,
                )  # fmt: skip

    def _inspect_width(self, number: int, count: int) -> None:
        self._over_with_one_more += count > self._limit + 1
        if count <= self._limit:
            return
        needed, rank = self._spend("base")
        if needed > rank:
            if count <= self._limit + 1 or self._over_with_one_more <= rank:
                fix = "width"
            else:
                fix = "base" if needed == rank + 1 else "fewer"
            self._report(
                "tower.too_wide", number, fix,
                count=count, limit=self._limit, needed=needed, rank=rank,
            )  # fmt: skip

    def _inspect_descent(self, number: int, size: int, below: int) -> None:
        if size > below:
            self._report("tower.not_descending", number, "smaller", size=size, below=below)
        elif size == below:
            needed, rank = self._spend("strength")
            if needed > rank:
                fix = "strength" if needed == rank + 1 else "smaller"
                self._report(
                    "tower.rank_too_low", number, fix,
                    skill="strength", needed=needed, rank=rank, sizes=[size],
                )  # fmt: skip

    def _inspect_owned(self, number: int, level: Level) -> None:
        for count, size in level:
            before = self._up[size - 1]
            self._up[size - 1] = used = before + count
            owned = used if self._hand is None else self._hand[size - 1]
            # Reported once a size: at the level where the castellers run out.
            if before <= owned < used:
                fix = "recruit" if used == owned + 1 else "fewer"
                self._report("tower.not_owned", number, fix, size=size, used=used, owned=owned)
