"""Sending what is due: look again, make one letter, hand it in, write down what came of it."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeAlias
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.addresses import address_of, pause_address
from app.accounts.channels import Channel, channel_of, pause_channel
from app.accounts.preferences import kept_wishes, time_zones_of
from app.accounts.queries import person_by_id
from app.accounts.values import Person
from app.config import Settings
from app.db.session import talk_elsewhere
from app.errors import NotFoundError
from app.i18n import SOURCE, use_locale
from app.i18n.times import UTC_NAME, use_zone
from app.matches.deadlines import deadline_of
from app.matches.proposals import open_proposals
from app.matches.queries import match_page, people_in, seats_of, waited_for
from app.notifications.channels.outcome import NotSentError
from app.notifications.channels.values import Short
from app.notifications.events import CONSENTS, DECISIONS, RECIPIENTS
from app.notifications.leaving import leave_channel
from app.notifications.letters import Letter, Picture, message_id, reply_address, send, sender_of
from app.notifications.links import stop_token
from app.notifications.outbox import (
    Notice,
    defer,
    put_off,
    reroute,
    settle,
    waiting_for,
    write_settled,
)
from app.notifications.replies.addresses import Question
from app.notifications.timing import NoticeWishes, held, pause
from app.notifications.wishes import muted, wishes_of
from app.rules.game import Seat

log = structlog.get_logger(__name__)

# A mail server that is away is the host's to mend; a service of somebody's own may never come back.
IN_VAIN: Final = timedelta(days=3)
_WEIGHT: Final = {event: number for number, event in enumerate(RECIPIENTS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What one letter is about: to whom, and the notices that are still true, weightiest first.

    `base` is the address players type, `stop` where the mails can be stopped; a host
    that has not said where it is has neither.  `pictures`: the reader wants to see the
    position drawn.
    """

    person: Person
    notices: tuple[Notice, ...]
    now: datetime
    base: str | None
    stop: str | None
    reply_to: str | None
    pictures: bool = False

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
    """What a letter says; `short` is all of it that goes to another channel."""

    subject: str
    text: str
    html: str
    short: Short
    pictures: tuple[Picture, ...] = ()


# Puts an occasion into words, in the language and zone that are set.
Compose: TypeAlias = Callable[[AsyncSession, Occasion], Awaitable[Composed]]


class Road(Protocol):
    """One way to a person: by mail, or by a channel."""

    @property
    def to(self) -> str:
        """What tells it from every other."""
        ...

    @property
    def is_mail(self) -> bool:
        """Whether what goes there can be answered and stopped."""
        ...

    async def send(self, composed: Composed, occasion: Occasion) -> str:
        """Send it and return what was said to that; raises NotSentError."""
        ...

    async def rest(self, session: AsyncSession, why: str, now: datetime) -> None:
        """Send nothing more there until the person says so."""
        ...

    async def forget(self, session: AsyncSession, why: str, now: datetime) -> str:
        """Forget what is not there any more, tell what waits by another road; say what it was."""
        ...


async def send_due(
    session: AsyncSession,
    compose: Compose,
    *,
    person_id: UUID,
    about: UUID,
    now: datetime,
    settings: Settings,
    channel_id: UUID | None = None,
) -> None:
    """Send the person what is due about one match or table, in one letter; daily, about all.

    It goes by mail, or by one of their channels.  What has been done meanwhile is not
    told.  A letter that could not be handed in is tried again later, under the same
    Message-ID.
    """
    wishes = await wishes_of(session, person_id)
    # All of it is read again once the person is ours alone.
    whole = None if wishes.mode == "daily" else about
    waiting = await waiting_for(session, person_id, whole, channel_id)
    if not waiting or all(notice.due_at > now for notice in waiting):
        return
    road = await _road(session, person_id, channel_id, settings)
    person = await person_by_id(session, person_id)
    if road is None or person is None:
        await settle(session, waiting, "obsolete", "no address", now=now)
        return
    current = await still_true(session, person_id, waiting, now=now)
    gone = [notice for notice in waiting if notice not in current]
    await settle(session, gone, "obsolete", "done meanwhile", now=now)
    is_due = any(notice.due_at <= now for notice in current)
    quiet = await _held(session, person, wishes, current, now) if is_due else None
    if quiet is not None:
        await put_off(session, current, until=quiet)
    if not is_due or quiet is not None:
        return
    occasion = await _occasion(session, person, current, now, settings, letter=road.is_mail)
    if road.is_mail:
        occasion = replace(occasion, pictures=wishes.picture)
    try:
        async with session.begin_nested():
            chosen = await kept_wishes(session, person=person)
            with use_locale(chosen.locale or SOURCE), use_zone(chosen.time_zone):
                composed = await compose(session, occasion)
    except Exception:
        log.exception("notice.not_composed", about=str(occasion.lead.about))
        await defer(session, current, "internal", until=_later(occasion, road.to))
        return
    await talk_elsewhere(session)
    try:
        said = await road.send(composed, occasion)
    except NotSentError as error:
        now_there = await _road(session, person_id, channel_id, settings)
        if now_there == road:
            await _not_sent(session, occasion, road, error)
            return
        # A browser has subscribed anew meanwhile, an address has changed: of that nothing was said.
        await defer(session, current, error.said, until=now)
        if now_there is None:
            # Who gave it up could not see to what was on its way.
            await reroute(session, person_id, current, now=now)
        return
    await settle(session, current, "sent", said, now=now, tried=True)
    log.info("notice.sent", person=str(person_id), event_kind=occasion.lead.event)


