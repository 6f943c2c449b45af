"""What is told in a line: one of several matches, or something small."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.queries import person_by_id
from app.i18n import gettext
from app.i18n.names import shown_name
from app.i18n.times import until
from app.matches.deadlines import deadline_of
from app.matches.pages import MatchPage
from app.matches.proposals import open_proposals
from app.matches.queries import match_page, people_in
from app.notifications.outbox import Notice
from app.notifications.sending import Occasion
from app.rules.game import Seat
from app.web.letters.pictured import Pictured, pictured
from app.web.letters.turn import TurnNews, named, turn_news


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a letter about several matches, or about something small."""

    words: str
    detail: str
    link: str
    pictured: Pictured | None = None


async def entry(
    session: AsyncSession, occasion: Occasion, notice: Notice, *, drawn: bool = False
) -> Entry:
    """Return one thing to be told in a line, and where to look; `drawn`: with a picture of it."""
    match notice.event:
        case "test" | "code":
            words = gettext("A test from Plaça")
            detail = gettext("You asked for it. What there is to tell you reaches you here.")
            return Entry(words, detail, _link(occasion, "/account/notices"))
        case "joined":
            actor = await person_by_id(session, notice.actor) if notice.actor else None
            name = shown_name(actor.name if actor else "")
            words = gettext("%(name)s has sat down at your table", name=name)
            return Entry(words, "", _link(occasion, f"/tables/{notice.about}"))
        case "turn" | "reminder":
            page = await match_page(session, match_id=notice.about, seat=Seat(notice.seat))
            deadline = await deadline_of(session, notice.about, Seat(notice.seat))
            news = turn_news(page, deadline, occasion.now)
            words = headline(news, page)
            if notice.event == "reminder":
                words = gettext("Still waiting: %(decision)s", decision=words)
            link = await match_link(session, occasion, notice)
            shown = await pictured(page, news.where) if drawn else None
            return Entry(words, news.deadline, link, shown)
        case _:
            return await _of_the_match(session, occasion, notice)


async def _of_the_match(session: AsyncSession, occasion: Occasion, notice: Notice) -> Entry:
    page = await _page(session, occasion, notice)
    here = f"/matches/{page.id}"
    match notice.event:
        case "over":
            words = gettext("The match is over: %(match)s", match=named(page))
            return Entry(words, _result(page), _link(occasion, f"{here}/results"))
        case "started":
            words = gettext("The match has begun: %(match)s", match=named(page))
            return Entry(words, "", _link(occasion, here))
        case "withdrawn":
            words = gettext("A turn was taken back: %(match)s", match=named(page))
            detail = gettext("What you were told to decide does not have to be decided now.")
            return Entry(words, detail, _link(occasion, here))
        case _:
            words = await _asked(session, occasion, notice, page)
            return Entry(words, named(page), _link(occasion, f"{here}/time"))


def headline(news: TurnNews, match: MatchPage) -> str:
    """Return what has to be decided, and in which match."""
    return gettext(
        "%(decision)s: %(match)s, %(where)s",
        decision=news.title,
        match=named(match),
        where=news.where,
    )


async def _asked(session: AsyncSession, occasion: Occasion, notice: Notice, page: MatchPage) -> str:
    """Say who asks for what, in the words of the page on which one agrees."""
    asks = await open_proposals(session, page.id, now=occasion.now)
    ask = next((one for one in asks if one.kind == notice.event), None)
    seat = None if ask is None else ask.seat
    name = next((shown_name(info.name) for info in page.seats if info.seat == seat), None)
    if name is None:
        return gettext("Somebody’s time has run out. End the match without a result?")
    match notice.event:
        case "pause":
            end = (
                "" if ask is None or ask.until is None else str(until(ask.until, now=occasion.now))
            )
            return gettext("%(name)s asks for a pause until %(time)s.", name=name, time=end)
        case "resume":
            return gettext("%(name)s asks to go on now.", name=name)
        case "undo":
            return gettext(
                "%(name)s asks to take back their last turn, and all that came after it.",
                name=name,
            )
        case _:
            return gettext(
                "%(name)s asks to end the match without a result, since somebody’s time has"
                " run out.",
                name=name,
            )


async def _page(session: AsyncSession, occasion: Occasion, notice: Notice) -> MatchPage:
    """Return the match as the reader sees it from the first of their seats."""
    seats = await _seats(session, notice.about, occasion.person.id)
    return await match_page(session, match_id=notice.about, seat=seats[0] if seats else None)


async def _seats(session: AsyncSession, match_id: UUID, person_id: UUID) -> list[Seat]:
    return [seat for seat, who in (await people_in(session, match_id)).items() if who == person_id]


async def match_link(session: AsyncSession, occasion: Occasion, notice: Notice) -> str:
    """Return the address of the match, as its reader's seat sees it."""
    several = len(await _seats(session, notice.about, occasion.person.id)) > 1
    return _link(occasion, f"/matches/{notice.about}" + (f"?seat={notice.seat}" if several else ""))


def _link(occasion: Occasion, path: str) -> str:
    return "" if occasion.base is None else occasion.base + path


def _result(page: MatchPage) -> str:
    if page.outcome is None:
        return gettext("Nobody plays on; there is no result.")
    names = {info.seat: shown_name(info.name) for info in page.seats}
    return ", ".join(
        gettext("%(name)s %(points)s", name=names[seat], points=page.outcome.scores[seat])
        for place in page.outcome.ranking
        for seat in place
    )
