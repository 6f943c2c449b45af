"""Who sits where before the match: joining, leaving, bots, hot-seat players, order.

The caller owns the transaction: nothing here commits.
"""

from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from sqlalchemy import case, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.names import clean_name, name_key
from app.accounts.values import Person
from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.ids import token_hash
from app.jobs.queue import enqueue
from app.lobby.codes import read_code
from app.lobby.games import BOT_NAMES, check_policy
from app.lobby.limits import check_may_sit, check_may_start
from app.lobby.models import RemovedRow, SeatRow, TableRow, WatcherRow
from app.lobby.reseating import reseat
from app.lobby.rows import LockedTable, conflicts, lock_table, touch
from app.matches.rescue import Occupant, seat_occupant
from app.matches.substitutes import lock_vacancies

KITS = range(1, 6)

SEAT_TAKEN: Final = "notices.seat_taken"


async def join_by_invite(
    session: AsyncSession, *, token: str, person: Person, now: datetime, name: str | None = None
) -> UUID:
    """Seat `person` at the table the invitation is for, and return the table.

    `name` None sits down under the person's own.  Somebody already seated stays
    where they are.  In a match that runs it is the seat of somebody whose time has
    run out, where the table has chosen that.  Raises NotFoundError for a link that
    leads nowhere (any more), InvalidError `name.…`, ConflictError `table.full`,
    `table.name_taken`, `table.not_gathering`, `table.too_many`, `match.too_many`,
    ForbiddenError `table.removed`.
    """
    digest = token_hash(token)
    table_id = await session.scalar(select(TableRow.id).where(TableRow.invite_hash == digest))
    table = await _found(session, table_id)
    if table.row.invite_hash != digest:
        raise NotFoundError
    return await _sit_down(session, table, person=person, name=name, now=now)


async def join_by_code(
    session: AsyncSession, *, code: str, person: Person, now: datetime, name: str | None = None
) -> UUID:
    """Seat `person` at the gathering table with this code; as `join_by_invite`."""
    wanted = read_code(code)
    if wanted is None:
        raise NotFoundError
    table_id = await session.scalar(select(TableRow.id).where(TableRow.code == wanted))
    table = await _found(session, table_id)
    if table.row.code != wanted:
        raise NotFoundError
    return await _sit_down(session, table, person=person, name=name, now=now)


async def join_open(
    session: AsyncSession, *, table_id: UUID, person: Person, now: datetime, name: str | None = None
) -> UUID:
    """Seat `person` at an open table, or let a member stay; as `join_by_invite`."""
    table = await lock_table(session, table_id)
    if table.row.visibility != "open" and not table.has(person):
        raise NotFoundError
    return await _sit_down(session, table, person=person, name=name, now=now)


async def leave(session: AsyncSession, *, table_id: UUID, person: Person) -> None:
    """Get up from all one's seats before the match.

    The host hands the table to whoever sat down next; with the last person the
    table closes.
    """
    table = (await lock_table(session, table_id)).for_member(person).gathering()
    mine = [seat for seat in table.seats if seat.person_id == person.id]
    for seat in mine:
        await _empty(session, seat)
    if table.row.host_id == person.id:
        heirs = [s for s in table.seats if s.person_id is not None and s not in mine]
        heirs.sort(key=lambda seat: (not seat.confirmed, seat.joined_at, seat.position))
        table.row.host_id = heirs[0].person_id if heirs else person.id  # type: ignore[assignment]  # filtered above
        if not heirs:
            table.row.status, table.row.code = "closed", None
    await _done(session, table)


async def free_seat(
    session: AsyncSession, *, table_id: UUID, position: int, person: Person
) -> None:
    """Empty a seat: the host any but their own, a hot-seat player's owner that one.

    A person sent away by the host does not get back in.  Raises ForbiddenError.
    """
    table = (await lock_table(session, table_id)).for_member(person).gathering()
    seat = table.seat(position)
    own = seat.person_id == person.id
    if not may_free(seat, person_id=person.id, host_id=table.row.host_id):
        raise ForbiddenError("table.not_host")
    gone = None if own else seat.person_id
    await _empty(session, seat)
    if gone is not None:
        for other in table.seats:
            if other.person_id == gone:
                await _empty(session, other)
        await session.execute(
            upsert(RemovedRow).values(table_id=table_id, person_id=gone).on_conflict_do_nothing()
        )
    await _done(session, table)


