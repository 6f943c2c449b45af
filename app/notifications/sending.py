"""Sending what is due: look again, make one letter, hand it in, write down what came of it."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.addresses import address_of, pause_address
from app.accounts.preferences import kept_wishes
from app.accounts.queries import person_by_id
from app.accounts.values import Person
from app.config import Settings
from app.i18n import SOURCE, use_locale
from app.i18n.times import use_zone
from app.matches.deadlines import deadline_of
from app.matches.queries import match_page, people_in, waited_for
from app.notifications.channels.mail import NotSentError
from app.notifications.events import RECIPIENTS
from app.notifications.letters import Letter, message_id, reply_address, send, sender_of
from app.notifications.links import stop_token
from app.notifications.outbox import Notice, defer, settle, waiting_for
from app.notifications.replies.addresses import Question
from app.notifications.timing import pause
from app.notifications.wishes import muted, wishes_of
from app.rules.game import Seat

log = structlog.get_logger(__name__)

_WEIGHT: Final = {event: number for number, event in enumerate(RECIPIENTS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What one letter is about: to whom, and the notices that are still true, weightiest first.

    `base` is the address players type, `stop` where the mails can be stopped; a host
    that has not said where it is has neither.
    """

    person: Person
    notices: tuple[Notice, ...]
    now: datetime
    base: str | None
    stop: str | None
    reply_to: str | None

    @property
    def replies(self) -> bool:
        """Whether the letter can be answered."""
        return self.reply_to is not None

    @property
    def lead(self) -> Notice:
        """What the letter is mainly about."""
        return self.notices[0]


@dataclass(frozen=True, slots=True)
class Composed:
    """What a letter says."""

    subject: str
    text: str
    html: str


# Puts an occasion into words, in the language and zone that are set.
Compose: TypeAlias = Callable[[AsyncSession, Occasion], Awaitable[Composed]]


async def send_due(
    session: AsyncSession,
    compose: Compose,
    *,
    person_id: UUID,
    about: UUID,
    now: datetime,
    settings: Settings,
) -> None:
    """Send the person what is due about one match or table, in one letter; daily, about all.

    What has been done meanwhile is not told.  A letter that could not be handed in
    is tried again later, under the same Message-ID.
    """
    wishes = await wishes_of(session, person_id)
    # All of it is read again once the person is ours alone.
    waiting = await waiting_for(session, person_id, None if wishes.mode == "daily" else about)
    if not waiting or all(notice.due_at > now for notice in waiting):
        return
    address = await address_of(session, person_id)
    to = address.usable if address else None
    person = await person_by_id(session, person_id)
    if to is None or person is None or not settings.sends_mail:
        await settle(session, waiting, "obsolete", "no address", now=now)
        return
    current = await still_true(session, person_id, waiting)
    gone = [notice for notice in waiting if notice not in current]
    await settle(session, gone, "obsolete", "done meanwhile", now=now)
    if not any(notice.due_at <= now for notice in current):
        return
    occasion = await _occasion(session, person, current, now, settings)
    try:
        async with session.begin_nested():
            letter = await _letter(session, compose, occasion, to, settings)
    except Exception:
        log.exception("notice.not_composed", about=str(occasion.lead.about))
        await defer(session, current, "internal", until=_later(occasion, to))
        return
    try:
        said = await send(letter, settings)
    except NotSentError as error:
        await _not_sent(session, occasion, to, error)
        return
    await settle(session, current, "sent", said, now=now, tried=True)
    log.info("notice.sent", person=str(person_id), event_kind=occasion.lead.event)


async def still_true(
    session: AsyncSession, person_id: UUID, notices: Sequence[Notice]
) -> tuple[Notice, ...]:
    """Return the notices whose reason still stands, the weightiest first.

    Of a decision: that the match waits for this person to take it, and for the very
    one that opened then.
    """
    silent = await muted(session, person_id)
    true = []
    for notice in notices:
        if notice.event in {"turn", "reminder"}:
            waits = await waited_for(session, notice.about)
            stands = any(
                (one.seat, one.person_id, one.prompt, one.opened)
                == (notice.seat, person_id, notice.prompt, notice.version)
                for one in waits
            )
        elif notice.event in {"started", "over"}:
            stands = person_id in (await people_in(session, notice.about)).values()
        else:
            stands = True
        if stands and notice.about not in silent:
            true.append(notice)
    return tuple(sorted(true, key=lambda notice: (_WEIGHT[notice.event], notice.created_at)))


async def _occasion(
    session: AsyncSession,
    person: Person,
    notices: tuple[Notice, ...],
    now: datetime,
    settings: Settings,
) -> Occasion:
    base = settings.public_url
    stop = None
    if base is not None and settings.secret_key is not None:
        stop = f"{base}/notices/stop/{stop_token(settings.secret_key, person.id)}"
    # Read before the letter is written: should the match move on in between, the
    # address is the older of the two, and refuses.
    reply_to = await _reply_to(session, notices[0], now, settings)
    return Occasion(
        person=person, notices=notices, now=now, base=base, stop=stop, reply_to=reply_to
    )


async def _reply_to(
    session: AsyncSession, lead: Notice, now: datetime, settings: Settings
) -> str | None:
    if lead.event not in {"turn", "reminder"} or settings.reply_address is None:
        return None
    page = await match_page(session, match_id=lead.about, seat=Seat(lead.seat))
    if page.prompt is None:
        return None
    deadline = await deadline_of(session, lead.about, Seat(lead.seat))
    question = Question(page.id, lead.seat, page.prompt.key, page.version, page.draft.lines)
    expires = deadline.due_at if deadline is not None else None
    return reply_address(settings, question, now=now, expires=expires)


async def _letter(
    session: AsyncSession, compose: Compose, occasion: Occasion, to: str, settings: Settings
) -> Letter:
    person, lead = occasion.person, occasion.lead
    chosen = await kept_wishes(session, person=person)
    with use_locale(chosen.locale or SOURCE), use_zone(chosen.time_zone):
        composed = await compose(session, occasion)
    sender = sender_of(settings)
    thread = message_id(sender, "about", lead.about, person.id)
    headers = {"References": thread, "In-Reply-To": thread}
    if occasion.stop is not None:
        headers["List-Unsubscribe"] = f"<{occasion.stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if occasion.reply_to is not None:
        headers["Reply-To"] = occasion.reply_to
    return Letter(
        to=to,
        subject=composed.subject,
        text=composed.text,
        html=composed.html,
        headers=headers,
        message_id=message_id(
            sender,
            lead.event,
            person.id,
            lead.about,
            lead.seat,
            lead.prompt,
            lead.version,
            lead.point,
        ),
        at=occasion.now,
    )


async def _not_sent(
    session: AsyncSession, occasion: Occasion, to: str, error: NotSentError
) -> None:
    person_id, now = occasion.person.id, occasion.now
    log.warning("notice.not_sent", person=str(person_id), grade=error.grade, unknown=error.unknown)
    if error.grade == "address":
        await pause_address(session, person_id=person_id, address=to, why=error.said, now=now)
        await settle(session, occasion.notices, "failed", error.said, now=now, tried=True)
        return
    await defer(session, occasion.notices, error.said, until=_later(occasion, to))


def _later(occasion: Occasion, to: str) -> datetime:
    """Return when to try again: those who wait are spread by their address, and anew each time."""
    attempts = max(notice.attempts for notice in occasion.notices) + 1
    mark = hashlib.sha256(f"{to} {occasion.now.isoformat()}".encode()).digest()
    return occasion.now + pause(attempts, int.from_bytes(mark[:4], "big") / 0xFFFFFFFF)
