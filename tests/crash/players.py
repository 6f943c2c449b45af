"""Programs that play over the JSON API and never take a lost answer for a refusal.

Each commit has a key of its own.  An answer that does not come is asked for
again, with the same key and the same body, until it does; what was
acknowledged is written down for the reckoning at the end.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeAlias

import httpx

from app.accounts.api_tokens import create_api_token
from app.accounts.service import create_guest
from app.clock import SYSTEM_CLOCK
from app.db.engine import make_engine
from app.db.session import make_sessions

Key: TypeAlias = tuple[str, int, str]
"""A match, a seat in it, and the idempotency key of one commit."""

NAMES = ("Anna", "Bernat", "Clara", "Dídac")
IDLE_SECONDS = 0.02
AGAIN_SECONDS = 0.05
# A starting server on a busy machine, with a queue of requests before it.
PATIENCE_SECONDS = 120.0


@dataclass(slots=True)
class Ledger:
    """What the players know of their commits."""

    acknowledged: dict[Key, int] = field(default_factory=dict)
    in_flight: set[Key] = field(default_factory=set)
    # What the log said, after a kill, of commits whose answer had been lost.
    found: dict[Key, int] = field(default_factory=dict)
    seconds: float = 0.05
    sent_again: int = 0
    # Answers that said: no database at present, ask again.
    turned_away: int = 0
    finished: set[str] = field(default_factory=set)
    # Called, once, at the very moment the next answer to a commit arrives.
    trap: Callable[[], None] | None = None
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    def acknowledge(self, key: Key, version: int) -> None:
        assert key not in self.acknowledged
        assert self.found.get(key, version) == version, "a repeat was answered differently"
        self.acknowledged[key] = version
        self._moved.set()
        if self.trap is not None:
            trap, self.trap = self.trap, None
            trap()

    @asynccontextmanager
    async def sending(self, key: Key) -> AsyncIterator[None]:
        """One attempt to commit is under way during the block."""
        self.in_flight.add(key)
        self._moved.set()
        began = perf_counter()
        try:
            yield
            self.seconds += ((perf_counter() - began) - self.seconds) / 8
        finally:
            self.in_flight.discard(key)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition` holds; it is asked whenever something moves."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                self._moved.clear()
                await self._moved.wait()


@dataclass(slots=True)
class Player:
    """One person's program."""

    client: httpx.AsyncClient
    ledger: Ledger
    rng: random.Random
    stopping: asyncio.Event

    async def ask(self, method: str, path: str, **options: Any) -> Any:
        """Return the answer, however often the server dies over it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                try:
                    answer = await self.client.request(method, f"/api{path}", **options)
                except httpx.TransportError:
                    self.ledger.sent_again += 1
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                if not self.turned_away(answer):
                    assert answer.is_success, f"{path} {options}: {answer.text}"
                    return answer.json()
                await asyncio.sleep(AGAIN_SECONDS)

    def turned_away(self, answer: httpx.Response) -> bool:
        """Tell whether the server says that it has no database, and when to ask again."""
        if answer.status_code != 503:
            return False
        assert int(answer.headers["Retry-After"]) > 0
        self.ledger.turned_away += 1
        return True

    async def play(self) -> None:
        """Take every turn that comes up, in whichever match, until told to stop."""
        while not self.stopping.is_set():
            cards = await self.ask("GET", "/matches")
            self.ledger.finished |= {card["id"] for card in cards if card["status"] == "finished"}
            asked = [
                (card["id"], seat)
                for card in cards
                for seat in sorted(set(card["mine"]) & set(card["asked"]))
            ]
            if asked:
                await self.act(*self.rng.choice(asked))
            else:
                await asyncio.sleep(IDLE_SECONDS)

    async def act(self, match_id: str, seat: int) -> None:
        """Answer what `seat` is asked: at random, by a draft or by a line."""
        legal = await self.ask("GET", f"/matches/{match_id}/legal", params={"seat": seat})
        prompt = legal["prompt"]
        line: str | None = None
        if prompt["finish"] is None:
            line = self.rng.choice(legal["moves"])
        else:
            moves = [move for move in legal["moves"] if move != prompt["finish"]]
            # What is legal is legal after the draft, and a line alone is a whole turn.
            fresh = bool(moves) and not legal["draft"]["lines"]
            choice = self.rng.choice(moves) if fresh else None
            if choice is not None and self.rng.random() < 0.5:
                line = choice
            elif choice is not None:
                body = {"add": choice, "revision": legal["draft"]["revision"]}
                try:
                    drafted = await self.client.post(
                        f"/api/matches/{match_id}/draft", params={"seat": seat}, json=body
                    )
                except httpx.TransportError:
                    # Noted or not?  The next look at the match tells.
                    return
                if self.turned_away(drafted):
                    return
                assert drafted.is_success, drafted.text
        await self.commit((match_id, seat, prompt["key"]), legal["version"], line)

    async def commit(self, key: Key, version: int, line: str | None) -> None:
        """Commit once, and ask with the same key until there is an answer."""
        match_id, seat, name = key
        body = {"expected_version": version, "key": name, "line": line}
        async with asyncio.timeout(PATIENCE_SECONDS):
            while key not in self.ledger.acknowledged:
                try:
                    async with self.ledger.sending(key):
                        answer = await self.client.post(
                            f"/api/matches/{match_id}/commit", params={"seat": seat}, json=body
                        )
                except httpx.TransportError:
                    self.ledger.sent_again += 1
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                if self.turned_away(answer):
                    # Committed or not?  Only the same key can tell.
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                assert answer.status_code == 200, f"{key} {body}: {answer.text}"
                self.ledger.acknowledge(key, answer.json()["version"])


@dataclass(slots=True)
class Host:
    """Keeps matches under way: tables are made, filled and started while servers die."""

    players: list[Player]
    at_once: int
    opened: list[str] = field(default_factory=list)

    async def keep_open(self) -> None:
        """Open matches until the players are told to stop."""
        ledger, stopping = self.players[0].ledger, self.players[0].stopping
        while not stopping.is_set():
            if len(self.opened) - len(ledger.finished) < self.at_once:
                self.opened.append(await self.open(len(self.opened)))
                continue
            await asyncio.sleep(IDLE_SECONDS)

    async def open(self, number: int) -> str:
        """Start one match; in every fourth, the worker's bots hold two seats.

        After each step the table says how far it is, whether or not the answer came.
        """
        first = number % len(self.players)
        host, *others = self.players[first:] + self.players[:first]
        bots = 2 if number % 4 == 3 else 0
        wish: dict[str, Any] = {
            "game": "castell",
            "seats": len(self.players),
            "key": f"table {number}",
        }
        table = await host.ask("POST", "/tables", json=wish)
        path = f"/tables/{table['id']}"
        while table["match_id"] is None:
            empty = [seat["position"] for seat in table["seats"] if seat["name"] is None]
            with suppress(httpx.TransportError):
                if len(empty) > bots:
                    other = others[len(self.players) - 1 - len(empty)]
                    await other.client.post("/api/join", json={"code": table["code"]})
                elif empty:
                    wish = {"position": empty[0], "policy": "random"}
                    await host.client.post(f"/api{path}/bots", json=wish)
                else:
                    await host.client.post(f"/api{path}/start")
            table = await host.ask("GET", path)
        match_id: str = table["match_id"]
        return match_id


@asynccontextmanager
async def four_players(
    database_url: str, url: str, rng: random.Random
) -> AsyncIterator[list[Player]]:
    """Yield four people's programs, each with a token of its own."""
    engine = make_engine(database_url)
    tokens = []
    async with make_sessions(engine).begin() as session:
        for name in NAMES:
            person = await create_guest(session, name=name, now=SYSTEM_CLOCK.now())
            tokens.append(
                await create_api_token(
                    session, person=person, label="crash", now=SYSTEM_CLOCK.now()
                )
            )
    await engine.dispose()
    ledger, stopping = Ledger(), asyncio.Event()
    async with AsyncExitStack() as stack:
        yield [
            Player(
                await stack.enter_async_context(
                    httpx.AsyncClient(
                        base_url=url,
                        headers={"Authorization": f"Bearer {token}"},
                        timeout=PATIENCE_SECONDS,
                    )
                ),
                ledger,
                random.Random(rng.random()),
                stopping,
            )
            for token in tokens
        ]
