"""Absences of people, and the deadlines that they move.

Row locks are taken as everywhere: the person's matches first, each by id.
"""

from collections.abc import Collection
from datetime import date, datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import absences
from app.accounts.absences import Absence
from app.accounts.values import Person
from app.matches.clockwork import retime
from app.matches.resignations import lock_running


async def file_absence(
    session: AsyncSession, *, person: Person, first: date, last: date, zone: str, now: datetime
) -> Absence:
    """Let the person be away and reckon their deadlines anew.

    Raises as `app.accounts.absences.file_absence` does.
    """
    running = await lock_running(session, person.id)
    filed = await absences.file_absence(
        session, person=person, first=first, last=last, zone=zone, now=now
    )
    await reckon_anew(session, running, now=now)
    return filed


async def end_absence(
    session: AsyncSession, *, person: Person, absence_id: UUID, now: datetime
) -> None:
    """Let the person be back and reckon their deadlines anew; raises NotFoundError."""
    running = await lock_running(session, person.id)
    await absences.end_absence(session, person=person, absence_id=absence_id, now=now)
    await reckon_anew(session, running, now=now)


async def reckon_anew(session: AsyncSession, matches: Collection[UUID], *, now: datetime) -> None:
    """Reckon the deadlines of `matches`, which are locked, by the absences that there are now."""
    for match_id in sorted(matches):
        await retime(session, match_id=match_id, now=now)
