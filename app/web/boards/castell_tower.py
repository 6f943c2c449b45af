"""Draws a tower: people standing on each other's shoulders, sizes on their shirts.

Everything is SVG geometry in the units of the sprite's figures, so a page, a
printer and a page without styles all show the same tower.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from app.i18n import current_locale, gettext, ngettext
from app.rules.castell.components import Level, Tower

# The figure of the sprite is 84 high and 58 wide with its arms out; its
# shoulders are 28 below the top of its head.
FIGURE: Final = (58.0, 84.0)
ENXANETA: Final = (52.0, 84.0)
SHOULDERS: Final = 28 / 84
# Neighbours lay their arms on each other: this much of a figure's height apart.
APART: Final = 0.47
MARGIN: Final = 3.0
SKINS: Final = ("", "skin-2", "skin-3", "skin-4")


@dataclass(frozen=True, slots=True)
class Person:
    """One casteller: the sprite's figure at `x`, `y` and its shirt number at `text_x`, `text_y`."""

    size: int
    symbol: str
    skin: str
    x: float
    y: float
    width: float
    height: float
    text_x: float
    text_y: float
    font: float


@dataclass(frozen=True, slots=True)
class TowerDrawing:
    """A whole tower; `levels` from the top down, so that heads cover the feet they carry."""

    width: float
    height: float
    levels: tuple[tuple[Person, ...], ...]
    words: str
    castellers: int


def tallness(size: int) -> float:
    """Return how tall a casteller of `size` stands; a ten is 1."""
    return 0.56 + 0.044 * size


def skin(level: int, place: int, size: int) -> str:
    """Return the complexion of one casteller: always the same for the same place."""
    return SKINS[(level * 7 + place * 5 + size * 3) % 11 % 4]


def people(level: Level) -> tuple[int, ...]:
    """Return the sizes of a level as they stand, the larger of two sizes in the middle.

    >>> people(((1, 8), (3, 7)))
    (7, 8, 7, 7)
    """
    (count, size), *rest = level
    if not rest:
        return (size,) * count
    others = [other for number, other in rest for _ in range(number)]
    left = len(others) // 2
    return (*others[:left], *(size,) * count, *others[left:])


def draw_tower(tower: Tower) -> TowerDrawing:
    """Return the drawing of `tower`, an empty one for no levels at all."""
    rows = [people(level) for level in tower]
    tall = [[tallness(size) * FIGURE[1] for size in row] for row in rows]
    widths = [
        max(row) * (FIGURE[0] / FIGURE[1] + APART * (len(row) - 1)) if row else 0.0 for row in tall
    ]
    width = max(widths, default=0.0) + 2 * MARGIN
    drawn: list[tuple[Person, ...]] = []
    feet = 0.0
    for number, (row, heights) in enumerate(zip(rows, tall, strict=True)):
        top = number == len(rows) - 1
        drawn.append(_row(number, row, heights, width / 2, feet, top=top and len(row) == 1))
        # The next level stands on the lowest shoulders of this one.
        feet -= min(heights) * (1 - SHOULDERS)
    head = min((person.y for level in drawn for person in level), default=0.0) - MARGIN
    return TowerDrawing(
        width=round(width, 1),
        height=round(MARGIN - head, 1),
        levels=tuple(
            tuple(_shifted(person, 0, -head) for person in level) for level in drawn[::-1]
        ),
        words=tower_in_words(tower),
        castellers=sum(map(len, rows)),
    )


def side_by_side(towers: Sequence[Tower]) -> tuple[TowerDrawing, ...]:
    """Return drawings of equal size, so that a casteller is as tall in each of them."""
    return _side_by_side(current_locale(), tuple(towers))


@lru_cache(maxsize=256)
def _side_by_side(_locale: str, towers: tuple[Tower, ...]) -> tuple[TowerDrawing, ...]:
    drawings = [draw_tower(tower) for tower in towers]
    width = max((drawing.width for drawing in drawings), default=0.0)
    height = max((drawing.height for drawing in drawings), default=0.0)
    return tuple(
        replace(
            drawing,
            width=width,
            height=height,
            levels=tuple(
                tuple(
                    _shifted(person, (width - drawing.width) / 2, height - drawing.height)
                    for person in level
                )
                for level in drawing.levels
            ),
        )
        for drawing in drawings
    )


def tower_in_words(tower: Tower) -> str:
    """Say a tower in one sentence, bottom level first."""
    levels = [
        gettext(" and ").join(
            ngettext("%(n)s of size %(size)s", "%(n)s of size %(size)s", count, size=size)
            for count, size in level
        )
        for level in tower
    ]
    head = ngettext("%(n)s level", "%(n)s levels", len(tower))
    if not levels:
        return gettext("No tower")
    return gettext(
        "%(levels)s, from the ground up: %(people)s", levels=head, people="; ".join(levels)
    )


def _row(
    number: int,
    row: tuple[int, ...],
    heights: list[float],
    middle: float,
    feet: float,
    *,
    top: bool,
) -> tuple[Person, ...]:
    step = max(heights) * APART
    first = middle - step * (len(row) - 1) / 2
    return tuple(
        _person(size, tall, first + step * place, feet, skin(number, place, size), top=top)
        for place, (size, tall) in enumerate(zip(row, heights, strict=True))
    )


def _person(
    size: int, tall: float, middle: float, feet: float, skin_class: str, *, top: bool
) -> Person:
    base, high = ENXANETA if top else FIGURE
    width = tall * base / high
    # The body stands left of the middle of the enxaneta's box: its raised arm takes room.
    body = 25 / 52 if top else 0.5
    return Person(
        size=size,
        symbol="enxaneta" if top else "casteller-tower",
        skin=skin_class,
        x=round(middle - width * body, 1),
        y=round(feet - tall, 1),
        width=round(width, 1),
        height=round(tall, 1),
        text_x=round(middle, 1),
        text_y=round(feet - tall * 40.5 / 84, 1),
        font=round(tall * 17 / 84, 1),
    )


def _shifted(person: Person, right: float, down: float) -> Person:
    return replace(
        person,
        x=round(person.x + right, 1),
        y=round(person.y + down, 1),
        text_x=round(person.text_x + right, 1),
        text_y=round(person.text_y + down, 1),
    )
