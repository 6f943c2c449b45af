"""One region in full: the sheet a tap on the map opens."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from app.i18n import gettext
from app.rules.castell.components import WheelSkill
from app.rules.castell.view import CastellView, RegionView
from app.rules.game import Seat
from app.web.boards.castell_scene import RegionArt
from app.web.boards.castell_tiles import TileArt, draw_tile, tile_words
from app.web.boards.castell_turn import Choice, TurnPanel
from app.web.boards.castell_words import festivals_to_come, skill_name
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class SheetMan:
    """A casteller in the region, `taken` by the draft."""

    size: int
    taken: bool
    skin: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A region next door."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class RegionSheet:
    """All that a region offers, with what the viewer can do about it."""

    id: str
    name: str
    chosen: bool
    tag: str
    men: tuple[SheetMan, ...]
    pawns: tuple[Who, ...]
    skill: tuple[WheelSkill, str] | None
    ahead: tuple[tuple[int, tuple[WheelSkill, str] | None], ...]
    festivals: tuple[tuple[int, tuple[int, ...]], ...]
    tiles: tuple[TileArt, ...]
    tokens: tuple[tuple[Who, int], ...]
    neighbours: tuple[Neighbour, ...]
    actions: tuple[Choice, ...]


def draw_sheet(
    view: CastellView,
    art: RegionArt,
    seats: Mapping[Seat, Who],
    turn: TurnPanel | None,
) -> RegionSheet:
    """Return the sheet of the region drawn as `art`."""
    regions = {region.id: region for region in view.regions}
    region = regions[art.id]
    skills = [(skill, skill_name(skill)) if skill else None for skill in region.skills]
    festivals = festivals_to_come(view, region.id)
    return RegionSheet(
        id=region.id,
        name=region.name,
        chosen=art.chosen,
        tag=gettext("Festival this round")
        if any(number == view.round for number, _ in festivals)
        else "",
        men=tuple(SheetMan(man.size, man.taken, man.skin) for man in art.detail.men),
        pawns=tuple(seats[seat] for seat in region.pawns),
        skill=skills[0] if skills else None,
        ahead=tuple((view.round + n, skill) for n, skill in enumerate(skills) if n),
        festivals=tuple(festivals),
        tiles=tuple(draw_tile(tile, 0, tile_words(tile)) for tile in region.tiles),
        tokens=tuple(
            (seats[seat], count) for seat, count in sorted(Counter(region.tokens).items())
        ),
        neighbours=tuple(Neighbour(code, regions[code].name) for code in region.neighbours),
        actions=_actions(region, art, turn),
    )


def _actions(region: RegionView, art: RegionArt, turn: TurnPanel | None) -> tuple[Choice, ...]:
    """Return moving here, or the way to each action that is free here."""
    if turn is None:
        return ()
    if not art.here:
        moves = [choice for group in turn.every["move"] for choice in group.choices]
        return tuple(
            Choice(gettext("Move here"), choice.line)
            for choice in moves
            if choice.region == region.id and choice.line
        )
    return tuple(
        Choice(action.name, opens={"open": action.key})
        for action in turn.actions
        if action.key != "move" and action.state in {"open", "free"}
    )
