"""No statement of the hot paths reads a table from end to end.

The tables of a test are too small for the planner to bother; told that reading
them whole costs very much, it does so only where no index helps.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.api_tokens import create_api_token
from app.accounts.service import create_guest
from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.lobby.people import delete_everywhere, take_over
from app.lobby.tasks import close_tables
from app.matches.clocks.terms import Terms
from app.matches.tasks import ask_again, forget_old_commands
from app.matches.timeouts import tick
from tests.support.browser import Browser, serving
from tests.support.people import NOON, Gathering
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio

Statement = tuple[str, Any]
# Read in their order from the first row on, and small: they hold what is going on now.
PARTIAL = {
    "tables_open_idx",
    "tables_gathering_idx",
    "matches_running_idx",
    "match_deadlines_due_idx",
}
SCANS = {"Index Scan", "Index Only Scan", "Bitmap Index Scan"}
# The queue belongs to its library, and holds only what is still to do.
FOREIGN = ("procrastinate_",)


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


@contextmanager
def noting(engine: AsyncEngine) -> Iterator[list[Statement]]:
    """Collect the statements sent while the block runs."""
    sent: list[Statement] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *rest: Any) -> None:
        sent.append((statement, parameters))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", note)


def whole_reads(plan: dict[str, Any]) -> Iterator[str]:
    """Return what a plan reads from end to end."""
    kind, table = plan["Node Type"], plan.get("Relation Name", plan.get("Index Name", ""))
    if kind == "Seq Scan" or (
        kind in SCANS and "Index Cond" not in plan and plan["Index Name"] not in PARTIAL
    ):
        yield table
    for inner in plan.get("Plans", ()):
        yield from whole_reads(inner)


async def found(engine: AsyncEngine, sent: list[Statement]) -> list[str]:
    """Explain each statement; return those that read a whole table."""
    bad = []
    verbs = ("select", "insert", "update", "delete", "with")
    async with engine.connect() as connection:
        await connection.exec_driver_sql("set enable_seqscan = off")
        for statement, parameters in {s.strip(): p for s, p in sent}.items():
            if not statement.lower().startswith(verbs) or isinstance(parameters, list):
                continue
            rows = await connection.exec_driver_sql(
                f"explain (format json) {statement}", parameters
            )
            (plan,) = rows.scalar_one()
            tables = [t for t in whole_reads(plan["Plan"]) if not t.startswith(FOREIGN)]
            if tables:
                bad.append(f"{tables}: {' '.join(statement.split())}")
    return bad


async def test_pages_and_polls(app: FastAPI, world: World) -> None:
    match, table = world.path("/matches/{match}"), world.path("/tables/{table}")
    paths = (
        "/",
        "/matches",
        "/tables",
        "/account",
        match,
        f"{match}/text",
        f"{match}/board?since=0",
        f"{match}/history/1",
        f"{match}/export",
        f"{match}/spectators",
        table,
        f"{table}/part?since=0.0",
        world.path("/tables/{started}/talk"),
        world.path("/i/{invite}"),
        world.path("/join/{code}"),
        world.path("/w/{watch}"),
    )
    engine: AsyncEngine = app.state.engine
    with noting(engine) as sent:
        for role in ("player", "spectator", "elsewhere", "anonymous"):
            async with world.browser(app, role) as browser:
                for path in paths:
                    await browser.get(path, headers={"HX-Request": "true"})

    assert len(sent) > 100
    assert await found(engine, sent) == []


async def test_clocks(app: FastAPI, world: World, sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2, clock=Terms(kind="bank", bank_days=2).mapping())
    people = (table.host, await table.joined("Berta"))
    match = f"/matches/{await table.start()}"
    engine: AsyncEngine = app.state.engine
    with noting(engine) as sent:
        for person in people:
            async with sessions.begin() as session:
                cookie = await start_session(session, person=person, label="", now=NOON)
            async with Browser(app) as browser:
                browser.cookies.set(app.state.cookies.session, cookie)
                form = {"expected_version": "1", "key": "k", "line": "end"}
                await browser.submit(f"{match}/commit", form)
                await browser.submit(
                    "/account/absences", {"first": "2026-09-24", "last": "2026-09-25"}
                )
                await browser.submit(f"{match}/propose", {"kind": "undo"})
                for path in ("/matches", match, f"{match}/time", "/account/time"):
                    assert (await browser.get(path)).status_code == 200
        async with app.state.sessions.begin() as session:
            await tick(session, NOON)

    for written in ("match_deadlines", "match_times", "match_proposals", "absences", "heartbeats"):
        assert any(written in statement for statement, _ in sent)
    assert await found(engine, sent) == []


async def test_drafts_turns_talk_and_programs(
    app: FastAPI, world: World, sessions: Sessions
) -> None:
    table = await Gathering.of(sessions, seats=2)
    people = (table.host, await table.joined("Berta"))
    match = f"/matches/{await table.start()}"
    engine: AsyncEngine = app.state.engine
    with noting(engine) as sent:
        for person in people:
            async with sessions.begin() as session:
                cookie = await start_session(session, person=person, label="", now=NOON)
                token = await create_api_token(session, person=person, label="bot", now=NOON)
            async with Browser(app) as browser:
                browser.cookies.set(app.state.cookies.session, cookie)
                await browser.submit(f"{match}/draft", {"add": "move BCN"})
                await browser.submit(f"{match}/commit", {"expected_version": "1", "key": "k"})
                await browser.submit(f"{match}/talk", {"text": "Hola", "key": "t"})
                for path in ("/matches", match, f"{match}/events", f"{match}/legal", "/me"):
                    header = {"Authorization": f"Bearer {token}"}
                    await browser.get(f"/api{path}", headers=header)
        async with world.browser(app, "elsewhere") as browser:
            await browser.submit("/play-bots", {"bots": "1", "key": "k"})
            await browser.submit(world.path("/i/{invite}"), {"name": "Else"})
        async with world.browser(app, "guest") as browser:
            await browser.submit(world.path("/matches/{match}/resign"), {"key": "r"})

    for written in ("match_drafts", "match_events", "match_commands", "talk", "tables"):
        assert any(f"insert into {written} " in statement.lower() for statement, _ in sent), written
    assert await found(engine, sent) == []


# Not the hourly one of sessions: indexes on their times would cost every visit more than it.
@pytest.mark.parametrize("sweep", [ask_again, forget_old_commands, close_tables])
async def test_sweeps(
    engine: AsyncEngine,
    sessions: Sessions,
    world: World,
    sweep: Callable[..., Awaitable[None]],
) -> None:
    with noting(engine) as sent:
        async with sessions.begin() as session:
            await sweep(session, NOON)

    assert sent
    assert await found(engine, sent) == []


async def test_becoming_another_and_being_forgotten(
    engine: AsyncEngine, sessions: Sessions, world: World
) -> None:
    with noting(engine) as sent:
        async with sessions.begin() as session:
            other = await create_guest(session, name="Other", now=NOON)
            await take_over(session, guest=world.people["guest"], person=other)
            await delete_everywhere(session, person=other, password="", now=NOON)

    assert await found(engine, sent) == []


async def test_what_hangs_on_a_person_is_found_when_the_person_goes(engine: AsyncEngine) -> None:
    """The database looks for it itself, in every table that refers to people."""
    async with engine.connect() as connection:
        missing = await connection.exec_driver_sql("""
            select c.conrelid::regclass::text || '.' || a.attname
            from pg_constraint c
            join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
            where c.contype = 'f' and c.confrelid = 'people'::regclass
              and not exists (select from pg_index i
                where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
                  and i.indpred is null)
        """)

        assert missing.scalars().all() == []
