"""The outbox: what people are to be told, written down before anything is sent.

The caller owns the transaction: nothing here commits.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, cast
from uuid import UUID

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.ids import new_id
from app.jobs.queue import enqueue
from app.matches.deadlines import Deadline
from app.matches.queries import waited_for
from app.notifications.events import DECISIONS, Cast, Event, recipients
from app.notifications.timing import Mode, NoticeWishes, Road, due, reminder

LETTER_DUE: Final = "notifications.letter_due"
KEPT: Final = timedelta(days=30)
LOG_LINES: Final = 30
NO_SEAT: Final = -1
LONGEST_SAID: Final = 300

# Whom something can reach: an address that is theirs and takes mail, or another channel;
# and no wish to hear nothing.
_REACHABLE = text("""
    select p.id, coalesce(p.time_zone, 'UTC') as zone,
      w.mode, w.delay_minutes, w.daily_at, w.quiet_from, w.quiet_until, w.remind_hours,
      w.turn_by, w.reminder_by, w.other_by, w.picture, a.person_id is not null as by_mail,
      array(select c.id from channels c
        where c.person_id = p.id and c.refused_at is null order by c.id) as channels
    from people p
    left join addresses a
      on a.person_id = p.id and a.address is not null and a.refused_at is null
    left join notice_wishes w on w.person_id = p.id
    where p.id = any(cast(:people as uuid[])) and p.kind <> 'deleted'
      and not exists (select from notice_mutes m
        where m.person_id = p.id and m.match_id = :about)
""")

_NOTE = text("""
    insert into notices (id, person_id, event, about, actor, seat, prompt, version, point,
      channel_id, created_at, due_at)
    values (:id, :person, :event, :about, :actor, :seat, :prompt, :version, :point,
      :channel, :now, :due)
    on conflict do nothing
""")

# Whatever is due is one letter to a person about one match by each road; of each, one job
# at a time.
_DUE = text("""
    select distinct n.person_id, n.about, n.channel_id from notices n
    where n.status = 'waiting' and n.due_at <= :now
      and not exists (select from procrastinate_jobs j
        where j.task_name = :task and j.status in ('todo', 'doing')
          and j.args->>'person_id' = n.person_id::text and j.args->>'about' = n.about::text
          and j.args->>'channel_id' is not distinct from n.channel_id::text)
    limit 500
""")

_WAITING = text("""
    select id, event, about, actor, seat, prompt, version, point, created_at, due_at, attempts
    from notices where person_id = :person and status = 'waiting'
      and channel_id is not distinct from cast(:channel as uuid)
      and (cast(:about as uuid) is null or about = :about)
    order by created_at, id
""")

# Each thing once, whatever the roads by which it waits.
_WAITING_AT_ALL = text("""
    select distinct on (event, about, seat, version, point)
      id, event, about, actor, seat, prompt, version, point, created_at, due_at, attempts
    from notices where person_id = :person and status = 'waiting'
    order by event, about, seat, version, point, due_at
""")

# Two workers never write to one person by one road at once: each would send what is waiting.
_ALONE = text("select pg_try_advisory_xact_lock(hashtextextended(:road, 7064352267))")

_SETTLE = text("""
    update notices set status = :status, settled_at = :now, said = :said,
      attempts = attempts + :tried
    where id = any(cast(:ids as uuid[]))
""")

_DEFER = text("""
    update notices set due_at = :due, said = :said, attempts = attempts + 1
    where id = any(cast(:ids as uuid[]))
""")

_PUT_OFF = text("""
    update notices set due_at = greatest(due_at, :due) where id = any(cast(:ids as uuid[]))
""")

_LOG = text("""
    select n.id, n.event, n.about, n.created_at, n.due_at, n.status, n.attempts, n.settled_at,
      n.said, n.channel_id
    from notices n where n.person_id = :person order by n.created_at desc, n.id desc limit :most
""")

_SETTLED = text("""
    insert into notices (id, person_id, event, about, seat, prompt, version, created_at, due_at,
      status, attempts, settled_at, said)
    values (:id, :person, :event, :person, :seat, '', :number, :now, :now,
      :status, 1, :now, :said)
    on conflict do nothing
""")

# To whom it was said that they have to decide something that opened in turns taken back.
_TOLD = text("""
    select distinct person_id from notices
    where about = :match and event = any(:decisions) and status = 'sent' and version > :undone_to
      and version < :undone_at
