"""A tower being built lives in the URL: every tap is a link to the next one.

So it survives a reload, can be sent to a friend, is undone step by step and
needs no script.  Nothing here knows a rule.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from app.errors import InvalidError
from app.rules.castell.components import Level, Tower
from app.rules.castell.notation import format_tower, parse_tower
from app.rules.game import NotationError

REMEMBERED: Final = 12
# As many castellers as the game has: the page draws each of them, with a link.
MOST: Final = 150
# Higher than Strength can make a tower of ten sizes: each level is drawn with its links.
HIGHEST: Final = 30


@dataclass(frozen=True, slots=True)
class Building:
    """What the URL holds: the goal, the tower, and the towers before it, newest last.

    `level` is the level chosen by hand, counted from 1 at the ground, one more
    than there are for a new one on top; None follows the top by itself.
    """

    goal: str
    tower: Tower = ()
    level: int | None = None
    back: tuple[str, ...] = ()
    seat: int | None = None

    @property
    def at(self) -> int:
        """The level that a tap in the tray adds to."""
        top = max(len(self.tower), 1)
        return top if self.level is None else min(max(self.level, 1), len(self.tower) + 1)

    @property
    def on_top(self) -> bool:
        """Whether nobody chose a level, so that a new one may begin by itself."""
        return self.level is None

    @property
    def text(self) -> str:
        """The tower in notation; empty for none."""
        return format_tower(self.tower) if self.tower else ""

    def become(self, tower: Tower, level: int | None) -> "Building":
        """Return the state after building `tower`, the present one remembered."""
        back = (*self.back, self.text)[-REMEMBERED:]
        return replace(self, tower=tower, level=level, back=back)

    def undone(self, before: Tower) -> "Building":
        """Return the state before the last change; `before` is the tower of `back[-1]`."""
        return replace(self, tower=before, level=None, back=self.back[:-1])

    def query(self) -> str:
        """Return the state as a query string."""
        pairs: list[tuple[str, str]] = [("goal", self.goal)]
        if self.seat is not None:
            pairs.append(("seat", str(self.seat)))
        # Said even when it is empty: without a tower the one handed in is shown.
        pairs.append(("tower", self.text))
        if self.level is not None:
            pairs.append(("level", str(self.level)))
        if self.back:
            pairs.append(("back", "".join(f"~{text}" for text in self.back)))
        return urlencode(pairs, safe="/:")


def read_tower(text: str) -> Tower:
    """Read a tower out of the URL, empty text being none; raises InvalidError."""
    if not text:
        return ()
    try:
        tower = parse_tower(text)
    except NotationError as error:
        raise InvalidError(str(error)) from error
    if len(tower) > HIGHEST or sum(count for level in tower for count, _ in level) > MOST:
        raise InvalidError("too_large")
    return tower


def read_back(text: str) -> tuple[str, ...]:
    """Read the remembered towers out of the URL, where each follows a tilde."""
    return tuple(text.split("~")[1:])


def add(tower: Tower, level: int, size: int) -> Tower:
    """Return `tower` with one more of `size` on `level`; one above the top begins a new level."""
    levels = list(tower)
    if level > len(levels):
        return (*levels, ((1, size),))
    levels[level - 1] = _level(Counter(_sizes(levels[level - 1])) + Counter([size]))
    return tuple(levels)


def remove(tower: Tower, level: int, size: int) -> Tower:
    """Return `tower` with one fewer of `size` on `level`; an empty level is closed up."""
    levels = list(tower)
    left = _level(Counter(_sizes(levels[level - 1])) - Counter([size]))
    levels[level - 1 : level] = [left] if left else []
    return tuple(levels)


def used(tower: Tower) -> Counter[int]:
    """Return how many castellers of each size stand in `tower`."""
    return Counter(size for level in tower for size in _sizes(level))


def _sizes(level: Level) -> list[int]:
    return [size for count, size in level for _ in range(count)]


def _level(counts: Counter[int]) -> Level:
    return tuple((count, size) for size, count in sorted(counts.items(), reverse=True) if count > 0)
