"""What a mail is answered: what was played, or why nothing was, and what can be said now."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.addresses import address_of
from app.accounts.preferences import kept_wishes
from app.accounts.queries import person_by_id
from app.config import Settings
from app.db.session import talk_elsewhere
from app.i18n import SOURCE, use_locale
from app.i18n import gettext as _
from app.i18n.errors import explain
from app.i18n.names import shown_name
from app.i18n.sentences import refusal, story
from app.i18n.times import use_zone
from app.jobs.queue import enqueue
from app.matches import queries
from app.matches.pages import MatchPage
from app.matches.previews import is_answer
from app.notifications.choices import Say, choices
from app.notifications.letters import Letter, NotSentError, Picture, message_id, send, sender_of
from app.notifications.reading.quotes import CUT
from app.notifications.replies.addresses import Question, reply_address
from app.notifications.replies.models import IncomingMailRow
from app.notifications.replies.service import ANSWER_DUE
from app.notifications.wishes import wishes_of
from app.rules.game import Seat
from app.rules.registry import LISTINGS

GIVEN_UP_AFTER: Final = timedelta(days=1)
LONGEST_PAUSE: Final = timedelta(hours=1)
MOST_CHOICES: Final = 40

# Other ids are nobody's, or somebody's trick.
_NO_ID: Final = re.compile(r"\A\Z|[\s<>]|=\?")

log = structlog.get_logger("placa.replies")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of a mail, and how its author's match stands now."""

    outcome: str
    code: str
    details: dict[str, Any]
    rule: str
    page: MatchPage
    base: str | None
    can_answer: bool
    pictures: bool = False

    @property
    def url(self) -> str | None:
        """Where the match is, as its reader's seat sees it; None on a host that has no address."""
        page = self.page
        return self.base and f"{self.base}/matches/{page.id}?seat={page.seat}"


@dataclass(frozen=True, slots=True)
class Worded:
    """An answer as a letter has it: its words twice, and what the HTML shows."""

    text: str
    html: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """How the pages put a match into words: what each move does, and an answer as a whole.

    The second is given the answer, its subject and its paragraphs, and adds the position.
    """

    say: Say
    worded: Callable[[Answer, str, Sequence[str]], Awaitable[Worded]]


async def send_answer(
    session: AsyncSession,
    words: Words,
    *,
    key: bytes,
    attempt: int,
    settings: Settings,
    now: datetime,
) -> None:
    """Answer one mail that came in; a mail server that is away is asked again later."""
    row = await session.get(IncomingMailRow, key)
    if row is None or row.answered_at is not None or not settings.sends_mail:
        return
    letter = await _letter(session, words, row, settings)
    if letter is None:
        return
    await talk_elsewhere(session)
    try:
        await send(letter, settings)
    except NotSentError as error:
        log.warning("answer.not_sent", grade=error.grade)
        if error.grade == "later" and now < row.received_at + GIVEN_UP_AFTER:
            pause = min(timedelta(minutes=2**attempt), LONGEST_PAUSE)
            await enqueue(session, ANSWER_DUE, at=now + pause, key=key.hex(), attempt=attempt + 1)
        return
    row.answered_at = now
    await session.flush()


async def _letter(
    session: AsyncSession, words: Words, row: IncomingMailRow, settings: Settings
) -> Letter | None:
    person = await person_by_id(session, row.person_id)
    address = await address_of(session, row.person_id)
    if person is None or address is None or address.usable is None:
        return None
    if row.seat not in await queries.seats_of(session, row.match_id, person.id):
        return None
    page = await queries.match_page(session, match_id=row.match_id, seat=Seat(row.seat))
    wishes = await kept_wishes(session, person=person)
    headers: dict[str, str] = {}
    back = _reply_to(page, settings, row.received_at)
    if back is not None:
        headers["Reply-To"] = back
    if row.answers.isascii() and not _NO_ID.search(row.answers):
        headers["In-Reply-To"] = headers["References"] = f"<{row.answers}>"
    answer = Answer(
        outcome=row.outcome,
        code=row.code,
        details=row.details,
        rule=row.rule,
        page=page,
        base=settings.public_url,
        can_answer=back is not None,
        pictures=(await wishes_of(session, person.id)).picture,
    )
    with use_locale(wishes.locale or SOURCE), use_zone(wishes.time_zone):
        subject = _subject(page)
        worded = await words.worded(answer, subject, told(answer, words.say))
        return Letter(
            to=address.usable,
            subject=subject,
            text=worded.text,
            html=worded.html,
            pictures=worded.pictures,
            message_id=message_id(sender_of(settings), "answer", row.key.hex()),
            at=row.received_at,
            headers=headers,
        )


def _reply_to(page: MatchPage, settings: Settings, now: datetime) -> str | None:
    if page.seat is None or page.prompt is None or page.status != "running":
        return None
    question = Question(page.id, page.seat, page.prompt.key, page.version, page.draft.lines)
    return reply_address(settings, question, now=now)


def _subject(page: MatchPage) -> str:
    names = ", ".join(shown_name(seat.name) for seat in page.seats)
    return _("Re: %(game)s: %(names)s", game=LISTINGS[page.game].name, names=names)


def told(answer: Answer, say: Say) -> Sequence[str]:
    """Return the paragraphs of an answer, in the language being spoken."""
    return [
        CUT + "\n" + _("Write above this line. What stands below it is not read."),
        _happened(answer),
        *_draft(answer),
        *_since(answer),
        *_choices(answer, say),
    ]


def _happened(answer: Answer) -> str:
    match answer.outcome:
        case "played":
            return _("Your mail has been played.")
        case "drafted":
            return _("Your mail has been noted. Nobody sees it before you make it final.")
    if answer.rule:
        why = refusal(answer.page.game, answer.code, answer.details, answer.rule)
    else:
        why = explain(answer.code, answer.details)
    return why + "\n" + _("Nothing was played.")


def _draft(answer: Answer) -> list[str]:
    page = answer.page
    if page.prompt is None or page.answer is not None or not page.draft.lines:
        return []
    shown = [_("Your draft:"), *(f"  {line}" for line in page.draft.lines)]
    if answer.can_answer:
        shown.append(_("Answer with the word commit to make it final."))
        if not is_answer(page.prompt):
            shown.append(_("Answer the first mail of this turn to begin it anew."))
    return ["\n".join(shown)]


def _since(answer: Answer) -> list[str]:
    page = answer.page
    if answer.outcome != "played":
        return []
    names = {seat.seat: shown_name(seat.name) for seat in page.seats}
    stories = [
        story(page.game, one.event, names, me=page.seat, view=page.base_view) for one in page.since
    ]
    lines = [f"* {line}" for line in stories if line]
    return ["\n".join([_("What happened:"), *lines])] if lines else []


def _choices(answer: Answer, say: Say) -> list[str]:
    page = answer.page
    if page.status != "running":
        return [_("The match is over.")]
    if page.prompt is None or page.answer is not None:
        return [_("You will hear when it is your turn again.")]
    offered = choices(page, say)
    if not offered:
        return []
    lines = [
        f"{choice.number:>3}. {_told(choice.words, choice.line)}"
        for choice in offered[:MOST_CHOICES]
    ]
    if len(offered) > MOST_CHOICES:
        lines.append(_("… and more, on the page of the match."))
    return ["\n".join([_("What you can do now:"), *lines])]


def _told(words: str, line: str) -> str:
    return line if words == line else f"{words}  [{line}]"
