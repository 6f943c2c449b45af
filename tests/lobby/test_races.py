"""Many at once: what must happen once happens once.

Each race is run as the application runs it, and again with every row lock taken
out of the statements: the constraints alone must hold.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.values import Person
from app.db.session import Sessions
from app.errors import AppError, ConflictError
from app.lobby import seats, service
from app.lobby.people import delete_everywhere, take_over
from app.lobby.queries import my_tables
from app.lobby.values import NewTable
from app.matches.queries import seats_of
from app.matches.service import resign, running_seats
from tests.support.people import LINKS, NOON, Gathering, guest

pytestmark = pytest.mark.anyio

TRIALS = int(os.environ.get("RACES_TRIALS", "5"))


@pytest.fixture(params=["locks", "constraints alone"])
def racing(request: pytest.FixtureRequest, engine: AsyncEngine, sessions: Sessions) -> Sessions:
    """Return sessions with, and then without, row locks and advisory locks."""
    if request.param == "constraints alone":

        def unlocked(
            connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any
        ) -> tuple[str, Any]:
            bare = statement.replace("FOR NO KEY UPDATE", "")
            return bare.replace("pg_advisory_xact_lock(", "abs("), parameters

        event.listen(engine.sync_engine, "before_cursor_execute", unlocked, retval=True)
    return sessions


async def all_at_once(
    sessions: Sessions, *deeds: Callable[[Any], Awaitable[object]]
) -> list[object]:
    """Do each in a transaction of its own, all at the same time."""

    async def do(deed: Callable[[Any], Awaitable[object]]) -> object:
        async with sessions.begin() as session:
            return await deed(session)

    results = await asyncio.gather(*(do(deed) for deed in deeds), return_exceptions=True)
    for result in results:
        assert not isinstance(result, BaseException) or isinstance(result, AppError), result
    return list(results)


async def test_twenty_people_on_the_last_seat(racing: Sessions) -> None:
    for _ in range(TRIALS):
        table = await Gathering.of(racing, seats=2)
        token = await table.token()
        people = [await guest(racing, f"Guest {n:02}x") for n in range(20)]

        results = await all_at_once(
            racing,
            *(
                partial(seats.join_by_invite, token=token, person=person, now=NOON)
                for person in people
            ),
        )

        assert sum(result == table.id for result in results) == 1
        assert (await table.page()).full


async def test_the_same_person_twenty_times(racing: Sessions) -> None:
    for _ in range(TRIALS):
        table = await Gathering.of(racing, seats=4)
        token = await table.token()
        blai = await guest(racing, "Blai")

        results = await all_at_once(
            racing,
            *[partial(seats.join_by_invite, token=token, person=blai, now=NOON)] * 20,
        )

        assert table.id in results
        assert sum(seat.mine for seat in (await table.page(blai)).seats) == 1


async def test_twenty_starts_begin_one_match(racing: Sessions) -> None:
    for _ in range(TRIALS):
        table = await Gathering.of(racing, seats=2)
        await table.fill_with_bots()

        results = await all_at_once(
            racing,
            *[partial(service.start, table_id=table.id, person=table.host, now=NOON)] * 20,
        )

        begun = [result for result in results if not isinstance(result, ConflictError)]
        assert begun == [(await table.page()).match_id]
    async with racing.begin() as session:
        assert (await session.scalar(text("select count(*) from matches"))) == TRIALS


async def test_two_bots_and_a_person_on_one_seat(racing: Sessions) -> None:
    for _ in range(TRIALS):
        table = await Gathering.of(racing, seats=2)
        token = await table.token()
        blai = await guest(racing, "Blai")

        results = await all_at_once(
            racing,
            partial(seats.join_by_invite, token=token, person=blai, now=NOON),
            *[
                partial(
                    seats.add_bot, table_id=table.id, position=1, policy="steady", person=table.host
                )
            ]
            * 2,
        )

        assert sum(not isinstance(result, AppError) for result in results) == 1
        assert (await table.page()).full


async def test_twenty_rematches_make_one_table(racing: Sessions) -> None:
    table = await Gathering.of(racing, seats=2)
    blai = await table.joined("Blai")
    await table.start()
    async with racing.begin() as session:
        await session.execute(
            text("update matches set status = 'finished', finished_at = :now"), {"now": NOON}
        )

    results = await all_at_once(
        racing,
        *(
            partial(service.rematch, table_id=table.id, person=person, links=LINKS, now=NOON)
            for person in [table.host, blai] * 10
        ),
    )

    made = {result for result in results if not isinstance(result, ConflictError)}
    assert made == {(await table.page()).rematch_id}


async def test_twenty_clicks_make_one_table(racing: Sessions) -> None:
    host = await guest(racing, "Anna")
    wish = NewTable(game="castell", seats=2, key="one form", options={})

    results = await all_at_once(
        racing,
        *[partial(service.create_table, host=host, wish=wish, links=LINKS, now=NOON)] * 20,
    )

    assert len({result for result in results if not isinstance(result, ConflictError)}) == 1
    async with racing.begin() as session:
        assert (await session.scalar(text("select count(*) from tables"))) == 1


async def test_leaving_everything_at_once_ends_without_a_deadlock(sessions: Sessions) -> None:
    """People who share tables and matches resign, leave, delete themselves and become others."""
    for _ in range(TRIALS):
        first = await Gathering.of(sessions, seats=4)
        people = [first.host, *[await first.joined(f"Guest {n}x") for n in range(3)]]
        tables = [first]
        # Everybody sits everywhere; each table was joined in another order.
        for turn in range(1, 6):
            host, *others = people[turn % 4 :] + people[: turn % 4]
            table = await hosted(sessions, host)
            for person in others:
                await table.join(person)
            tables.append(table)
        matches = [await table.start() for table in tables[3:]]
        account = await guest(sessions, "Account")
        deeds: list[Callable[[Any], Awaitable[object]]] = [
            partial(take_over, guest=people[0], person=account),
            partial(delete_everywhere, person=people[1], password="", now=NOON),
            partial(delete_everywhere, person=people[2], password="", now=NOON),
            *(partial(seats.leave, table_id=table.id, person=people[0]) for table in tables[:3]),
            *(partial(seats.leave, table_id=table.id, person=people[1]) for table in tables[:3]),
            *(partial(left, match_id=match_id, person=people[0]) for match_id in matches),
            *(partial(left, match_id=match_id, person=people[2]) for match_id in matches),
        ]

        results = await all_at_once(sessions, *deeds)

        assert results[0] is None or isinstance(results[0], ConflictError)
        assert results[1:3] == [None, None]
        async with sessions.begin() as session:
            for person in people[1:3]:
                assert await running_seats(session, person.id) == ()
                assert await my_tables(session, person) == ()


async def hosted(sessions: Sessions, host: Person) -> Gathering:
    """Return a table of four seats that `host` lays."""
    wish = NewTable(game="castell", seats=4, key=uuid4().hex, options={})
    async with sessions.begin() as session:
        return Gathering(
            sessions,
            await service.create_table(session, host=host, wish=wish, links=LINKS, now=NOON),
            host,
        )


async def left(session: Any, *, match_id: UUID, person: Person) -> None:
    """Resign from a match, if one sits there still."""
    for seat in await seats_of(session, match_id, person.id):
        await resign(session, match_id=match_id, seat=seat, key=f"r{seat}", now=NOON)
