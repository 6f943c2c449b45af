"""The turn panel: to the court, a card, then placing and the special action in either order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.i18n import gettext, ngettext
from app.rules.el_grande.options import Options, PlaceOption
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Seat
from app.web.boards.el_grande_context import Context, gain_words, held_words
from app.web.boards.el_grande_draft import placed_in
from app.web.boards.el_grande_offers import Placer, Refused, Why, grouped, why
from app.web.boards.el_grande_preview import points_by_area
from app.web.boards.el_grande_special import SpecialPanel, draw_special
from app.web.boards.el_grande_words import anded, area_name
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class Filling:
    """From the province to the court: what comes by itself, and what else may.

    `fewer` are the smaller numbers one may take instead; `placers` make up what
    the province lacks, up to `room`.
    """

    note: str
    fewer: tuple[int, ...]
    room: int
    placers: tuple[Placer, ...]
    refused: tuple[Refused, ...]


@dataclass(frozen=True, slots=True)
class PlacingPanel:
    """Placing caballeros: the areas next to the King, the Castillo, and why not the others.

    `ends` says that beginning it ends the special action.
    """

    note: str
    why: Why | None
    placers: tuple[Placer, ...]
    refused: tuple[Refused, ...]
    left: int
    ends: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the two parts of a turn, as its tab shows it: open, free, done or blocked."""

    key: str
    name: str
    icon: str
    state: str
    note: str


@dataclass(frozen=True, slots=True)
class TurnPanel:
    """All that the seat may do now; `open` is the part shown: place, special or empty.

    `rule` is the paragraph of the rules that explains it.
    """

    filling: Filling | None
    choosing: bool
    parts: tuple[Part, ...]
    open: str
    placing: PlacingPanel | None
    special: SpecialPanel | None
    taps: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    call_icon: str = ""
    call: str = ""
    keep: Mapping[str, str] = field(default_factory=dict)
    end: Why | None = None
    note: str = ""
    rule: str = "rule-4"


def draw_turn(options: Options, context: Context) -> TurnPanel:
    """Return what `options` allow, in the order of a turn."""
    view = context.view
    placing = _placing(options.place, context) if options.place is not None else None
    special = None
    if options.special is not None:
        special = draw_special(options, options.special, context)
    if placing is not None and special is not None:
        placing, special = _ending_each_other(placing, special, context)
    opened = _opened(context, placing, special)
    taps: Mapping[str, tuple[str, str]] = {}
    icon = call = ""
    keep: Mapping[str, str] = {}
    if opened == "place" and placing is not None:
        taps = {one.area: ("i-plus", one.id) for one in placing.placers if one.line}
        keep = {"open": "place"}
        if taps:
            icon, call = "i-plus", gettext("next to the King, or in the Castillo")
    if opened == "special" and special is not None:
        taps, call, icon = special.taps, special.call, special.icon
        keep = special.keep or {"open": "special"}
    begun = view.turn is not None and view.turn.card is not None
    return TurnPanel(
        filling=None if begun else _filling(options, context),
        choosing=not begun,
        parts=_parts(opened, placing, special, context),
        open=opened,
        placing=placing,
        special=special,
        taps=taps,
        call_icon=icon,
        call=call,
        keep=keep if begun else {},
        end=why(options.end),
        note=_commit_note(options, context),
        rule=f"card-{options.special.card}"
        if opened == "special" and options.special is not None
        else "rule-4",
    )


def _ending_each_other(
    placing: PlacingPanel, special: SpecialPanel, context: Context
) -> tuple[PlacingPanel, SpecialPanel]:
    """Say beforehand that beginning one part ends the other, where that leaves something undone."""
    turn = context.view.turn
    begun = turn.parts if turn is not None else ""
    if begun == "p" and placing.left > 0 and placing.why is None:
        words = ngettext(
            "Placing ends when the special action begins: you could still place %(n)s.",
            "Placing ends when the special action begins: you could still place %(n)s.",
            placing.left,
        )
        return placing, replace(special, ends=words)
    if begun == "s" and placing.why is None and not special.done:
        return replace(
            placing, ends=gettext("The special action ends when placing begins.")
        ), special
    return placing, special


def _opened(context: Context, placing: PlacingPanel | None, special: SpecialPanel | None) -> str:
    """Which part is shown: the one asked for, else the one that can go on."""
    if placing is None:
        return ""
    wanted = context.opened.action
    if special is None or wanted == "place":
        return "place"
    if wanted == "special" or wanted.startswith(("from-", "at-", "board-")):
        return "special"
    turn = context.view.turn
    began = turn.parts[-1:] if turn is not None else ""
    if began == "s" and (special.taps or not placing.placers):
        return "special"
    return "place" if any(one.line for one in placing.placers) else "special"


def _parts(
    opened: str, placing: PlacingPanel | None, special: SpecialPanel | None, context: Context
) -> tuple[Part, ...]:
    if placing is None or special is None:
        return ()
    turn = context.view.turn
    begun = turn.parts if turn is not None else ""
    return (
        _part("place", gettext("Place"), "i-court", opened, placing.note, begun="p" in begun,
              able=placing.why is None),
        _part("special", gettext("Special action"), special.icon, opened, special.title,
              begun="s" in begun, able=not special.done),
    )  # fmt: skip