""")

_FORGET = text("delete from notices where settled_at < :before")
_DROP = text("""
    update notices set status = 'obsolete', settled_at = :now, said = 'dropped'
    where status = 'waiting' returning id
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One thing a person is to be told."""

    id: UUID
    event: Event
    about: UUID
    actor: UUID | None
    seat: int
    prompt: str
    version: int
    created_at: datetime
    due_at: datetime
    attempts: int
    point: int = 0


@dataclass(frozen=True, slots=True)
class LogLine:
    """What became of a notice, as its person reads it."""

    event: Event
    about: UUID
    created_at: datetime
    due_at: datetime
    status: str
    attempts: int
    settled_at: datetime | None
    said: str | None
    channel_id: UUID | None


@dataclass(frozen=True, slots=True)
class Reachable:
    """Somebody who can be told, when they want it, and by which roads they can be."""

    zone: str
    wishes: NoticeWishes
    by_mail: bool
    channels: tuple[UUID, ...]

    def roads(self, event: Event) -> tuple[UUID | None, ...]:
        """Return by which channels `event` is told; None is mail.

        Where the road they have chosen does not lead to them, by the other one.
        """
        if event in {"turn", "withdrawn"}:
            chosen = self.wishes.turn_by
        else:
            chosen = self.wishes.reminder_by if event == "reminder" else self.wishes.other_by
        mail: tuple[UUID | None, ...] = (None,) if self.by_mail else ()
        if chosen == "mail":
            return mail or self.channels
        return self.channels or mail if chosen == "channel" else (*mail, *self.channels)


async def note(
    session: AsyncSession,
    event: Event,
    people: Cast,
    *,
    about: UUID,
    now: datetime,
    seat: int = NO_SEAT,
    prompt: str = "",
    version: int = 0,
) -> None:
    """Write down that everybody whom `event` concerns is to be told, once.

    Nothing is written for whoever cannot be reached or does not want to be.
    """
    told = recipients(event, people)
    what = {"event": event, "about": about, "actor": people.actor, "seat": seat}
    which = {"prompt": prompt, "version": version, "point": 0}
    for person_id, found in sorted((await reachable(session, told, about)).items()):
        at = due(found.wishes, found.zone, now)
        if at is not None:
            roads = found.roads(event)
            await _write(session, person_id, {**what, **which}, roads, now=now, at=at)


async def note_test(
    session: AsyncSession, person_id: UUID, channel_id: UUID | None, *, now: datetime
) -> None:
    """Write down that the person wants to see whether mail, or a channel, reaches them."""
    found = (await reachable(session, [person_id], person_id)).get(person_id)
    if found is None or channel_id not in {*found.channels, *([None] if found.by_mail else [])}:
        return
    what = {"event": "test", "about": person_id, "actor": person_id, "seat": NO_SEAT}
    which = {"prompt": "", "version": number_of(now), "point": 0}
    await _write(session, person_id, {**what, **which}, (channel_id,), now=now, at=now)


async def remind(session: AsyncSession, deadline: Deadline, *, now: datetime) -> None:
    """Write down that whoever has until `deadline` is to be reminded, if a point has come.

    Once for each point; of those that have passed together, for the last.
    """
    for one in await waited_for(session, deadline.match_id):
        if (one.seat, one.prompt) != (deadline.seat, deadline.prompt) or not deadline.due_at:
            continue
        people = recipients("reminder", Cast(asked=frozenset({one.person_id})))
        for person_id, found in (await reachable(session, people, deadline.match_id)).items():
            point = reminder(
                found.wishes,
                found.zone,
                opened=deadline.opened_at,
                deadline=deadline.due_at,
                now=now,
            )
            if point is not None:
                what = {"event": "reminder", "about": deadline.match_id, "actor": None}
                which = {"seat": one.seat, "prompt": one.prompt, "version": one.opened}
                values = {**what, **which, "point": point[0]}
                roads = found.roads("reminder")
                await _write(session, person_id, values, roads, now=now, at=point[1])


async def reroute(
    session: AsyncSession, person_id: UUID, notices: Iterable[Notice], *, now: datetime
) -> None:
    """Write `notices`, whose road there is no more, down for those by which they are told now.

    Nothing is told twice by one road, and nobody wants to see whether another one works.
    """
    for notice in notices:
        found = (await reachable(session, [person_id], notice.about)).get(person_id)
        if found is None or notice.event == "test":
            continue
        what = {"event": notice.event, "about": notice.about, "actor": notice.actor}
        which = {"seat": notice.seat, "prompt": notice.prompt, "version": notice.version}
        values = {**what, **which, "point": notice.point}
        roads = found.roads(notice.event)
        await _write(session, person_id, values, roads, now=now, at=max(notice.due_at, now))


async def _write(
    session: AsyncSession,
    person_id: UUID,
    values: Mapping[str, Any],
    roads: Iterable[UUID | None],
    *,
    now: datetime,
    at: datetime,
) -> None:
    for channel_id in roads:
        where = {"id": new_id(), "person": person_id, "channel": channel_id}
        await session.execute(_NOTE, {**where, **values, "now": now, "due": at})


async def reachable(
    session: AsyncSession, people: Collection[UUID], about: UUID
) -> Mapping[UUID, Reachable]:
    """Return those of `people` who can be told about the match or table."""
    if not people:
        return {}
    found = await session.execute(_REACHABLE, {"people": list(people), "about": about})
    return {
        row.id: Reachable(row.zone, wishes_in(row), row.by_mail, tuple(row.channels))
        for row in found
        if row.by_mail or row.channels
    }


def wishes_in(row: Any) -> NoticeWishes:
    """Return the wishes of a row, or what holds until somebody chooses."""
    if row.mode is None:
        return NoticeWishes()
    return NoticeWishes(
        cast(Mode, row.mode),
        row.delay_minutes,
        row.daily_at,
        row.quiet_from,
        row.quiet_until,
        tuple(row.remind_hours),
        cast(Road, row.turn_by),
        cast(Road, row.reminder_by),
        cast(Road, row.other_by),
        row.picture,
    )


async def queue_due(session: AsyncSession, *, now: datetime) -> None:
    """Queue one job for each letter that is due and has none."""
    found = await session.execute(_DUE, {"now": now, "task": LETTER_DUE})
    for person_id, about, channel_id in found.all():
        what: dict[str, Any] = {"person_id": str(person_id), "about": str(about)}
        if channel_id is not None:
            what["channel_id"] = str(channel_id)
        await enqueue(session, LETTER_DUE, **what)


async def told_to_decide(
    session: AsyncSession, match_id: UUID, *, undone_to: int, undone_at: int
) -> frozenset[UUID]:
    """Return whom something was sent about a decision that opened between two versions."""
    between = {"undone_to": undone_to, "undone_at": undone_at}
    where = {"match": match_id, **between, "decisions": sorted(DECISIONS)}
    return frozenset(await session.scalars(_TOLD, where))


async def waiting_for(
    session: AsyncSession, person_id: UUID, about: UUID | None, channel_id: UUID | None = None
) -> tuple[Notice, ...] | None:
    """Return what waits to be told to the person by mail or a channel; about one match, or all.

    None: another worker is at it.  Until the transaction ends, no other is.
    """
    road = str(person_id) if channel_id is None else f"{person_id} {channel_id}"
    if not await session.scalar(_ALONE, {"road": road}):
        return None
    where = {"person": person_id, "about": about, "channel": channel_id}
    return await _notices(session, _WAITING, where)


async def waiting_at_all(session: AsyncSession, person_id: UUID) -> tuple[Notice, ...]:
    """Return what waits to be told to the person by any road."""
    return await _notices(session, _WAITING_AT_ALL, {"person": person_id})


async def _notices(
    session: AsyncSession, query: TextClause, where: Mapping[str, Any]
) -> tuple[Notice, ...]:
    found = await session.execute(query, where)
    return tuple(Notice(**row._mapping) for row in found)  # noqa: SLF001 - documented by SQLAlchemy


async def settle(
    session: AsyncSession,
    notices: Iterable[Notice],
    status: str,
    said: str,
    *,
    now: datetime,
    tried: bool = False,
) -> None:
    """Write down what became of `notices`: sent, obsolete or failed, and the reason."""
    ids = [notice.id for notice in notices]
    if ids:
        what = {"status": status, "said": said[:LONGEST_SAID], "now": now, "tried": int(tried)}
        await session.execute(_SETTLE, {"ids": ids, **what})


async def defer(
    session: AsyncSession, notices: Sequence[Notice], said: str, *, until: datetime
) -> None:
    """Try again later."""
    ids = [notice.id for notice in notices]
    await session.execute(_DEFER, {"ids": ids, "said": said[:LONGEST_SAID], "due": until})


async def put_off(session: AsyncSession, notices: Sequence[Notice], *, until: datetime) -> None:
    """Let it wait, though nothing has gone wrong."""
    ids = [notice.id for notice in notices]
    await session.execute(_PUT_OFF, {"ids": ids, "due": until})


async def write_settled(
    session: AsyncSession, person_id: UUID, event: Event, status: str, said: str, *, now: datetime
) -> None:
    """Put into the person's log what was sent without waiting in the outbox."""
    await session.execute(
        _SETTLED,
        {
            "id": new_id(),
            "person": person_id,
            "event": event,
            "seat": NO_SEAT,
            "number": number_of(now),
            "now": now,
            "status": status,
            "said": said[:LONGEST_SAID],
        },
    )


def number_of(moment: datetime) -> int:
    """Return what tells two things apart that happen to one person again and again."""
    return int(moment.timestamp()) % (1 << 31)


async def delivery_log(session: AsyncSession, person_id: UUID) -> tuple[LogLine, ...]:
    """Return what the person was told lately, or was not and why, the latest first."""
    found = await session.execute(_LOG, {"person": person_id, "most": LOG_LINES})
    return tuple(
        LogLine(
            cast(Event, row.event),
            row.about,
            row.created_at,
            row.due_at,
            row.status,
            row.attempts,
            row.settled_at,
            row.said,
            row.channel_id,
        )
        for row in found
    )


async def forget_old(session: AsyncSession, *, now: datetime) -> None:
    """Forget what was settled a month ago."""
    await session.execute(_FORGET, {"before": now - KEPT})


async def drop_waiting(session: AsyncSession, *, now: datetime) -> int:
    """Send nothing of what waits, and return how much that was."""
    return len((await session.execute(_DROP, {"now": now})).all())
