"""Draws local performance tiles: the widths of a shape, or the skills of an exhibition."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from app.i18n import gettext, ngettext
from app.rules.castell.components import Skill
from app.rules.castell.edition import Tile
from app.rules.castell.view import TileView
from app.web.boards.castell_words import skill_name

FACE: Final = (48.0, 52.0)
BLOCK: Final = (8.0, 9.2)
_SKILL_PLACES: Final = {
    1: ((11.0, 18.0),),
    2: ((4.0, 8.0), (14.0, 28.0)),
    3: ((3.0, 8.0), (5.0, 29.0), (26.0, 29.0)),
}


@dataclass(frozen=True, slots=True)
class TileArt:
    """A tile's face: `blocks` are (x, y, width, height), `skills` (name, x, y)."""

    id: str
    points: int
    words: str
    x: float
    blocks: tuple[tuple[float, float, float, float], ...]
    skills: tuple[tuple[Skill, float, float], ...]


def draw_tile(tile: TileView | Tile, x: float, words: str) -> TileArt:
    """Return the face of `tile`, its left edge at `x`."""
    return TileArt(
        id=tile.id,
        points=tile.points,
        words=words,
        x=x,
        blocks=_blocks(tile.widths),
        skills=tuple(
            (skill, *place)
            for skill, place in zip(
                tile.skills, _SKILL_PLACES.get(len(tile.skills), _SKILL_PLACES[3]), strict=False
            )
        ),
    )


def tile_words(tile: TileView | Tile) -> str:
    """Say what `tile` asks for and what it is worth.

    Shapes are read from the ground up, as their widths are written in the rules.
    """
    if tile.widths:
        shape = "-".join(map(str, tile.widths))
        return gettext("%(shape)s for %(points)s", shape=shape, points=tile.points)
    return gettext(
        "%(skills)s for %(points)s",
        skills=", ".join(map(skill_name, tile.skills)),
        points=tile.points,
    )


def tile_task(tile: TileView | Tile) -> str:
    """Say in full what has to be built for `tile`."""
    if tile.widths:
        return gettext(
            "Build exactly this shape, from the ground up: %(shape)s",
            shape="-".join(map(str, tile.widths)),
        )
    return ngettext(
        "Build %(n)s level or more and use %(skills)s",
        "Build %(n)s levels or more and use %(skills)s",
        tile.points,
        skills=", ".join(map(skill_name, tile.skills)),
    )


@cache
def _blocks(widths: tuple[int, ...]) -> tuple[tuple[float, float, float, float], ...]:
    """Place one block a casteller; wide or tall shapes get smaller blocks."""
    if not widths:
        return ()
    pitch = min(BLOCK[1], 42.0 / max(widths))
    rise = min(10.0, 40.0 / len(widths))
    middle = 21.0 if max(widths) < 5 else 24.0
    placed = []
    for level, width in enumerate(widths):
        y = 47.0 - rise * (level + 1)
        left = middle - pitch * width / 2
        placed += [
            (
                round(left + pitch * n + 0.6, 1),
                round(y, 1),
                round(pitch - 1.2, 1),
                round(rise - 1.4, 1),
            )
            for n in range(width)
        ]
    return tuple(placed)
