"""Everything that only looks at tables.

What somebody may not see is reported as what does not exist.
"""

from collections.abc import Sequence
from typing import Any, Literal, cast
from uuid import UUID

from sqlalchemy import Row, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.values import Person
from app.errors import NotFoundError
from app.i18n.names import shown_name
from app.ids import token_hash
from app.lobby.codes import read_code
from app.lobby.games import BOT_POLICIES
from app.lobby.links import Links
from app.lobby.models import SeatRow, TableRow, WatcherRow
from app.lobby.seats import KITS, may_add_player, may_free
from app.lobby.talk_queries import talk_lines, unread_lines
from app.lobby.values import Invitation, SeatLine, TableLine, TablePage, TableState
from app.matches.substitutes import vacancies

OPEN_SHOWN = 30

# Names come back in the order of the seats.
_LINES = """
    select t.id, t.game, t.options, t.clock, t.created_at,
      (select name from people where id = t.host_id) as host,
      count(*) as seats, count(s.name) as taken,
      coalesce(array_agg(s.name order by s.position) filter (where s.name is not null), '{{}}')
        as names,
      coalesce(bool_or(s.person_id = :person), false) as mine
    from tables t join table_seats s on s.table_id = t.id
    where t.status = 'gathering' and {condition}
    group by t.id order by t.created_at desc limit :most
"""
_NAME_OF = text("select name from people where id = :id")
_OPEN_TABLES = text(_LINES.format(condition="t.visibility = 'open'"))
_MY_TABLES = text(
    _LINES.format(condition="t.id in (select table_id from table_seats where person_id = :person)")
)


async def open_tables(session: AsyncSession, person: Person | None) -> tuple[TableLine, ...]:
    """Return the tables anybody may join and that still have a seat, the newest first."""
    lines = await _lines(session, _OPEN_TABLES, person)
    return tuple(line for line in lines if line.taken < line.seats and not line.mine)


async def my_tables(session: AsyncSession, person: Person | None) -> tuple[TableLine, ...]:
    """Return the gathering tables the person sits at, the newest first."""
    return () if person is None else await _lines(session, _MY_TABLES, person)


async def table_page(
    session: AsyncSession, *, table_id: UUID, person: Person | None, links: Links
) -> TablePage:
    """Return the table as `person` may see it.

    Raises NotFoundError for outsiders of a table that is not open and gathering.
    """
    row = await session.get(TableRow, table_id, populate_existing=True)
    if row is None:
        raise NotFoundError
    seats = await _seats(session, table_id)
    me = person.id if person else None
    member = me is not None and any(seat.person_id == me for seat in seats)
    if not member and not (row.visibility == "open" and row.status == "gathering"):
        raise NotFoundError
    host = await _name_of(session, row.host_id)
    rematch_id = await session.scalar(select(TableRow.id).where(TableRow.rematch_of == table_id))
    gathering = row.status == "gathering"
    return TablePage(
        id=row.id,
        revision=row.revision,
        game=row.game,
        status=row.status,  # type: ignore[arg-type]  # a check constraint says so
        host=host,
        host_is_me=member and row.host_id == me,
        member=member,
        seats=tuple(_seat_line(row, seat, len(seats), me if member else None) for seat in seats),
        visibility=row.visibility,  # type: ignore[arg-type]  # a check constraint says so
        seat_order=row.seat_order,  # type: ignore[arg-type]  # a check constraint says so
        spectators=row.spectators,
        options=row.options,
        clock=row.clock,
        code=row.code if member else None,
        invite_url=links.invite_url(links.invite_token(row.id, row.nonce))
        if member and row.status != "closed"
        else None,
        watch_url=links.watch_url(links.watch_token(row.id, row.nonce))
        if member and row.spectators
        else None,
        may_add_player=member and gathering and me is not None and may_add_player(row, me),
        bot_policies=BOT_POLICIES,
        free_kits=tuple(sorted(set(KITS) - {seat.kit for seat in seats})),
        match_id=row.match_id if member else None,
        rematch_of=row.rematch_of,
        rematch_id=rematch_id,
        expires_at=row.expires_at,
        talk=await talk_lines(session, table_id, me) if member and me else (),
        talk_count=row.talk_count if member else 0,
        unread=await unread_lines(session, table_id, me) if member and me else 0,
    )


async def table_state(
    session: AsyncSession, *, table_id: UUID, person: Person | None
) -> TableState:
    """Return what a poll compares; raises NotFoundError as `table_page` does."""
    row = (
        await session.execute(
            select(
                TableRow.revision,
                TableRow.talk_count,
                TableRow.status,
                TableRow.match_id,
                TableRow.visibility,
                select(func.count())
                .where(
                    SeatRow.table_id == TableRow.id,
                    # Nobody's id: `== None` would find the empty seats.
                    SeatRow.person_id == (person.id if person else UUID(int=0)),
                )
                .scalar_subquery()
                .label("mine"),
            ).where(TableRow.id == table_id)
        )
    ).one_or_none()
    if row is None:
        raise NotFoundError
    if row.mine:
        return TableState(row.revision, row.talk_count, row.status, row.match_id)
    if row.visibility == "open" and row.status == "gathering":
        return TableState(row.revision, 0, row.status, None)
    raise NotFoundError


