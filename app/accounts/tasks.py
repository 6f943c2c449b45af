"""Background work of accounts."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.links import delete_old_links
from app.accounts.mail_codes import delete_old_codes
from app.accounts.sessions import end_old_sessions
from app.accounts.sign_ins import delete_old_sign_ins
from app.jobs.tasks import sweep


@sweep("accounts.proofs_expired", cron="23 * * * *")
async def forget_expired(session: AsyncSession, now: datetime) -> None:
    """Delete the sessions, one-time links, mailed codes and sign-ins that have run out."""
    await end_old_sessions(session, now=now)
    await delete_old_links(session, now=now)
    await delete_old_codes(session, now=now)
    await delete_old_sign_ins(session, now=now)
