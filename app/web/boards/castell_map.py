"""The map of Catalonia: shapes from `castell_map.json`, places from `castell_places.json`.

Both are data.  The shapes are derived work (see `MapArt.credit`); the places say
where in a region each kind of thing stands, for the detailed map and for the
overview a phone gets, with room for the fullest region there can be.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from app.web.boards.outlines import outline_steps

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Land:
    """One outline: a region (`id` is its code) or land that no region owns."""

    id: str
    name: str
    path: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class MapArt:
    """Everything of the map that never changes."""

    view_box: str
    regions: tuple[Land, ...]
    neutral: tuple[Land, ...]
    passes: tuple[str, ...]
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
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Places:
    """Where things stand in one region, by kind, on either level of detail."""

    detail: Mapping[str, Box]
    overview: Mapping[str, Box]


@cache
def map_art() -> MapArt:
    """Return the shapes, read once."""
    data = _load("castell_map.json")
    return MapArt(
        view_box="6 2 988 930",
        regions=tuple(map(_land, data["regions"])),
        neutral=tuple(map(_land, data["neutral"])),
        passes=tuple(edge[3] for edge in data["edges"] if edge[2] == "dashed"),
        coast=outline_steps(data["coast"]),
        credit=data["attribution"],
    )


@cache
def places() -> Mapping[str, Places]:
    """Return the places of each region, read once."""
    return {
        code: Places(
            detail={kind: Box(*box) for kind, box in levels["detail"].items()},
            overview={kind: Box(*box) for kind, box in levels["overview"].items()},
        )
        for code, levels in _load("castell_places.json").items()
    }


def _land(data: Mapping[str, Any]) -> Land:
    label = data["label"]
    return Land(data["id"], data["name"], outline_steps(data["path"]), label["x"], label["y"])


def _load(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))