async def invitation_by_token(
    session: AsyncSession, *, token: str, person: Person | None
) -> Invitation:
    """Return what an invitation is to; raises NotFoundError for one that leads nowhere."""
    found = await session.scalar(select(TableRow).where(TableRow.invite_hash == token_hash(token)))
    return await _invitation(session, found, person)


async def invitation_by_code(
    session: AsyncSession, *, code: str, person: Person | None
) -> Invitation:
    """Return the gathering table with this code; raises NotFoundError `table.no_such_code`."""
    wanted = read_code(code)
    # Tables that have started have no code: to look for None would find one of them.
    if wanted is None:
        raise NotFoundError("table.no_such_code")
    found = await session.scalar(select(TableRow).where(TableRow.code == wanted))
    if found is None:
        raise NotFoundError("table.no_such_code")
    return await _invitation(session, found, person)


async def invitation_to_watch(
    session: AsyncSession, *, token: str, person: Person | None
) -> Invitation:
    """Return the table a spectator link is for; raises NotFoundError if its host allows none."""
    found = await session.scalar(
        select(TableRow).where(
            TableRow.watch_hash == token_hash(token),
            TableRow.spectators,
            TableRow.status != "closed",
        )
    )
    return await _invitation(session, found, person)


async def table_of_match(session: AsyncSession, match_id: UUID) -> UUID | None:
    """Return the table a match was started from."""
    found: UUID | None = await session.scalar(
        select(TableRow.id).where(TableRow.match_id == match_id)
    )
    return found


async def match_of_table(session: AsyncSession, table_id: UUID) -> UUID | None:
    """Return the match a table has started."""
    found: UUID | None = await session.scalar(
        select(TableRow.match_id).where(TableRow.id == table_id)
    )
    return found


async def may_watch(session: AsyncSession, *, match_id: UUID, person_id: UUID) -> bool:
    """Whether somebody without a seat may look: who came by the link, or had one."""
    watcher = select(WatcherRow.table_id).where(
        WatcherRow.table_id == TableRow.id,
        WatcherRow.person_id == person_id,
        TableRow.spectators | WatcherRow.kept,
    )
    seated = select(SeatRow.id).where(
        SeatRow.table_id == TableRow.id, SeatRow.person_id == person_id
    )
    found = await session.scalar(
        select(TableRow.id).where(
            TableRow.match_id == match_id,
            watcher.exists() | seated.exists(),
        )
    )
    return found is not None


async def _lines(
    session: AsyncSession, statement: Any, person: Person | None
) -> tuple[TableLine, ...]:
    found = await session.execute(
        statement, {"person": person.id if person else None, "most": OPEN_SHOWN}
    )
    return tuple(_line(row) for row in found)


def _line(row: Row[Any]) -> TableLine:
    return TableLine(
        id=row.id,
        game=row.game,
        host=shown_name(row.host),
        seats=row.seats,
        taken=row.taken,
        names=tuple(map(shown_name, row.names)),
        created_at=row.created_at,
        options=row.options,
        clock=row.clock,
        mine=row.mine,
    )


async def _name_of(session: AsyncSession, person_id: UUID) -> str:
    found = await session.execute(_NAME_OF, {"id": person_id})
    return shown_name(found.scalar_one())


async def _seats(session: AsyncSession, table_id: UUID) -> Sequence[SeatRow]:
    found = await session.scalars(
        select(SeatRow)
        .where(SeatRow.table_id == table_id)
        .order_by(SeatRow.position)
        .execution_options(populate_existing=True)
    )
    return found.all()


async def _late(session: AsyncSession, match_id: UUID) -> str:
    free = await vacancies(session, match_id)
    return shown_name(free[0].name) if free else ""


def _seat_line(table: TableRow, seat: SeatRow, seats: int, me: UUID | None) -> SeatLine:
    gathering = table.status == "gathering"
    orders = gathering and table.host_id == me and table.seat_order == "chosen"
    return SeatLine(
        position=seat.position,
        name=None if seat.name is None else shown_name(seat.name),
        kit=seat.kit,
        bot=seat.bot,
        person_id=seat.person_id,
        mine=me is not None and seat.person_id == me,
        host=seat.person_id == table.host_id and not seat.extra,
        extra=seat.extra,
        confirmed=seat.confirmed,
        may_free=gathering
        and me is not None
        and may_free(seat, person_id=me, host_id=table.host_id),
        may_move_up=orders and seat.position > 0,
        may_move_down=orders and seat.position < seats - 1,
    )


async def _invitation(
    session: AsyncSession, table: TableRow | None, person: Person | None
) -> Invitation:
    if table is None:
        raise NotFoundError
    seats = await _seats(session, table.id)
    seated = person is not None and any(seat.person_id == person.id for seat in seats)
    state: str = table.status
    if seated and state != "closed":
        state = "seated"
    elif state == "gathering":
        state = "open" if any(seat.name is None for seat in seats) else "full"
    late = "" if table.match_id is None else await _late(session, table.match_id)
    if late and state == "started":
        state = "vacant"
    host = await _name_of(session, table.host_id)
    return Invitation(
        table_id=table.id,
        game=table.game,
        host=host,
        names=tuple(shown_name(seat.name) for seat in seats if seat.name is not None),
        seats=len(seats),
        options=table.options,
        clock=table.clock,
        state=cast(Literal["open", "full", "started", "vacant", "closed", "seated"], state),
        vacant=late if state == "vacant" else "",
        match_id=table.match_id if seated else None,
    )
