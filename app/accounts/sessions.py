"""Sessions: which devices know whom.

The cookie holds 256 random bits, the database their hash.  A session ends 30
days after it was last used and 180 days after it began.  What ends one tells
every process, so that a poll answered from memory notices at once.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import ChannelRow, SessionRow
from app.accounts.values import Person
from app.db.notices import session_changed, tell
from app.errors import NotFoundError
from app.ids import new_id, new_token, token_hash

IDLE: Final = timedelta(days=30)
ABSOLUTE: Final = timedelta(days=180)
# Writing down every use would turn each page into a write.
TOUCH_EVERY: Final = timedelta(minutes=5)
RESET_WITHIN: Final = timedelta(minutes=10)
MAX_SESSIONS: Final = 40
LABEL_LENGTH: Final = 80


async def start_session(
    session: AsyncSession,
    *,
    person: Person,
    label: str,
    now: datetime,
    instead_of: str | None = None,
    may_reset: bool = False,
) -> str:
    """Make a device know `person`; return the cookie's value.

    `instead_of` is the device's former cookie: it is dead from now on, and notices still come
    to the device if they were the same person's.  A person with too many sessions loses the
    one not used for longest.
    """
    token, session_id = new_token(), new_id()
    session.add(
        SessionRow(
            token_hash=token_hash(token),
            id=session_id,
            person_id=person.id,
            label=label[:LABEL_LENGTH],
            created_at=now,
            seen_at=now,
            reset_until=now + RESET_WITHIN if may_reset else None,
        )
    )
    await session.flush()
    if instead_of is not None:
        await _keep_notices(session, person.id, instead_of, session_id)
        await end_session(session, token=instead_of)
    surplus = (
        select(SessionRow.id)
        .where(SessionRow.person_id == person.id)
        .order_by(SessionRow.seen_at.desc(), SessionRow.id.desc())
        .offset(MAX_SESSIONS)
    )
    await _end(session, SessionRow.id.in_(surplus))
    return token


async def end_session(session: AsyncSession, *, token: str) -> None:
    """Make the cookie worthless; a worthless one stays so."""
    await _end(session, SessionRow.token_hash == token_hash(token))


async def end_sessions(session: AsyncSession, *, person_id: UUID, keep: UUID | None = None) -> None:
    """End all of a person's sessions but `keep`."""
    condition = SessionRow.person_id == person_id
    await _end(session, condition if keep is None else condition & (SessionRow.id != keep))


async def revoke_session(session: AsyncSession, *, person: Person, session_id: UUID) -> None:
    """End one of the person's sessions; raises NotFoundError if it is not theirs."""
    mine = (SessionRow.id == session_id) & (SessionRow.person_id == person.id)
    if not await _end(session, mine):
        raise NotFoundError


async def touch_session(session: AsyncSession, *, session_id: UUID, now: datetime) -> None:
    """Remember that the session is in use, if that was not written down just now."""
    await session.execute(
        update(SessionRow)
        .where(SessionRow.id == session_id, SessionRow.seen_at < now - TOUCH_EVERY)
        .values(seen_at=now)
    )


async def lock_session(session: AsyncSession, session_id: UUID) -> None:
    """Let nobody end the session, or change what goes with it; raises NotFoundError if it is gone.

    Of two tabs that send the same form at once, the second waits here.
    """
    here = select(SessionRow.id).where(SessionRow.id == session_id).with_for_update()
    if await session.scalar(here) is None:
        raise NotFoundError


async def end_old_sessions(session: AsyncSession, *, now: datetime) -> int:
    """Delete the sessions that ran out; return how many.

    Those whose browsers are told wait for whoever sees to what is to be told there
    (`old_told_sessions`): it would go with them.  They let nobody in either.
    """
    told = select(ChannelRow.session_id).where(ChannelRow.session_id.is_not(None))
    return await _end(session, _ran_out(now) & SessionRow.id.not_in(told))


async def old_told_sessions(
    session: AsyncSession, *, now: datetime
) -> Mapping[UUID, frozenset[UUID]]:
    """Return the sessions that ran out although their browsers are told, by their persons."""
    found = await session.execute(
        select(SessionRow.person_id, SessionRow.id)
        .join(ChannelRow, ChannelRow.session_id == SessionRow.id)
        .where(_ran_out(now))
    )
    by_person = defaultdict[UUID, set[UUID]](set)
    for person_id, session_id in found:
        by_person[person_id].add(session_id)
    return {person_id: frozenset(ended) for person_id, ended in by_person.items()}


def _ran_out(now: datetime) -> ColumnElement[bool]:
    return (SessionRow.seen_at <= now - IDLE) | (SessionRow.created_at <= now - ABSOLUTE)


async def _keep_notices(session: AsyncSession, person_id: UUID, token: str, now_of: UUID) -> None:
    """Let the person's notices come to the device under another session."""
    former = select(SessionRow.id).where(SessionRow.token_hash == token_hash(token))
    await session.execute(
        update(ChannelRow)
        .where(ChannelRow.person_id == person_id, ChannelRow.session_id == former.scalar_subquery())
        .values(session_id=now_of)
    )


async def _end(session: AsyncSession, condition: object) -> int:
    ended = await session.scalars(
        delete(SessionRow).where(condition).returning(SessionRow.token_hash)  # type: ignore[arg-type]  # a column expression
    )
    hashes = ended.all()
    for found in hashes:
        await tell(session, session_changed(found))
    return len(hashes)
