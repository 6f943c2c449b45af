"""Levels worth trying from the top downwards where no casteller matters more than another.

Looked at from above, a level of a given width takes the smallest size that has
enough castellers: whatever stands below may stay as it is.  The same holds for
mixed levels; those are of no use where a single size as small would do, and as
much as possible of the smaller size is used, for what is left of it is dead.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from app.rules.castell.components import Level

# Does it need Strength, the level, and what is left of its larger size.
Choice: TypeAlias = tuple[bool, Level, int]


def free_levels(hand: Sequence[int], size: int, left: int, count: int) -> Iterator[Choice]:
    """Yield the levels of `count` to try below a level whose largest size is `size`.

    `hand[s]` counts size `s`, with 0 for sizes 0 and 11; `left` castellers of
    `size` may be used again with Strength (0: there is no Strength left).
    """
    plain = size + 1
    while plain < 11 and hand[plain] < count:
        plain += 1
    if plain < 11:
        yield False, ((count, plain),), hand[plain] - count
    if left >= count:
        yield True, ((count, size),), left - count
    elif left and left + hand[size + 1] >= count:
        yield True, *_mixed(hand, size, left, count)
    for low in range(size + 1, min(plain, 10)):
        if hand[low] and hand[low] + hand[low + 1] >= count:
            yield False, *_mixed(hand, low, hand[low], count)
            return


def _mixed(hand: Sequence[int], low: int, lows: int, count: int) -> tuple[Level, int]:
    highs = count - lows
    return ((highs, low + 1), (lows, low)), hand[low + 1] - highs
