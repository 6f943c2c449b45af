"""Polls that bring nothing are answered before the application; all else is left to it."""

from collections.abc import AsyncIterator
from uuid import UUID

import httpx
import pytest
from starlette.responses import PlainTextResponse

from app.ids import token_hash
from app.matches.live import Live, Standing
from app.rules.game import Seat
from app.web.cookies import Cookies
from app.web.quiet_polls import QuietPollMiddleware
from tests.support.browser import settings

pytestmark = pytest.mark.anyio

MATCH = UUID(int=7)
COOKIES = Cookies.of(settings("postgresql://nowhere"))
APPLICATION = PlainTextResponse("the application", 418)
POLL = f"/matches/{MATCH}/board?since=3.2.1"


async def read() -> Standing:
    return Standing(frozenset({Seat(1), Seat(3)}), 3, {Seat(1): 2, Seat(3): 5}, 1)


@pytest.fixture
async def live() -> Live:
    """Return a memory in which the session `mine` plays two seats of one match."""
    live = Live("postgresql://nowhere")
    live.hear("beat")
    await live.since_token(MATCH, token_hash("mine"), None, read)
    return live


@pytest.fixture
async def client(live: Live) -> AsyncIterator[httpx.AsyncClient]:
    app = QuietPollMiddleware(APPLICATION, live=live, cookies=COOKIES, secure=True)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="https://plaza.test",
        headers={"HX-Request": "true", "Cookie": f"theme=dark; {COOKIES.session}=mine"},
    ) as client:
        yield client


@pytest.mark.parametrize("more", ["", "&seat=1", "&region=GIR&talk=1"])
async def test_nothing_new_is_said_from_memory(client: httpx.AsyncClient, more: str) -> None:
    answer = await client.get(POLL + more)

    assert answer.status_code == 204
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Strict-Transport-Security"]


async def test_each_seat_has_a_draft_of_its_own(client: httpx.AsyncClient) -> None:
    answer = await client.get(POLL.replace("3.2.1", "3.5.1&seat=3"))

    assert answer.status_code == 204


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        pytest.param("GET", POLL.replace("3.2.1", "3.1.1"), {}, id="something new"),
        pytest.param("GET", POLL + "&seat=0", {}, id="a seat of somebody else"),
        pytest.param("GET", POLL + "&seat=one", {}, id="no seat at all"),
        pytest.param("GET", POLL.split("?", maxsplit=1)[0], {}, id="nothing shown yet"),
        pytest.param("GET", POLL.replace("7/", "8/"), {}, id="a match not in memory"),
        pytest.param("GET", POLL.replace("/board", "/text"), {}, id="another page"),
        pytest.param("GET", "/matches/7/board?since=3.2.1", {}, id="no match at all"),
        pytest.param("POST", POLL, {}, id="a change"),
        pytest.param("GET", POLL, {"HX-Request": "false"}, id="not by htmx"),
        pytest.param("GET", POLL, {"Cookie": ""}, id="nobody"),
        pytest.param("GET", POLL, {"Cookie": f"{COOKIES.session}=yours"}, id="a stranger"),
    ],
)
async def test_the_rest_is_left_to_the_application(
    client: httpx.AsyncClient, method: str, path: str, headers: dict[str, str]
) -> None:
    answer = await client.request(method, path, headers=headers)

    assert answer.status_code == 418


async def test_a_session_that_ended_is_left_to_the_application(
    client: httpx.AsyncClient, live: Live
) -> None:
    live.hear(f"session {token_hash('mine').hex()}")

    assert (await client.get(POLL)).status_code == 418
