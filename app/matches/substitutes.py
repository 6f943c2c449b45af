"""Seats to be taken over once their time is up, where the table has chosen that."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.heads import lock_head
from app.rules.game import Seat

# Of a secret prompt nobody may learn whom it asks, nor that their time is up.
_VACANT = text("""
    select d.seat, s.name, s.kit from match_deadlines d
    join matches m on m.id = d.match_id
    join match_seats s on s.match_id = d.match_id and s.seat = d.seat
    where d.match_id = :id and d.missed_at is not null and not d.secret
      and m.status = 'running' and m.clock->>'timeout' = 'substitute' and s.bot is null
    order by d.seat
""")


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A seat to take over, and who was late in it."""

    seat: Seat
    name: str
    kit: int


async def vacancies(session: AsyncSession, match_id: UUID) -> tuple[Vacancy, ...]:
    """Return the seats of a match that may be taken over now."""
    found = await session.execute(_VACANT, {"id": match_id})
    return tuple(Vacancy(Seat(row.seat), row.name, row.kit) for row in found)


async def lock_vacancies(session: AsyncSession, match_id: UUID) -> tuple[Vacancy, ...]:
    """Return them, with the match locked: whoever was late can answer no more meanwhile."""
    await lock_head(session, match_id)
    return await vacancies(session, match_id)
