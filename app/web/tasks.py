"""Background work that needs the words of the pages: sending letters, and answers to mails."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.config import Settings
from app.jobs.tasks import task
from app.notifications.outbox import LETTER_DUE
from app.notifications.replies.answers import send_answer
from app.notifications.replies.service import ANSWER_DUE
from app.notifications.sending import send_due


@task(LETTER_DUE, with_settings=True)
async def letter_due(
    session: AsyncSession,
    now: datetime,
    *,
    person_id: str,
    about: str,
    settings: Settings,
    channel_id: str | None = None,
) -> None:
    """Send somebody what is due about one match or table, by mail or a channel of theirs."""
    # A worker that sends nothing has no use for the boards.
    from app.web.letters.compose import compose  # noqa: PLC0415 - see above

    await send_due(
        session,
        compose,
        person_id=UUID(person_id),
        about=UUID(about),
        now=now,
        settings=settings,
        channel_id=None if channel_id is None else UUID(channel_id),
    )


@task(ANSWER_DUE, with_settings=True)
async def answer_due(
    session: AsyncSession, now: datetime, *, settings: Settings, key: str, attempt: int = 0
) -> None:
    """Answer a mail that came in."""
    from app.web.letters.answer import WORDS  # noqa: PLC0415 - see above

    await send_answer(
        session, WORDS, key=bytes.fromhex(key), attempt=attempt, settings=settings, now=now
    )
