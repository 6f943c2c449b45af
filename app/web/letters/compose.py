"""Occasions in words: one function for each kind of letter, and the two forms of all of them."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.queries import person_by_id
from app.i18n import current_locale, gettext, ngettext
from app.i18n.names import shown_name
from app.matches.deadlines import deadline_of
from app.matches.pages import MatchPage
from app.matches.queries import match_page, people_in
from app.notifications.outbox import Notice
from app.notifications.reading.quotes import CUT
from app.notifications.sending import Composed, Occasion
from app.rules.game import Seat
from app.web.boards.registry import BOARDS
from app.web.letters.blocks import as_text, wrapped
from app.web.letters.turn import TurnNews, more_choices, named, turn_news
from app.web.templating import environment

_DECISIONS: Final = frozenset({"turn", "reminder"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a letter about several matches, or about something small."""

    words: str
    detail: str
    link: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter before it is text or HTML: a turn in full, or a few entries."""

    subject: str
    greeting: str
    news: TurnNews | None
    entries: tuple[Entry, ...]
    link: str


async def compose(session: AsyncSession, occasion: Occasion) -> Composed:
    """Put the occasion into words, in the language and the zone that are set."""
    matches = {notice.about for notice in occasion.notices}
    lead = occasion.lead
    if len(matches) == 1 and lead.event in _DECISIONS:
        draft = await _turn(session, occasion)
    else:
        draft = await _entries(session, occasion)
    return Composed(draft.subject, _text(draft, occasion), _html(draft, occasion))


async def _turn(session: AsyncSession, occasion: Occasion) -> Draft:
    lead = occasion.lead
    match = await match_page(session, match_id=lead.about, seat=Seat(lead.seat))
    deadline = await deadline_of(session, lead.about, Seat(lead.seat))
    news = turn_news(match, deadline, occasion.now)
    subject = _headline(news, match)
    events = {notice.event for notice in occasion.notices}
    greeting = ""
    if "started" in events:
        greeting = gettext("The match has begun.")
    elif lead.event == "reminder":
        greeting = gettext("The match is still waiting for you.")
    others = tuple(
        [
            await _entry(session, occasion, notice)
            for notice in occasion.notices[1:]
            if notice.event == "turn" and notice.seat != lead.seat
        ]
    )
    link = await _match_link(session, occasion, lead)
    return Draft(subject, greeting, news, others, link)


async def _entries(session: AsyncSession, occasion: Occasion) -> Draft:
    told = {(notice.about, notice.seat): notice for notice in reversed(occasion.notices)}
    notices = [notice for notice in occasion.notices if notice in told.values()]
    entries = tuple([await _entry(session, occasion, notice) for notice in notices])
    if len(entries) == 1:
        return Draft(entries[0].words, "", None, entries, "")
    waiting = sum(notice.event in _DECISIONS for notice in notices)
    subject = (
        ngettext("%(n)s match waits for you", "%(n)s matches wait for you", waiting)
        if waiting
        else gettext("News of your matches")
    )
    return Draft(subject, "", None, entries, "")


async def _entry(session: AsyncSession, occasion: Occasion, notice: Notice) -> Entry:
    match notice.event:
        case "test" | "code":
            words = gettext("A test from Plaça")
            detail = gettext("You asked for it. Mail reaches you here.")
            return Entry(words, detail, _link(occasion, "/account/notices"))
        case "joined":
            actor = await person_by_id(session, notice.actor) if notice.actor else None
            name = shown_name(actor.name if actor else "")
            words = gettext("%(name)s has sat down at your table", name=name)
            return Entry(words, "", _link(occasion, f"/tables/{notice.about}"))
        case "over":
            page = await _page(session, occasion, notice)
            words = gettext("The match is over: %(match)s", match=named(page))
            return Entry(words, _result(page), _link(occasion, f"/matches/{page.id}/results"))
        case "started":
            page = await _page(session, occasion, notice)
            words = gettext("The match has begun: %(match)s", match=named(page))
            return Entry(words, "", _link(occasion, f"/matches/{page.id}"))
        case "turn" | "reminder":
            page = await match_page(session, match_id=notice.about, seat=Seat(notice.seat))
            deadline = await deadline_of(session, notice.about, Seat(notice.seat))
            news = turn_news(page, deadline, occasion.now)
            return Entry(
                _headline(news, page), news.deadline, await _match_link(session, occasion, notice)
            )


def _headline(news: TurnNews, match: MatchPage) -> str:
    """Return what has to be decided, and in which match."""
    return gettext(
        "%(decision)s: %(match)s, %(where)s",
        decision=news.title,
        match=named(match),
        where=news.where,
    )


async def _page(session: AsyncSession, occasion: Occasion, notice: Notice) -> MatchPage:
    """Return the match as the reader sees it from the first of their seats."""
    seats = await _seats(session, notice.about, occasion.person.id)
    return await match_page(session, match_id=notice.about, seat=seats[0] if seats else None)


async def _seats(session: AsyncSession, match_id: UUID, person_id: UUID) -> list[Seat]:
    return [seat for seat, who in (await people_in(session, match_id)).items() if who == person_id]


async def _match_link(session: AsyncSession, occasion: Occasion, notice: Notice) -> str:
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


def _text(draft: Draft, occasion: Occasion) -> str:
    parts: list[str] = []
    if occasion.replies:
        parts.append("\n".join([CUT, *wrapped(how_to_answer())]))
    if draft.greeting:
        parts.append(draft.greeting)
    news = draft.news
    if news is not None:
        parts.append(_titled(f"{news.title} ({news.where})", [*_deadline_lines(news)]))
        parts.append(_titled(news.since.title, [as_text(news.since.blocks)]))
        parts.append(_titled(gettext("To decide"), [as_text(news.decide), *_choice_lines(news)]))
    for entry in draft.entries:
        lines = [line for line in (entry.words, entry.detail, entry.link) if line]
        parts.append("\n".join(lines))
    if draft.link:
        parts.append(gettext("The match: %(link)s", link=draft.link))
    if news is not None:
        parts.extend(_titled(part.title, [as_text(part.blocks)]) for part in news.position)
    parts.append("-- \n" + "\n".join(_footer(occasion)))
    return "\n\n".join(part for part in parts if part) + "\n"


def how_to_answer() -> str:
    """Say what an answer to the letter may be."""
    return gettext("Answer above this line: a number, or moves, or commit to make it final.")


def _titled(title: str, lines: list[str]) -> str:
    return "\n".join([title.upper(), *(line for line in lines if line)])


def _deadline_lines(news: TurnNews) -> list[str]:
    return [news.deadline] if news.deadline else []


def _choice_lines(news: TurnNews) -> list[str]:
    lines: list[str] = []
    if news.drafted:
        noted = gettext("Noted so far: %(list)s", list="; ".join(news.drafted))
        lines.extend(wrapped(noted))
    width = len(str(len(news.offered)))
    for choice in news.offered:
        said = choice.line if choice.words == choice.line else f"{choice.words}  [{choice.line}]"
        lines.extend(wrapped(said, f"{choice.number:>{width}}. ", " " * (width + 2)))
    if news.more:
        lines.extend(wrapped(more_choices(news.more)))
    return lines


def _footer(occasion: Occasion) -> list[str]:
    if occasion.base is None:
        return [gettext("You get this from Plaça because you gave this address there.")]
    page = occasion.base + "/account/notices"
    return [
        gettext("When you are told, and of what: %(link)s", link=page),
        *([gettext("No more mail: %(link)s", link=occasion.stop)] if occasion.stop else []),
    ]


def _html(draft: Draft, occasion: Occasion) -> str:
    return (
        environment()
        .get_template("letters/letter.html")
        .render(
            draft=draft,
            news=draft.news,
            occasion=occasion,
            more=more_choices(draft.news.more) if draft.news and draft.news.more else "",
            language=current_locale(),
            cut=CUT,
            how_to_answer=how_to_answer(),
            games=BOARDS,
        )
    )
