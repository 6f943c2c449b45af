"""`kill -9`, again and again, while four programs commit turns.

    CRASH_KILLS=100 .venv/bin/python -m pytest -s -q tests/crash

kills the web process a hundred times (`make test` does it ten times): in turn at a
random moment of a commit that is on its way, and at the very moment an answer
arrives; and with every fifth the worker as well, whose bots sit in some of the
matches.  Nobody waits for a turn to be safe:
the only thing a program knows is the answer, or that none came.  What must hold
in the end is that every acknowledged commit is in the log once, at the version
that was acknowledged; that nothing else is there; and that every match verifies.
"""

import asyncio
import os
import random
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.rows import TupleRow

from app.db.address import conninfo
from tests.conftest import MakeDatabase
from tests.crash.players import PATIENCE_SECONDS, Host, Key, Ledger, four_players
from tests.crash.reckoning import commands, reckon, verified
from tests.crash.server import Server

KILLS = int(os.environ.get("CRASH_KILLS", "10"))
SEED = int(os.environ.get("CRASH_SEED", "1"))
MATCHES_AT_ONCE = 4
# What the log needs between two kills to show that the server works again.
COMMITS_BETWEEN = 2
WORKER_EVERY = 5

# The backends of a killed process end what they were told before they notice.
_BUSY = """
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'placa web'
"""


@dataclass(slots=True)
class Killer:
    """Waits for a commit to be on its way, then ends the server without warning."""

    server: Server
    ledger: Ledger
    database: psycopg.AsyncConnection[TupleRow]
    rng: random.Random
    # Of the commits that were on their way: those in the log, and those not.
    lost_answers: int = 0
    lost_requests: int = 0

    async def kill(self, number: int) -> None:
        """Kill during a commit, look what it left in the log, and start again."""
        ledger, before = self.ledger, len(self.ledger.acknowledged)
        await ledger.until(lambda: len(ledger.acknowledged) >= before + COMMITS_BETWEEN)
        if number % 2:
            await ledger.until(lambda: len(ledger.in_flight) > 0)
            await asyncio.sleep(self.rng.uniform(0, ledger.seconds))
            self.server.web.kill()
        else:
            # The worst moment for a server that answers before the turn is safe.
            ledger.trap = self.server.web.kill
            await ledger.until(lambda: ledger.trap is None)
        under_way = set(ledger.in_flight)
        if number % WORKER_EVERY == 0:
            self.server.worker.kill()
            self.server.worker.start()
        await self.note(under_way)
        self.server.web.start()

    async def note(self, under_way: set[Key]) -> None:
        """Write down which of the commits under way the log holds already."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self.one(_BUSY) != 0:
                await self.database.execute("select pg_sleep(0.01)")
        stored = await commands(self.database)
        unanswered = under_way - set(self.ledger.acknowledged)
        kept = {key: stored[key] for key in unanswered & set(stored)}
        self.ledger.found.update(kept)
        self.lost_answers += len(kept)
        self.lost_requests += len(unanswered) - len(kept)

    async def one(self, query: str) -> int:
        found = await (await self.database.execute(query.encode())).fetchone()
        assert found is not None
        return int(found[0])


async def test_no_acknowledged_turn_is_lost_or_doubled(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    database_url, rng = make_database("crash"), random.Random(SEED)
    async with (
        await psycopg.AsyncConnection.connect(conninfo(database_url), autocommit=True) as database,
        AsyncExitStack() as stack,
    ):
        server = stack.enter_context(Server.running(database_url, tmp_path))
        players = await stack.enter_async_context(four_players(database_url, server.url, rng))
        ledger = players[0].ledger
        host = Host(players, MATCHES_AT_ONCE)
        killer = Killer(server, ledger, database, rng)
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play())
            group.create_task(host.keep_open())
            for number in range(1, KILLS + 1):
                await killer.kill(number)
            last = len(ledger.acknowledged)
            await ledger.until(lambda: len(ledger.acknowledged) > last)
            players[0].stopping.set()
        server.worker.stop()

        await reckon(database, ledger)
        assert await verified(database_url) == len(host.opened)
    assert (server.web.kills, server.worker.kills) == (KILLS, KILLS // WORKER_EVERY)
    print(  # noqa: T201 - the figures that somebody who asked for more kills wants to see
        f"\n{KILLS} kills of the web process, {server.worker.kills} of the worker;"
        f" {len(host.opened)} matches, {len(ledger.finished)} of them finished;"
        f" {len(ledger.acknowledged)} commits acknowledged, each in the log once;"
        f" under way when killed: {killer.lost_answers} already in the log,"
        f" {killer.lost_requests} not yet; requests sent again: {ledger.sent_again}"
    )
