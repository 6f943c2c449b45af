"""A token that is not exactly a token opens nothing: cookies, API tokens, links."""

from collections.abc import AsyncIterator, Callable
from typing import Final

import pytest
from fastapi import FastAPI
from httpx import Response

from app.db.session import Sessions
from tests.badinput.corpus import fingerprint
from tests.support.browser import Browser, serving
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio


def _flipped(token: str, at: int) -> str:
    return token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]


# What is done to a token, one at a time.
SPOILT: Final[dict[str, Callable[[str], str]]] = {
    "empty": lambda _: "",
    "a space": lambda _: " ",
    "one short": lambda token: token[:-1],
    "one short in front": lambda token: token[1:],
    "half of it": lambda token: token[: len(token) // 2],
    "one too long": lambda token: token + "A",
    "padded": lambda token: token + "=",
    "twice": lambda token: token * 2,
    "the first letter another": lambda token: _flipped(token, 0),
    "a letter in the middle another": lambda token: _flipped(token, len(token) // 2),
    "the last but one another": lambda token: _flipped(token, len(token) - 2),
    "loud": lambda token: token.upper(),
    "quiet": lambda token: token.lower(),
    "the other way round": lambda token: token[::-1],
    "a percent sign": lambda token: token + "%",
    "NUL": lambda token: token + "%00",
    "a wildcard": lambda _: "%25",
    "another wildcard": lambda token: token[:4] + "*",
    "null": lambda _: "null",
    "its own name": lambda _: "token",
    "very long": lambda _: "A" * 4000,
    "an injection": lambda _: "'+or+'1'='1",
    "letters of elsewhere": lambda token: token[:-1] + "\u0410",
}


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def world(app: FastAPI, sessions: Sessions) -> World:
    return await make_world(sessions)


async def ask(app: FastAPI, path: str, number: int, headers: dict[bytes, bytes]) -> Response:
    async with Browser(app, address=f"198.51.100.{number}") as client:
        return await client.get(path, headers=headers)


@pytest.mark.parametrize("kind", ["session", "api", "invite", "watch", "device", "code"])
async def test_a_spoilt_token_opens_nothing(
    app: FastAPI, world: World, sessions: Sessions, kind: str
) -> None:
    async with sessions.begin() as session:
        before = await fingerprint(session)
    for number, (name, spoil) in enumerate(SPOILT.items()):
        answer = await present(app, world, kind, spoil, number)
        if answer is None:
            continue
        assert answer.status_code in {303, 401, 404}, f"{kind}, {name}: {answer.status_code}"
        if answer.status_code == 303:
            assert answer.headers["Location"].partition("?")[0] in {"/login", "/join"}, name
        assert "Player" not in answer.text, name
    async with sessions.begin() as session:
        assert await fingerprint(session) == before


async def present(
    app: FastAPI,
    world: World,
    kind: str,
    spoil: Callable[[str], str],
    number: int,
    *,
    instead: str | None = None,
) -> Response | None:
    """Show a spoilt token, or another kind's (`instead`); None where there is nothing to show."""
    if kind == "session":
        spoilt = spoil(instead or world.cookies["player"])
        cookie = f"{app.state.cookies.session}={spoilt}".encode()
        return await ask(app, "/account", number, {b"Cookie": cookie})
    if kind == "api":
        spoilt = spoil(instead or world.tokens["player"])
        header = f"Bearer {spoilt}".encode()
        return await ask(app, "/api/me", number, {b"Authorization": header})
    page = {"invite": "i", "watch": "w", "device": "device", "code": "join"}[kind]
    token = instead or world.names[kind]
    spoilt = spoil(token)
    # Codes are said aloud: how loud does not matter.
    if not spoilt.strip() or (kind == "code" and spoilt.upper() == token):
        return None
    return await ask(app, f"/{page}/{spoilt}", number, {})


async def test_a_token_of_one_kind_is_none_of_another(app: FastAPI, world: World) -> None:
    tokens = {
        "session": world.cookies["player"],
        "api": world.tokens["player"],
        "invite": world.names["invite"],
        "watch": world.names["watch"],
        "device": world.names["device"],
    }
    tried = 0
    for has, token in tokens.items():
        for number, kind in enumerate(tokens):
            if has == kind:
                continue
            answer = await present(app, world, kind, str, number, instead=token)
            assert answer is not None
            assert answer.status_code in {303, 401, 404}, f"{has} as {kind}"
            assert "Player" not in answer.text
            tried += 1
    assert tried == 20


async def test_two_cookies_of_one_name_let_in_nobody_by_mistake(app: FastAPI, world: World) -> None:
    name = app.state.cookies.session
    for first, second in (("nonsense", "nonsense"), ("", "nonsense")):
        cookie = f"{name}={first}; {name}={second}".encode()
        assert (await ask(app, "/account", 1, {b"Cookie": cookie})).status_code in {303, 401}
    header = f"Bearer {world.tokens['player']} {world.tokens['player']}".encode()
    assert (await ask(app, "/api/me", 1, {b"Authorization": header})).status_code == 401


async def test_bytes_that_are_no_text_in_headers_are_no_failure(app: FastAPI, world: World) -> None:
    for number, junk in enumerate((b"\xff\xfe", b"a\x80b", "é".encode("latin-1"), b"\x7f", b"=;=")):
        for header in (b"Cookie", b"Authorization", b"Accept-Language", b"HX-Request", b"Referer"):
            for path in ("/account", "/", "/api/me", "/matches"):
                answer = await ask(app, path, number, {header: junk})
                assert answer.status_code < 500, (header, junk, path)
