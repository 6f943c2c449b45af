"""The special action of the card taken, as the turn panel offers it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.i18n import gettext
from app.rules.el_grande.options import KindOption, Options, SpecialOption
from app.web.boards.el_grande_cards import card_words, find_card
from app.web.boards.el_grande_context import Context, gain_words, held_words
from app.web.boards.el_grande_draft import placed_in
from app.web.boards.el_grande_moving import boards_offer, moving_offer, returning_offer
from app.web.boards.el_grande_offers import (
    Offer,
    Pick,
    Placer,
    Refused,
    Taps,
    Way,
    grouped,
    taps_of,
    why,
)
from app.web.boards.el_grande_preview import card_points
from app.web.boards.el_grande_words import area_name, points_words


@dataclass(frozen=True, slots=True)
class SpecialPanel:
    """The special action: what it says, the ways to do it, how to leave it out.

    `ends` says that beginning it ends placing.  `gain` is what it would give each
    seat where that can be told; `taps` are the icon and the button of the areas
    that a tap on the map acts on.
    """

    title: str
    text: str
    icon: str
    gain: str
    ways: tuple[Way, ...]
    skip: bool
    done: bool
    ends: str = ""
    taps: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    call: str = ""
    keep: Mapping[str, str] = field(default_factory=dict)


def draw_special(options: Options, special: SpecialOption, context: Context) -> SpecialPanel:
    """Return the special action with everything that may be done, and why not the rest."""
    view = context.view
    card = find_card(view, special.card)
    words = card_words(card)
    ways: list[Way] = []
    taps: Taps = {}
    keep: Mapping[str, str] = {}
    calls: list[str] = []
    offers = [_way(kind, context) for kind in special.kinds]
    if options.discs:
        offers = [_own_disc(options, context)]
    for way, found, kept, call in offers:
        ways.append(way)
        # Where a card may be carried out in two ways, a tap begins the first.
        taps = taps or found
        keep = keep or kept
        calls += [call] if call else []
    gained = None if view.turn is None or view.turn.sealed else card_points(view, card)
    begun = view.turn is not None and "s" in view.turn.parts
    return SpecialPanel(
        title=words.title,
        text=words.text,
        icon=words.icon,
        gain="" if gained is None or begun else points_words(gained, context.seats, view.seat)
        or gettext("nobody would get anything"),
        ways=tuple(ways),
        skip=special.skip is None,
        done=begun and not taps and not any(way.picks or way.placers for way in ways),
        taps=taps,
        call=calls[0] if calls else "",
        keep=keep,
    )  # fmt: skip


def _own_disc(options: Options, context: Context) -> Offer:
    view = context.view
    picks = tuple(
        Pick(
            id=f"act-disc-{one.region}",
            name=area_name(view, one.region),
            area=one.region,
            line=f"disc {one.region}",
            hint=held_words(context, one.region),
        )
        for one in options.discs
        if one.refused is None
    )
    refused = grouped(
        (area_name(view, one.region), one.refused)
        for one in options.discs
        if one.refused is not None
    )
    way = Way("disc", gettext("Set your own disc, in secret:"), None, picks=picks, refused=refused)
    return way, taps_of(picks, "i-flag"), {}, gettext("choose a region for your disc")


def _way(kind: KindOption, context: Context) -> Offer:
    """Return the way, the taps it takes, what to keep open after a step, and the call."""
    if kind.refused is not None:
        return Way(kind.kind, "", why(kind.refused)), {}, {}, ""
    return _WAYS.get(kind.kind, _regions)(kind, context)


def _recall(kind: KindOption, context: Context) -> Offer:
    picks = tuple(
        Pick(
            f"act-recall-{value}",
            str(value),
            line=f"special recall {value}",
            count=context.view.values.powers[value - 1],
        )
        for value in kind.values
    )
    note = gettext("Which card comes back? The others only see that one does.")
    return Way("recall", note, None, picks=picks), {}, {}, ""


def _do(kind: KindOption, context: Context) -> Offer:
    pick = Pick("act-do", gettext("Carry it out"), line="special")
    return Way("do", "", None, picks=(pick,)), {}, {}, ""


def _regions(kind: KindOption, context: Context) -> Offer:
    """King, Grande, expel, score: one area settles it."""
    view = context.view
    picks = tuple(
        Pick(
            id=f"act-{kind.kind}-{target.area}",
            name=area_name(view, target.area),
            area=target.area,
            line=f"special {kind.kind} {target.area}",
            hint=held_words(context, target.area),
            gain=_gain(context, target.area) if kind.kind == "score" else "",
        )
        for target in kind.targets
        if target.refused is None
    )
    call = {
        "king": gettext("choose the King’s new region"),
        "grande": gettext("choose your Grande’s new region"),
        "expel": gettext("choose the region they have to leave"),
        "score": gettext("choose what is scored"),
    }.get(kind.kind, "")
    icon = "i-score" if kind.kind == "score" else "i-move"
    refused = _refused(context, kind)
    return Way(kind.kind, "", None, picks=picks, refused=refused), taps_of(picks, icon), {}, call


def _gain(context: Context, area: str) -> str:
    points = context.points.get(area)
    if points is None:
        return gettext("hidden until it is scored")
    return points_words(points, context.seats, context.view.seat) or gettext("nothing")


def _refused(context: Context, kind: KindOption) -> tuple[Refused, ...]:
    return grouped(
        (area_name(context.view, target.area), target.refused)
        for target in kind.targets
        if target.refused is not None
    )


def _filling(kind: KindOption, context: Context) -> Offer:
    """Placing more by the card, or making up what a court gets from regions."""
    view = context.view
    drafted = placed_in(context.lines, kind.kind)
    areas = [(one.area, one.refused) for one in kind.targets]
    areas += [(one.area, one.refused) for one in kind.sources]
    placers = tuple(
        Placer(
            id=f"act-{kind.kind}-{area}",
            area=area,
            name=area_name(view, area),
            hint=held_words(context, area),
            gain=gain_words(context, area, more=refused is None) if kind.kind == "add" else "",
            count=drafted.get(area, (0, 0))[0],
            line="" if refused else f"special {kind.kind} {area} 1",
            more="",
            many=0,
            drop=drafted[area][1] if area in drafted else None,
        )
        for area, refused in areas
        if refused is None or area in drafted
    )
    picks: tuple[Pick, ...] = ()
    if kind.kind == "court" and not kind.done:
        picks = (Pick("act-court", gettext("Bring them to the court"), line="special court"),)
    taps = {one.area: ("i-plus", one.id) for one in placers if one.line}
    most = kind.most.get("count", 0)
    note = gettext("%(done)s of up to %(most)s", done=kind.done, most=most)
    refused_areas = grouped(
        (area_name(view, area), refused) for area, refused in areas if refused is not None
    )
    way = Way(kind.kind, note, None, placers=placers, picks=picks, refused=refused_areas)
    call = gettext("tap where one more goes") if taps and kind.kind == "add" else ""
    return way, taps, {}, call


_WAYS: Final[Mapping[str, Callable[[KindOption, Context], Offer]]] = {
    "move": moving_offer,
    "return": returning_offer,
    "add": _filling,
    "court": _filling,
    "board": boards_offer,
    "recall": _recall,
    "do": _do,
}
