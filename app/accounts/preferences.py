"""What a person has chosen about the pages, so that another device can do the same."""

from dataclasses import asdict, dataclass

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import PersonRow
from app.accounts.values import Person


@dataclass(frozen=True, slots=True)
class Wishes:
    """Language, theme and sound; None was never chosen."""

    locale: str | None = None
    theme: str | None = None
    sound: bool | None = None


async def keep_wishes(session: AsyncSession, *, person: Person, wishes: Wishes) -> None:
    """Keep with the person what they have chosen; what is None stays as it was."""
    chosen = {name: value for name, value in asdict(wishes).items() if value is not None}
    if chosen:
        await session.execute(update(PersonRow).where(PersonRow.id == person.id).values(chosen))


async def kept_wishes(session: AsyncSession, *, person: Person) -> Wishes:
    """Return what the person has chosen, on whatever device."""
    row = (
        await session.execute(
            select(PersonRow.locale, PersonRow.theme, PersonRow.sound).where(
                PersonRow.id == person.id
            )
        )
    ).one_or_none()
    return Wishes() if row is None else Wishes(row.locale, row.theme, row.sound)
