"""Many at once: what must happen once happens once.

Each race is run as the application runs it, and again with every row lock taken
out of the statements: the constraints alone must hold.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from app.errors import AppError, ConflictError
from app.lobby import seats, service
from app.lobby.values import NewTable
from tests.support.people import LINKS, NOON, Gathering, guest

pytestmark = pytest.mark.anyio

TRIALS = 5


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
