"""How much one person may have going on at once, so that nobody fills the server alone.

The person's row is the lock: of two tables at once, the second sees the first.
"""

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.service import lock_people
from app.accounts.values import Person
from app.errors import ConflictError
from app.matches.lists import match_counts

# Both are documented in SECURITY.md.
RUNNING_MATCHES: Final = 50
GATHERING_TABLES: Final = 20

# A seat that a rematch keeps is nobody's doing but the host's.
_GATHERING = text("""
    select count(distinct t.id) from tables t join table_seats s on s.table_id = t.id
    where t.status = 'gathering' and s.person_id = :person and s.confirmed
""")


async def check_may_start(session: AsyncSession, person: Person) -> None:
    """Raise ConflictError `match.too_many` if the person plays as many as one may."""
    await lock_people(session, person)
    if (await match_counts(session, person.id)).running >= RUNNING_MATCHES:
        raise ConflictError("match.too_many", max=RUNNING_MATCHES)


async def check_may_sit(session: AsyncSession, person: Person) -> None:
    """Raise as `check_may_start`, and `table.too_many` for too many tables that gather."""
    await check_may_start(session, person)
    gathering = (await session.execute(_GATHERING, {"person": person.id})).scalar_one()
    if gathering >= GATHERING_TABLES:
        raise ConflictError("table.too_many", max=GATHERING_TABLES)
