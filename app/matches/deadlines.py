"""Who has until when: what pages, notices and reminders may ask.

`deadlines_of` is for showing: of a secret prompt it returns the viewer's own
deadline and nobody else's.  The other queries are for the server itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.rules.game import Seat

_COLUMNS: Final = """
    d.match_id, d.seat, d.prompt, d.secret, d.opened_version, d.opened_at, d.due_at, d.missed_at
"""

_ONE = text(f"""
    select {_COLUMNS} from match_deadlines d where d.match_id = :id and d.seat = :seat
""")  # noqa: S608 - constants only

_BETWEEN = text(f"""
    select {_COLUMNS} from match_deadlines d
    where d.missed_at is null and d.due_at > :start and d.due_at <= :end
    order by d.due_at, d.match_id, d.seat
""")  # noqa: S608 - constants only

_SHOWN = text(f"""
    select {_COLUMNS} from match_deadlines d
    where d.match_id = any(cast(:ids as uuid[]))
      and (not d.secret or d.seat = cast(:seat as int)
        or exists (select from match_seats s
          where s.match_id = d.match_id and s.seat = d.seat and s.person_id = :person))
    order by d.match_id, d.due_at, d.seat
""")  # noqa: S608 - constants only


_AWAY = text("""
    select starts_at, ends_at from downtimes where ends_at > :since
    order by ends_at desc limit 1
""")


@dataclass(frozen=True, slots=True)
class Deadline:
    """What a seat is asked in a match with a clock, and until when it has to answer.

    `due_at` None: the time does not run.  `missed_at`: it has run out, and the
    table waits all the same.
    """

    match_id: UUID
    seat: Seat
    prompt: str
    secret: bool
    opened_version: int
    opened_at: datetime
    due_at: datetime | None
    missed_at: datetime | None


async def deadline_of(session: AsyncSession, match_id: UUID, seat: Seat) -> Deadline | None:
    """Return the seat's deadline; None when it is not asked or the match has no clock."""
    row = (await session.execute(_ONE, {"id": match_id, "seat": seat})).one_or_none()
    return None if row is None else _deadline(row)


async def deadlines_between(
    session: AsyncSession, start: datetime, end: datetime
) -> tuple[Deadline, ...]:
    """Return every deadline after `start` and not after `end`, the nearest first."""
    rows = await session.execute(_BETWEEN, {"start": start, "end": end})
    return tuple(map(_deadline, rows))


async def deadlines_of(
    session: AsyncSession,
    match_ids: Sequence[UUID],
    *,
    seat: Seat | None = None,
    person_id: UUID | None = None,
) -> tuple[Deadline, ...]:
    """Return the deadlines in these matches that `seat`, or the person, may know of."""
    rows = await session.execute(
        _SHOWN, {"ids": list(match_ids), "seat": seat, "person": person_id}
    )
    return tuple(map(_deadline, rows))


async def last_downtime(
    session: AsyncSession, *, since: datetime
) -> tuple[datetime, datetime] | None:
    """Return the last span that counts for nobody because the server was away, if it ends later."""
    row = (await session.execute(_AWAY, {"since": since})).one_or_none()
    return None if row is None else (row.starts_at, row.ends_at)


def _deadline(row: Row[Any]) -> Deadline:
    return Deadline(
        match_id=row.match_id,
        seat=Seat(row.seat),
        prompt=row.prompt,
        secret=row.secret,
        opened_version=row.opened_version,
        opened_at=row.opened_at,
        due_at=row.due_at,
        missed_at=row.missed_at,
    )
