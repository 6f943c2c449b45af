"""Roads that are given up: what waits there is told by what is left.

The caller owns the transaction: nothing here commits.
"""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.channels import channels_of, forget_channel
from app.accounts.sessions import old_told_sessions
from app.notifications.outbox import reroute, waiting_for


async def leave_channel(
    session: AsyncSession, *, person_id: UUID, channel_id: UUID, now: datetime
) -> None:
    """Forget one of the person's channels."""
    waiting = await waiting_for(session, person_id, None, channel_id) or ()
    await forget_channel(session, person_id=person_id, channel_id=channel_id)
    await reroute(session, person_id, waiting, now=now)


async def leave_browsers(
    session: AsyncSession, *, person_id: UUID, ends: Callable[[UUID], bool], now: datetime
) -> None:
    """Forget the browsers whose sessions end, before they do."""
    for channel in await channels_of(session, person_id):
        if channel.session_id is not None and ends(channel.session_id):
            await leave_channel(session, person_id=person_id, channel_id=channel.id, now=now)


async def leave_old_browsers(session: AsyncSession, *, now: datetime) -> None:
    """Forget the browsers whose sessions nobody has used for too long."""
    for person_id, ended in sorted((await old_told_sessions(session, now=now)).items()):
        await leave_browsers(session, person_id=person_id, ends=ended.__contains__, now=now)
