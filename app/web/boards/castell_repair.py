"""One tap that makes a tower stand again, found by asking the rules about small changes."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.i18n import gettext, ngettext
from app.rules.castell.components import Tower
from app.rules.castell.towers import Hand, Ranks, problems, width
from app.web.boards.castell_steps import remove, used


@dataclass(frozen=True, slots=True)
class Repair:
    """`tower` stands; `words` say what was done to get there."""

    tower: Tower
    words: str


def repair(tower: Tower, level: int, ranks: Ranks, hand: Hand, *, width_limit: int) -> Repair:
    """Return the smallest change at `level`, the lowest that breaks a rule, that mends all.

    If no change of that one level is enough, it comes down with all above it:
    what stands below is legal by then.
    """
    for candidate in _candidates(tower, level, hand):
        if candidate.tower and not problems(candidate.tower, ranks, hand, width_limit=width_limit):
            return candidate
    words = (
        gettext("Take level %(level)s down", level=level)
        if level == len(tower)
        else gettext("Take down level %(level)s and all above", level=level)
    )
    return Repair(tower[: level - 1], words)


def _candidates(tower: Tower, number: int, hand: Hand) -> Iterator[Repair]:
    level = tower[number - 1]
    below, above = tower[: number - 1], tower[number:]
    count = width(level)
    standing = used(below) + used(above)
    free = {size: hand[size - 1] - standing[size] for size in range(1, 11)}
    nearest = sorted(free, key=lambda size: (abs(size - level[0][1]), size))
    for size in nearest:
        if free[size] >= count and level != ((count, size),):
            yield Repair((*below, ((count, size),), *above), _instead(count, size))
    for _, size in reversed(level):
        words = gettext("Take one %(size)s down", size=size)
        yield Repair(remove(tower, number, size), words)
    for fewer in range(count - 1, 0, -1):
        for size in nearest:
            if free[size] >= fewer:
                yield Repair((*below, ((fewer, size),), *above), _instead(fewer, size))
    yield Repair(below + above, gettext("Take level %(level)s down", level=number))


def _instead(count: int, size: int) -> str:
    return ngettext(
        "Put a %(size)s here instead", "Put %(n)s × %(size)s here instead", count, size=size
    )
