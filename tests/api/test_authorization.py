"""Every route of the API, every role: the matrix of `tests/api/routes.py`."""

from collections.abc import AsyncIterator, Iterator, Mapping

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from httpx import ASGITransport, AsyncClient, Response
from starlette.routing import Mount

from app.db.session import Sessions
from app.ids import new_token
from tests.api.routes import ROWS, Row
from tests.support.browser import HERE, serving
from tests.support.world import ROLES, World, make_world
from tests.web.test_authorization import NothingLasts

pytestmark = pytest.mark.anyio


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        app.state.sessions = NothingLasts(app.state.sessions)
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


def api_of(app: FastAPI) -> FastAPI:
    """Return the application that is mounted for programs."""
    (api,) = (route.app for route in app.routes if isinstance(route, Mount) and route.name == "api")
    assert isinstance(api, FastAPI)
    return api


async def ask(app: FastAPI, world: World, row: Row, headers: Mapping[str, str]) -> Response:
    """Ask what the row asks."""
    app.state.limiter.forget()
    body = row.body and {
        name: world.path(value) if isinstance(value, str) else value
        for name, value in row.body.items()
    }
    async with AsyncClient(transport=ASGITransport(app), base_url=HERE) as client:
        return await client.request(
            row.method,
            f"/api{world.path(row.path)}",
            json=body if row.method == "POST" else None,
            headers=dict(headers),
        )


def proof(world: World, role: str) -> dict[str, str]:
    """Return the header that proves a role; none for who has no token."""
    return {"Authorization": f"Bearer {world.tokens[role]}"} if role in world.tokens else {}


async def test_every_role_gets_what_the_matrix_says(app: FastAPI, world: World) -> None:
    wrong = []
    for position, role in enumerate(ROLES):
        for row in ROWS:
            status = (await ask(app, world, row, proof(world, role))).status_code
            expected = row.expected[position]
            if status not in (expected if isinstance(expected, frozenset) else {expected}):
                wrong.append(f"{role}: {row.method} {row.path} {status}")

    assert not wrong, "\n".join(wrong)


def routes_of(app: FastAPI) -> Iterator[tuple[str, str]]:
    for context in iter_route_contexts(api_of(app).routes):
        for method in set(context.methods or ()) - {"HEAD"}:
            yield method, str(context.path)


async def test_every_route_has_a_row(app: FastAPI) -> None:
    listed = {(row.method, row.route) for row in ROWS}

    assert set(routes_of(app)) == listed
    assert len(listed) > 15


async def test_neither_a_worthless_token_nor_a_cookie_is_let_in(app: FastAPI, world: World) -> None:
    cookie = f"{app.state.cookies.session}={world.cookies['player']}"
    wrong = [
        f"{row.method} {row.path}"
        for row in ROWS
        for headers in (
            {"Authorization": f"Bearer {new_token()}"},
            {"Authorization": f"Bearer {world.cookies['player']}"},
            {"Cookie": cookie},
        )
        if row.expected[0] == 401 and (await ask(app, world, row, headers)).status_code != 401
    ]

    assert wrong == []


async def test_nothing_tells_a_private_thing_from_one_that_is_not_there(
    app: FastAPI, world: World
) -> None:
    """For outsiders, the answers for a real id and for one nobody has are the same bytes."""
    hidden = [world.names["table"], world.names["started"], world.names["match"]]
    missing = "01a22abc-0000-7000-8000-000000000000"

    for role in ("anonymous", "elsewhere"):
        for row in ROWS:
            path = world.path(row.path)
            found = next((id_ for id_ in hidden if id_ in path), None)
            if found is None:
                continue
            elsewhere = Row(
                row.method, row.route, path.replace(found, missing), row.expected, row.body
            )
            real, none = [
                await ask(app, world, one, proof(world, role)) for one in (row, elsewhere)
            ]

            assert (real.status_code, real.content) == (none.status_code, none.content), (
                f"{role}: {row.method} {row.path}"
            )
