"""API tokens: what lets a program act for a person."""

from datetime import datetime, timedelta
from typing import Final, cast
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import ApiTokenRow, PersonRow
from app.accounts.names import clean_name
from app.accounts.values import Kind, Person
from app.errors import ConflictError, NotFoundError
from app.ids import new_id, new_token, token_hash

MAX_TOKENS: Final = 20
TOUCH_EVERY: Final = timedelta(minutes=5)


async def create_api_token(
    session: AsyncSession, *, person: Person, label: str, now: datetime
) -> str:
    """Let a program act for `person`; return the token, shown once.

    Raises InvalidError `name.…` for the label, ConflictError `token.too_many`.
    """
    shown = clean_name(label)
    # The person's row is the lock: of two tokens at once, the second sees the first.
    await session.execute(
        select(PersonRow.id).where(PersonRow.id == person.id).with_for_update(key_share=True)
    )
    count = await session.scalar(
        select(func.count()).select_from(ApiTokenRow).where(ApiTokenRow.person_id == person.id)
    )
    if (count or 0) >= MAX_TOKENS:
        raise ConflictError("token.too_many", max=MAX_TOKENS)
    token = new_token()
    session.add(
        ApiTokenRow(
            token_hash=token_hash(token),
            id=new_id(),
            person_id=person.id,
            label=shown,
            created_at=now,
        )
    )
    await session.flush()
    return token


async def revoke_api_token(session: AsyncSession, *, person: Person, token_id: UUID) -> None:
    """Make one of the person's tokens worthless; raises NotFoundError if it is not theirs."""
    ended = await session.scalar(
        delete(ApiTokenRow)
        .where(ApiTokenRow.id == token_id, ApiTokenRow.person_id == person.id)
        .returning(ApiTokenRow.id)
    )
    if ended is None:
        raise NotFoundError


async def use_api_token(session: AsyncSession, *, token: str, now: datetime) -> Person | None:
    """Return for whom `token` acts, and remember that it was used; None if it is worthless."""
    found = (
        await session.execute(
            select(
                PersonRow.id, PersonRow.name, PersonRow.kind, ApiTokenRow.id, ApiTokenRow.used_at
            )
            .join(PersonRow, PersonRow.id == ApiTokenRow.person_id)
            .where(ApiTokenRow.token_hash == token_hash(token), PersonRow.kind != "deleted")
        )
    ).one_or_none()
    if found is None:
        return None
    person_id, name, kind, token_id, used_at = found
    if used_at is None or used_at < now - TOUCH_EVERY:
        await session.execute(
            update(ApiTokenRow).where(ApiTokenRow.id == token_id).values(used_at=now)
        )
    return Person(person_id, name, cast(Kind, kind))
