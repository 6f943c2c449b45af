"""One area in full: who stands there, what it pays, what one can do there now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.i18n import gettext
from app.rules.el_grande.components import CAS
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_offers import Pick, Placer
from app.web.boards.el_grande_scene import AreaArt
from app.web.boards.el_grande_turn import TurnPanel
from app.web.boards.el_grande_words import area_name
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class SheetAction:
    """Something to do in this area: a line to note, or what its link opens."""

    title: str
    line: str
    opens: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One seat in the area: how many, and what it would get if it were scored now."""

    who: Who
    me: bool
    count: int
    gain: int
    home: bool


@dataclass(frozen=True, slots=True)
class AreaSheet:
    """Everything about one area; `printed` differs from `values` under a mobile scoreboard."""

    id: str
    name: str
    chosen: bool
    values: tuple[int, ...]
    printed: tuple[int, ...]
    status: str
    rows: tuple[SheetRow, ...]
    note: str
    neighbours: tuple[tuple[str, str], ...]
    actions: tuple[SheetAction, ...]


def draw_sheet(
    view: ElGrandeView,
    art: AreaArt,
    seats: Mapping[Seat, Who],
    points: Mapping[str, Sequence[int]],
    turn: TurnPanel | None,
) -> AreaSheet:
    """Return the sheet of `art`."""
    region = next((one for one in view.regions if one.id == art.id), None)
    inside = [player.castillo for player in view.players]
    counts = inside if region is None else region.caballeros
    gained = points.get(art.id, ())
    rows = [
        SheetRow(
            who=seats[Seat(seat)],
            me=seat == view.seat,
            count=count or 0,
            gain=gained[seat] if gained else 0,
            home=region is not None and seat in region.grandes,
        )
        for seat, count in enumerate(counts)
        if count or (region is not None and seat in region.grandes)
    ]
    return AreaSheet(
        id=art.id,
        name=art.name,
        chosen=art.chosen,
        values=art.values,
        printed=region.printed if region is not None else art.values,
        status=_status(art),
        rows=tuple(sorted(rows, key=lambda row: (-row.count, row.who.seat))),
        note=gettext("What the others have inside is not shown.")
        if art.id == CAS and view.castillo == "hidden"
        else "",
        neighbours=tuple((code, area_name(view, code)) for code in region.neighbours)
        if region is not None
        else (),
        actions=_actions(art.id, turn),
    )


def _status(art: AreaArt) -> str:
    if art.king:
        return gettext("The King is here: nothing enters, leaves or moves.")
    if art.id == CAS:
        return gettext("Open to every placement and move.")
    if art.near:
        return gettext("Next to the King: open for placing.")
    return gettext("Not next to the King.")


def _actions(area: str, turn: TurnPanel | None) -> tuple[SheetAction, ...]:
    if turn is None:
        return ()
    found: list[SheetAction] = []
    if turn.placing is not None:
        found += _from_placers(area, turn.placing.placers, gettext("Place one here"))
    if turn.filling is not None:
        found += _from_placers(area, turn.filling.placers, gettext("Take one back to the court"))
    for way in turn.special.ways if turn.special is not None else ():
        found += _from_placers(area, way.placers, gettext("One more by the card"))
        found += _from_picks(area, way.picks)
        if way.moving is not None:
            found += _from_picks(area, way.moving.targets)
            for group in way.moving.groups:
                found += [
                    SheetAction(
                        gettext("Take from %(name)s’s %(count)s", name=pick.name, count=pick.count),
                        pick.line,
                        pick.opens,
                    )
                    for pick in group.picks
                    if pick.area == area
                ]
    return tuple(found)


def _from_placers(area: str, placers: Sequence[Placer], title: str) -> list[SheetAction]:
    found = []
    for one in placers:
        if one.area != area:
            continue
        if one.line:
            found.append(SheetAction(title, one.line, {}))
        if one.more:
            found.append(SheetAction(gettext("Place all %(n)s here", n=one.many), one.more, {}))
    return found


def _from_picks(area: str, picks: Sequence[Pick]) -> list[SheetAction]:
    return [
        SheetAction(gettext("Choose %(name)s", name=pick.name), pick.line, pick.opens)
        for pick in picks
        if pick.area == area and (pick.line or pick.opens)
    ]
