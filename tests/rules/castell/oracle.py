"""A slow, obvious builder of towers, to hold the solver against."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rules.castell.components import SKILLS, Skill
from app.rules.castell.towers import Hand

Levels = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Built:
    """A tower as lists of sizes, with the skill uses that do not depend on Width."""

    levels: Levels
    balance: int
    mix: int
    strength: int

    @property
    def widths(self) -> tuple[int, ...]:
        return tuple(len(level) for level in self.levels)

    def matching(self, tokens: tuple[int, ...]) -> int:
        return sum(size in tokens for level in self.levels for size in level)

    def fits(self, ranks: Mapping[Skill, int]) -> bool:
        if self.balance > ranks["balance"] or self.mix > ranks["mix"]:
            return False
        wide = sum(len(level) > 3 + ranks["width"] for level in self.levels)
        return self.strength <= ranks["strength"] and wide <= ranks["base"]

    def reckonings(self, ranks: Mapping[Skill, int]) -> Iterator[dict[Skill, int]]:
        """Yield the uses of all skills for each Width that would really be used."""
        for extra in range(ranks["width"] + 1):
            over = sum(count > 3 + extra for count in self.widths)
            one_less = sum(count > 3 + extra - 1 for count in self.widths)
            if over <= ranks["base"] and (extra == 0 or one_less > over):
                yield {
                    "balance": self.balance,
                    "base": over,
                    "mix": self.mix,
                    "strength": self.strength,
                    "width": extra,
                }


def every_tower(hand: Hand, most: Mapping[Skill, int]) -> Iterator[Built]:
    """Yield every tower that some ranks up to `most` allow, from the bottom upwards."""
    yield from _raise(Built((), 0, 0, 0), Counter(dict(enumerate(hand, 1))), most)


def _raise(built: Built, hand: Counter[int], most: Mapping[Skill, int]) -> Iterator[Built]:
    for level in _levels(hand):
        balance, mix, strength = built.balance, built.mix, built.strength
        mix += len(set(level)) == 2
        if built.levels:
            below = built.levels[-1]
            if len(level) > len(below) or max(level) > min(below):
                continue
            balance += len(level) == len(below)
            strength += max(level) == min(below)
        higher = Built((*built.levels, level), balance, mix, strength)
        if higher.fits(most):
            yield higher
            yield from _raise(higher, hand - Counter(level), most)


def _levels(hand: Counter[int]) -> Iterator[tuple[int, ...]]:
    for size in range(1, 11):
        for count in range(1, hand[size] + 1):
            for more in range(hand[size + 1] + 1):
                yield (size + 1,) * more + (size,) * count


def ranks_of(*values: int) -> dict[Skill, int]:
    """Name five ranks, in the order of SKILLS."""
    return dict(zip(SKILLS, values, strict=True))
