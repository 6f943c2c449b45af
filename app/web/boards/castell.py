"""Castell on the match page: everything the templates draw, worked out beforehand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext, ngettext
from app.i18n.lists import ored
from app.i18n.sentences import refusal
from app.matches.pages import MatchPage
from app.rules.castell.components import Prize, WheelSkill
from app.rules.castell.notation import format_tower
from app.rules.castell.options import FestivalOption
from app.rules.castell.view import CastellView
from app.rules.game import Seat
from app.web.boards.castell_draft import DraftLine, commit_note, drafted, my_colla
from app.web.boards.castell_log import LogItem, tell
from app.web.boards.castell_map import MapArt, map_art
from app.web.boards.castell_offers import offers_of
from app.web.boards.castell_panels import (
    AheadRow,
    CollaPanel,
    RoundCell,
    draw_ahead,
    draw_calendar,
    draw_colla,
)
from app.web.boards.castell_reveal import RevealCard, draw_reveal, revealed, sum_words
from app.web.boards.castell_scene import RegionArt, SceneFacts, draw_scene
from app.web.boards.castell_sheet import Neighbour, RegionSheet, draw_sheet
from app.web.boards.castell_turn import Choice, Group, TurnPanel, draw_turn
from app.web.boards.castell_words import anded, skill_name
from app.web.boards.opened import Opened
from app.web.boards.over import over_lines
from app.web.boards.seats import Who, who_is_who

GAME: Final = "castell"


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose turn it is, as the head of the turn panel says it."""

    key: str
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderPlace:
    """A seat in this round's order: done, now or later."""

    who: Who
    state: str
    me: bool


@dataclass(frozen=True, slots=True)
class Call:
    """What the open action waits for, said on the board."""

    icon: str
    what: str
    where: str


@dataclass(frozen=True, slots=True)
class BuilderIn:
    """A seat asked to a festival, and whether its answer is in."""

    who: Who
    region: str
    region_name: str
    done: bool
    me: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    """A drafted line that became impossible, and why."""

    line: str
    why: str


@dataclass(frozen=True, slots=True)
class CastellBoard:
    """One viewer's match page."""

    art: MapArt
    round: int
    rounds: int
    max_rank: int
    regions: tuple[RegionArt, ...]
    calendar: tuple[RoundCell, ...]
    ahead: tuple[AheadRow, ...]
    everywhere: tuple[WheelSkill, str] | None
    mine: tuple[CollaPanel, ...]
    rivals: tuple[CollaPanel, ...]
    standing: Standing
    order: tuple[OrderPlace, ...]
    turn: TurnPanel | None
    draft: tuple[DraftLine, ...]
    dropped: tuple[Dropped, ...]
    commit_note: str
    festival: Neighbour | None
    builders: tuple[BuilderIn, ...]
    call: Call | None
    log: tuple[LogItem, ...]
    revealed: int
    reveal: RevealCard | None
    sheet: RegionSheet
    best_answer: str
    best_words: str
    action_names: Mapping[str, str]
    prize_names: Mapping[Prize, str]
    status_names: Mapping[str, str]
    status_tags: Mapping[str, str]

    @property
    def target_verb(self) -> str:
        """What clicking a target on the map does, as the ids of the buttons spell it."""
        return self.turn.verb if self.turn else "move"

    def text_choices(self, action: str, group: Group) -> tuple[Choice, ...]:
        """The choices as the text board lists them: every pair at once, not two taps."""
        if action == "recruit" and self.turn is not None and not group.why:
            return self.turn.pairs
        return tuple(choice for choice in group.choices if choice.line or choice.why)

    @property
    def in_reach(self) -> frozenset[str]:
        """The tiles the viewer could perform right now."""
        return self.turn.in_reach if self.turn else frozenset()


