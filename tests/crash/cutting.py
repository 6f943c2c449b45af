"""Between the program and its database: connections that are lost at the worst moment, a COMMIT.

Bytes pass as they are.  Of what the client says only so much is understood that the
COMMIT is known that ends a command of somebody: the transaction took an idempotency key.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

# Before the server has heard the COMMIT, or once it has carried it out and before it says so.
Moment: TypeAlias = Literal["before", "after"]

_TAKES_A_KEY: Final = b"insert into match_commands"
_READY: Final = b"Z"


@dataclass(slots=True)
class Cutter:
    """Cuts the next COMMIT of a command when armed."""

    armed: Moment | None = None
    cuts: int = 0
    cut: asyncio.Event = field(default_factory=asyncio.Event)

    def arm(self, moment: Moment) -> None:
        """Let the next connection that commits a command be lost at this moment."""
        self.armed = moment
        self.cut.clear()

    def strike(self) -> Moment | None:
        """Return the moment of the COMMIT that is here, once."""
        moment, self.armed = self.armed, None
        return moment


@dataclass(slots=True)
class _Talk:
    """One connection: what its client has prepared, and what its transaction has done."""

    cutter: Cutter
    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    keyed: set[bytes] = field(default_factory=set)
    holds_a_key: bool = False
    # The COMMIT has gone on, its answer must not.
    mute: bool = False

    async def ask(self, reader: asyncio.StreamReader) -> None:
        """Pass on what the client says, a message at a time."""
        while True:
            length = await reader.readexactly(4)
            code = await reader.readexactly(int.from_bytes(length) - 4)
            self.server.write(length + code)
            # What begins with the number of the protocol, 3, is the last without a letter.
            if code[:2] == b"\0\3":
                break
        while True:
            head = await reader.readexactly(5)
            body = await reader.readexactly(int.from_bytes(head[1:]) - 4)
            if self._commits(head[:1], body) and (moment := self.cutter.strike()):
                if moment == "before":
                    self.cutter.cuts += 1
                    self.cutter.cut.set()
                    return
                self.mute = True
            self.server.write(head + body)

    async def answer(self, reader: asyncio.StreamReader) -> None:
        """Pass on what the server says, until it has said what nobody shall hear."""
        while chunk := await reader.read(65536):
            if not self.mute:
                self.client.write(chunk)
            elif chunk[-6:-5] == _READY:
                # Carried out: a server that is ready again has committed.
                self.cutter.cuts += 1
                self.cutter.cut.set()
                return

    def _commits(self, kind: bytes, body: bytes) -> bool:
        """Tell whether this message is the COMMIT of a transaction that has taken a key."""
        if kind == b"P":
            name, query, *_ = body.split(b"\0")
            if _TAKES_A_KEY in query:
                self.keyed.add(name)
            else:
                self.keyed.discard(name)
        if kind == b"B" and body.split(b"\0")[1] in self.keyed:
            self.holds_a_key = True
        if kind in b"PQ" and body.strip(b"\0").split(b"\0")[0] in {b"COMMIT", b"ROLLBACK"}:
            held, self.holds_a_key = self.holds_a_key, False
            return held and b"COMMIT" in body
        return False


@asynccontextmanager
async def cutting(sockets: Path) -> AsyncIterator[tuple[Cutter, int]]:
    """Stand before the server whose socket is in `sockets`; yield the cutter and its port."""
    cutter, talks = Cutter(), set[asyncio.Task[None]]()

    async def talk(reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talks.add(task)
        answers, server = await asyncio.open_unix_connection(str(sockets / ".s.PGSQL.5432"))
        one = _Talk(cutter, client, server)
        ways = [asyncio.ensure_future(one.ask(reader)), asyncio.ensure_future(one.answer(answers))]
        try:
            # Whoever hangs up first hangs up for both.
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for writer in (client, server):
                writer.transport.abort()
                with suppress(OSError):
                    await writer.wait_closed()
            talks.discard(task)

    listening = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield cutter, listening.sockets[0].getsockname()[1]
    finally:
        listening.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
