"""Mail servers as one meets them: whatever they say, it is known what became of the letter.

smtp.json names for each what it says instead of a yes, and what has to come of
it: `taken`, or the grade of the failure; `unknown` where nobody can know whether
the letter was taken.  None holds the worker for longer than its patience.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from app.notifications.channels.mail import Smtp, deliver
from app.notifications.channels.outcome import LONGEST_REPLY, NotSentError
from app.notifications.letters import Sender, message
from tests.badinput.corpus import FOLDER
from tests.notifications.test_letters import letter

pytestmark = pytest.mark.anyio

CASES: Final[list[dict[str, Any]]] = json.loads((FOLDER / "smtp.json").read_text("utf-8"))
SENDER: Final = Sender("Plaça", "play@plaza.test")
USUAL: Final = {
    "EHLO": "250-mail.test\r\n250 8BITMIME",
    "HELO": "250 mail.test",
    "MAIL": "250 fine",
    "RCPT": "250 fine",
    "DATA": "354 go ahead",
    "DATA.": "250 taken",
    "QUIT": "221 bye",
}
PATIENCE: Final = 1.0


@dataclass
class Peer:
    """A mail server that says what a case wants it to say."""

    banner: str
    answers: dict[str, str]
    letters: list[bytes] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hold one conversation."""
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._answer(reader, writer)
        finally:
            writer.transport.abort()
            await asyncio.sleep(0)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        going = await self._say(writer, self.banner)
        while going:
            verb = (await reader.readuntil(b"\n")).decode("latin-1").strip()[:8].upper()
            going = await self._say(writer, self.answers.get(verb.split(" ")[0], "500 what?"))
            if going and verb == "DATA" and self.answers["DATA"].startswith("354"):
                self.letters.append(await reader.readuntil(b"\r\n.\r\n"))
                going = await self._say(writer, self.answers["DATA."])
            going = going and verb != "QUIT"
        await writer.drain()

    @staticmethod
    async def _say(writer: asyncio.StreamWriter, line: str) -> bool:
        """Say a line, in whichever way it asks for; return whether the conversation goes on."""
        way = re.match(r"<(drop|silence|slowly|times (\d+))>", line)
        said = line[way.end() :] if way else line
        if way is None:
            writer.write(f"{said}\r\n".encode("latin-1"))
        elif way[1] == "drop":
            writer.transport.abort()
            return False
        elif way[1] == "silence":
            await asyncio.Event().wait()
        elif way[1] == "slowly":
            for letter in said:
                writer.write(letter.encode())
                await asyncio.sleep(PATIENCE / 2)
        else:
            writer.write((said * int(way[2])).encode())
        await writer.drain()
        return True


@asynccontextmanager
async def peer(case: dict[str, Any]) -> AsyncIterator[tuple[Peer, Smtp]]:
    """Run the server of a case, and say how to reach it."""
    made = Peer(case.get("banner", "220 mail.test ESMTP"), USUAL | case.get("answers", {}))
    talks = set[asyncio.Task[None]]()

    def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(made.talk(reader, writer))
        talks.add(task)

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        user = case.get("user")
        password = None if user is None else "geheim"
        security = case.get("security", "none")
        yield made, Smtp("127.0.0.1", port, user, password, security, PATIENCE)
    finally:
        server.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


async def outcome(smtp: Smtp, told: list[str]) -> str | NotSentError:
    """Return what the server said to a letter, or why it did not take it."""
    made = message(letter(), SENDER)
    try:
        return await deliver(smtp, made, SENDER.address, letter().to, note=told.append)
    except NotSentError as error:
        return error


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"].replace(" ", "-"))
async def test_it_is_known_what_became_of_the_letter(case: dict[str, Any]) -> None:
    told = list[str]()
    async with peer(case) as (server, smtp):
        found = await outcome(smtp, told)

    if isinstance(found, NotSentError):
        grade, unknown = case["outcome"], case.get("unknown", False)
        assert (found.grade, found.unknown) == (grade, unknown), found.said
        assert len(found.said) <= LONGEST_REPLY
        assert "\n" not in found.said
    else:
        assert case["outcome"] == "taken", found
        assert found.startswith("250")
        assert len(server.letters) == 1
    assert "geheim" not in "\n".join(told)
    if smtp.security != "none":
        assert server.letters == []