async def still_true(
    session: AsyncSession, person_id: UUID, notices: Sequence[Notice], *, now: datetime
) -> tuple[Notice, ...]:
    """Return the notices whose reason still stands, the weightiest first.

    Of a decision: that the match waits for this person to take it, and for the very
    one that opened then.  Of a proposal: that it waits for this person's consent.
    """
    silent = await muted(session, person_id)
    true = [
        notice
        for notice in notices
        if notice.about not in silent and await _stands(session, person_id, notice, now)
    ]
    return tuple(sorted(true, key=lambda notice: (_WEIGHT[notice.event], notice.created_at)))


async def _held(
    session: AsyncSession,
    person: Person,
    wishes: NoticeWishes,
    notices: Sequence[Notice],
    now: datetime,
) -> datetime | None:
    """Return until when quiet hours hold the letter back, unless it was asked for or presses."""
    if any(notice.event == "test" for notice in notices):
        return None
    if wishes.mode == "daily" and any(
        notice.due_at <= now and notice.event != "reminder" for notice in notices
    ):
        # What is daily comes at its hour, or as soon as it can.
        return None
    zone = (await time_zones_of(session, [person.id])).get(person.id, UTC_NAME)
    deadlines = list[datetime]()
    for notice in notices:
        if notice.event == "reminder":
            found = await deadline_of(session, notice.about, Seat(notice.seat))
            if found is not None and found.due_at is not None:
                deadlines.append(found.due_at)
    return held(wishes, zone, deadlines, now=now)


async def _stands(session: AsyncSession, person_id: UUID, notice: Notice, now: datetime) -> bool:
    if notice.event in DECISIONS:
        wanted = (notice.seat, person_id, notice.prompt, notice.version)
        waits = await waited_for(session, notice.about)
        return any((one.seat, one.person_id, one.prompt, one.opened) == wanted for one in waits)
    if notice.event == "withdrawn":
        waits = await waited_for(session, notice.about)
        return all(one.person_id != person_id for one in waits)
    if notice.event in CONSENTS:
        open_ = await open_proposals(session, notice.about, now=now)
        seats = await seats_of(session, notice.about, person_id)
        return any(
            (one.kind, one.version) == (notice.event, notice.version)
            and not one.waits_for.isdisjoint(seats)
            for one in open_
        )
    if notice.event in {"started", "over"}:
        return person_id in (await people_in(session, notice.about)).values()
    return True


async def _road(
    session: AsyncSession, person_id: UUID, channel_id: UUID | None, settings: Settings
) -> Road | None:
    """Return the way by which something is to go; None if it leads nowhere any more."""
    if channel_id is None:
        address = await address_of(session, person_id)
        to = address.usable if address else None
        return None if to is None or not settings.sends_mail else _ByMail(to, person_id, settings)
    try:
        channel = await channel_of(session, person_id, channel_id)
    except NotFoundError:
        # Its notices are forgotten with it.
        return None
    return None if channel.refused_at is not None else _ByChannel(channel, settings)


async def _occasion(
    session: AsyncSession,
    person: Person,
    notices: tuple[Notice, ...],
    now: datetime,
    settings: Settings,
    *,
    letter: bool,
) -> Occasion:
    base = settings.public_url
    if not letter:
        return Occasion(
            person=person, notices=notices, now=now, base=base, stop=None, reply_to=None
        )
    stop = None
    if base is not None and settings.secret_key is not None:
        stop = f"{base}/notices/stop/{stop_token(settings.secret_key, person.id)}"
    # Read before the letter is written: should the match move on in between, the
    # address is the older of the two, and refuses.
    # One about several matches lists no choices, and which of them is meant nobody could tell.
    alone = len({notice.about for notice in notices}) == 1
    reply_to = await _reply_to(session, notices[0], now, settings) if alone else None
    return Occasion(
        person=person, notices=notices, now=now, base=base, stop=stop, reply_to=reply_to
    )


async def _reply_to(
    session: AsyncSession, lead: Notice, now: datetime, settings: Settings
) -> str | None:
    if lead.event not in DECISIONS or settings.reply_address is None:
        return None
    page = await match_page(session, match_id=lead.about, seat=Seat(lead.seat))
    if page.prompt is None:
        return None
    deadline = await deadline_of(session, lead.about, Seat(lead.seat))
    question = Question(page.id, lead.seat, page.prompt.key, page.version, page.draft.lines)
    expires = deadline.due_at if deadline is not None else None
    return reply_address(settings, question, now=now, expires=expires)


