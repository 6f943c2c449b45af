"""Occasions in words: one function for each kind of letter, and the three forms of all of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from app.i18n import current_locale, gettext, ngettext
from app.matches.deadlines import deadline_of
from app.matches.queries import match_page
from app.notifications.channels.values import LONGEST_TEXT, LONGEST_TITLE, Short
from app.notifications.events import DECISIONS
from app.notifications.letters import Picture
from app.notifications.reading.quotes import CUT
from app.notifications.sending import Composed, Occasion
from app.rules.game import Seat
from app.web.boards.registry import BOARDS
from app.web.letters.blocks import as_text, wrapped
from app.web.letters.entries import Entry, entry, headline, match_link
from app.web.letters.pictured import Pictured, pictured
from app.web.letters.turn import TurnNews, more_choices, turn_news
from app.web.templating import environment

# Of the matches in one letter, so many are shown; of the others the words tell.
MOST_PICTURES: Final = 3


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter before it is text or HTML: a turn in full, or a few entries."""

    subject: str
    greeting: str
    news: TurnNews | None
    entries: tuple[Entry, ...]
    link: str
    pictured: Pictured | None = None

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures of the letter, each once."""
        shown = (self.pictured, *(entry.pictured for entry in self.entries))
        return tuple(dict.fromkeys(one.picture for one in shown if one is not None))


async def compose(session: AsyncSession, occasion: Occasion) -> Composed:
    """Put the occasion into words, in the language and the zone that are set."""
    matches = {notice.about for notice in occasion.notices}
    lead = occasion.lead
    if len(matches) == 1 and lead.event in DECISIONS:
        draft = await _turn(session, occasion)
    else:
        draft = await _entries(session, occasion)
    return Composed(
        draft.subject,
        _text(draft, occasion),
        _html(draft, occasion),
        _short(draft, occasion),
        draft.pictures,
    )


async def _turn(session: AsyncSession, occasion: Occasion) -> Draft:
    lead = occasion.lead
    match = await match_page(session, match_id=lead.about, seat=Seat(lead.seat))
    deadline = await deadline_of(session, lead.about, Seat(lead.seat))
    news = turn_news(match, deadline, occasion.now)
    subject = headline(news, match)
    events = {notice.event for notice in occasion.notices}
    greeting = ""
    if "started" in events:
        greeting = gettext("The match has begun.")
    elif lead.event == "reminder":
        greeting = gettext("The match is still waiting for you.")
    others = tuple(
        [
            await entry(session, occasion, notice)
            for notice in occasion.notices[1:]
            if notice.event == "turn" and notice.seat != lead.seat
        ]
    )
    link = await match_link(session, occasion, lead)
    drawn = await pictured(match, news.where) if occasion.pictures else None
    return Draft(subject, greeting, news, others, link, drawn)


async def _entries(session: AsyncSession, occasion: Occasion) -> Draft:
    told = {(notice.about, notice.seat): notice for notice in reversed(occasion.notices)}
    notices = [notice for notice in occasion.notices if notice in told.values()]
    first = [notice for notice in notices if notice.event in DECISIONS][:MOST_PICTURES]
    entries = tuple(
        [
            await entry(session, occasion, notice, drawn=occasion.pictures and notice in first)
            for notice in notices
        ]
    )
    if len(entries) == 1:
        return Draft(entries[0].words, "", None, entries, "")
    waiting = sum(notice.event in DECISIONS for notice in notices)
    subject = (
        ngettext("%(n)s match waits for you", "%(n)s matches wait for you", waiting)
        if waiting
        else gettext("News of your matches")
    )
    return Draft(subject, "", None, entries, "")


def _short(draft: Draft, occasion: Occasion) -> Short:
    """Return what goes to a channel: nothing that the letter does not say."""
    if draft.news is not None:
        title = draft.greeting or gettext("A match waits for you.")
        told = [draft.subject, draft.news.deadline, *map(_in_one, draft.entries)]
        return _cut(title, told, draft.link)
    if len(draft.entries) == 1:
        (only,) = draft.entries
        return _cut(only.words, [only.detail], only.link)
    everything = "" if occasion.base is None else f"{occasion.base}/matches"
    return _cut(draft.subject, map(_in_one, draft.entries), everything)


def _in_one(one: Entry) -> str:
    return " ".join(part for part in (one.words, one.detail, one.link) if part)


def _cut(title: str, told: Iterable[str], link: str) -> Short:
    """Return as many whole lines as a channel takes."""
    kept, room = list[str](), LONGEST_TEXT
    for line in told:
        room -= len(line) + 1
        if not line or room < 0:
            continue
        kept.append(line)
    return Short(title[:LONGEST_TITLE], "\n".join(kept), link)


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
    for one in draft.entries:
        lines = [line for line in (one.words, one.detail, one.link) if line]
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
