"""What a tower in the workshop is for: a festival, or a local tile."""

from dataclasses import dataclass
from typing import Literal

from app.errors import NotFoundError
from app.matches.pages import MatchPage
from app.rules.castell.components import Tower
from app.rules.castell.goals import ExhibitionGoal, FestivalGoal, Goal, ShapeGoal
from app.rules.castell.notation import format_tower
from app.rules.castell.towers import tower_score
from app.rules.castell.view import CastellView, CollaView, FestivalView, RegionView, TileView


@dataclass(frozen=True, slots=True)
class Target:
    """A goal of this match; `here` says whether the viewer's pawn stands in its region.

    `is_open` says whether the viewer is asked for this festival now, whether or
    not an answer is in already.
    """

    key: str
    kind: Literal["festival", "tile"]
    id: str
    region: str
    name: str
    round: int
    tokens: tuple[int, ...]
    min_levels: int
    tile: TileView | None
    goal: Goal
    here: bool
    is_open: bool

    def worth(self, tower: Tower) -> int:
        """Return the points of `tower` here: its score at a festival, the tile's points."""
        return self.tile.points if self.tile else tower_score(tower, self.tokens)

    def line(self, tower: Tower, *, by: str = "special") -> str:
        """Return the line of notation that hands `tower` in; `by` pays for a tile's action."""
        text = format_tower(tower) if tower else "…"
        if self.tile:
            return f"{by} perform {self.id} = {text}"
        return f"festival {self.id} = {text}"


def my_colla(page: MatchPage) -> CollaView:
    """Return the viewer's own holdings, the draft applied; spectators get NotFoundError."""
    view: CastellView = page.view
    if page.seat is None:
        raise NotFoundError
    return view.collas[page.seat]


def target_of(page: MatchPage, key: str) -> Target:
    """Return the goal called `key`; raises NotFoundError if the match has none of that name."""
    view: CastellView = page.view
    kind, _, name = key.partition(":")
    name = name.upper()
    for region in view.regions:
        if kind == "festival" and region.id == name:
            return _festival(page, view, region)
        for tile in region.tiles:
            if kind == "tile" and tile.id == name:
                return _tile(page, view, region, tile)
    raise NotFoundError


def _festival(page: MatchPage, view: CastellView, region: RegionView) -> Target:
    found = [held for held in _upcoming(view) if held[1].region == region.id]
    if not found:
        raise NotFoundError
    number, festival = found[0]
    levels = view.values.min_festival_levels
    prompt = page.prompt
    asked = page.seat in view.entrants.get(region.id, ())
    return Target(
        key=f"festival:{region.id}",
        kind="festival",
        id=region.id,
        region=region.id,
        name=region.name,
        round=number,
        tokens=festival.tokens,
        min_levels=levels,
        tile=None,
        goal=FestivalGoal(festival.tokens, levels),
        here=my_colla(page).region == region.id,
        is_open=asked and prompt is not None and prompt.simultaneous,
    )


def _upcoming(view: CastellView) -> list[tuple[int, FestivalView]]:
    return [
        (round_.number, festival)
        for round_ in view.calendar
        for festival in round_.festivals
        if round_.number >= view.round and not festival.resolved
    ]


def _tile(page: MatchPage, view: CastellView, region: RegionView, tile: TileView) -> Target:
    exact = view.values.exhibition_levels == "exact"
    goal: Goal = (
        ShapeGoal(tile.widths)
        if tile.widths
        else ExhibitionGoal(tile.skills, tile.points, exact=exact)
    )
    here = my_colla(page).region == region.id
    return Target(
        key=f"tile:{tile.id}",
        kind="tile",
        id=tile.id,
        region=region.id,
        name=region.name,
        round=view.round,
        tokens=(),
        min_levels=len(tile.widths) or tile.points,
        tile=tile,
        goal=goal,
        here=here,
        is_open=False,
    )
