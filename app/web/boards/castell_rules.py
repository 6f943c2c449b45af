"""The rules of play of Castell, illustrated.

Every tower shown as standing or falling is checked by the rules engine in the
tests, and every number comes from the edition new matches are started with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from app.matches import editions
from app.rules.castell.components import Skill
from app.rules.castell.edition import Edition
from app.rules.castell.edition_reader import read_edition
from app.rules.castell.notation import parse_tower
from app.web.boards.castell_tower import TowerDrawing, draw_tower


@dataclass(frozen=True, slots=True)
class Example:
    """A tower in notation, the ranks it is built with, and the level where it fails."""

    tower: str
    ranks: Mapping[Skill, int] = field(default_factory=dict)
    falls_at: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """An example as the page draws it; `fault` is top and height of the level that fails."""

    tower: str
    ranks: Mapping[Skill, int]
    stands: bool
    drawing: TowerDrawing
    fault: tuple[float, float] | None


EXAMPLES: Final[Mapping[str, Example]] = MappingProxyType(
    {
        "plain": Example("3x9/2x7/1x4"),
        "gaps": Example("3x10/1x2"),
        "two_sizes": Example("2x9+1x8/2x6/1x3", falls_at=1),
        "upside_down": Example("3x6/2x8/1x3", falls_at=2),
        "too_wide": Example("4x9/3x7/2x5/1x3", falls_at=1),
        "not_narrower": Example("3x9/3x7/1x4", falls_at=2),
        "balance": Example("3x9/3x8/2x5/1x1", {"balance": 1}),
        "balance_twice": Example("2x8/2x7/2x5/1x2", {"balance": 2}),
        "base": Example("6x9/3x8/2x7/1x5", {"base": 1}),
        "mix": Example("2x8+1x7/2x6/1x4", {"mix": 1}),
        "mix_too_far": Example("2x8+1x6/2x5/1x4", {"mix": 1}, falls_at=1),
        "strength": Example("3x7/2x7/1x5", {"strength": 1}),
        "width": Example("4x9/3x8/2x6/1x4", {"width": 1}),
        "width_twice": Example("5x9/4x8/3x7/2x5/1x3", {"width": 2}),
        "base_and_width": Example("6x9/4x8/2x7/1x6", {"base": 1, "width": 1}),
        "mix_and_strength": Example("2x8+1x7/2x7/1x5", {"mix": 1, "strength": 1}),
        "festival": Example("3x8/3x6/2x4/1x3", {"balance": 1}),
    }
)


@cache
def pictures() -> Mapping[str, Picture]:
    """Return every example with its drawing."""
    return {name: _picture(example) for name, example in EXAMPLES.items()}


def _picture(example: Example) -> Picture:
    drawing = draw_tower(parse_tower(example.tower))
    fault = None
    if example.falls_at is not None:
        people = drawing.levels[-example.falls_at]
        top = min(person.y for person in people)
        fault = (top, max(person.y + person.height for person in people) - top)
    return Picture(example.tower, example.ranks, example.falls_at is None, drawing, fault)


@cache
def current_edition() -> Edition:
    """Return the edition that new matches of Castell are started with."""
    return read_edition(editions.edition("castell"))


def context() -> Mapping[str, Any]:
    """Return what the template of the rules needs."""
    edition = current_edition()
    return {
        "edition": edition,
        "region_names": {region.id: region.name for region in edition.regions},
        "pictures": pictures(),
    }
