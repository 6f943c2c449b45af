"""The map of Spain: shapes from `el_grande_map.json`, places from `el_grande_places.json`.

Both are data.  The shapes are derived work (see `MapArt.credit`); the places say
where in a region each kind of thing stands, for the detailed map and for the
overview a phone gets, with room for five seats everywhere.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from app.web.boards.outlines import outline_steps

_FOLDER: Final = Path(__file__).parent
VIEW_BOX: Final = "4 10 992 816"
# Where the names of the neighbours stand; the data holds no places for them.
_ABROAD: Final = (("Portugal", 84, 400), ("Francia", 800, 74))


@dataclass(frozen=True, slots=True)
class Land:
    """One outline: a region, or the Castillo; `id` is its code."""

    id: str
    path: str


@dataclass(frozen=True, slots=True)
class MapArt:
    """Everything of the map that never changes."""

    view_box: str
    regions: tuple[Land, ...]
    abroad: tuple[str, ...]
    names: tuple[tuple[str, int, int], ...]
    coast: str
    credit: str


@dataclass(frozen=True, slots=True)
class Box:
    """Room for one kind of thing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Places:
    """Where things stand in one area, by kind, on either level of detail."""

    detail: Mapping[str, Box]
    overview: Mapping[str, Box]


@cache
def map_art() -> MapArt:
    """Return the shapes, read once."""
    data = _load("el_grande_map.json")
    return MapArt(
        view_box=VIEW_BOX,
        regions=(
            *(Land(one["id"], outline_steps(one["path"])) for one in data["regions"]),
            Land(data["castillo"]["id"], data["castillo"]["path"]),
        ),
        abroad=tuple(outline_steps(one["path"]) for one in data["decor"]),
        names=_ABROAD,
        coast=outline_steps(data["coast"]),
        credit=data["attribution"],
    )


@cache
def places() -> Mapping[str, Places]:
    """Return the places of each area, read once."""
    return {
        code: Places(
            detail={kind: Box(*box) for kind, box in levels["detail"].items()},
            overview={kind: Box(*box) for kind, box in levels["overview"].items()},
        )
        for code, levels in _load("el_grande_places.json").items()
    }


def _load(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))
