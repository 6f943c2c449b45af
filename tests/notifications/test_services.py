"""The services one by one: what is pasted, what is sent, what an answer means, and the wire."""

import json
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config import Settings
from app.errors import InvalidError
from app.notifications.channels import discord
from app.notifications.channels.guard import guard_of
from app.notifications.channels.outcome import NotSentError
from app.notifications.channels.services import judge, read
from app.notifications.channels.values import Host, Pasted, Short, tail
from app.notifications.channels.wire import Request, Wire
from tests.support.proxy import make_certificate
from tests.support.services import (
    BOT,
    CHAT,
    HOOK,
    ROOM,
    ROOM_TOKEN,
    WEBHOOK,
    WEBHOOK_TOKEN,
    Services,
    services,
)

pytestmark = pytest.mark.anyio

KINDS = ("discord", "ntfy", "matrix", "telegram", "webhook")


@pytest.fixture
def peer() -> Iterator[Services]:
    with services() as peer:
        yield peer


def test_a_name_calls_nobody_and_formats_nothing() -> None:
    text = "<@1> `c` # d https://plaza.test/matches/7-8\nhttps://evil.test/x https://plaza.test@x"
    short = Short("@everyone [x](evil) **b**", text, "https://plaza.test/a_b", "1")
    body = json.loads(discord.SERVICE.request({"url": "https://discord.com"}, short, Host()).body)

    assert body["allowed_mentions"] == {"parse": []}
    assert body["content"].splitlines() == [
        "\\@everyone \\[x\\]\\(evil\\) \\*\\*b\\*\\*",
        "\\<\\@1\\> \\`c\\` \\# d <https://plaza.test/matches/7-8>",
        "https\\://evil.test/x https\\://plaza.test\\@x",
        "<https://plaza.test/a_b>",
    ]


def test_what_is_too_long_for_discord_loses_lines_and_not_the_link() -> None:
    short = Short("*" * 250, "\n".join(["_" * 100] * 12), "https://plaza.test/m", "1")
    body = json.loads(discord.SERVICE.request({"url": "https://discord.com"}, short, Host()).body)

    assert 1700 < len(body["content"]) <= 2000
    assert body["content"].endswith("_\n<https://plaza.test/m>")


def test_what_is_shown_of_a_secret_is_a_quarter_at_most() -> None:
    assert [tail(text) for text in ("", "abc", "abcdefgh", "a" * 30)] == ["…", "…", "…gh", "…aaaa"]


@pytest.mark.parametrize("status", [200, 201, 204])
def test_what_is_taken_is_taken(status: int) -> None:
    assert judge(status) == f"channel.taken {status}"


@pytest.mark.parametrize(
    ("status", "grade"),
    [
        *((status, "address") for status in (301, 307, 400, 401, 403, 404, 405, 410, 413, 422)),
        *((status, "later") for status in (408, 425, 429, 500, 502, 503, 504, 599)),
    ],
)
def test_what_is_refused_is_graded(status: int, grade: str) -> None:
    with pytest.raises(NotSentError) as told:
        judge(status)

    assert told.value.grade == grade


WRONG = {
    "discord": [
        Pasted(address="https://discord.com/channels/1/2"),
        Pasted(address=f"https://discord.com/api/webhooks/{WEBHOOK}"),
        Pasted(address=f"https://discord.com/api/webhooks/{WEBHOOK}/{WEBHOOK_TOKEN}/slack"),
    ],
    "ntfy": [
        Pasted(address="https://ntfy.sh/"),
        Pasted(address="https://ntfy.sh/a/b"),
        Pasted(address="https://ntfy.sh/a?b"),
        Pasted(address="https://ntfy.sh/a", token="a b"),
        Pasted(address="https://ntfy.sh/a", token="a\r\nX: b"),
    ],
    "matrix": [
        Pasted(address="https://matrix.org", room="#room:matrix.org", token=ROOM_TOKEN),
        Pasted(address="https://matrix.org", room=ROOM, token=""),
        Pasted(address="https://matrix.org", room=ROOM, token="a b c d e f\r\n"),
        Pasted(address="https://matrix.org/x", room=ROOM, token=ROOM_TOKEN),
    ],
    "telegram": [
        Pasted(token="x", room=CHAT),
        Pasted(token=f"{BOT}/../x", room=CHAT),
        Pasted(token=BOT, room="../x"),
        Pasted(token=BOT, room="12 3"),
    ],
    "webhook": [Pasted(address="")],
}


@pytest.mark.parametrize(("kind", "what"), [(k, w) for k, all_ in WRONG.items() for w in all_])
def test_what_is_no_address_of_the_service_is_refused(kind: str, what: Pasted) -> None:
    with pytest.raises(InvalidError) as refused:
        read(kind, what, Settings(notify_channels=KINDS))

    assert refused.value.code == f"channel.not_{kind}"


def test_a_kind_that_is_off_is_refused() -> None:
    assert "webhook" not in Settings().notify_channels
    with pytest.raises(InvalidError, match="off"):
        read("webhook", Pasted(address="https://ntfy.sh/x"), Settings())


async def test_a_certificate_has_to_be_of_that_name_and_of_somebody_trusted(
    tmp_path: Path,
) -> None:
    file = make_certificate(tmp_path)
    speaks = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    speaks.load_cert_chain(file)
    with services(tls=speaks) as peer:
        guard = guard_of(
            Settings(notify_allow=(f"localhost:{peer.port}", f"x.test:{peer.port}", *peer.allow))
        )

        async def here(host: str, port: int) -> list[str]:
            return ["127.0.0.1"]

        knows = ssl.create_default_context(cafile=str(file))
        request = Request(f"https://localhost:{peer.port}{HOOK}", b"{}")
        assert await Wire(guard, resolve=here, trust=knows).send(request) == 200
        assert peer.got[0].headers["host"] == f"localhost:{peer.port}"
        for trust, url in (
            (None, request.url),
            (knows, f"https://x.test:{peer.port}{HOOK}"),
        ):
            with pytest.raises(NotSentError) as told:
                await Wire(guard, resolve=here, trust=trust).send(Request(url, b"{}"))
            assert told.value.said == "channel.untrusted"
        assert len(peer.got) == 1


async def test_who_says_nothing_is_given_up(peer: Services) -> None:
    peer.silent = 1.5
    wire = Wire(guard_of(Settings(notify_allow=peer.allow)), seconds=0.3)
    with pytest.raises(NotSentError) as told:
        await wire.send(Request(f"{peer.url}{HOOK}", b"{}"))

    assert (told.value.grade, told.value.said, told.value.unknown) == (
        "later",
        "channel.silent",
        True,
    )


async def test_where_nobody_listens_is_tried_later(peer: Services) -> None:
    guard = guard_of(Settings(notify_allow=("127.0.0.1:1",)))
    with pytest.raises(NotSentError) as told:
        await Wire(guard).send(Request("http://127.0.0.1:1/x", b"{}"))

    assert (told.value.grade, told.value.said, told.value.unknown) == (
        "later",
        "channel.unreached",
        False,
    )


async def test_proxies_of_the_environment_are_not_asked(
    peer: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    wire = Wire(guard_of(Settings(notify_allow=peer.allow)))

    assert await wire.send(Request(f"{peer.url}{HOOK}", b"{}")) == 200
