"""A commit on its way while its person leaves the seat: pages and programs alike."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI

from app.accounts.api_tokens import create_api_token
from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.db.session import Sessions
from app.matches.queries import match_page
from app.matches.service import resign
from tests.support.browser import Browser, serving
from tests.support.people import NOON, Gathering

pytestmark = pytest.mark.anyio


async def by_page(app: FastAPI, sessions: Sessions, person: Person, match_id: UUID) -> int:
    async with sessions.begin() as session:
        cookie = await start_session(session, person=person, label="", now=NOON)
    async with Browser(app) as browser:
        browser.cookies.set(app.state.cookies.session, cookie)
        form = {"expected_version": "2", "key": "late", "line": "move BCN"}
        return (await browser.submit(f"/matches/{match_id}/commit", form)).status_code


async def by_program(app: FastAPI, sessions: Sessions, person: Person, match_id: UUID) -> int:
    async with sessions.begin() as session:
        token = await create_api_token(session, person=person, label="bot", now=NOON)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="https://plaza.test/api",
        headers={"Authorization": f"Bearer {token}"},
    ) as client:
        wish = {"expected_version": 2, "key": "late", "line": "move BCN"}
        return (await client.post(f"/matches/{match_id}/commit", json=wish)).status_code


@pytest.mark.parametrize("late", [by_page, by_program])
async def test_who_leaves_while_a_commit_is_on_its_way_plays_nothing_more(
    database_url: str,
    sessions: Sessions,
    late: Callable[[FastAPI, Sessions, Person, UUID], Coroutine[Any, Any, int]],
) -> None:
    table = await Gathering.of(sessions, seats=2)
    people = (table.host, await table.joined("Berta"))
    match_id = await table.start()
    async with sessions.begin() as session:
        page = await match_page(session, match_id=match_id, seat=None)
    (mine,) = page.asked
    async with serving(database_url) as app:
        async with sessions.begin() as session:
            # The resignation holds the match; the request was let in by what it replaces.
            await resign(session, match_id=match_id, seat=mine, key="r", now=NOON)
            request = asyncio.create_task(late(app, sessions, people[mine], match_id))
            while not await waiting(sessions):
                assert not request.done(), await request
                await asyncio.sleep(0.02)

        assert await request == 404
    async with sessions.begin() as session:
        assert (await match_page(session, match_id=match_id, seat=None)).version == 2


async def waiting(sessions: Sessions) -> bool:
    """Whether a statement waits for a row that another transaction holds."""
    async with sessions.begin() as session:
        connection = await session.connection()
        found = await connection.exec_driver_sql(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
            " and datname = current_database()"
        )
        return bool(found.scalar_one())
