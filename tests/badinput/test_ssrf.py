"""Nobody makes this server send into somebody's network, whatever address they paste.

No packet leaves: names are resolved, and connections made, by what stands in for the network.
"""

import json
import ssl
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpcore
import pytest
from fastapi import FastAPI

from app.config import Settings
from app.db.session import Sessions
from app.notifications.channels.guard import Guard, NotAllowedError, guard_of
from app.notifications.channels.outcome import NotSentError
from app.notifications.channels.services import judge
from app.notifications.channels.wire import LARGEST, Request, Wire
from tests.support.browser import serving
from tests.support.world import make_world

pytestmark = pytest.mark.anyio

CASES = json.loads((Path(__file__).parent / "ssrf.json").read_text("utf-8"))
REFUSED = [(code, url) for code, urls in CASES["refused"].items() for url in urls]
PUBLIC = "93.184.215.14"
CLOSED = guard_of(Settings())
ANYWHERE = guard_of(Settings(notify_allow=("*",)))
AT_HOME = guard_of(
    Settings(notify_allow=("ntfy.lan", "*.home.test:8443", "192.168.1.10", "[fd00::/64]:8080"))
)


@dataclass
class Net:
    """Stands in for the network: what names stand for, one answer after the other, and a peer."""

    answers: list[list[str]]
    says: bytes = b"HTTP/1.1 204 No Content\r\n\r\n"
    asked: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)
    dead: tuple[str, ...] = ()

    async def resolve(self, host: str, port: int) -> Iterable[str]:
        self.asked.append(host)
        return self.answers.pop(0)

    def wire(self, guard: Guard = CLOSED) -> Wire:
        return Wire(
            guard, resolve=self.resolve, connect=_Connect(self), trust=ssl.create_default_context()
        )


class _Connect(httpcore.AsyncNetworkBackend):
    def __init__(self, net: Net) -> None:
        self.net = net

    async def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> Any:
        self.net.connected.append((host, port))
        if host in self.net.dead:
            raise httpcore.ConnectError
        return _Stream([self.net.says])


