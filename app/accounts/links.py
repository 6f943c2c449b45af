"""One-time links: to go on with another device, or to get in without the password.

Looking at a link changes nothing; taking it uses it up.
"""

from datetime import datetime, timedelta
from typing import Final, Literal, cast

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import OneTimeLinkRow, PersonRow
from app.accounts.values import Kind, NewLink, Person, TakenLink
from app.errors import NotFoundError
from app.ids import new_token, token_hash

LIFE: Final = timedelta(minutes=10)


async def make_link(
    session: AsyncSession,
    *,
    person: Person,
    now: datetime,
    purpose: Literal["device", "login"] = "device",
) -> NewLink:
    """Make a link that signs one device in within ten minutes; the person's older ones are void.

    A `login` link stands in for a forgotten password: who takes it may set another.
    """
    await session.execute(delete(OneTimeLinkRow).where(OneTimeLinkRow.person_id == person.id))
    link = NewLink(new_token(), now + LIFE)
    session.add(
        OneTimeLinkRow(
            token_hash=token_hash(link.token),
            person_id=person.id,
            purpose=purpose,
            created_at=now,
            expires_at=link.expires_at,
        )
    )
    await session.flush()
    return link


async def take_link(session: AsyncSession, *, token: str, now: datetime) -> TakenLink:
    """Use the link up and return whom it signs in.

    Raises NotFoundError `link.dead` if it is unknown, used or expired; of many
    requests at once, one gets the person.
    """
    taken = (
        await session.execute(
            update(OneTimeLinkRow)
            .where(
                OneTimeLinkRow.token_hash == token_hash(token),
                OneTimeLinkRow.used_at.is_(None),
                OneTimeLinkRow.expires_at > now,
            )
            .values(used_at=now)
            .returning(OneTimeLinkRow.person_id, OneTimeLinkRow.purpose)
        )
    ).one_or_none()
    row = await session.get(PersonRow, taken.person_id) if taken is not None else None
    if taken is None or row is None or row.kind == "deleted":
        raise NotFoundError("link.dead")
    return TakenLink(Person(row.id, row.name, cast(Kind, row.kind)), taken.purpose == "login")


async def delete_old_links(session: AsyncSession, *, now: datetime) -> None:
    """Delete the links that have run out, used or not."""
    await session.execute(delete(OneTimeLinkRow).where(OneTimeLinkRow.expires_at <= now))
