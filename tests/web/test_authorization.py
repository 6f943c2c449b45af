"""Every route, every role: the matrix of `tests/web/routes.py`."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.session import Sessions
from tests.support.browser import Browser, serving, without_tokens
from tests.support.world import ROLES, World, make_world
from tests.web.routes import ROWS, Row

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True)
class NothingLasts:
    """Opens sessions that are rolled back, so that one request does not spoil the next."""

    sessions: Sessions

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncSession]:
        async with self.sessions() as session:
            yield session
            await session.rollback()


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


async def ask(browser: Browser, world: World, row: Row) -> int:
    path = world.path(row.path)
    if row.method == "GET":
        return (await browser.get(path)).status_code
    form = {name: world.path(value) for name, value in row.form.items()}
    return (await browser.submit(path, form)).status_code


async def test_every_role_gets_what_the_matrix_says(app: FastAPI, world: World) -> None:
    app.state.sessions = NothingLasts(app.state.sessions)
    wrong = []
    for position, role in enumerate(ROLES):
        async with world.browser(app, role) as browser:
            for row in ROWS:
                app.state.limiter.forget()
                cookies = dict(browser.cookies)
                status = await ask(browser, world, row)
                browser.cookies.clear()
                browser.cookies.update(cookies)
                expected = row.expected[position]
                if status not in (expected if isinstance(expected, frozenset) else {expected}):
                    wrong.append(f"{role}: {row.method} {row.path} {status}")

    assert not wrong, "\n".join(wrong)


def pages_of(app: FastAPI) -> Iterator[tuple[str, str]]:
    for context in iter_route_contexts(app.routes):
        if isinstance(context.original_route, APIRoute):
            for method in context.methods or ():
                yield str(context.name), method


async def test_every_route_has_a_row(app: FastAPI) -> None:
    listed = {(row.name, row.method) for row in ROWS}

    assert set(pages_of(app)) - listed == set()
    assert listed - set(pages_of(app)) == set()


async def test_nothing_tells_a_private_thing_from_one_that_is_not_there(
    app: FastAPI, world: World
) -> None:
    """For outsiders, the answers for a real id and for one nobody has are the same bytes."""
    hidden = [world.names["table"], world.names["started"], world.names["match"]]
    missing = "01a22abc-0000-7000-8000-000000000000"
    app.state.sessions = NothingLasts(app.state.sessions)

    for role in ("anonymous", "elsewhere"):
        async with world.browser(app, role) as browser:
            await browser.get("/")
            for row in ROWS:
                path = world.path(row.path)
                found = next((id_ for id_ in hidden if id_ in path), None)
                if found is None:
                    continue
                app.state.limiter.forget()
                form = {name: world.path(value) for name, value in row.form.items()}
                answers = []
                for address in (path, path.replace(found, missing)):
                    answer = (
                        await browser.get(address)
                        if row.method == "GET"
                        else await browser.submit(address, form)
                    )
                    names = {**answer.headers, "location": ""}
                    text = without_tokens(answer.text.replace(found, missing))
                    answers.append((answer.status_code, names, text))

                assert answers[0] == answers[1], f"{role}: {row.method} {row.path}"
