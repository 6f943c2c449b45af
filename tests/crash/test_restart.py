"""The database crashes, again and again, while four programs commit turns.

    CRASH_RESTARTS=100 .venv/bin/python -m pytest -s -q tests/crash/test_restart.py

ends PostgreSQL as `pg_ctl stop -m immediate` does, a hundred times (`make test`
does it a few times), at random moments of commits that are on their way, and
starts it again a moment later.  Neither the web process nor the worker is
started again.  What must hold is what holds when they are killed; and that
meanwhile every answer is a 503 that says when to ask again, that nothing but
warnings is logged, and that both work again soon after the database does.
"""

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest

from app.db.address import conninfo
from app.db.embedded import EmbeddedServer
from app.db.embedded.probe import recorded_pid, serves
from app.db.migrate import upgrade
from app.jobs.worker import ALIVE
from tests.crash.players import PATIENCE_SECONDS, Host, Key, Ledger, four_players
from tests.crash.reckoning import commands, reckon, verified
from tests.crash.server import Server

pytestmark = pytest.mark.anyio

RESTARTS = int(os.environ.get("CRASH_RESTARTS", "3"))
SEED = int(os.environ.get("CRASH_SEED", "1"))
MATCHES_AT_ONCE = 4
COMMITS_BETWEEN = 2
# How long the database stays away, at most; and the web process after it is back.
AWAY_SECONDS = 0.5
BACK_SECONDS = 5.0
# The worker looks for its database every five seconds at the latest.
WORKER_SECONDS = 15.0
LOOK_SECONDS = 0.02

# What has to be on for a commit to outlive the machine.
_SAFE = ("fsync", "full_page_writes", "synchronous_commit")

_WORKERS = """
    select count(*) from pg_locks
    where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = %s
"""


@dataclass(slots=True)
class Breaker:
    """Waits for a commit to be on its way, then ends the database without warning."""

    database: EmbeddedServer
    server: Server
    ledger: Ledger
    rng: random.Random
    # How long after the database was back a commit was acknowledged, or the worker lived.
    web_seconds: list[float] = field(default_factory=list)
    worker_seconds: list[float] = field(default_factory=list)
    lost_answers: int = 0
    lost_requests: int = 0

    async def restart(self, number: int) -> None:
        """Crash during a commit, start again, and see both processes work."""
        ledger, before = self.ledger, len(self.ledger.acknowledged)
        await ledger.until(lambda: len(ledger.acknowledged) >= before + COMMITS_BETWEEN)
        if number % 2:
            await ledger.until(lambda: len(ledger.in_flight) > 0)
            await asyncio.sleep(self.rng.uniform(0, ledger.seconds))
            self.crash()
        else:
            ledger.trap = self.crash
            await ledger.until(lambda: ledger.trap is None)
        under_way = set(ledger.in_flight)
        await asyncio.to_thread(self.wait_for_the_end)
        await asyncio.sleep(self.rng.uniform(0, AWAY_SECONDS))
        await asyncio.to_thread(self.database.start)
        back, acknowledged = time.monotonic(), len(ledger.acknowledged)
        await self.note(under_way)
        await ledger.until(lambda: len(ledger.acknowledged) > acknowledged)
        self.web_seconds.append(time.monotonic() - back)
        await self.wait_for_the_worker()
        self.worker_seconds.append(time.monotonic() - back)
        assert self.server.web.alive
        assert self.server.worker.alive

    def crash(self) -> None:
        """End the server as `pg_ctl stop -m immediate` does: nothing is written any more."""
        pid = recorded_pid(self.database.cluster)
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)

    def wait_for_the_end(self) -> None:
        pid = recorded_pid(self.database.cluster)
        while pid is not None and serves(pid, self.database.cluster):
            time.sleep(0.005)

    async def note(self, under_way: set[Key]) -> None:
        """Write down which of the commits under way the log holds already."""
        async with self.asking() as connection:
            stored = await commands(connection)
        unanswered = under_way - set(self.ledger.acknowledged)
        kept = {key: stored[key] for key in unanswered & set(stored)}
        self.ledger.found.update(kept)
        self.lost_answers += len(kept)
        self.lost_requests += len(unanswered) - len(kept)

    async def wait_for_the_worker(self) -> None:
        """Wait until a worker lives that has come after the crash, and answers its queue."""
        async with asyncio.timeout(PATIENCE_SECONDS), self.asking() as connection:
            while True:
                alive = await connection.execute(_WORKERS, [ALIVE])
                if await alive.fetchone() != (0,):
                    return
                await asyncio.sleep(LOOK_SECONDS)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[psycopg.AsyncConnection]:
        """Yield a connection of our own."""
        url = conninfo(self.database.url("placa"))
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            yield connection


