"""Everything that only looks at people."""

from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import ApiTokenRow, OneTimeLinkRow, PersonRow, SessionRow
from app.accounts.sessions import ABSOLUTE, IDLE
from app.accounts.values import Kind, Known, Person, SessionLine, TokenLine
from app.ids import token_hash

# Hand-written: every page asks this, and made of rows it took three times as long.
_KNOWN = text("""
    select p.id, p.name, p.kind, s.id as session_id, s.reset_until, s.seen_at,
      a.refused_at is not null as mail_refused,
      exists (select from channels c
        where c.person_id = p.id and c.refused_at is not null) as channel_refused
    from sessions s join people p on p.id = s.person_id
      left join addresses a on a.person_id = p.id
    where s.token_hash = :token_hash and s.seen_at > :seen and s.created_at > :created
      and p.kind <> 'deleted'
""")


async def known_by_session(session: AsyncSession, *, token: str, now: datetime) -> Known | None:
    """Return whom the device with this cookie knows; None once the session has run out."""
    since = {"seen": now - IDLE, "created": now - ABSOLUTE}
    found = (
        await session.execute(_KNOWN, {"token_hash": token_hash(token), **since})
    ).one_or_none()
    if found is None:
        return None
    return Known(
        Person(found.id, found.name, cast(Kind, found.kind)),
        found.session_id,
        may_reset=found.reset_until is not None and found.reset_until > now,
        seen_at=found.seen_at,
        mail_refused=found.mail_refused,
        channel_refused=found.channel_refused,
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
