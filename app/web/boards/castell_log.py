"""What has happened since the viewer's last turn, a seat's doings in one paragraph."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.i18n.sentences import story
from app.matches.pages import StoryEvent
from app.rules.castell.events import (
    FestivalAnswered,
    FestivalHeld,
    LocalPerformed,
    PawnMoved,
    Recruited,
    SpecialTokenPlaced,
)
from app.rules.castell.view import CastellView
from app.rules.game import Seat
from app.web.boards.castell_tiles import TileArt, draw_tile, tile_words
from app.web.boards.seats import Who

# A tower in notation, as sentences give it; the page that draws the towers is a tap away.
_NOTATION: Final = re.compile(r" \((?:\d+x\d+[+/]?)+\)")


@dataclass(frozen=True, slots=True)
class LogItem:
    """A paragraph: who did it (None: the game itself), and where it can be seen.

    `tiles` are the faces of the tiles it tells of; `festival` is the round whose
    towers are shown side by side, 0 for none.
    """

    who: Who | None
    icon: str
    sentences: tuple[str, ...]
    region: str = ""
    region_name: str = ""
    festival: int = 0
    tiles: tuple[TileArt, ...] = ()


@dataclass(frozen=True, slots=True)
class News:
    """The log, and what of it is marked on the map."""

    items: tuple[LogItem, ...]
    regions: frozenset[str]
    moved: frozenset[Seat]


def tell(
    events: Sequence[StoryEvent],
    seats: Mapping[Seat, Who],
    view: CastellView,
    *,
    own: bool = False,
) -> News:
    """Return what `events` brought about, as the viewer of `view` is told.

    The viewer's own doings are no news, unless `own` asks for them.
    """
    items: list[LogItem] = []
    marked: set[str] = set()
    moved: set[Seat] = set()
    last: Seat | None = None
    names = {seat: who.name for seat, who in seats.items()}
    regions = {region.id: region.name for region in view.regions}
    held = {entry.version for entry in events if isinstance(entry.event, FestivalHeld)}
    for entry in events:
        event = entry.event
        if isinstance(event, FestivalAnswered) and entry.version in held:
            # The towers themselves are told in the same breath.
            continue
        seat = _doer(event)
        if seat is not None and seat == view.seat and not own:
            last = None
            continue
        region = _place(event)
        if region:
            marked.add(region)
        if isinstance(event, PawnMoved):
            moved.add(event.seat)
        sentence = story("castell", event, names, me=view.seat, view=view)
        if sentence is None:
            continue
        sentence = _NOTATION.sub("", sentence)
        if seat is not None and seat == last and items:
            before = items[-1]
            items[-1] = replace(
                before,
                sentences=(*before.sentences, sentence),
                region=region or before.region,
                region_name=regions.get(region, "") or before.region_name,
                tiles=before.tiles + _tiles(event, view),
            )
            continue
        last = seat
        items.append(
            LogItem(
                seats[seat] if seat is not None else None,
                "trophy" if isinstance(event, FestivalHeld) else "i-rematch",
                (sentence,),
                region,
                regions.get(region, ""),
                event.round if isinstance(event, FestivalHeld) else 0,
                _tiles(event, view),
            )
        )
    return News(tuple(items), frozenset(marked), frozenset(moved))


def _doer(event: Any) -> Seat | None:
    return getattr(event, "seat", None)


def _place(event: Any) -> str:
    placed = PawnMoved | Recruited | LocalPerformed | SpecialTokenPlaced | FestivalHeld
    return event.region if isinstance(event, placed) else ""


def _tiles(event: Any, view: CastellView) -> tuple[TileArt, ...]:
    if not isinstance(event, LocalPerformed):
        return ()
    return tuple(
        draw_tile(tile, 0, tile_words(tile)) for tile in view.values.tiles if tile.id == event.tile
    )
