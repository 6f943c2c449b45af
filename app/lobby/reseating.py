"""Seats as a host of the server sees them: given to somebody else, or by whom they were given.

The caller owns the transaction: nothing here commits.
"""

from uuid import UUID

from sqlalchemy import exists, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.names import name_key
from app.accounts.values import Person
from app.lobby.models import SeatRow, TableRow
from app.lobby.rows import conflicts, lock_table

_KEEP = text("""
    insert into table_watchers (table_id, person_id, kept)
    select table_id, person_id, true from table_seats
    where table_id = :table and kit = :kit and person_id is not null
    on conflict (table_id, person_id) do update set kept = true
""")


async def lock_table_of(session: AsyncSession, match_id: UUID) -> UUID | None:
    """Lock the table around a match and return it; None for a match without one."""
    table_id = await session.scalar(select(TableRow.id).where(TableRow.match_id == match_id))
    if table_id is not None:
        await lock_table(session, table_id)
    return table_id


async def reseat(
    session: AsyncSession,
    *,
    table_id: UUID,
    kit: int,
    person: Person | None,
    bot: str | None,
    name: str,
) -> None:
    """Put `person` or `bot` where the seat with `kit` is; the table is locked.

    Whoever sits at the table already gets one more seat there, as on one device; who sat
    there may still look.  Raises ConflictError `table.name_taken`.
    """
    theirs = None if person is None else person.id
    sits = await session.scalar(
        select(
            exists().where(
                SeatRow.table_id == table_id, SeatRow.person_id == theirs, SeatRow.kit != kit
            )
        )
    )
    await session.execute(_KEEP, {"table": table_id, "kit": kit})
    async with conflicts():
        await session.execute(
            update(SeatRow)
            .where(SeatRow.table_id == table_id, SeatRow.kit == kit)
            .values(
                person_id=theirs,
                bot=bot,
                name=name,
                name_key=name_key(name),
                extra=bool(sits) and person is not None,
                confirmed=True,
            )
        )


async def hosts_of(session: AsyncSession, *, person_id: UUID) -> tuple[UUID, ...]:
    """Return who else is the host of a table at which the person sits."""
    hosts = await session.scalars(
        select(TableRow.host_id)
        .join(SeatRow, TableRow.id == SeatRow.table_id)
        .where(SeatRow.person_id == person_id, TableRow.host_id != person_id)
        .distinct()
    )
    return tuple(hosts)
