"""Background work of playing by mail, and of signing in by it.

The job that answers (`notifications.answer_due`) is beside the pages, which have the words.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from app.config import Settings
from app.i18n import use_locale
from app.jobs.tasks import sweep, task
from app.notifications.replies.addresses import LIFE
from app.notifications.replies.models import IncomingMailRow
from app.notifications.sign_in import CODE_ASKED, send_codes

# Longer than any address works, so that no copy of a mail is ever taken for a new one.
KEPT: Final = LIFE + timedelta(days=30)


@task(CODE_ASKED, with_settings=True)
async def code_asked(
    session: AsyncSession,
    now: datetime,
    *,
    settings: Settings,
    code_id: str,
    address: str,
    locale: str,
) -> None:
    """Mail the codes to whoever has the address."""
    with use_locale(locale):
        await send_codes(session, UUID(code_id), address=address, settings=settings, now=now)


@sweep("replies.outlived", cron="37 4 * * *")
async def forget_old_mails(session: AsyncSession, now: datetime) -> None:
    """Forget the mails that came in long ago."""
    await session.execute(delete(IncomingMailRow).where(IncomingMailRow.received_at < now - KEPT))
