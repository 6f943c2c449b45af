"""The searches behind local performances (rule 7): is it buildable, and with what.

Both build from the top downwards and remember what leads nowhere.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from app.rules.castell.components import SKILLS, Level, Skill, Tower
from app.rules.castell.free_levels import Choice, free_levels
from app.rules.castell.goals import ExhibitionGoal
from app.rules.castell.towers import Hand

_BITS: Final[dict[Skill, int]] = {skill: 1 << number for number, skill in enumerate(SKILLS)}
_BALANCE, _BASE, _MIX, _STRENGTH, _WIDTH = _BITS.values()
# The skills that the sizes in a level show; the others are shown by its width alone.
_BY_SIZES: Final = _MIX | _STRENGTH


def shape_search(
    hand: Hand, ranks: tuple[int, ...], widths: tuple[int, ...], width_limit: int
) -> Tower | None:
    """Return a tower with these castellers per level, bottom first, or None.

    Balance, Base and Width follow from the widths; only sizes are searched.
    """
    balance, base, mix, strength, width = ranks
    steps = [low - up for low, up in pairwise(widths)]
    over = sum(count > width_limit + width for count in widths)
    if min(steps, default=1) < 0 or steps.count(0) > balance or over > base:
        return None
    return _Shape(hand, widths).build(len(widths), 0, 0, mix, strength)


class _Shape:
    def __init__(self, hand: Hand, widths: tuple[int, ...]) -> None:
        self._hand = (0, *hand, 0)
        self._widths = widths
        self._dead: set[tuple[int, int, int, int, int]] = set()

    def build(self, missing: int, size: int, left: int, mix: int, strength: int) -> Tower | None:
        """Return the lowest `missing` levels, standing below `size`."""
        if not missing:
            return ()
        key = (missing, size, left, mix, strength)
        if key in self._dead:
            return None
        available = left if strength else 0
        for strong, level, over in free_levels(
            self._hand, size, available, self._widths[missing - 1]
        ):
            mixes = mix - (len(level) > 1)
            if mixes >= 0:
                below = self.build(missing - 1, level[0][1], over, mixes, strength - strong)
                if below is not None:
                    return (*below, level)
        self._dead.add(key)
        return None


def exhibition_search(
    hand: Hand, ranks: tuple[int, ...], goal: ExhibitionGoal, width_limit: int
) -> Tower | None:
    """Return a tower of the goal's height that really uses all its skills, or None."""
    balance, base, mix, strength, width = ranks
    if not all(rank for skill, rank in zip(SKILLS, ranks, strict=True) if skill in goal.skills):
        return None
    # Width counts if a level stands at the limit it sets; unless Base or Width
    # is shown, the widest limit is the best.
    pending = sum(_BITS[skill] for skill in goal.skills)
    least = 1 if "width" in goal.skills else 0 if "base" in goal.skills else width
    for extra in range(least, width + 1):
        start = (0, 0, 0, balance, base, mix, strength, goal.levels, pending)
        tower = _Exhibition(hand, width_limit + extra, goal).build(start)
        if tower is not None:
            return tower
    return None


# The largest size so far and what is left of it, the width of the level last
# built, the ranks left of Balance, Base, Mix and Strength, the levels still
# needed, and the skills still to be shown.
_State: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]


class _Exhibition:
    def __init__(self, hand: Hand, limit: int, goal: ExhibitionGoal) -> None:
        self._hand = (0, *hand, 0)
        self._limit = limit
        self._exact = goal.exact
        # What can stand in one level at or below a size, in one size and in two.
        self._alone = [max(self._hand[size:]) for size in range(11)]
        self._mixed = [
            max(low + high for low, high in pairwise(self._hand[size:])) for size in range(11)
        ]
        self._sizes: dict[int, list[int]] = {}
        self._dead: set[_State] = set()

    def build(self, state: _State) -> Tower | None:
        """Return the levels that complete `state` from below, or None."""
        *_, need, pending = state
        if not need and not pending:
            return ()
        if not need and self._exact:
            return None
        if state in self._dead or self._hopeless(state):
            return None
        for level, after in self._steps(state):
            below = self.build(after)
            if below is not None:
                return (*below, level)
        self._dead.add(state)
        return None

    def _hopeless(self, state: _State) -> bool:
        size, _, width, balance, base, mix, strength, need, pending = state
        widest = self._mixed[size] if mix else self._alone[size]
        if (pending & _BASE and widest <= self._limit) or (
            pending & _WIDTH and widest < self._limit
        ):
            return True
        # Without Balance each level is at least one wider than the one above.
        if width + need - balance > widest:
            return True
        alone = self._enough(width if balance and width else width + 1)[size]
        sizes = min(alone + mix, self._enough(1)[size]) + strength
        return need > min(sizes, balance + base + max(0, self._limit - width))

    def _enough(self, count: int) -> list[int]:
        """Return how many of the sizes above each size have `count` castellers or more."""
        known = self._sizes.get(count)
        if known is None:
            enough = [there >= count for there in self._hand]
            known = self._sizes[count] = [sum(enough[size + 1 :]) for size in range(11)]
        return known

    def _steps(self, state: _State) -> Iterator[tuple[Level, _State]]:
        size, left, width, balance, base, mix, strength, need, pending = state
        # With all skills shown, no level needs to be wider than it must.
        widest = self._mixed[size] if pending else width + 1
        for count in range(width if balance and width else width + 1, widest + 1):
            bases = base - (count > self._limit)
            if bases < 0:
                return
            shown = 0
            if count == width:
                shown |= _BALANCE
            if count > self._limit:
                shown |= _BASE
            if count == self._limit:
                shown |= _WIDTH
            choices = all_levels if pending & _BY_SIZES else free_levels
            for strong, level, over in choices(self._hand, size, left, count):
                mixed = len(level) > 1
                if mixed > mix:
                    continue
                still = strength - strong
                seen = shown | _STRENGTH * strong | _MIX * mixed
                yield (
                    level,
                    (
                        level[0][1],
                        over if still else 0,
                        count,
                        balance - (count == width),
                        bases,
                        mix - mixed,
                        still,
                        max(0, need - 1),
                        pending & ~seen,
                    ),
                )


def all_levels(hand: Sequence[int], size: int, left: int, count: int) -> Iterator[Choice]:
    """Yield every level of `count` that may stand below `size`; see `free_levels`."""
    for low in range(size, 11):
        strong = low == size
        available = left if strong else hand[low]
        if available >= count:
            yield strong, ((count, low),), available - count
        most = min(available, count - 1)
        for lows in range(max(1, count - hand[low + 1]), most + 1):
            highs = count - lows
            yield strong, ((highs, low + 1), (lows, low)), hand[low + 1] - highs