def draw(page: MatchPage, opened: Opened) -> CastellBoard:
    """Return all there is to draw of `page`, with what the address has opened."""
    view: CastellView = page.view
    base: CastellView = page.base_view
    seats = who_is_who(page.seats)
    names = {region.id: region.name for region in view.regions}
    turn = None
    if page.options is not None and view.phase == "turns" and page.status == "running":
        offers = offers_of(view, page.options)
        turn = draw_turn(view, offers, seats, opened=opened.action, pick=opened.pick)
    news = tell(page.since, seats, base)
    chosen = opened.region if opened.region in names else ""
    regions = draw_scene(
        view,
        base,
        SceneFacts(
            seats=seats,
            targets=turn.targets if turn else frozenset(),
            news=news.regions,
            moved=news.moved,
            chosen=chosen,
        ),
    )
    everywhere = view.everywhere[0] if view.everywhere else None
    return CastellBoard(
        art=map_art(),
        round=view.round,
        rounds=view.rounds,
        max_rank=view.max_rank,
        regions=regions,
        calendar=draw_calendar(view, base, seats),
        ahead=draw_ahead(view),
        everywhere=(everywhere, skill_name(everywhere)) if everywhere else None,
        mine=tuple(
            draw_colla(view, base, seat, seats, page.answered, broken_off=page.broken_off)
            for seat in seats
            if seat == page.seat
        ),
        rivals=tuple(
            draw_colla(view, base, seat, seats, page.answered, broken_off=page.broken_off)
            for seat in _around(seats, page.seat)
        ),
        standing=_standing(page, seats),
        order=_order(base, seats) if page.status == "running" else (),
        turn=turn,
        draft=drafted(page.draft.lines, base),
        dropped=tuple(
            Dropped(
                drafted((one.line,), base)[0].words,
                refusal(GAME, one.refusal.code, one.refusal.details, one.refusal.rule),
            )
            for one in page.draft.dropped
        ),
        commit_note=_commit_note(page),
        festival=_my_festival(page, names),
        builders=_builders(page, seats, names),
        call=_call(turn),
        log=news.items,
        revealed=revealed(page),
        reveal=draw_reveal(page, opened),
        sheet=draw_sheet(view, _looked_at(regions), seats, turn),
        best_answer=_best_answer(page),
        best_words=_best_words(page),
        action_names={
            "move": gettext("Move"),
            "recruit": gettext("Recruit"),
            "train": gettext("Train"),
            "special": gettext("Special"),
            "train-special": gettext("Special tile of the wheel"),
        },
        prize_names={
            "trophy": gettext("trophies"),
            "medal": gettext("medals"),
            "ribbon": gettext("ribbons"),
        },
        status_names={
            "": "",
            "played": gettext("played"),
            "now": gettext("now"),
            "next": gettext("next"),
            "later": "",
            "building": gettext("building"),
            "in": gettext("tower is in"),
        },
        status_tags={
            "": "",
            "played": "done",
            "now": "now",
            "next": "next",
            "building": "next",
            "in": "done",
        },
    )


def _looked_at(regions: tuple[RegionArt, ...]) -> RegionArt:
    """The region chosen, else where the viewer stands, else the first."""
    return max(regions, key=lambda art: (art.chosen, art.here))


def _around(seats: Mapping[Seat, Who], me: Seat | None) -> list[Seat]:
    """The others, from the viewer's left on."""
    everybody = sorted(seats)
    if me is None:
        return everybody
    place = everybody.index(me)
    return everybody[place + 1 :] + everybody[:place]


def _order(view: CastellView, seats: Mapping[Seat, Who]) -> tuple[OrderPlace, ...]:
    if view.turn is None:
        return ()
    now = view.order.index(view.turn.seat)
    return tuple(
        OrderPlace(
            seats[seat],
            "now" if place == now else "done" if place < now else "later",
            seat == view.seat,
        )
        for place, seat in enumerate(view.order)
    )