class _Stream(httpcore.AsyncMockStream):
    async def start_tls(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        return self


@pytest.mark.parametrize(("code", "url"), REFUSED, ids=[ascii(url) for _, url in REFUSED])
async def test_what_is_pasted_leads_nowhere(code: str, url: str) -> None:
    net = Net([])
    with pytest.raises(NotAllowedError) as refused:
        await net.wire().send(Request(url, b"{}"))

    assert refused.value.code == code
    assert (net.asked, net.connected) == ([], [])


@pytest.mark.parametrize("url", [url for code, url in REFUSED if code not in {"host", "port"}])
def test_a_host_that_allows_every_server_allows_no_network(url: str) -> None:
    with pytest.raises(NotAllowedError):
        ANYWHERE.target(url)


@pytest.mark.parametrize("url", CASES["ours"])
async def test_the_services_are_reached(url: str) -> None:
    net = Net([[PUBLIC]])

    assert await net.wire().send(Request(url, b"{}")) == 204
    assert net.connected == [(PUBLIC, 443)]


@pytest.mark.parametrize("case", CASES["resolved"], ids=lambda case: case["name"])
@pytest.mark.parametrize("guard", [CLOSED, ANYWHERE, AT_HOME], ids=["closed", "anywhere", "home"])
async def test_a_name_that_leads_inside_is_not_gone_to(case: dict[str, Any], guard: Guard) -> None:
    if case["name"] == "private" and guard is AT_HOME:
        # The very address that this host allows, under a public name.
        case = {"answers": ["192.168.1.11"]}
    net = Net([case["answers"]])
    with pytest.raises(NotAllowedError) as refused:
        await net.wire(guard).send(Request("https://ntfy.sh/x", b"{}"))

    assert refused.value.code == "inside"
    assert net.connected == []


async def test_a_name_that_changes_its_mind_is_asked_once() -> None:
    net = Net([[PUBLIC], ["127.0.0.1"]])
    await net.wire().send(Request("https://ntfy.sh/x", b"{}"))

    assert net.asked == ["ntfy.sh"]
    assert net.connected == [(PUBLIC, 443)]


async def test_the_next_address_is_tried_when_one_is_dead() -> None:
    net = Net([["2606:4700:4700::1111", PUBLIC]], dead=("2606:4700:4700::1111",))

    assert await net.wire().send(Request("https://ntfy.sh/x", b"{}")) == 204
    assert net.connected == [("2606:4700:4700::1111", 443), (PUBLIC, 443)]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_an_answer_and_leads_nowhere(status: int) -> None:
    says = f"HTTP/1.1 {status} x\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    net = Net([[PUBLIC]], says.encode())
    answered = await net.wire().send(Request("https://ntfy.sh/x", b"{}"))

    assert answered == status
    assert len(net.connected) == 1
    with pytest.raises(NotSentError) as told:
        judge(answered)
    assert told.value.said == f"channel.moved {status}"


async def test_what_is_no_answer_is_none() -> None:
    for says in (
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\0" * 5000,
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000,
    ):
        net = Net([[PUBLIC]], says)
        with pytest.raises(NotSentError) as told:
            await net.wire().send(Request("https://ntfy.sh/x", b"{}"))
        assert told.value.said in {"channel.garbled", "channel.unreached"}


async def test_nothing_large_is_sent() -> None:
    with pytest.raises(ValueError, match="too much"):
        await Net([[PUBLIC]]).wire().send(Request("https://ntfy.sh/x", b"x" * (LARGEST + 1)))


@pytest.mark.parametrize(
    ("url", "answers"),
    [
        ("http://ntfy.lan/x", ["192.168.1.10"]),
        ("https://ntfy.lan/x", ["192.168.1.10"]),
        ("http://192.168.1.10/x", ["192.168.1.10"]),
        ("https://a.home.test:8443/x", [PUBLIC]),
        ("http://[fd00::7]:8080/x", ["fd00::7"]),
        ("https://ntfy.sh/x", [PUBLIC]),
    ],
)
async def test_what_the_host_names_is_gone_to(url: str, answers: list[str]) -> None:
    net = Net([answers])

    assert await net.wire(AT_HOME).send(Request(url, b"{}")) == 204
    assert [address for address, _ in net.connected] == answers


@pytest.mark.parametrize(
    ("url", "answers", "code"),
    [
        ("http://ntfy.lan/x", [PUBLIC], "scheme"),
        ("http://ntfy.lan/x", ["192.168.1.11"], "inside"),
        ("http://ntfy.lan/x", ["192.168.1.10", "10.0.0.1"], "inside"),
        ("http://ntfy.lan:8080/x", ["192.168.1.10"], "port"),
        ("http://192.168.1.10:8080/x", ["192.168.1.10"], "inside"),
        ("http://192.168.1.11/x", ["192.168.1.11"], "inside"),
        ("http://[fd00::7]/x", ["fd00::7"], "inside"),
        ("http://[fd01::7]:8080/x", ["fd01::7"], "inside"),
        ("https://a.home.test/x", [PUBLIC], "port"),
        ("https://home.test:8443/x", [PUBLIC], "host"),
        ("https://xhome.test:8443/x", [PUBLIC], "host"),
        ("https://b.a.home.test:8443/x", ["127.0.0.1"], "inside"),
    ],
)
async def test_what_the_host_names_and_nothing_beside_it(
    url: str, answers: list[str], code: str
) -> None:
    net = Net([answers])
    with pytest.raises(NotAllowedError) as refused:
        await net.wire(AT_HOME).send(Request(url, b"{}"))

    assert refused.value.code == code
    assert net.connected == []


@pytest.mark.parametrize("network", ["169.254.169.254", "224.0.0.0/4", "0.0.0.0/0", "[::/0]"])
def test_no_host_can_allow_the_metadata_of_a_cloud(network: str) -> None:
    guard = guard_of(Settings(notify_allow=(network,)))
    for address in ("169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::1]", "[ff02::1]"):
        with pytest.raises(NotAllowedError, match="inside"):
            guard.target(f"http://{address}/x")


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    kinds = ("discord", "matrix", "ntfy", "telegram", "webhook")
    async with serving(database_url, notify_channels=kinds) as app:
        yield app


async def test_the_page_keeps_none_of_them(app: FastAPI, sessions: Sessions) -> None:
    world = await make_world(sessions)
    async with world.browser(app, "player") as browser:
        for _, url in REFUSED:
            app.state.limiter.forget()
            for kind in ("webhook", "ntfy"):
                form = {"kind": kind, "address": url}
                answer = await browser.submit("/account/notices/channels", form)
                # White space around what is pasted is nothing.
                if url.strip() == "https://ntfy.sh/x":
                    continue
                assert answer.status_code == 422, (kind, url)
        kept = (await browser.get("/account/notices")).text

    assert kept.count("Forget it") <= 4
    assert "ntfy.sh" in kept
