"""What people have chosen about notices; the caller owns the transaction."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.preferences import time_zones_of
from app.errors import InvalidError
from app.notifications.models import NoticeMuteRow, NoticeRow, NoticeWishRow
from app.notifications.outbox import wishes_in
from app.notifications.timing import DAY_MINUTES, DELAYS, NoticeWishes, due

# At how many hours before a deadline one can be reminded.
REMINDERS: Final = (48, 24, 12, 6, 2)
MODES: Final = ("immediate", "coalesced", "daily", "off")
ROADS: Final = frozenset({"mail", "channel", "both"})

_MUTED = text("""
    select match_id from notice_mutes where person_id = :person
""")
_UNMUTE = text("delete from notice_mutes where person_id = :person and match_id = :match")
_SILENCE = text("""
    update notices set status = 'obsolete', settled_at = :now, said = 'off'
    where person_id = :person and status = 'waiting'
      and (cast(:about as uuid) is null or about = :about)
""")


@dataclass(frozen=True, slots=True)
class KeptWishes:
    """What somebody has chosen; `wishes` None: nothing yet."""

    wishes: NoticeWishes | None
    muted: frozenset[UUID]


async def wishes_of(session: AsyncSession, person_id: UUID) -> NoticeWishes:
    """Return when the person wants to be told."""
    row = (
        await session.execute(
            select(
                NoticeWishRow.mode,
                NoticeWishRow.delay_minutes,
                NoticeWishRow.daily_at,
                NoticeWishRow.quiet_from,
                NoticeWishRow.quiet_until,
                NoticeWishRow.remind_hours,
                NoticeWishRow.turn_by,
                NoticeWishRow.reminder_by,
                NoticeWishRow.other_by,
                NoticeWishRow.picture,
            ).where(NoticeWishRow.person_id == person_id)
        )
    ).one_or_none()
    return NoticeWishes() if row is None else wishes_in(row)


async def keep_notice_wishes(
    session: AsyncSession, *, person_id: UUID, wishes: NoticeWishes, now: datetime
) -> None:
    """Tell the person so from now on, also of what waits.  Raises InvalidError `notices.…`."""
    times = [wishes.daily_at, wishes.quiet_from or 0, wishes.quiet_until or 0]
    if wishes.mode not in MODES or not all(0 <= minute < DAY_MINUTES for minute in times):
        raise InvalidError("notices.bad_time")
    if wishes.delay_minutes not in DELAYS:
        raise InvalidError("notices.bad_delay", least=DELAYS[0], most=DELAYS[-1])
    if not set(wishes.remind_hours) <= set(REMINDERS):
        raise InvalidError("notices.bad_time")
    if not {wishes.turn_by, wishes.reminder_by, wishes.other_by} <= ROADS:
        raise InvalidError("notices.bad_time")
    if (wishes.quiet_from is None) != (wishes.quiet_until is None):
        raise InvalidError("notices.half_quiet")
    values = {
        "mode": wishes.mode,
        "delay_minutes": wishes.delay_minutes,
        "daily_at": wishes.daily_at,
        "quiet_from": wishes.quiet_from,
        "quiet_until": wishes.quiet_until,
        "remind_hours": sorted(set(wishes.remind_hours), reverse=True),
        "turn_by": wishes.turn_by,
        "reminder_by": wishes.reminder_by,
        "other_by": wishes.other_by,
        "picture": wishes.picture,
    }
    await session.execute(
        upsert(NoticeWishRow)
        .values(person_id=person_id, **values)
        .on_conflict_do_update(index_elements=["person_id"], set_=values)
    )
    await _reschedule(session, person_id, wishes, now)


async def mute(session: AsyncSession, *, person_id: UUID, match_id: UUID, now: datetime) -> None:
    """Tell the person nothing more about one match."""
    await session.execute(
        upsert(NoticeMuteRow)
        .values(person_id=person_id, match_id=match_id)
        .on_conflict_do_nothing()
    )
    await session.execute(_SILENCE, {"person": person_id, "about": match_id, "now": now})


async def unmute(session: AsyncSession, *, person_id: UUID, match_id: UUID) -> None:
    """Tell the person about the match again."""
    await session.execute(_UNMUTE, {"person": person_id, "match": match_id})


async def wishes_kept(session: AsyncSession, person_id: UUID) -> KeptWishes:
    """Return what the person has chosen about notices."""
    chosen = await session.get(NoticeWishRow, person_id) is not None
    wishes = await wishes_of(session, person_id) if chosen else None
    return KeptWishes(wishes, await muted(session, person_id))


async def take_up_wishes(
    session: AsyncSession, person_id: UUID, kept: KeptWishes, *, now: datetime
) -> None:
    """Let the person wish what somebody did whom they have become, unless they have chosen."""
    own = await wishes_kept(session, person_id)
    if kept.wishes is not None and own.wishes is None:
        await keep_notice_wishes(session, person_id=person_id, wishes=kept.wishes, now=now)
    for match_id in sorted(kept.muted):
        await mute(session, person_id=person_id, match_id=match_id, now=now)


async def muted(session: AsyncSession, person_id: UUID) -> frozenset[UUID]:
    """Return the matches the person wants to hear nothing of."""
    return frozenset(await session.scalars(_MUTED, {"person": person_id}))


async def _reschedule(
    session: AsyncSession, person_id: UUID, wishes: NoticeWishes, now: datetime
) -> None:
    """Tell of what waits when it would have been told by these wishes."""
    if wishes.mode == "off":
        await session.execute(_SILENCE, {"person": person_id, "about": None, "now": now})
        return
    zone = (await time_zones_of(session, [person_id])).get(person_id, "UTC")
    waiting = await session.scalars(
        select(NoticeRow).where(NoticeRow.person_id == person_id, NoticeRow.status == "waiting")
    )
    for row in waiting:
        if row.event == "reminder":
            continue
        row.due_at = due(wishes, zone, max(row.created_at, now)) or row.due_at
    await session.flush()
