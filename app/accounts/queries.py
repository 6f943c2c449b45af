"""Everything that only looks at people."""

from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import (
    AddressRow,
    ApiTokenRow,
    ChannelRow,
    OneTimeLinkRow,
    PersonRow,
    SessionRow,
)
from app.accounts.sessions import ABSOLUTE, IDLE
from app.accounts.values import Kind, Known, Person, SessionLine, TokenLine
from app.ids import token_hash


async def known_by_session(session: AsyncSession, *, token: str, now: datetime) -> Known | None:
    """Return whom the device with this cookie knows; None once the session has run out."""
    found = (
        await session.execute(
            select(
                PersonRow.id,
                PersonRow.name,
                PersonRow.kind,
                SessionRow.id,
                SessionRow.reset_until,
                SessionRow.seen_at,
                AddressRow.refused_at,
                exists().where(
                    ChannelRow.person_id == PersonRow.id, ChannelRow.refused_at.is_not(None)
                ),
            )
            .join(PersonRow, PersonRow.id == SessionRow.person_id)
            .outerjoin(AddressRow, AddressRow.person_id == PersonRow.id)
            .where(
                SessionRow.token_hash == token_hash(token),
                SessionRow.seen_at > now - IDLE,
                SessionRow.created_at > now - ABSOLUTE,
                PersonRow.kind != "deleted",
            )
        )
    ).one_or_none()
    if found is None:
        return None
    person_id, name, kind, session_id, reset_until, seen_at, refused_at, refused = found
    person = Person(person_id, name, cast(Kind, kind))
    may_reset = reset_until is not None and reset_until > now
    return Known(
        person,
        session_id,
        may_reset=may_reset,
        seen_at=seen_at,
        mail_refused=refused_at is not None,
        channel_refused=refused,
    )


async def person_by_id(session: AsyncSession, person_id: UUID) -> Person | None:
    """Return the person, deleted or not."""
    row = await session.get(PersonRow, person_id)
    return None if row is None else Person(row.id, row.name, cast(Kind, row.kind))


async def person_by_link(session: AsyncSession, *, token: str, now: datetime) -> Person | None:
    """Return whom a one-time link would sign in; looking does not use it up."""
    found = (
        await session.execute(
            select(PersonRow.id, PersonRow.name, PersonRow.kind)
            .join(OneTimeLinkRow, OneTimeLinkRow.person_id == PersonRow.id)
            .where(
                OneTimeLinkRow.token_hash == token_hash(token),
                OneTimeLinkRow.used_at.is_(None),
                OneTimeLinkRow.expires_at > now,
                PersonRow.kind != "deleted",
            )
        )
    ).one_or_none()
    return None if found is None else Person(found.id, found.name, cast(Kind, found.kind))


async def session_lines(
    session: AsyncSession, *, person_id: UUID, current: UUID | None, now: datetime
) -> tuple[SessionLine, ...]:
    """Return the devices that know the person, this one first, then the latest used."""
    rows = await session.scalars(
        select(SessionRow).where(
            SessionRow.person_id == person_id,
            SessionRow.seen_at > now - IDLE,
            SessionRow.created_at > now - ABSOLUTE,
        )
    )
    lines = [
        SessionLine(row.id, row.label, row.created_at, row.seen_at, row.id == current)
        for row in rows
    ]
    return tuple(sorted(lines, key=lambda line: (line.current, line.seen_at), reverse=True))


async def token_lines(session: AsyncSession, *, person_id: UUID) -> tuple[TokenLine, ...]:
    """Return the person's API tokens, the newest first."""
    rows = await session.scalars(
        select(ApiTokenRow)
        .where(ApiTokenRow.person_id == person_id)
        .order_by(ApiTokenRow.created_at.desc(), ApiTokenRow.id.desc())
    )
    return tuple(TokenLine(row.id, row.label, row.created_at, row.used_at) for row in rows)
