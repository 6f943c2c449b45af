"""Administrators: accounts that may look after the server from its admin page.

The caller owns the transaction: nothing here commits.
"""

from datetime import datetime, timedelta
from typing import Final, cast
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.identities import last_word, own_admin
from app.accounts.models import PersonRow, SessionRow
from app.accounts.service import find_account, sign_up
from app.accounts.values import Kind, Person
from app.errors import ForbiddenError, NotFoundError

# An administrator signs in anew after this long, however often the session is used.
SESSION_LIFE: Final = timedelta(hours=12)


async def make_admin(session: AsyncSession, *, name: str, now: datetime) -> Person:
    """Make the account called `name` an administrator; without one, make the account.

    A new account has no password: a login link lets its owner in, and set one.
    Raises InvalidError `name.…`.
    """
    try:
        person = await find_account(session, name=name)
    except NotFoundError:
        person = await sign_up(session, guest=None, name=name, password=None, now=now)
    await session.execute(update(PersonRow).where(PersonRow.id == person.id).values(admin=True))
    await own_admin(session, person_id=person.id)
    return person


async def end_admin(session: AsyncSession, *, person: Person) -> None:
    """Take it back; it holds from the next request on."""
    await session.execute(update(PersonRow).where(PersonRow.id == person.id).values(admin=False))
    await own_admin(session, person_id=person.id)


async def admins(session: AsyncSession) -> tuple[Person, ...]:
    """Return the administrators, by name."""
    rows = await session.scalars(select(PersonRow).where(PersonRow.admin))
    people = [Person(row.id, row.name, cast(Kind, row.kind)) for row in rows]
    return tuple(sorted(people, key=lambda person: person.name))


async def is_admin(session: AsyncSession, *, person_id: UUID) -> bool:
    """Whether the person is an administrator; for a link, not for letting anybody in."""
    return bool(await session.scalar(select(PersonRow.admin).where(PersonRow.id == person_id)))


async def require_admin(session: AsyncSession, *, session_id: UUID, now: datetime) -> None:
    """Raise NotFoundError unless the session is an administrator's: others see no such page.

    Raises ForbiddenError `admin.sign_in_again` when it began too long ago, or when an issuer
    made them one and has not said so for as long.
    """
    found = (
        await session.execute(
            select(SessionRow.created_at, PersonRow.id)
            .join(PersonRow, PersonRow.id == SessionRow.person_id)
            .where(SessionRow.id == session_id, PersonRow.admin)
        )
    ).one_or_none()
    if found is None:
        raise NotFoundError
    said = await last_word(session, person_id=found.id)
    if min(found.created_at, said or now) <= now - SESSION_LIFE:
        raise ForbiddenError("admin.sign_in_again")
