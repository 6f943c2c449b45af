"""Mail addresses and what goes into headers: one reader, the headers we wrote, or nothing at all.

addresses.json holds what is taken, with what is kept of it, and what is refused;
each goes through the two forms where somebody types an address, and what is sent
is taken in by a real mail server.
"""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any, Final

import pytest
from fastapi import FastAPI

from app.db.session import Sessions
from app.jobs.worker import run_pending
from app.notifications.letters import Sender, message
from app.worker import load_tasks
from tests.badinput.corpus import FOLDER, fingerprint, read_texts
from tests.notifications.test_letters import letter, received
from tests.support.browser import KEY, Browser, serving
from tests.support.clock import SettableClock
from tests.support.smtp import Mailbox, mail_server
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio

CASES: Final[dict[str, list[Any]]] = json.loads((FOLDER / "addresses.json").read_text("utf-8"))
HEADERS: Final = {
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
}


@pytest.fixture
async def box(sessions: Sessions) -> AsyncIterator[Mailbox]:
    load_tasks()
    async with mail_server() as box:
        yield box


@pytest.fixture
async def app(database_url: str, clock: SettableClock, box: Mailbox) -> AsyncIterator[FastAPI]:
    smtp = f"smtp://127.0.0.1:{box.port}?security=none"
    async with serving(database_url, clock=clock, smtp_url=smtp) as app:
        yield app


@pytest.fixture
async def world(app: FastAPI, sessions: Sessions) -> World:
    return await make_world(sessions)


async def look(sessions: Sessions) -> str:
    async with sessions.begin() as session:
        return await fingerprint(session)


async def test_what_is_no_address_is_refused_wherever_it_is_typed(
    app: FastAPI, world: World, sessions: Sessions, clock: SettableClock
) -> None:
    async with world.browser(app, "player") as known, Browser(app) as stranger:
        await stranger.get("/login/mail")
        before = await look(sessions)
        for text in CASES["refused"]:
            clock.advance(timedelta(minutes=10))
            for browser, path in ((known, "/account/notices/address"), (stranger, "/login/mail")):
                answer = await browser.submit(path, {"address": text})
                assert answer.status_code == 422, (path, text)
        assert await look(sessions) == before


async def test_what_is_taken_is_written_to_once_and_nobody_else_is(
    app: FastAPI,
    world: World,
    sessions: Sessions,
    clock: SettableClock,
    box: Mailbox,
) -> None:
    settings = box.settings(secret_key=KEY)
    database_url = app.state.settings.required_database_url
    async with world.browser(app, "player") as browser:
        for typed, kept in CASES["taken"]:
            clock.advance(timedelta(minutes=10))
            box.letters.clear()
            box.recipients.clear()
            answer = await browser.submit("/account/notices/address", {"address": typed})
            assert answer.status_code == 303, typed
            await run_pending(database_url, sessions, clock=clock, settings=settings)

            assert box.recipients == [kept], typed
            (sent,) = box.letters
            assert sent["To"] == kept
            assert set(sent.keys()) <= HEADERS


@pytest.mark.parametrize("text", [case["text"] for case in read_texts()], ids=ascii)
def test_nothing_that_is_called_so_makes_a_header(text: str) -> None:
    plain = received(letter(headers={"X-Match": "x"}))

    found = received(letter(subject=text, headers={"X-Match": text}))
    sent = message(letter(), Sender(text, "play@plaza.test"))

    assert sorted(found.keys()) == sorted(plain.keys())
    assert len(found["To"].addresses) == 1
    assert [address.addr_spec for address in sent["From"].addresses] == ["play@plaza.test"]
