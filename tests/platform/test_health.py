"""/healthz and /readyz: alive is not the same as ready."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from sqlalchemy import text

from app.config import Settings
from app.db.session import Sessions, transaction
from app.main import create_app

MakeDatabase = Callable[[str], str]


@asynccontextmanager
async def client(url: str, folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(data_dir=folder, database_url=url))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        yield http
    await app.state.engine.dispose()


async def test_alive_needs_no_database(tmp_path: Path) -> None:
    async with client("postgresql://placa@127.0.0.1:1/placa", tmp_path) as http:
        live = await http.get("/healthz")
        ready = await http.get("/readyz")

    assert live.status_code == 200
    assert ready.status_code == 503
    assert ready.headers["Retry-After"] == "3"
    assert ready.json() == {
        "status": "not ready",
        "database": False,
        "migrations": False,
        "worker": False,
    }


async def test_ready_needs_a_worker(database_url: str, sessions: Sessions, tmp_path: Path) -> None:
    async with client(database_url, tmp_path) as http:
        before = await http.get("/readyz")
        async with transaction(sessions) as session:
            await session.execute(text("insert into procrastinate_workers default values"))
        after = await http.get("/readyz")
        async with transaction(sessions) as session:
            await session.execute(
                text("update procrastinate_workers set last_heartbeat = now() - interval '1 h'")
            )
        later = await http.get("/readyz")

    assert before.status_code == 503
    assert before.json()["migrations"] is True
    assert after.status_code == 200
    assert set(after.json().values()) == {"ok", True}
    assert later.status_code == 503


async def test_ready_needs_the_newest_schema(make_database: MakeDatabase, tmp_path: Path) -> None:
    url = make_database("health")
    async with client(url, tmp_path) as http:
        engine = http._transport.app.state.engine  # type: ignore[attr-defined]  # ours, see above
        async with engine.begin() as connection:
            await connection.execute(text("update alembic_version set version_num = 'older'"))
        answer = await http.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["database"] is True
    assert answer.json()["migrations"] is False
    assert answer.headers["Cache-Control"] == "no-store"
