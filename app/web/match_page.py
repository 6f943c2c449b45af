"""What the templates of the match page are given."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID, uuid4

from fastapi import Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import AppError
from app.i18n import gettext
from app.i18n.errors import explain
from app.i18n.sentences import refusal
from app.i18n.times import When
from app.lobby.talk import mark_read
from app.lobby.talk_queries import talk_around, talk_page
from app.lobby.values import TalkPage
from app.matches.live import token
from app.matches.pages import DroppedLine, MatchPage
from app.matches.queries import match_page
from app.rules.game import Seat
from app.web.boards.opened import Opened
from app.web.boards.registry import BOARDS, Board
from app.web.boards.seats import Who, who_is_who
from app.web.match_links import MatchLinks
from app.web.match_times import MatchTimes, times_of
from app.web.people import Chair, now_of
from app.web.templating import fragment, page, static_url

SHOW: Final = "matches/show.html"
TEXT: Final = "matches/text.html"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something refused, said in words beside what was tried."""

    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """Whose turn it is, for the top bar and the tab."""

    title: str
    who: Who | None = None
    then: str = ""
    due: When | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """One of several seats played on this device."""

    who: Who
    href: str
    current: bool
    asked: bool


@dataclass(frozen=True, slots=True)
class Looking:
    """A match as somebody looks at it; `since` is what a poll sends back."""

    request: Request
    chair: Chair
    match: MatchPage
    opened: Opened
    talk: TalkPage | None
    since: str
    times: MatchTimes


async def look(
    request: Request,
    session: AsyncSession,
    chair: Chair,
    *,
    match_id: UUID,
    seat: Seat | None,
    opened: Opened,
    fell: str = "",
) -> Looking:
    """Read all a match page shows; an open talk counts as read.  Raises NotFoundError.

    `fell` are moves that an undo took out of the draft; those still impossible are told.
    """
    lines = tuple(line for line in map(str.strip, fell.split(";")) if line)
    match = await match_page(session, match_id=match_id, seat=seat, fell=lines)
    table_id, count = await talk_around(session, match_id)
    talk = await _talk(session, chair, table_id, opened)
    since = token(match.version, match.draft.revision, talk.count if talk else count)
    times = await times_of(session, match, who_is_who(match.seats), now=now_of(request))
    return Looking(request, chair, match, opened, talk, since, times)


async def _talk(
    session: AsyncSession, chair: Chair, table_id: UUID | None, opened: Opened
) -> TalkPage | None:
    """The talk around the match; spectators and matches without a table have none."""
    if table_id is None or not chair.seats:
        return None
    person_id = chair.person.id
    talk = await talk_page(session, table_id=table_id, person_id=person_id)
    if opened.talk and talk.unread:
        await mark_read(session, table_id=table_id, person_id=person_id, n=talk.count)
        talk = replace(talk, unread=0)
    return talk


def show_page(
    looking: Looking, *, notice: Notice | None = None, status_code: int = 200
) -> Response:
    """The whole page."""
    return page(looking.request, SHOW, status_code=status_code, **_context(looking, notice=notice))


def show_text(
    looking: Looking, *, notice: Notice | None = None, status_code: int = 200
) -> Response:
    """The text board."""
    return page(looking.request, TEXT, status_code=status_code, **_context(looking, notice=notice))


def show_part(
    looking: Looking,
    *,
    notice: Notice | None = None,
    dropped: tuple[DroppedLine, ...] = (),
    status_code: int = 200,
) -> Response:
    """What changes of the page, for htmx to swap in."""
    context = _context(looking, notice=notice, dropped=dropped)
    return fragment(
        looking.request, SHOW, "board", status_code=status_code, **{**context, "partial": True}
    )


def notice_of(error: AppError, game: str) -> Notice:
    """Say why something was refused: by the rules, or by anything else."""
    sentence = explain(error.code, error.details)
    if error.rule:
        sentence = refusal(game, error.code, error.details, error.rule)
    return Notice(sentence, error.rule)


def _context(
    looking: Looking, *, notice: Notice | None = None, dropped: tuple[DroppedLine, ...] = ()
) -> dict[str, Any]:
    match, chair = looking.match, looking.chair
    if dropped:
        match = replace(match, draft=replace(match.draft, dropped=dropped))
    how = BOARDS[match.game]
    board = how.draw(match, looking.opened)
    several = len(chair.seats) > 1
    # Whoever has gone on to something else has put aside what was revealed.
    aside = 0 if board.reveal else board.revealed
    links = MatchLinks(
        looking.request,
        match.id,
        match.seat if several else None,
        replace(looking.opened, seen=max(looking.opened.seen, aside)),
        tuple(region.id for region in board.regions),
        playing=match.seat is not None and match.status == "running",
        version=match.version,
    )
    seats = who_is_who(match.seats)
    status = replace(_status(match, seats, how), due=looking.times.first)
    return {
        "match": match,
        "board": board,
        "art": board.art,
        "land": how.land,
        "parts": how.parts,
        "text_parts": how.text,
        "tabs": how.tabs(),
        "sheets": how.sheets,
        "links": links,
        "sprite": static_url("symbols.svg"),
        "game_title": how.title,
        "where": gettext("round %(round)s of %(rounds)s", round=board.round, rounds=board.rounds),
        "heading": _heading(how.title, match),
        "tab_title": _tab_title(how.title, match, status),
        "my_turn": match.seat in match.asked,
        "status": status,
        "hands": _hands(match, chair, seats, links) if several else (),
        "times": looking.times,
        "talk": looking.talk,
        "talk_open": looking.opened.talk,
        "poll": links.poll(looking.since) if match.status == "running" else "",
        "partial": False,
        "notice": notice,
        "key": uuid4().hex,
        "region_query": looking.opened.region,
    }


def _heading(game: str, match: MatchPage) -> str:
    return gettext(
        "%(game)s: %(names)s", game=game, names=", ".join(seat.name for seat in match.seats)
    )


def _tab_title(game: str, match: MatchPage, status: Status) -> str:
    if match.seat is not None and match.seat in match.asked:
        return gettext("Your turn: %(game)s", game=game)
    return gettext("%(status)s: %(game)s", status=status.title, game=game)


def _status(match: MatchPage, seats: Mapping[Seat, Who], how: Board) -> Status:
    if match.status != "running":
        return Status(gettext("Match over"))
    asked = sorted(match.asked)
    then = _next(match, seats, how)
    if match.seat is not None and match.seat in match.asked:
        return Status(gettext("Your turn"), seats[match.seat], then)
    if len(asked) != 1:
        # Several, or somebody one may not know of.
        return Status(how.waiting(match, seats), seats[asked[0]] if asked else None)
    first = seats[asked[0]]
    return Status(gettext("%(name)s’s turn", name=first.name), first, then)


def _next(match: MatchPage, seats: Mapping[Seat, Who], how: Board) -> str:
    """Who comes after the seat whose turn it is, this round."""
    following = how.following(match.base_view)
    if following is None:
        return ""
    return gettext("you") if following == match.seat else seats[following].name


def _hands(
    match: MatchPage, chair: Chair, seats: Mapping[Seat, Who], links: MatchLinks
) -> tuple[Hand, ...]:
    return tuple(
        Hand(seats[seat], links.for_seat(seat), seat == match.seat, seat in match.asked)
        for seat in chair.seats
    )
