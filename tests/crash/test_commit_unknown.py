"""A COMMIT whose answer is lost: nobody knows whether it was carried out, and the key tells.

    CRASH_CUTS=200 .venv/bin/python -m pytest -s -q tests/crash/test_commit_unknown.py

cuts the connection between the web process and PostgreSQL two hundred times (`make test`
does it twenty times), each time at the COMMIT of somebody's turn: in turn before the
server has heard it, and after it has carried it out and before it says so.  Whoever
sent the turn is told that nobody knows; the log holds it if and only if the server
carried it out; and the same request with the same key, or a look for the key, leads
to one turn, with the version that a turn carried out before has.
"""

import asyncio
import os
import random
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.rows import TupleRow

from app.db.address import conninfo
from app.db.engine import driver_url, make_engine
from app.db.session import Sessions, make_sessions
from app.matches.service import find_commit
from app.rules.game import Seat
from tests.conftest import MakeDatabase
from tests.crash.cutting import Cutter, Moment, cutting
from tests.crash.players import Host, Key, Ledger, Player, four_players
from tests.crash.reckoning import commands, reckon, verified
from tests.crash.server import Server

pytestmark = pytest.mark.anyio

CUTS = int(os.environ.get("CRASH_CUTS", "20"))
SEED = int(os.environ.get("CRASH_SEED", "1"))
MATCHES = 3


async def test_a_commit_of_which_nobody_knows_is_resolved_by_its_key(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    database_url, rng = make_database("cuts"), random.Random(SEED)
    engine = make_engine(database_url)
    done: dict[Moment, int] = {"before": 0, "after": 0}
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(
            await psycopg.AsyncConnection.connect(conninfo(database_url), autocommit=True)
        )
        sockets = Path(str(driver_url(database_url).query["host"]))
        cutter, port = await stack.enter_async_context(cutting(sockets))
        name = driver_url(database_url).database
        url = f"postgresql://postgres@127.0.0.1:{port}/{name}"
        server = stack.enter_context(Server.running(url, tmp_path))
        # Bots would commit between what is compared.
        server.worker.kill()
        players = await stack.enter_async_context(four_players(database_url, server.url, rng))
        cuts = Cuts(cutter, database, make_sessions(engine), rng, players[0].ledger)
        host = Host(players, MATCHES)
        for number in range(1, CUTS + 1):
            if len(host.opened) - len(cuts.ledger.finished) < MATCHES:
                # Without bots: every fourth less one has some.
                host.opened.append(await host.open(number * 4))
            moment: Moment = "after" if number % 2 else "before"
            player, key, body = await cuts.wish(players)
            await cuts.lose(player, key, body, moment)
            done[moment] += 1
        await reckon(database, cuts.ledger)
        assert cutter.cuts == CUTS
        assert server.web.alive
    await engine.dispose()
    assert await verified(database_url) == len(host.opened)
    assert "Traceback" not in (tmp_path / "web.log").read_text()
    print(  # noqa: T201 - the figures that somebody who asked for more wants to see
        f"\n{CUTS} connections lost at a COMMIT: {done['before']} before it was heard,"
        f" {done['after']} after it was carried out; {cuts.looked} keys looked up;"
        f" each turn in the log once"
    )


@dataclass(slots=True)
class Cuts:
    """Loses commits, and sees what became of them."""

    cutter: Cutter
    database: psycopg.AsyncConnection[TupleRow]
    sessions: Sessions
    rng: random.Random
    ledger: Ledger
    looked: int = 0

    async def wish(self, players: list[Player]) -> tuple[Player, Key, dict[str, Any]]:
        """Return what somebody who is asked would like to do, at random."""
        while True:
            player = self.rng.choice(players)
            cards = await player.ask("GET", "/matches")
            self.ledger.finished |= {card["id"] for card in cards if card["status"] == "finished"}
            asked = [
                (card["id"], seat)
                for card in cards
                for seat in sorted(set(card["mine"]) & set(card["asked"]))
            ]
            if asked:
                break
        match_id, seat = self.rng.choice(asked)
        legal = await player.ask("GET", f"/matches/{match_id}/legal", params={"seat": seat})
        prompt = legal["prompt"]
        moves = [move for move in legal["moves"] if move != prompt["finish"]]
        line = self.rng.choice(moves) if moves else None
        key = (match_id, seat, prompt["key"])
        return player, key, {"expected_version": legal["version"], "key": key[2], "line": line}

    async def lose(self, player: Player, key: Key, body: dict[str, Any], moment: Moment) -> None:
        """Commit, lose the answer, and find out."""
        self.cutter.arm(moment)
        answer = await self.post(player, key, body)
        assert self.cutter.cut.is_set()
        assert answer.status_code == 503, answer.text
        assert int(answer.headers["Retry-After"]) > 0
        stored = (await self.settled()).get(key)
        assert (stored is not None) == (moment == "after")
        if self.rng.random() < 0.5:
            found = await self.find(key)
            assert found == stored
            self.looked += 1
        again = await self.post(player, key, body)
        assert again.status_code == 200, again.text
        version = again.json()["version"]
        assert stored in {None, version}, "it was carried out twice"
        assert (await commands(self.database))[key] == version
        self.ledger.acknowledge(key, version)

    async def post(self, player: Player, key: Key, body: dict[str, Any]) -> Any:
        match_id, seat, _ = key
        return await player.client.post(
            f"/api/matches/{match_id}/commit", params={"seat": seat}, json=body
        )

    async def settled(self) -> dict[Key, int]:
        """Return what is in the log once the server knows that the connection is lost."""
        while True:
            open_ = await self.database.execute(
                "select from pg_stat_activity where datname = current_database()"
                " and pid <> pg_backend_pid() and state like 'idle in transaction%'"
            )
            if not await open_.fetchall():
                return await commands(self.database)
            await asyncio.sleep(0.005)

    async def find(self, key: Key) -> int | None:
        async with self.sessions.begin() as session:
            found = await find_commit(session, match_id=UUID(key[0]), seat=Seat(key[1]), key=key[2])
        return None if found is None else found.version
