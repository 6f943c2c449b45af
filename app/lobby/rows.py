"""What every change of a table begins and ends with."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.values import Person
from app.errors import ConflictError, ForbiddenError, NotFoundError
from app.lobby.models import SeatRow, TableRow

# Which constraint two people at once run into, and what it means.
_MEANING: Final = {
    "table_seats_table_id_name_key_key": "table.name_taken",
    "table_seats_table_id_kit_key": "table.kit_taken",
    "table_seats_person_idx": "table.already_seated",
    "tables_rematch_of_key": "table.rematch_exists",
    "tables_host_id_key_key": "table.exists",
    "talk_pkey": "talk.crossed",
}


@dataclass(frozen=True, slots=True)
class LockedTable:
    """A table nobody else can change until the transaction ends, with its seats in order."""

    row: TableRow
    seats: Sequence[SeatRow]

    def has(self, person: Person) -> bool:
        """Whether the person has a seat here, or one kept for them."""
        return any(seat.person_id == person.id for seat in self.seats)

    def seat(self, position: int) -> SeatRow:
        """Return the seat at `position`; raises NotFoundError."""
        for seat in self.seats:
            if seat.position == position:
                return seat
        raise NotFoundError

    def for_member(self, person: Person) -> "LockedTable":
        """Return this table; raises NotFoundError if the person does not sit at it."""
        if not self.has(person):
            raise NotFoundError
        return self

    def for_host(self, person: Person) -> "LockedTable":
        """Return this table; raises ForbiddenError unless the person is its host."""
        if self.row.host_id == person.id:
            return self
        self.for_member(person)
        raise ForbiddenError("table.not_host")

    def gathering(self) -> "LockedTable":
        """Return this table; raises ConflictError `table.not_gathering` once it has started."""
        if self.row.status != "gathering":
            raise ConflictError("table.not_gathering")
        return self


async def lock_table(session: AsyncSession, table_id: UUID) -> LockedTable:
    """Lock and return a table; raises NotFoundError.

    The lock puts what happens at a table in a row.  That nothing is done twice
    rests on the constraints, and would hold without it.
    """
    row = await session.get(
        TableRow, table_id, with_for_update={"key_share": True}, populate_existing=True
    )
    if row is None:
        raise NotFoundError
    seats = await session.scalars(
        select(SeatRow)
        .where(SeatRow.table_id == table_id)
        .order_by(SeatRow.position)
        .execution_options(populate_existing=True)
    )
    return LockedTable(row, seats.all())


async def touch(session: AsyncSession, table_id: UUID) -> None:
    """Let everybody at the table see that something has changed."""
    await session.execute(
        update(TableRow)
        .where(TableRow.id == table_id)
        .values(revision=TableRow.revision + 1)
        .execution_options(synchronize_session=False)
    )


@asynccontextmanager
async def conflicts() -> AsyncIterator[None]:
    """Turn a broken constraint into the ConflictError it means."""
    try:
        yield
    except IntegrityError as error:
        name = getattr(getattr(error.orig, "diag", None), "constraint_name", None)
        raise ConflictError(_MEANING.get(name or "", "conflict")) from error
