"""Background work of tables."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.jobs.tasks import sweep
from app.lobby.service import close_expired


@sweep("lobby.tables_expired", cron="17 * * * *")
async def close_tables(session: AsyncSession, now: datetime) -> None:
    """Close the tables that nobody has filled in time."""
    await close_expired(session, now=now)
