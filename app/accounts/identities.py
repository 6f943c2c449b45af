"""Who somebody at an issuer is here: known by issuer and subject, never by a mail address.

The caller owns the transaction: nothing here commits.
"""

from datetime import datetime
from typing import Final, cast
from uuid import UUID

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.issuer.claims import numbered
from app.accounts.models import IdentityRow, PersonRow
from app.accounts.names import name_key
from app.accounts.values import Kind, Person
from app.errors import ConflictError, ForbiddenError, NotFoundError
from app.ids import new_id

_NUMBERS: Final = range(2, 30)


async def person_by_identity(
    session: AsyncSession, *, issuer: str, subject: str, now: datetime
) -> Person | None:
    """Return whom the issuer means, and note that they came; None for somebody new."""
    person_id = await session.scalar(
        update(IdentityRow)
        .where(IdentityRow.issuer == issuer, IdentityRow.subject == subject)
        .values(used_at=now)
        .returning(IdentityRow.person_id)
    )
    row = await session.get(PersonRow, person_id) if person_id is not None else None
    return None if row is None else Person(row.id, row.name, cast(Kind, row.kind))


async def connect(
    session: AsyncSession, *, person: Person, issuer: str, subject: str, now: datetime
) -> None:
    """Let the issuer's word sign the person in from now on; said twice, it is so once.

    Raises ForbiddenError `account.guest`, and ConflictError `oidc.elsewhere` if somebody
    else is known by it, `oidc.another` if the person is known by another one.
    """
    if not person.is_account:
        raise ForbiddenError("account.guest")
    known = await person_by_identity(session, issuer=issuer, subject=subject, now=now)
    if known is not None and known.id != person.id:
        raise ConflictError("oidc.elsewhere")
    if known is not None:
        return
    if await connected_since(session, person_id=person.id, issuer=issuer) is not None:
        raise ConflictError("oidc.another")
    session.add(
        IdentityRow(
            id=new_id(),
            person_id=person.id,
            issuer=issuer,
            subject=subject,
            created_at=now,
            used_at=now,
        )
    )
    try:
        await session.flush()
    except IntegrityError as error:
        raise ConflictError from error


async def disconnect(session: AsyncSession, *, person: Person, issuer: str) -> None:
    """Let the issuer's word mean nothing here any more.

    Raises NotFoundError, and ConflictError `oidc.only_way` without a password.
    """
    row = await session.get(
        PersonRow, person.id, with_for_update={"key_share": True}, populate_existing=True
    )
    if row is not None and row.password_hash is None:
        raise ConflictError("oidc.only_way")
    gone = await session.scalars(
        delete(IdentityRow)
        .where(IdentityRow.person_id == person.id, IdentityRow.issuer == issuer)
        .returning(IdentityRow.id)
    )
    if not gone.all():
        raise NotFoundError


async def connected_since(
    session: AsyncSession, *, person_id: UUID, issuer: str
) -> datetime | None:
    """Return since when the issuer signs the person in; None if it does not."""
    return cast(
        datetime | None,
        await session.scalar(
            select(IdentityRow.created_at).where(
                IdentityRow.person_id == person_id, IdentityRow.issuer == issuer
            )
        ),
    )


async def has_password(session: AsyncSession, *, person_id: UUID) -> bool:
    """Whether the person can sign in with one."""
    found = exists().where(PersonRow.id == person_id, PersonRow.password_hash.is_not(None))
    return bool(await session.scalar(select(found)))


async def free_name(session: AsyncSession, name: str) -> str:
    """Return `name` if nobody is called so, else the first with a number that is free."""
    choices = [name, *(numbered(name, number) for number in _NUMBERS)] if name else []
    keys = {name_key(choice): choice for choice in choices}
    taken = set(
        await session.scalars(select(PersonRow.name_key).where(PersonRow.name_key.in_(keys)))
    )
    return next((choice for key, choice in keys.items() if key not in taken), "")


async def follow_claim(
    session: AsyncSession, *, person: Person, issuer: str, holds: bool
) -> bool | None:
    """Make the person an administrator while the issuer says so; return what changed, if anything.

    Who was made one by the host stays one, whatever the issuer says.
    """
    row = await session.get(
        PersonRow, person.id, with_for_update={"key_share": True}, populate_existing=True
    )
    mine = (IdentityRow.person_id == person.id) & (IdentityRow.issuer == issuer)
    given = bool(await session.scalar(select(IdentityRow.gives_admin).where(mine)))
    if row is None or holds == given or (holds and row.admin):
        return None
    row.admin = holds
    await session.execute(update(IdentityRow).where(mine).values(gives_admin=holds))
    await session.flush()
    return holds


async def last_word(session: AsyncSession, *, person_id: UUID) -> datetime | None:
    """Return when an issuer last said that the person is an administrator; None if none did."""
    return cast(
        datetime | None,
        await session.scalar(
            select(func.max(IdentityRow.used_at)).where(
                IdentityRow.person_id == person_id, IdentityRow.gives_admin
            )
        ),
    )


async def own_admin(session: AsyncSession, *, person_id: UUID) -> None:
    """Let it be the host's word, and no issuer's, whether the person is an administrator."""
    await session.execute(
        update(IdentityRow).where(IdentityRow.person_id == person_id).values(gives_admin=False)
    )
