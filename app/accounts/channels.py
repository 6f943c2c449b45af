"""Other ways than mail to reach people: what they have pasted, sealed, and whether it works.

What a channel leads to is known to whoever sends; here it is bytes.  The caller owns
the transaction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import ChannelRow
from app.accounts.sealing import seal, unseal
from app.accounts.sessions import lock_session
from app.accounts.values import Person
from app.errors import InvalidError, NotFoundError
from app.ids import new_id

MOST: Final = 4
MOST_BROWSERS: Final = 8
LONGEST_REASON: Final = 300


@dataclass(frozen=True, slots=True)
class Channel:
    """One way to reach somebody; `label` shows which, and gives nothing of it away.

    `refusal` is why nothing is sent there any more, since `refused_at`: until the
    person says that it is mended.  A browser is that of a session.
    """

    id: UUID
    person_id: UUID
    kind: str
    label: str
    refused_at: datetime | None
    refusal: str | None
    sealed: bytes
    session_id: UUID | None = None

    def opened(self, key: str) -> Mapping[str, str]:
        """Return what was pasted; raises NotOursError under another key."""
        raw = unseal(key, self.sealed, to=self.id.bytes)
        return msgspec.json.decode(raw, type=dict[str, str])


async def add_channel(
    session: AsyncSession,
    *,
    person: Person,
    kind: str,
    label: str,
    secret: Mapping[str, str],
    key: str,
    now: datetime,
    session_id: UUID | None = None,
) -> UUID:
    """Keep another way to reach the person, and return its id.

    What is of a session, the browser that it is open in, takes the place of what was, under the
    same id, and is forgotten when the session ends.  Raises InvalidError `channel.too_many`,
    `channel.too_many_browsers`, and NotFoundError if the session has just ended.
    """
    if session_id is not None:
        await lock_session(session, session_id)
        before = await session.scalar(select(ChannelRow).where(ChannelRow.session_id == session_id))
        if before is not None:
            before.label, before.refused_at, before.refusal = label, None, None
            before.sealed = seal(key, msgspec.json.encode(secret), to=before.id.bytes)
            await session.flush()
            return before.id
    alike = ChannelRow.session_id.is_not(None) == (session_id is not None)
    mine = select(func.count()).where(ChannelRow.person_id == person.id, alike)
    most = MOST if session_id is None else MOST_BROWSERS
    if (await session.scalar(mine) or 0) >= most:
        wrong = "channel.too_many" if session_id is None else "channel.too_many_browsers"
        raise InvalidError(wrong, most=most)
    channel_id = new_id()
    session.add(
        ChannelRow(
            id=channel_id,
            person_id=person.id,
            kind=kind,
            label=label,
            sealed=seal(key, msgspec.json.encode(secret), to=channel_id.bytes),
            created_at=now,
            session_id=session_id,
        )
    )
    await session.flush()
    return channel_id


async def channels_of(session: AsyncSession, person_id: UUID) -> tuple[Channel, ...]:
    """Return the person's channels, the oldest first."""
    rows = await session.scalars(
        select(ChannelRow)
        .where(ChannelRow.person_id == person_id)
        .order_by(ChannelRow.created_at, ChannelRow.id)
        .execution_options(populate_existing=True)
    )
    return tuple(_channel(row) for row in rows)


async def channel_of(session: AsyncSession, person_id: UUID, channel_id: UUID) -> Channel:
    """Return one of the person's channels; raises NotFoundError."""
    row = await session.get(ChannelRow, channel_id, populate_existing=True)
    if row is None or row.person_id != person_id:
        raise NotFoundError
    return _channel(row)


async def forget_channel(session: AsyncSession, *, person_id: UUID, channel_id: UUID) -> None:
    """Forget one of the person's channels, and what was sent there."""
    mine = (ChannelRow.id == channel_id, ChannelRow.person_id == person_id)
    await session.execute(delete(ChannelRow).where(*mine))


async def forget_channels(session: AsyncSession, person_id: UUID) -> None:
    """Forget all channels of a person."""
    await session.execute(delete(ChannelRow).where(ChannelRow.person_id == person_id))


async def move_channels(session: AsyncSession, *, old: UUID, new: UUID) -> None:
    """Give the channels of `old` to `new`, unless that one has some."""
    if not await channels_of(session, new):
        await session.execute(
            update(ChannelRow).where(ChannelRow.person_id == old).values(person_id=new)
        )


async def pause_channel(
    session: AsyncSession, *, channel_id: UUID, why: str, now: datetime
) -> None:
    """Send nothing more there, and say `why`."""
    await session.execute(
        update(ChannelRow)
        .where(ChannelRow.id == channel_id)
        .values(refused_at=now, refusal=why[:LONGEST_REASON])
    )


async def resume_channel(session: AsyncSession, *, person_id: UUID, channel_id: UUID) -> None:
    """Send there again."""
    await session.execute(
        update(ChannelRow)
        .where(ChannelRow.id == channel_id, ChannelRow.person_id == person_id)
        .values(refused_at=None, refusal=None)
    )


def _channel(row: ChannelRow) -> Channel:
    return Channel(
        row.id,
        row.person_id,
        row.kind,
        row.label,
        row.refused_at,
        row.refusal,
        bytes(row.sealed),
        row.session_id,
    )