@dataclass(frozen=True, slots=True)
class _ByMail:
    to: str
    person_id: UUID
    settings: Settings
    is_mail: bool = True

    async def send(self, composed: Composed, occasion: Occasion) -> str:
        sender, lead = sender_of(self.settings), occasion.lead
        thread = message_id(sender, "about", lead.about, self.person_id)
        headers = {"References": thread, "In-Reply-To": thread}
        if occasion.stop is not None:
            headers["List-Unsubscribe"] = f"<{occasion.stop}>"
            headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        if occasion.reply_to is not None:
            headers["Reply-To"] = occasion.reply_to
        letter = Letter(
            to=self.to,
            subject=composed.subject,
            text=composed.text,
            html=composed.html,
            pictures=composed.pictures,
            headers=headers,
            message_id=message_id(sender, *_named(occasion)),
            at=occasion.now,
        )
        return await send(letter, self.settings)

    async def rest(self, session: AsyncSession, why: str, now: datetime) -> None:
        await pause_address(session, person_id=self.person_id, address=self.to, why=why, now=now)

    async def forget(self, session: AsyncSession, why: str, now: datetime) -> str:
        # An address is its person's to take back.
        await self.rest(session, why, now)
        return why


@dataclass(frozen=True, slots=True)
class _ByChannel:
    channel: Channel
    settings: Settings
    is_mail: bool = False

    @property
    def to(self) -> str:
        return str(self.channel.id)

    async def send(self, composed: Composed, occasion: Occasion) -> str:
        # A worker that sends mail alone has no use for it.
        from app.notifications.channels.services import tell  # noqa: PLC0415 - see above

        named = "\0".join(map(str, (self.channel.id, *_named(occasion))))
        short = replace(
            composed.short,
            id=hashlib.sha256(named.encode()).hexdigest()[:32],
            thread=self._thread(occasion),
            urgent=occasion.lead.event == "reminder",
            at=occasion.now,
        )
        return await tell(self.channel, short, self.settings)

    async def rest(self, session: AsyncSession, why: str, now: datetime) -> None:
        await pause_channel(session, channel_id=self.channel.id, why=why, now=now)

    async def forget(self, session: AsyncSession, why: str, now: datetime) -> str:
        person_id, channel_id = self.channel.person_id, self.channel.id
        await leave_channel(session, person_id=person_id, channel_id=channel_id, now=now)
        return f"{why.partition(' ')[0]} {self.channel.label}"

    def _thread(self, occasion: Occasion) -> str:
        """Return what all about one match has in common, and news of several by themselves."""
        matches = {notice.about for notice in occasion.notices}
        about = occasion.lead.about if len(matches) == 1 else occasion.person.id
        named = b"thread\0" + self.channel.id.bytes + about.bytes
        mark = hmac.digest((self.settings.secret_key or "").encode(), named, "sha256")[:24]
        return urlsafe_b64encode(mark).decode()


def _named(occasion: Occasion) -> tuple[object, ...]:
    """Return what tells this letter from every other, whenever it is sent."""
    lead = occasion.lead
    decision = (lead.seat, lead.prompt, lead.version, lead.point)
    return (lead.event, occasion.person.id, lead.about, *decision)


async def _not_sent(
    session: AsyncSession, occasion: Occasion, road: Road, error: NotSentError
) -> None:
    person_id, now = occasion.person.id, occasion.now
    log.warning("notice.not_sent", person=str(person_id), grade=error.grade, unknown=error.unknown)
    if error.grade == "gone":
        # The notices that went there are forgotten with it: this stays in the person's log.
        said = await road.forget(session, error.said, now)
        await write_settled(session, person_id, occasion.lead.event, "failed", said, now=now)
        return
    rests = error.grade == "address" or (not road.is_mail and _in_vain(occasion))
    if rests:
        await road.rest(session, error.said, now)
    if rests or error.grade == "notice":
        await settle(session, occasion.notices, "failed", error.said, now=now, tried=True)
        if rests:
            await reroute(session, person_id, occasion.notices, now=now)
        return
    await defer(session, occasion.notices, error.said, until=_later(occasion, road.to))


def _in_vain(occasion: Occasion) -> bool:
    """Whether it was tried for so long that nobody thinks any more of a service that is away."""
    return min(notice.created_at for notice in occasion.notices) <= occasion.now - IN_VAIN


def _later(occasion: Occasion, to: str) -> datetime:
    """Return when to try again: those who wait are spread by where it goes, and anew each time."""
    attempts = max(notice.attempts for notice in occasion.notices) + 1
    mark = hashlib.sha256(f"{to} {occasion.now.isoformat()}".encode()).digest()
    return occasion.now + pause(attempts, int.from_bytes(mark[:4], "big") / 0xFFFFFFFF)
