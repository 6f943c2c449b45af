"""Who did what to this server: written with the deed, read by hosts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.hosting.models import AuditRow


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: whoever has a shell here, or an administrator on the page."""

    name: str

    @classmethod
    def shell(cls, user: str) -> "Actor":
        """Return whoever works at the machine itself."""
        return cls(f"shell {user}"[:128])

    @classmethod
    def account(cls, name: str) -> "Actor":
        """Return an administrator who came by the page."""
        return cls(f"account {name}"[:128])


@dataclass(frozen=True, slots=True)
class Deed:
    """A line of the audit log."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    details: dict[str, Any]


async def record(
    session: AsyncSession, *, actor: Actor, action: str, subject: str, now: datetime, **details: Any
) -> None:
    """Write down a deed; it stands if what was done stands.  `details` are JSON values."""
    session.add(AuditRow(at=now, actor=actor.name, action=action, subject=subject, details=details))
    await session.flush()


async def deeds(
    session: AsyncSession, *, subject: str | None = None, limit: int = 100
) -> tuple[Deed, ...]:
    """Return the latest deeds, the newest first; only those on `subject` if it is given."""
    query = select(AuditRow).order_by(AuditRow.id.desc()).limit(limit)
    if subject is not None:
        query = query.where(AuditRow.subject == subject)
    return tuple(
        Deed(row.id, row.at, row.actor, row.action, row.subject, row.details)
        for row in await session.scalars(query)
    )
