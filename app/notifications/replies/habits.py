"""Whether a person's mails are final at once."""

from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.notifications.replies.models import ReplyHabitRow


async def commits_directly(session: AsyncSession, *, person_id: UUID) -> bool:
    """Whether a mail of the person that leaves nothing to choose is final without being asked."""
    return await session.get(ReplyHabitRow, person_id) is not None


async def commit_directly(session: AsyncSession, *, person_id: UUID, directly: bool) -> None:
    """Note what the person has chosen."""
    if directly:
        await session.execute(
            insert(ReplyHabitRow).values(person_id=person_id).on_conflict_do_nothing()
        )
        return
    await session.execute(delete(ReplyHabitRow).where(ReplyHabitRow.person_id == person_id))
