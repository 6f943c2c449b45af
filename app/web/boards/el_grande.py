"""El Grande on the match page: everything the templates draw, worked out beforehand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.i18n import gettext
from app.i18n.sentences import refusal
from app.matches.pages import MatchPage
from app.rules.el_grande.options import Options
from app.rules.el_grande.view import ElGrandeView
from app.web.boards.el_grande_answers import (
    Asking,
    answer_words,
    ask_answers,
    ask_power,
    picked_power,
)
from app.web.boards.el_grande_cards import CardArt, draw_cards
from app.web.boards.el_grande_context import Context
from app.web.boards.el_grande_draft import DraftStep, drafted
from app.web.boards.el_grande_log import LogItem, tell
from app.web.boards.el_grande_map import MapArt, map_art
from app.web.boards.el_grande_offers import GAME, why
from app.web.boards.el_grande_orders import VetoOrder, draw_order
from app.web.boards.el_grande_panels import (
    Mine,
    SeatPanel,
    draw_mine,
    draw_seats,
    state_names,
)
from app.web.boards.el_grande_preview import gains
from app.web.boards.el_grande_projected import projected
from app.web.boards.el_grande_scene import AreaArt, SceneFacts, draw_scene
from app.web.boards.el_grande_scoring import ScoringCard, draw_reveal, revealed
from app.web.boards.el_grande_sheet import AreaSheet, draw_sheet
from app.web.boards.el_grande_standing import (
    Announcement,
    Standing,
    announced,
    draw_standing,
)
from app.web.boards.el_grande_track import RoundArt, Track, draw_rounds, draw_track
from app.web.boards.el_grande_turn import TurnPanel, draw_turn, points_for
from app.web.boards.opened import Opened
from app.web.boards.seats import who_is_who

__all__ = ["GAME", "ElGrandeBoard", "draw"]

# The kit of cards on the table while nobody in particular looks at them.
NOBODYS_KIT: Final = 1


@dataclass(frozen=True, slots=True)
class Call:
    """What the open action waits for, said on the board."""

    icon: str
    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """A drafted line that became impossible, and why."""

    line: str
    why: str


@dataclass(frozen=True, slots=True)
class ElGrandeBoard:
    """One viewer's match page."""

    art: MapArt
    round: int
    rounds: int
    areas: tuple[AreaArt, ...]
    shows_near: bool
    tap_words: str
    track_rounds: tuple[RoundArt, ...]
    track: Track
    track_near: Track
    seats: tuple[SeatPanel, ...]
    state_names: Mapping[str, str]
    mine: Mine | None
    kit: int
    cards: tuple[CardArt, ...]
    standing: Standing
    announcement: Announcement | None
    turn: TurnPanel | None
    asking: tuple[Asking, ...]
    answer: str
    keep: Mapping[str, str]
    order: VetoOrder | None
    draft: tuple[DraftStep, ...]
    dropped: tuple[Dropped, ...]
    call: Call | None
    log: tuple[LogItem, ...]
    marked: bool
    revealed: int
    reveal: ScoringCard | None
    sheet: AreaSheet

    @property
    def regions(self) -> tuple[AreaArt, ...]:
        """What the page makes addresses for."""
        return self.areas


def draw(page: MatchPage, opened: Opened) -> ElGrandeBoard:
    """Return all there is to draw of `page`, with what the address has opened."""
    base: ElGrandeView = page.base_view
    view = projected(page.view)
    seats = who_is_who(page.seats)
    points = points_for(view)
    context = Context(page.view, seats, page.draft.lines, opened, points)
    options: Options | None = page.options if page.status == "running" else None
    turn = None
    asking: tuple[Asking, ...] = ()
    if options is not None and page.prompt is not None:
        if page.prompt.kind in {"turn", "place"}:
            turn = draw_turn(options, context)
        else:
            asking = (
                (ask_power(options, context),)
                if page.prompt.kind == "power"
                else ask_answers(options, context)
            )
    taps: dict[str, tuple[str, str]] = dict(turn.taps) if turn else {}
    for one in asking:
        taps.update(one.taps)
    news = tell(page.since, seats, base)
    codes = {region.id for region in view.regions} | {"CAS"}
    areas = draw_scene(
        view,
        base,
        SceneFacts(
            seats=seats,
            taps=taps,
            points=points,
            news=news.areas,
            chosen=opened.region if opened.region in codes else "",
        ),
    )
    lines, whys = _card_offers(options)
    return ElGrandeBoard(
        art=map_art(),
        round=view.round,
        rounds=view.rounds[-1],
        areas=areas,
        shows_near=not taps,
        tap_words=_tap_words(turn, asking),
        track_rounds=draw_rounds(base),
        track=draw_track(view, seats, near=False),
        track_near=draw_track(view, seats, near=True),
        seats=draw_seats(view, seats, gains(points) if points else {}, broken_off=page.broken_off),
        state_names=state_names(),
        mine=draw_mine(
            page.view,
            base,
            seats,
            _power_whys(options),
            asked=bool(options and options.powers),
            picked=picked_power(opened.action),
        ),
        kit=seats[page.seat].kit if page.seat is not None else NOBODYS_KIT,
        cards=draw_cards(page.view, seats, lines, whys),
        standing=draw_standing(page, seats),
        announcement=announced(page, seats),
        turn=turn,
        asking=asking,
        answer=answer_words(page.answer, base) if page.answer else "",
        keep=turn.keep if turn else {},
        order=draw_order(page),
        draft=drafted(page.draft.lines, base, seats),
        dropped=tuple(
            Dropped(
                drafted((one.line,), base, seats)[0].words,
                refusal(GAME, one.refusal.code, one.refusal.details, one.refusal.rule),
            )
            for one in page.draft.dropped
        ),
        call=_call(turn, asking),
        log=news.items,
        marked=bool(news.areas),
        revealed=revealed(page),
        reveal=draw_reveal(page, opened, [player.score for player in base.players]),
        sheet=draw_sheet(view, _looked_at(areas), seats, points, turn),
    )


def _looked_at(areas: tuple[AreaArt, ...]) -> AreaArt:
    """The area chosen, else the King's."""
    return max(areas, key=lambda art: (art.chosen, art.king))


def _card_offers(options: Options | None) -> tuple[dict[str, str], dict[str, str]]:
    """The lines that take a card, and why the others cannot be taken."""
    lines: dict[str, str] = {}
    whys: dict[str, str] = {}
    for one in options.cards if options is not None else ():
        reason = why(one.refused)
        if reason is None:
            lines[one.card] = f"card {one.card}"
        else:
            whys[one.card] = reason.text
    return lines, whys


def _power_whys(options: Options | None) -> dict[int, str]:
    whys: dict[int, str] = {}
    for one in options.powers if options is not None else ():
        reason = why(one.refused)
        if reason is not None:
            whys[one.value] = reason.text
    return whys


def _tap_words(turn: TurnPanel | None, asking: tuple[Asking, ...]) -> str:
    """What a tap on an area does, before the area's own words."""
    if any(one.taps for one in asking):
        return gettext("Choose")
    if turn is None:
        return ""
    return gettext("Place in") if turn.open == "place" else gettext("Special action:")


def _call(turn: TurnPanel | None, asking: tuple[Asking, ...]) -> Call | None:
    for one in asking:
        if one.call:
            return Call("i-flag", gettext("%(title)s:", title=one.title), one.call)
    if turn is None or not turn.call:
        return None
    what = gettext("Place:") if turn.open == "place" else gettext("Special action:")
    return Call(turn.call_icon, what, turn.call)