@dataclass(slots=True)
class Reader:
    """Somebody who looks at pages all the time, and is never shown a failure."""

    client: httpx.AsyncClient
    stopping: asyncio.Event
    shown: int = 0
    turned_away: int = 0

    async def look(self) -> None:
        """Ask for a page that needs the database, until told to stop."""
        while not self.stopping.is_set():
            answer = await self.client.get("/tables")
            if answer.status_code == 503:
                assert int(answer.headers["Retry-After"]) > 0
                assert "<html" in answer.text
                self.turned_away += 1
            else:
                assert answer.status_code == 200, answer.text
                self.shown += 1
            await asyncio.sleep(LOOK_SECONDS)


async def test_no_acknowledged_turn_is_lost_when_the_database_crashes(
    open_folder: Path, tmp_path: Path
) -> None:
    rng = random.Random(SEED)
    database = EmbeddedServer(open_folder)
    database.start()
    async with AsyncExitStack() as stack:
        stack.callback(database.stop)
        url = await prepare(database)
        server = stack.enter_context(Server.running(url, tmp_path))
        players = await stack.enter_async_context(four_players(url, server.url, rng))
        ledger, stopping = players[0].ledger, players[0].stopping
        host = Host(players, MATCHES_AT_ONCE)
        breaker = Breaker(database, server, ledger, rng)
        reader = Reader(
            await stack.enter_async_context(
                httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_SECONDS)
            ),
            stopping,
        )
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play())
            group.create_task(host.keep_open())
            group.create_task(reader.look())
            for number in range(1, RESTARTS + 1):
                await breaker.restart(number)
            await bots_move(breaker)
            stopping.set()
        server.worker.stop()

        async with breaker.asking() as connection:
            await reckon(connection, ledger)
        assert await verified(url) == len(host.opened)

    for name in ("web.log", "worker.log"):
        logged = (tmp_path / name).read_text()
        assert "Traceback" not in logged
        assert {json.loads(line)["level"] for line in logged.splitlines()} == {"warning"}
    assert max(breaker.web_seconds) <= BACK_SECONDS
    assert max(breaker.worker_seconds) <= WORKER_SECONDS
    assert ledger.turned_away + reader.turned_away > 0
    print(  # noqa: T201 - the figures that somebody who asked for more crashes wants to see
        f"\n{RESTARTS} crashes of the database; {len(host.opened)} matches;"
        f" {len(ledger.acknowledged)} commits acknowledged, each in the log once;"
        f" under way: {breaker.lost_answers} already in the log,"
        f" {breaker.lost_requests} not yet;"
        f" answered 503: {ledger.turned_away} requests of programs, {reader.turned_away} pages;"
        f" after the database at the latest: a commit {max(breaker.web_seconds):.2f} s,"
        f" the worker {max(breaker.worker_seconds):.2f} s"
    )


async def prepare(database: EmbeddedServer) -> str:
    """Make and migrate the database; see that the server keeps what it is told."""
    url = database.url("postgres")
    async with await psycopg.AsyncConnection.connect(conninfo(url), autocommit=True) as connection:
        for name in _SAFE:
            found = await (await connection.execute(f"show {name}".encode())).fetchone()
            assert found == ("on",), name
        await connection.execute("create database placa")
    await asyncio.to_thread(upgrade, database.url("placa"))
    return database.url("placa")


async def bots_move(breaker: Breaker) -> None:
    """Wait until the worker has committed a bot's turn."""
    async with asyncio.timeout(PATIENCE_SECONDS), breaker.asking() as connection:
        before = len(await commands(connection)) - len(breaker.ledger.acknowledged)
        while True:
            by_bots = [key for _, _, key in await commands(connection) if key.startswith("bot:")]
            if len(by_bots) > max(before, 0):
                return
            await asyncio.sleep(LOOK_SECONDS)