def _part(
    key: str, name: str, icon: str, opened: str, note: str, *, begun: bool, able: bool
) -> Part:
    if opened == key:
        return Part(key, name, icon, "open", note)
    if begun and not able:
        return Part(key, name, icon, "done", note)
    return Part(key, name, icon, "free", note)


def _placing(option: PlaceOption, context: Context) -> PlacingPanel:
    view = context.view
    drafted = placed_in(context.lines, "place")
    placed = sum(count for count, _ in drafted.values())
    placers = tuple(
        _placer(context, target.area, option, drafted, free=target.refused is None)
        for target in option.targets
        if target.refused is None or target.area in drafted
    )
    note = gettext(
        "%(placed)s of %(most)s, court %(court)s",
        placed=placed,
        most=placed + max(option.left, 0),
        court=option.court,
    )
    closed = why(option.refused)
    if closed is None and option.left <= 0:
        refused: tuple[Refused, ...] = ()
    else:
        refused = grouped(
            (area_name(view, target.area), target.refused)
            for target in option.targets
            if target.refused is not None
        )
    return PlacingPanel(note, closed, placers, refused if closed is None else (), option.left)


def _placer(
    context: Context,
    area: str,
    option: PlaceOption,
    drafted: Mapping[str, tuple[int, int]],
    *,
    free: bool,
) -> Placer:
    many = option.left if free and option.left > 1 else 0
    return Placer(
        id=f"act-place-{area}",
        area=area,
        name=area_name(context.view, area),
        hint=held_words(context, area),
        gain=gain_words(context, area, more=free),
        count=drafted.get(area, (0, 0))[0],
        line=f"place {area} 1" if free else "",
        more=f"place {area} {many}" if many else "",
        many=many,
        drop=drafted[area][1] if area in drafted else None,
        bulk=option.left + sum(count for count, _ in drafted.values()) > 1,
    )


def _filling(options: Options, context: Context) -> Filling | None:
    take, refill = options.take, options.refill
    if take is None or context.view.turn is None:
        return None
    view, drafted = context.view, placed_in(context.lines, "refill")
    took = context.view.turn.took
    if took is None:
        note = ngettext(
            "Your power card brings %(n)s caballero from the province to the court.",
            "Your power card brings %(n)s caballeros from the province to the court.",
            take.most,
        )
    else:
        note = ngettext(
            "%(n)s caballero has come to the court.", "%(n)s caballeros have come to the court.",
            took,
        )  # fmt: skip
    room = refill.room if refill is not None and refill.refused is None else 0
    sources = refill.sources if refill is not None and room else ()
    placers = tuple(
        Placer(
            id=f"act-refill-{source.area}",
            area=source.area,
            name=area_name(view, source.area),
            hint=ngettext("%(n)s of yours", "%(n)s of yours", source.there),
            gain="",
            count=drafted.get(source.area, (0, 0))[0],
            line="" if source.refused else f"refill {source.area} 1",
            more="",
            many=0,
            drop=drafted[source.area][1] if source.area in drafted else None,
        )
        for source in sources
    )
    return Filling(
        note=note,
        fewer=tuple(range(take.most)) if take.refused is None else (),
        room=room,
        placers=placers,
        refused=grouped(
            (area_name(view, source.area), source.refused)
            for source in sources
            if source.refused is not None
        ),
    )


def _commit_note(options: Options, context: Context) -> str:
    """What a commit leaves unused, and what may come after it."""
    view, turn = context.view, context.view.turn
    if turn is None or turn.card is None:
        return gettext("take a card first")
    said = []
    left = options.place.left if options.place is not None else 0
    if "s" not in turn.parts and options.special is not None and options.special.kinds:
        said.append(gettext("special action left out"))
    waits = turn.sealed and "p" not in turn.parts and turn.plan is None
    if left > 0 and waits:
        said.append(gettext("you place after the answers"))
    elif left > 0 and options.place is not None and options.place.refused is not None:
        said.append(
            ngettext(
                "placing is over: %(n)s more could have been placed",
                "placing is over: %(n)s more could have been placed",
                left,
            )
        )
    elif left > 0:
        said.append(ngettext("%(n)s could still be placed", "%(n)s could still be placed", left))
    if turn.sealed:
        said.append(_sealed_note(view, context.seats))
    if not said:
        return gettext("everything is used")
    return "; ".join(said)


def _sealed_note(view: ElGrandeView, seats: Mapping[Seat, Who]) -> str:
    holders = [player.seat for player in view.players if player.vetoes and player.seat != view.seat]
    if holders:
        names = anded(seats[seat].name for seat in holders)
        return gettext("%(names)s may answer with a Veto", names=names)
    return gettext("the others are asked next")


def points_for(view: ElGrandeView) -> Mapping[str, tuple[int, ...]]:
    """Return what each area would give; nothing once the match is over."""
    return {} if view.phase == "over" else points_by_area(view)