def may_free(seat: SeatRow, *, person_id: UUID, host_id: UUID) -> bool:
    """Whether a person may empty a taken seat."""
    if seat.name is None:
        return False
    if seat.person_id == person_id:
        return seat.extra
    return person_id == host_id


async def add_bot(
    session: AsyncSession, *, table_id: UUID, position: int, policy: str, person: Person
) -> None:
    """Let the host put a bot into an empty seat; raises ConflictError `table.seat_taken`."""
    table = (await lock_table(session, table_id)).for_host(person).gathering()
    check_policy(policy)
    taken = {seat.name_key for seat in table.seats}
    name = next(name for name in BOT_NAMES if name_key(name) not in taken)
    await _occupy(session, table, table.seat(position), name=name, bot=policy)
    await _done(session, table)


async def add_player(
    session: AsyncSession,
    *,
    table_id: UUID,
    position: int,
    name: str,
    person: Person,
    now: datetime,
) -> None:
    """Let one more player sit down on the person's device (hot-seat).

    At open tables only the host may.  Raises InvalidError `name.…`,
    ConflictError `table.name_taken` or `table.seat_taken`, ForbiddenError.
    """
    table = (await lock_table(session, table_id)).for_member(person).gathering()
    if not may_add_player(table.row, person.id):
        raise ForbiddenError("table.not_host")
    seat = table.seat(position)
    await _occupy(
        session, table, seat, name=clean_name(name), person_id=person.id, extra=True, now=now
    )
    await _done(session, table)


def may_add_player(table: TableRow, person_id: UUID) -> bool:
    """Whether a member may seat a hot-seat player: strangers should not fill an open table."""
    return table.visibility == "private" or table.host_id == person_id


async def confirm(
    session: AsyncSession, *, table_id: UUID, position: int, person: Person, now: datetime
) -> None:
    """Take the seat a rematch has kept for the person; taken already is fine."""
    table = (await lock_table(session, table_id)).for_member(person).gathering()
    if table.seat(position).person_id != person.id:
        raise ForbiddenError("table.not_your_seat")
    await _confirm_all(session, table, person, now)
    await _done(session, table)


async def move_seat(
    session: AsyncSession,
    *,
    table_id: UUID,
    position: int,
    to: Literal["up", "down"],
    person: Person,
) -> None:
    """Let the host swap a seat with the one before or after it; at an end nothing moves."""
    table = (await lock_table(session, table_id)).for_host(person).gathering()
    if table.row.seat_order != "chosen":
        raise ConflictError("table.order_shuffled")
    table.seat(position)
    other = position + (-1 if to == "up" else 1)
    if not 0 <= other < len(table.seats):
        return
    await session.execute(
        update(SeatRow)
        .where(SeatRow.table_id == table_id, SeatRow.position.in_((position, other)))
        .values(position=case((SeatRow.position == position, other), else_=position))
        .execution_options(synchronize_session=False)
    )
    await _done(session, table)


async def change_kit(
    session: AsyncSession, *, table_id: UUID, position: int, kit: int, person: Person
) -> None:
    """Choose the colour of one's own seat; raises ConflictError `table.kit_taken`."""
    table = (await lock_table(session, table_id)).for_member(person).gathering()
    seat = table.seat(position)
    if seat.person_id != person.id:
        raise ForbiddenError("table.not_your_seat")
    if kit not in KITS:
        raise InvalidError("table.unknown_kit")
    if any(other.kit == kit for other in table.seats if other is not seat):
        raise ConflictError("table.kit_taken")
    seat.kit = kit
    await _done(session, table)


async def watch(session: AsyncSession, *, token: str, person: Person) -> UUID:
    """Let `person` watch the match of a table whose host allows it; return the table.

    Raises NotFoundError for a link that leads nowhere (any more), ConflictError
    `table.not_started`.
    """
    table = (
        await session.execute(
            select(TableRow.id, TableRow.status).where(
                TableRow.watch_hash == token_hash(token),
                TableRow.spectators,
                TableRow.status != "closed",
            )
        )
    ).one_or_none()
    if table is None:
        raise NotFoundError
    if table.status != "started":
        raise ConflictError("table.not_started")
    table_id: UUID = table.id
    await session.execute(
        upsert(WatcherRow).values(table_id=table_id, person_id=person.id).on_conflict_do_nothing()
    )
    return table_id


