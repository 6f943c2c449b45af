"""Background work that needs the words of the pages: sending letters."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.config import Settings
from app.jobs.tasks import task
from app.notifications.outbox import LETTER_DUE
from app.notifications.sending import send_due


@task(LETTER_DUE, with_settings=True)
async def letter_due(
    session: AsyncSession, now: datetime, *, person_id: str, about: str, settings: Settings
) -> None:
    """Send somebody what is due about one match or table."""
    # A worker that sends nothing has no use for the boards.
    from app.web.letters.compose import compose  # noqa: PLC0415 - see above

    await send_due(
        session,
        compose,
        person_id=UUID(person_id),
        about=UUID(about),
        now=now,
        settings=settings,
    )
