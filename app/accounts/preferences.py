"""What a person has chosen about the pages, so that another device can do the same."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import PersonRow
from app.accounts.values import Person

UTC_NAME: Final = "UTC"


@dataclass(frozen=True, slots=True)
class Wishes:
    """Language, theme, sound and time zone; None was never chosen."""

    locale: str | None = None
    theme: str | None = None
    sound: bool | None = None
    time_zone: str | None = None


async def keep_wishes(session: AsyncSession, *, person: Person, wishes: Wishes) -> None:
    """Keep with the person what they have chosen; what is None stays as it was."""
    chosen = {name: value for name, value in asdict(wishes).items() if value is not None}
    if chosen:
        await session.execute(update(PersonRow).where(PersonRow.id == person.id).values(chosen))


async def kept_wishes(session: AsyncSession, *, person: Person) -> Wishes:
    """Return what the person has chosen, on whatever device."""
    row = (
        await session.execute(
            select(PersonRow.locale, PersonRow.theme, PersonRow.sound, PersonRow.time_zone).where(
                PersonRow.id == person.id
            )
        )
    ).one_or_none()
    return Wishes() if row is None else Wishes(*row)


async def time_zones_of(session: AsyncSession, people: Collection[UUID]) -> Mapping[UUID, str]:
    """Return the zone of each of these people, by IANA name; UTC where none is known."""
    rows = await session.execute(
        select(PersonRow.id, PersonRow.time_zone).where(PersonRow.id.in_(people))
    )
    return {person_id: zone or UTC_NAME for person_id, zone in rows}
