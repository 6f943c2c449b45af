"""When people are away.

An absence cannot begin in the past, and what of one has passed stays: nobody
wins back time that ran.  How much of it counts is each table's business.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import AbsenceRow
from app.accounts.values import Person
from app.errors import ConflictError, InvalidError, NotFoundError
from app.ids import new_id

Times = tuple[datetime, datetime]

MOST_AHEAD: Final = 20
LONGEST_DAYS: Final = 90
FURTHEST_DAYS: Final = 730


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is away from `starts_at` until `ends_at`."""

    id: UUID
    starts_at: datetime
    ends_at: datetime


async def file_absence(
    session: AsyncSession, *, person: Person, first: date, last: date, zone: str, now: datetime
) -> Absence:
    """Let the person be away from `first` to `last`, whole days in `zone`; today begins now.

    Raises InvalidError `absence.backwards`, `absence.past`, `absence.too_long` or
    `absence.too_far`, and ConflictError `absence.too_many`.
    """
    if last < first:
        raise InvalidError("absence.backwards")
    if (last - first).days >= LONGEST_DAYS:
        raise InvalidError("absence.too_long", max=LONGEST_DAYS)
    today = now.astimezone(ZoneInfo(zone)).date()
    if first < today:
        raise InvalidError("absence.past")
    if (last - today).days > FURTHEST_DAYS:
        raise InvalidError("absence.too_far")
    if len(await absences_ahead(session, person_id=person.id, now=now)) >= MOST_AHEAD:
        raise ConflictError("absence.too_many", max=MOST_AHEAD)
    row = AbsenceRow(
        id=new_id(),
        person_id=person.id,
        starts_at=max(_midnight(zone, first), now),
        ends_at=_midnight(zone, last + timedelta(days=1)),
    )
    session.add(row)
    await session.flush()
    return Absence(row.id, row.starts_at, row.ends_at)


async def end_absence(
    session: AsyncSession, *, person: Person, absence_id: UUID, now: datetime
) -> None:
    """Let the person be back: an absence ahead is gone, one that goes on ends now.

    Raises NotFoundError, also for one that is over.
    """
    row = await session.get(AbsenceRow, absence_id, with_for_update=True)
    if row is None or row.person_id != person.id or row.ends_at <= now:
        raise NotFoundError
    if row.starts_at >= now:
        await session.delete(row)
    else:
        row.ends_at = now
    await session.flush()


async def move_absences(session: AsyncSession, *, old: UUID, new: UUID) -> None:
    """Let `new` be away whenever `old` is, or was."""
    await session.execute(
        update(AbsenceRow).where(AbsenceRow.person_id == old).values(person_id=new)
    )


async def absences_ahead(
    session: AsyncSession, *, person_id: UUID, now: datetime
) -> tuple[Absence, ...]:
    """Return the person's absences that are not over, the nearest first."""
    rows = await session.scalars(
        select(AbsenceRow)
        .where(AbsenceRow.person_id == person_id, AbsenceRow.ends_at > now)
        .order_by(AbsenceRow.starts_at, AbsenceRow.id)
    )
    return tuple(Absence(row.id, row.starts_at, row.ends_at) for row in rows)


async def absences_of(
    session: AsyncSession, people: Collection[UUID], *, after: datetime
) -> Mapping[UUID, list[Times]]:
    """Return when each of these people is away, as far as it reaches beyond `after`."""
    rows = await session.execute(
        select(AbsenceRow.person_id, AbsenceRow.starts_at, AbsenceRow.ends_at)
        .where(AbsenceRow.person_id.in_(set(people)), AbsenceRow.ends_at > after)
        .order_by(AbsenceRow.starts_at)
    )
    found: dict[UUID, list[Times]] = {}
    for person_id, starts_at, ends_at in rows:
        found.setdefault(person_id, []).append((starts_at, ends_at))
    return found


def _midnight(zone: str, day: date) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
