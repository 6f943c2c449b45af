"""The square on festival day: houses, three towers and the crowd around them.

Worked out once, as plain numbers the template writes into an SVG.  A person of
size `s` stands `unit * (.56 + .044 s)` tall; feet stand on the shoulders below,
a third of the way down.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

_SHOULDERS: Final = 0.335
_SPACING: Final = 0.38
_WIDE: Final = 58 / 84
_TALL_TOP: Final = 52 / 84


@dataclass(frozen=True, slots=True)
class Person:
    """One drawn person; `skin` 1 to 4 says which face and hair."""

    symbol: str
    x: float
    y: float
    width: float
    height: float
    skin: int


@dataclass(frozen=True, slots=True)
class Group:
    """People in shirts of one kit, those behind first."""

    kit: int
    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class House:
    """A front: `wall` is the outline; `windows` and `banners` are given by their feet."""

    style: int
    wall: str
    windows: tuple[tuple[int, int], ...]
    banners: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Square:
    """All of it, in drawing order."""

    houses: tuple[House, ...]
    towers: tuple[Group, ...]
    crowd: tuple[Group, ...]


def tower(
    kit: int, centre: float, ground: float, unit: float, levels: tuple[tuple[int, int], ...]
) -> Group:
    """Stand people on each other: `levels` are (count, size), bottom first."""
    people: list[Person] = []
    feet = ground
    for row, (count, size) in enumerate(levels):
        height = unit * (0.56 + 0.044 * size)
        top = row == len(levels) - 1
        width = height * (_TALL_TOP if top else _WIDE)
        for n in range(count):
            middle = centre + (n - (count - 1) / 2) * unit * _SPACING
            people.append(
                Person(
                    symbol="enxaneta" if top else "casteller-tower",
                    x=round(middle - width / 2, 1),
                    y=round(feet - height, 1),
                    width=round(width, 1),
                    height=round(height, 1),
                    skin=(row * 3 + n * 2 + kit) % 4 + 1,
                )
            )
        feet += height * (_SHOULDERS - 1)
    return Group(kit, tuple(reversed(people)))


def _crowd() -> tuple[Group, ...]:
    """Three rows of backs, larger in front; each colla stands around its own tower."""
    groups = []
    for row, (y, step, width) in enumerate(((626, 41, 46), (655, 48, 54), (691, 57, 64))):
        placed: dict[int, list[Person]] = {2: [], 3: [], 4: []}
        for n in range(-2, 940 // step + 1):
            x = n * step + (row * 29) % step
            kit = 2 if x < 310 else 3 if x < 585 else 4
            sway = (n * 7 + row * 3) % 9 - 4
            placed[kit].append(
                Person("pinya", x, y + sway, width, width * 1.1, (n * 5 + row + n // 3) % 4 + 1)
            )
        groups += [Group(kit, tuple(people)) for kit, people in placed.items()]
    return tuple(groups)


def _house(
    style: int, left: int, right: int, top: int, columns: tuple[int, ...], *, gable: bool
) -> House:
    """A house from the ground up to `top`, with a curved gable or a straight eave."""
    width = right - left
    tenth = width / 10
    wall = (
        f"M{left} 660V{top}q{tenth:g} -10 {2 * tenth:g} -34q{3 * tenth:g} -60 {6 * tenth:g} 0"
        f"q{tenth:g} 24 {2 * tenth:g} 34V660Z"
        if gable
        else f"M{left} 660V{top}h-6v-12h{width + 12}v12h-6V660Z"
    )
    feet = range(top + 86, 640, 92)
    windows = tuple((x, y) for y in feet for x in columns)
    banners = tuple((x, y) for n, (x, y) in enumerate(windows) if (n * 3 + style) % 7 == 0)
    return House(style, wall, windows, banners)


@cache
def square() -> Square:
    """Return the square of the front page."""
    return Square(
        houses=(
            _house(1, -20, 130, 250, (4, 80), gable=False),
            _house(2, 130, 300, 190, (160, 244), gable=True),
            _house(3, 300, 600, 130, (324, 400, 474, 550), gable=False),
            _house(4, 600, 750, 220, (624, 700), gable=False),
            _house(5, 750, 920, 170, (780, 864), gable=True),
        ),
        towers=(
            tower(2, 170, 690, 84, ((3, 7), (2, 6), (2, 5), (1, 4), (1, 2))),
            tower(4, 735, 690, 84, ((4, 8), (3, 6), (2, 5), (1, 3), (1, 1))),
            tower(3, 455, 704, 102, ((4, 9), (3, 8), (3, 7), (2, 6), (2, 4), (1, 3), (1, 1))),
        ),
        crowd=_crowd(),
    )