async def insert_seats(session: AsyncSession, table_id: UUID, count: int) -> None:
    """Make the empty seats of a new table."""
    await session.execute(
        insert(SeatRow), [{"table_id": table_id, "position": n} for n in range(count)]
    )


async def seat_host(
    session: AsyncSession, table: LockedTable, *, person: Person, now: datetime
) -> None:
    """Seat the host of a new table in its first seat."""
    seat = table.seats[0]
    await _occupy(session, table, seat, name=person.name, person_id=person.id, now=now)


async def _found(session: AsyncSession, table_id: UUID | None) -> LockedTable:
    if table_id is None:
        raise NotFoundError
    return await lock_table(session, table_id)


async def _sit_down(
    session: AsyncSession, table: LockedTable, *, person: Person, name: str | None, now: datetime
) -> UUID:
    table_id = table.row.id
    if table.has(person):
        if table.row.status == "gathering":
            await _confirm_all(session, table, person, now)
            await _done(session, table)
        return table_id
    if await session.get(RemovedRow, (table_id, person.id)):
        raise ForbiddenError("table.removed")
    shown = clean_name(name) if name else person.name
    if table.row.match_id is not None:
        await _take_over(session, table.row.match_id, table, person=person, name=shown, now=now)
        return table_id
    table.gathering()
    free = [seat for seat in table.seats if seat.name is None]
    if not free:
        raise ConflictError("table.full")
    await check_may_sit(session, person)
    await _occupy(session, table, free[0], name=shown, person_id=person.id, now=now)
    await _done(session, table)
    await enqueue(
        session,
        SEAT_TAKEN,
        table_id=str(table_id),
        host_id=str(table.row.host_id),
        person_id=str(person.id),
    )
    return table_id


async def _take_over(
    session: AsyncSession,
    match_id: UUID,
    table: LockedTable,
    *,
    person: Person,
    name: str,
    now: datetime,
) -> None:
    """Seat the person where somebody's time has run out, if the table has chosen that."""
    free = await lock_vacancies(session, match_id)
    if not free:
        raise ConflictError("table.not_gathering")
    await check_may_start(session, person)
    occupant = Occupant(name=name, person_id=person.id)
    await seat_occupant(session, match_id=match_id, seat=free[0].seat, occupant=occupant, now=now)
    await reseat(
        session, table_id=table.row.id, kit=free[0].kit, person=person, bot=None, name=name
    )


async def _confirm_all(
    session: AsyncSession, table: LockedTable, person: Person, now: datetime
) -> None:
    kept = [seat for seat in table.seats if seat.person_id == person.id and not seat.confirmed]
    if kept:
        await check_may_sit(session, person)
    for seat in kept:
        seat.confirmed, seat.joined_at = True, now


async def _occupy(
    session: AsyncSession,
    table: LockedTable,
    seat: SeatRow,
    *,
    name: str,
    person_id: UUID | None = None,
    bot: str | None = None,
    extra: bool = False,
    now: datetime | None = None,
) -> None:
    """Compare and set: of two who take the same seat at once, the second gets a ConflictError."""
    key = name_key(name)
    if any(other.name_key == key for other in table.seats):
        raise ConflictError("table.name_taken", name=name)
    kit = min(set(KITS) - {other.kit for other in table.seats})
    async with conflicts():
        taken = await session.scalar(
            update(SeatRow)
            .where(SeatRow.id == seat.id, SeatRow.name.is_(None))
            .values(
                person_id=person_id,
                bot=bot,
                name=name,
                name_key=key,
                kit=kit,
                extra=extra,
                confirmed=True,
                joined_at=now,
            )
            .returning(SeatRow.id)
            .execution_options(synchronize_session=False)
        )
    if taken is None:
        raise ConflictError("table.seat_taken")
    await session.refresh(seat)


async def _empty(session: AsyncSession, seat: SeatRow) -> None:
    seat.person_id = seat.bot = seat.name = seat.name_key = seat.kit = seat.joined_at = None
    seat.extra, seat.confirmed = False, True
    await session.flush()


async def _done(session: AsyncSession, table: LockedTable) -> None:
    async with conflicts():
        await session.flush()
    await touch(session, table.row.id)
