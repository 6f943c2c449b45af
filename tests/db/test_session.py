"""A request's transaction: committed before the answer, or not at all."""

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.db.session import Session, Sessions, transaction


@pytest.fixture
def app(sessions: Sessions) -> FastAPI:
    """Return an application with three ways for a write to end."""
    app = FastAPI()
    app.state.sessions = sessions

    @app.post("/write")
    async def write(session: Session) -> str:
        await session.execute(text("insert into procrastinate_workers default values"))
        return "written"

    @app.post("/fail")
    async def fail(session: Session) -> str:
        await session.execute(text("insert into procrastinate_workers default values"))
        raise RuntimeError

    @app.post("/fail-at-commit")
    async def fail_at_commit(session: Session) -> str:
        await session.execute(
            text("create table late (n int unique deferrable initially deferred)")
        )
        await session.execute(text("insert into late values (1), (1)"))
        return "written"

    return app


def client(app: FastAPI) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app)
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def written(sessions: Sessions) -> int:
    async with transaction(sessions) as session:
        found = await session.execute(text("select count(*) from procrastinate_workers"))
        return int(found.scalar_one())


async def test_what_was_answered_is_committed(app: FastAPI, sessions: Sessions) -> None:
    async with client(app) as http:
        assert (await http.post("/write")).status_code == 200

    assert await written(sessions) == 1


async def test_a_handler_that_raises_leaves_no_trace(app: FastAPI, sessions: Sessions) -> None:
    async with client(app) as http:
        with pytest.raises(RuntimeError):
            await http.post("/fail")

    assert await written(sessions) == 0


async def test_a_commit_that_fails_is_never_answered_as_a_success(app: FastAPI) -> None:
    async with client(app) as http:
        with pytest.raises(DBAPIError):
            await http.post("/fail-at-commit")
