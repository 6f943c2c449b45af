"""Requests that no browser sends, byte by byte, to a web process of its own.

http.json says for each what may be answered: statuses, and 0 where the connection
may end without a word.  Whatever is answered, it is no failure of ours, comes in
time, is one answer, and leaves the database as it was.
"""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from app.accounts.sessions import start_session
from app.clock import SYSTEM_CLOCK
from app.db.session import Sessions
from app.web.cookies import Cookies
from tests.badinput.corpus import FOLDER, fingerprint
from tests.support.browser import HERE, KEY, settings, without_tokens
from tests.support.forked import Process
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio

CASES: Final[dict[str, list[Any]]] = json.loads((FOLDER / "http.json").read_text("utf-8"))
HOST: Final = "plaza.test"
# Whoever sends half a request is waited for; so long we look whether anything comes.
SILENCE_SECONDS: Final = 0.5
# A guard against hanging: every answer is there long before.
PATIENCE_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Server:
    """A web process that believes no proxy, and what it has logged."""

    port: int
    log: Path
    process: Process

    async def answer(self, request: bytes, *, complete: bool = True) -> bytes:
        """Send `request` and return all that comes back until the connection ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            async with asyncio.timeout(PATIENCE_SECONDS if complete else SILENCE_SECONDS):
                return await reader.read()
        except TimeoutError:
            assert not complete, request[:200]
            return b""
        except ConnectionError:
            return b""
        finally:
            writer.close()


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


@pytest.fixture
async def server(database_url: str, tmp_path: Path, world: World) -> AsyncIterator[Server]:
    environment = {
        "DATABASE_URL": database_url,
        "PUBLIC_URL": HERE,
        "SECRET_KEY": KEY,
        "TRUSTED_PROXIES": "192.0.2.1",
        "PLACA_DATA_DIR": str(tmp_path),
        "LOG_FORMAT": "json",
    }
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
        web = Process(["web"], environment, tmp_path / "web.log", listening)
        web.start()
        try:
            yield Server(listening.getsockname()[1], tmp_path / "web.log", web)
        finally:
            web.stop()


def lines(first: str, headers: list[str], body: str = "") -> bytes:
    """Return a request; what is above ASCII goes out as single bytes."""
    return "\r\n".join([first, *headers, "", body]).encode("latin-1")


def request_of(case: dict[str, Any], style_sheet: str) -> bytes:
    """Return the bytes of a case."""
    times = case.get("times", 1)
    if "raw" in case:
        return str(case["raw"] * times).encode("latin-1")
    host = case.get("host", HOST)
    headers = [*([] if host is None else [f"Host: {host}"]), "Connection: close"]
    first = case.get("line", "GET /about HTTP/1.1").replace("{css}", style_sheet)
    return lines(first, headers + case.get("headers", []), case.get("body", "") * times)


def status_of(answer: bytes) -> int:
    """Return the status of an answer; 0: there is none."""
    found = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
    assert found or not answer, answer[:200]
    return int(found[1]) if found else 0


async def test_requests_that_no_browser_sends_are_answered_in_order(
    server: Server, sessions: Sessions
) -> None:
    usual = lines("GET / HTTP/1.1", [f"Host: {HOST}", "Connection: close"])
    page = (await server.answer(usual)).decode()
    style_sheet = re.search(r'href="(/static/[^"]+\.css)"', page)
    assert style_sheet is not None
    before = await look(sessions)
    wrong = []
    for case in CASES["requests"]:
        complete = 0 not in case["expect"]
        answer = await server.answer(request_of(case, style_sheet[1]), complete=complete)
        status = status_of(answer)
        if status not in case["expect"]:
            wrong.append(f"{case['case']}: {status}, not {case['expect']}")
        head = answer.partition(b"\r\n\r\n")[0].lower()
        for never in (b"\r\nset-cookie: a", b"\r\nx: y", b"\r\nx-secret", b"//evil.test"):
            assert never not in head, case
        assert b"Traceback" not in answer, case
        assert b"geheim" not in answer, case
        assert b"root:x:0" not in answer, case

    assert wrong == []
    head = await server.answer(usual.replace(b"GET", b"HEAD"))
    assert head.endswith(b"\r\n\r\n")
    told = re.search(r"(?i)content-length: (\d+)", head.decode())
    body = page.partition("\r\n\r\n")[2]
    assert told is not None
    assert int(told[1]) == len(body.encode())
    assert server.process.alive
    assert await look(sessions) == before
    assert failures(server.log) == []


async def test_no_header_of_a_stranger_says_where_this_is(
    server: Server, world: World, sessions: Sessions
) -> None:
    async with sessions.begin() as session:
        player, now = world.people["player"], SYSTEM_CLOCK.now()
        cookie = await start_session(session, person=player, label="", now=now)
    name = Cookies.of(settings("postgresql:///placa")).session
    known = [f"Cookie: {name}={cookie}", "Connection: close"]
    for path in ("/", world.path("/tables/{table}"), "/account", "/matches"):
        first = f"GET {path} HTTP/1.1"
        usual = seen(await server.answer(lines(first, [f"Host: {HOST}", *known])))
        assert usual.startswith("HTTP/1.1 200")
        for header, value in CASES["forwarded"]:
            headers = [f"Host: {HOST}", f"{header}: {value}", *known]
            assert seen(await server.answer(lines(first, headers))) == usual, (path, header, value)
        for host in CASES["hosts"]:
            answer = await server.answer(lines(first, [f"Host: {host}", *known]))
            assert status_of(answer) == 400 or seen(answer) == usual, (path, host)
    assert failures(server.log) == []


def seen(answer: bytes) -> str:
    """Return an answer without what differs each time."""
    text = without_tokens(answer.decode("latin-1"))
    text = re.sub(r'name="key" value="[0-9a-f]+"', "", text)
    return re.sub(r"(?mi)^(?:date|set-cookie|content-length|x-request-id): .*\r\n", "", text)


def failures(log: Path) -> list[str]:
    """Return the lines of a log that somebody would have to look after."""
    return [
        line
        for line in log.read_text("utf-8", "replace").splitlines()
        if "Traceback" in line or '"level": "error"' in line or "web.uncaught" in line
    ]


async def look(sessions: Sessions) -> str:
    async with sessions.begin() as session:
        return await fingerprint(session)
