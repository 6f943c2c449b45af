"""Everything that changes a table as a whole: making, starting, closing, playing again.

The caller owns the transaction: nothing here commits.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.values import Person
from app.db.notices import audience_changed, tell
from app.errors import ConflictError, InvalidError
from app.i18n.names import FORGOTTEN
from app.ids import new_id, token_hash
from app.jobs.queue import enqueue
from app.lobby.codes import new_code
from app.lobby.games import check_policy, checked_options, game_info
from app.lobby.limits import check_may_sit, check_may_start
from app.lobby.links import Links, new_nonce
from app.lobby.models import SeatRow, TableRow, WatcherRow
from app.lobby.rows import LockedTable, conflicts, lock_table, touch
from app.lobby.seats import add_bot, insert_seats, seat_host
from app.lobby.values import NewTable, SeatOrder, Visibility
from app.matches.clocks.terms import Terms, terms_from
from app.matches.queries import match_page
from app.matches.service import SeatSpec, start_match
from app.rules.rng import HmacRng, shuffled

GATHERS_FOR: Final = timedelta(days=14)
MAX_KEY: Final = 64
MATCH_STARTED: Final = "notices.match_started"


async def create_table(
    session: AsyncSession, *, host: Person, wish: NewTable, links: Links, now: datetime
) -> UUID:
    """Make a table with its host in the first seat, and return it.

    The same key again returns the same table.  Raises InvalidError
    (`table.unknown_game`, `table.wrong_seats`, `table.bad_option`, `table.bad_key`,
    and what `terms_from` refuses) and ConflictError `table.too_many` or `match.too_many`.
    """
    made = await _made_before(session, host, wish.key)
    if made is not None:
        return made
    await check_may_sit(session, host)
    game = game_info(wish.game)
    if wish.seats not in game.seats:
        raise InvalidError("table.wrong_seats", fewest=game.seats[0], most=game.seats[-1])
    table = await _insert(
        session,
        host=host,
        wish=wish,
        options=checked_options(game, wish.options),
        clock=terms_from(wish.clock),
        links=links,
        now=now,
    )
    await seat_host(session, table, person=host, now=now)
    return table.row.id


async def start(session: AsyncSession, *, table_id: UUID, person: Person, now: datetime) -> UUID:
    """Let the host begin the match, and return it.

    Raises ForbiddenError, ConflictError `table.seats_empty`,
    `table.seats_unconfirmed`, `match.too_many` or `table.not_gathering`: of two
    starts at once one begins the match.
    """
    table = (await lock_table(session, table_id)).for_host(person).gathering()
    seats = list(table.seats)
    if any(seat.name is None for seat in seats):
        raise ConflictError("table.seats_empty")
    if not all(seat.confirmed for seat in seats):
        raise ConflictError("table.seats_unconfirmed")
    await check_may_start(session, person)
    if table.row.seat_order == "shuffled":
        seats = list(shuffled(seats, HmacRng(secrets.token_bytes(32), f"seats:{table_id}")))
    match_id = await start_match(
        session,
        game=table.row.game,
        options={"edition": game_info(table.row.game).edition, **table.row.options},
        seats=[
            SeatSpec(
                person_id=seat.person_id, bot=seat.bot, name=seat.name or "", kit=seat.kit or 0
            )
            for seat in seats
        ],
        now=now,
        clock=terms_from(table.row.clock),
    )
    started = await session.scalar(
        update(TableRow)
        .where(TableRow.id == table_id, TableRow.status == "gathering")
        .values(status="started", match_id=match_id, code=None, revision=TableRow.revision + 1)
        .returning(TableRow.id)
        .execution_options(synchronize_session=False)
    )
    if started is None:
        raise ConflictError("table.not_gathering")
    await enqueue(session, MATCH_STARTED, match_id=str(match_id), person_id=str(person.id))
    return match_id


async def close(session: AsyncSession, *, table_id: UUID, person: Person) -> None:
    """Let the host give the table up before the match; closed already is fine."""
    table = (await lock_table(session, table_id)).for_host(person)
    if table.row.status == "closed":
        return
    table.gathering()
    table.row.status, table.row.code = "closed", None
    await session.flush()
    await touch(session, table_id)


async def close_expired(session: AsyncSession, *, now: datetime) -> int:
    """Close the tables that have gathered for too long; return how many."""
    closed = await session.scalars(
        update(TableRow)
        .where(TableRow.status == "gathering", TableRow.expires_at <= now)
        .values(status="closed", code=None, revision=TableRow.revision + 1)
        .returning(TableRow.id)
        .execution_options(synchronize_session=False)
    )
    return len(closed.all())


async def change_settings(
    session: AsyncSession,
    *,
    table_id: UUID,
    person: Person,
    visibility: Visibility,
    seat_order: SeatOrder,
    spectators: bool,
) -> None:
    """Let the host decide who may come, who may watch and how seats are ordered.

    Once the match runs only `spectators` still counts.
    """
    table = (await lock_table(session, table_id)).for_host(person)
    if table.row.status == "gathering":
        table.row.visibility, table.row.seat_order = visibility, seat_order
    table.row.spectators = spectators
    await session.flush()
    if table.row.match_id is not None:
        await tell(session, audience_changed(table.row.match_id))
    await touch(session, table_id)


async def renew_links(
    session: AsyncSession, *, table_id: UUID, person: Person, links: Links
) -> None:
    """Let the host make the invitation, the code and the spectator link worthless and new.

    Who came to watch by the old link has to come again by the new one.
    """
    table = (await lock_table(session, table_id)).for_host(person)
    nonce = new_nonce()
    table.row.nonce = nonce
    table.row.invite_hash = token_hash(links.invite_token(table_id, nonce))
    table.row.watch_hash = token_hash(links.watch_token(table_id, nonce))
    if table.row.status == "gathering":
        table.row.code = await _unused_code(session)
    await session.execute(
        delete(WatcherRow).where(WatcherRow.table_id == table_id, ~WatcherRow.kept)
    )
    await session.flush()
    if table.row.match_id is not None:
        await tell(session, audience_changed(table.row.match_id))
    await touch(session, table_id)


async def allow_watching(
    session: AsyncSession, *, table_id: UUID, person: Person, allowed: bool, links: Links
) -> None:
    """Let the host have others watch, or send them away, before or during the match.

    The link they came by is dead for ever: allowed again, there is a new one.
    """
    if not allowed:
        await renew_links(session, table_id=table_id, person=person, links=links)
    table = (await lock_table(session, table_id)).for_host(person)
    table.row.spectators = allowed
    await session.flush()
    await touch(session, table_id)


async def rematch(
    session: AsyncSession, *, table_id: UUID, person: Person, links: Links, now: datetime
) -> UUID:
    """Make a table for the same people and bots, or return the one that was made.

    Who asks is its host and sits; everybody else's seat is kept until they take
    it.  Raises ConflictError `table.match_running`, `table.not_started`,
    `table.too_many` or `match.too_many`.
    """
    table = (await lock_table(session, table_id)).for_member(person)
    made = await session.scalar(select(TableRow.id).where(TableRow.rematch_of == table_id))
    if made is not None:
        return made
    if table.row.match_id is None:
        raise ConflictError("table.not_started")
    if (await match_page(session, match_id=table.row.match_id, seat=None)).status == "running":
        raise ConflictError("table.match_running")
    await check_may_sit(session, person)
    wish = NewTable(
        game=table.row.game,
        seats=len(table.seats),
        key=f"rematch:{table_id}",
        options=table.row.options,
        visibility="private",
        seat_order=table.row.seat_order,  # type: ignore[arg-type]  # a check constraint says so
        spectators=table.row.spectators,
    )
    again = await _insert(
        session,
        host=person,
        wish=wish,
        options=table.row.options,
        clock=terms_from(table.row.clock),
        links=links,
        now=now,
        rematch_of=table_id,
    )
    for old, new in zip(table.seats, again.seats, strict=True):
        # Where somebody sat who has been deleted since, anybody may sit down.
        if old.name != FORGOTTEN:
            _copy_seat(old, new, confirmed=old.person_id in {None, person.id}, now=now)
    await session.flush()
    await touch(session, table_id)
    return again.row.id


async def play_bots(
    session: AsyncSession,
    *,
    person: Person,
    game: str,
    bots: int,
    policy: str,
    key: str,
    links: Links,
    now: datetime,
) -> UUID:
    """Start a match of `person` against `bots` bots at once, and return the match.

    The same key again returns the same match.
    """
    check_policy(policy)
    wish = NewTable(game=game, seats=bots + 1, key=key, options={})
    table_id = await create_table(session, host=person, wish=wish, links=links, now=now)
    table = await lock_table(session, table_id)
    if table.row.match_id is not None:
        return table.row.match_id
    for seat in table.seats:
        if seat.name is None:
            await add_bot(
                session, table_id=table_id, position=seat.position, policy=policy, person=person
            )
    return await start(session, table_id=table_id, person=person, now=now)


async def _made_before(session: AsyncSession, host: Person, key: str) -> UUID | None:
    if not 0 < len(key) <= MAX_KEY or "\0" in key:
        raise InvalidError("table.bad_key")
    # The second of two clicks waits here until the first has made the table.
    await session.execute(
        text("select pg_advisory_xact_lock(hashtextextended(:key, 0))"),
        {"key": f"table:{host.id}:{key}"},
    )
    found: UUID | None = await session.scalar(
        select(TableRow.id).where(TableRow.host_id == host.id, TableRow.key == key)
    )
    return found


async def _insert(
    session: AsyncSession,
    *,
    host: Person,
    wish: NewTable,
    options: Mapping[str, Any],
    clock: Terms | None,
    links: Links,
    now: datetime,
    rematch_of: UUID | None = None,
) -> LockedTable:
    table_id, nonce = new_id(), new_nonce()
    row = TableRow(
        id=table_id,
        game=wish.game,
        options=dict(options),
        clock=None if clock is None else clock.mapping(),
        host_id=host.id,
        key=wish.key,
        status="gathering",
        visibility=wish.visibility,
        seat_order=wish.seat_order,
        spectators=wish.spectators,
        revision=1,
        talk_count=0,
        code=await _unused_code(session),
        nonce=nonce,
        invite_hash=token_hash(links.invite_token(table_id, nonce)),
        watch_hash=token_hash(links.watch_token(table_id, nonce)),
        rematch_of=rematch_of,
        created_at=now,
        expires_at=now + GATHERS_FOR,
    )
    session.add(row)
    async with conflicts():
        await session.flush()
    await insert_seats(session, table_id, wish.seats)
    return await lock_table(session, table_id)


async def _unused_code(session: AsyncSession) -> str:
    while True:
        code = new_code()
        if await session.scalar(select(TableRow.id).where(TableRow.code == code)) is None:
            return code


def _copy_seat(old: SeatRow, new: SeatRow, *, confirmed: bool, now: datetime) -> None:
    new.person_id, new.bot, new.extra = old.person_id, old.bot, old.extra
    new.name, new.name_key, new.kit = old.name, old.name_key, old.kit
    new.confirmed = confirmed
    new.joined_at = now if confirmed and old.person_id else None