def _standing(page: MatchPage, seats: Mapping[Seat, Who]) -> Standing:
    if page.status != "running":
        return Standing("over", gettext("The match is over"), over_lines(page))
    waiting = [seats[seat].name for seat in sorted(page.asked)]
    if page.view.phase == "festivals":
        return _festival_standing(page, waiting)
    if page.seat is not None and page.seat in page.asked:
        return Standing("mine", gettext("Your turn"))
    title = gettext("%(name)s’s turn", name=waiting[0]) if waiting else gettext("A moment")
    if page.seat is None:
        return Standing("watching", title, (gettext("You are watching this match."),))
    return Standing(
        "waiting", title, (gettext("You can look around; the board follows by itself."),)
    )


def _festival_standing(page: MatchPage, waiting: list[str]) -> Standing:
    head = gettext("Festivals of round %(round)s", round=page.view.round)
    others = (
        ngettext(
            "%(names)s is still building.",
            "%(names)s are still building.",
            len(waiting),
            names=anded(waiting),
        )
        if waiting
        else gettext("All towers are in.")
    )
    if page.seat is not None and page.seat in page.asked:
        return Standing(
            "mine",
            gettext("Your festival"),
            (gettext("Build in secret: all towers are shown together."),),
        )
    mine = page.seat in page.answered
    lines = (gettext("Your answer is in."), others) if mine else (*_left_out(page), others)
    return Standing("waiting", head, lines)


def _left_out(page: MatchPage) -> tuple[str, ...]:
    """Why the viewer's colla, whose pawn is at a festival, is not asked for a tower."""
    view: CastellView = page.base_view
    return tuple(
        gettext(
            "You cannot build in %(place)s: no tower of yours with %(levels)s levels has size"
            " %(sizes)s in it.",
            place=region.name,
            levels=view.values.min_festival_levels,
            sizes=ored(festival.tokens),
        )
        for festival in view.calendar[view.round - 1].festivals
        for region in view.regions
        if region.id == festival.region
        and page.seat in region.pawns
        and page.seat not in view.entrants.get(region.id, ())
    )


def _my_festival(page: MatchPage, names: Mapping[str, str]) -> Neighbour | None:
    """The festival the viewer is asked for now."""
    if page.seat is None or page.seat not in page.asked or page.view.phase != "festivals":
        return None
    return next(
        (
            Neighbour(region, names[region])
            for region, asked in page.base_view.entrants.items()
            if page.seat in asked
        ),
        None,
    )


def _best_answer(page: MatchPage) -> str:
    """The best tower for the festival asked for, in notation, where assistants are allowed."""
    festival = getattr(page.options, "festival", None)
    best = festival.best if festival is not None else None
    return format_tower(best.tower) if best is not None else ""


def _best_words(page: MatchPage) -> str:
    """What that tower would score, and why."""
    festival: FestivalOption | None = getattr(page.options, "festival", None)
    if festival is None or festival.best is None:
        return ""
    best = festival.best
    return ngettext(
        "%(n)s point: %(sum)s",
        "%(n)s points: %(sum)s",
        best.score,
        sum=sum_words(best.tower, festival.tokens),
    )


def _builders(
    page: MatchPage, seats: Mapping[Seat, Who], names: Mapping[str, str]
) -> tuple[BuilderIn, ...]:
    if page.base_view.phase != "festivals" or page.status != "running":
        return ()
    return tuple(
        BuilderIn(seats[seat], region, names[region], seat in page.answered, seat == page.seat)
        for region, asked in page.base_view.entrants.items()
        for seat in asked
    )


def _commit_note(page: MatchPage) -> str:
    turn = page.view.turn
    colla = my_colla(page.view)
    if turn is None or colla is None:
        return ""
    return commit_note(page.draft.lines, turn, special_left=colla.special_tokens > 0)


def _call(turn: TurnPanel | None) -> Call | None:
    if turn is None or not turn.call:
        return None
    what = {
        "move": gettext("Move:"),
        "recruit": gettext("Recruit:"),
        "train": gettext("Train:"),
        "special": gettext("Special:"),
        "train-special": gettext("Special tile:"),
    }[turn.open]
    return Call(turn.call_icon, what, turn.call)
