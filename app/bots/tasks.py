"""Background work of bots."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.bots.runner import answer
from app.jobs.tasks import task
from app.rules.game import Seat


@task("bots.seat_asked", retries=8)
async def seat_asked(
    session: AsyncSession, now: datetime, *, match_id: str, seat: int, version: int
) -> None:
    """Answer for a seat that was asked at `version`, unless that has been done."""
    await answer(session, match_id=UUID(match_id), seat=Seat(seat), now=now)
