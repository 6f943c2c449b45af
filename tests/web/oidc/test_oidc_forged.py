"""What is not the issuer's answer to this browser's question lets nobody in and leaves nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.db.session import Sessions
from tests.support import issuer as forgeries
from tests.support.browser import Browser
from tests.support.clock import SettableClock
from tests.support.issuer import CLIENT, FakeIssuer, Forge, ask, set_out, travel

pytestmark = pytest.mark.anyio


async def nothing_is_left(sessions: Sessions) -> bool:
    """Whether nobody was made, signed in or proven."""
    query = """
        select (select count(*) from people) + (select count(*) from identities)
          + (select count(*) from sessions)
          + (select count(*) from sign_ins where subject is not null)
    """
    async with sessions() as session:
        return bool(await session.scalar(text(query)) == 0)


def changed(address: str, **parameters: str | None) -> str:
    """Return the address with other parameters; None takes one away."""
    parts = urlsplit(address)
    merged = {**dict(parse_qsl(parts.query)), **parameters}
    left = {name: value for name, value in merged.items() if value is not None}
    return f"{parts.path}?{urlencode(left)}"


SAID: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "http://127.0.0.1:1/another"},
    "the issuer with a slash": {"iss": "slash"},
    "no issuer": {"iss": None},
    "for another client": {"aud": "another"},
    "for nobody": {"aud": None},
    "for nobody of a list": {"aud": []},
    "for us and another, made for nobody": {"aud": [CLIENT, "another"]},
    "made for another": {"azp": "another"},
    "for us and another, made for another": {"aud": [CLIENT, "another"], "azp": "another"},
    "another question": {"nonce": "another"},
    "no question": {"nonce": None},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a subject that is no text": {"sub": 7},
    "a subject without end": {"sub": "x" * 256},
    "a subject of nothing to see": {"sub": "7\0"},
    "no end": {"exp": None},
    "an end that is no number": {"exp": "tomorrow"},
    "an end that is true": {"exp": True},
    "no beginning": {"iat": None},
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
async def test_a_signed_token_that_says_something_else_is_refused(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions, said: dict[str, Any]
) -> None:
    if said == {"iss": "slash"}:
        said = {"iss": f"{issuer.address}/"}
    issuer.says |= said
    await is_refused(app, sessions, "oidc.token")


@pytest.mark.parametrize(
    ("claim", "seconds"), [("exp", -61), ("iat", -601), ("iat", 61), ("nbf", 61)]
)
async def test_a_token_of_another_time_is_refused(  # noqa: PLR0917 - a table's columns
    app: FastAPI,
    issuer: FakeIssuer,
    clock: SettableClock,
    sessions: Sessions,
    claim: str,
    seconds: int,
) -> None:
    issuer.says[claim] = int(clock.now().timestamp()) + seconds
    await is_refused(app, sessions, "oidc.clock")


@pytest.mark.parametrize(
    ("claim", "seconds"), [("exp", -59), ("iat", -590), ("iat", 59), ("nbf", 59)]
)
async def test_clocks_may_differ_a_little(
    app: FastAPI, issuer: FakeIssuer, clock: SettableClock, claim: str, seconds: int
) -> None:
    issuer.says[claim] = int(clock.now().timestamp()) + seconds
    async with Browser(app) as browser:
        assert (await travel(browser)).headers["Location"] == "/login/oidc/new"


@pytest.mark.parametrize(
    "forge",
    [
        forgeries.unsigned,
        forgeries.with_public_key_as_secret,
        forgeries.with_unknown_key,
        forgeries.with_own_key,
        forgeries.flipped,
        forgeries.rewritten,
        forgeries.cut,
    ],
)
async def test_a_token_the_issuer_has_not_signed_is_refused(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions, forge: Forge
) -> None:
    issuer.forge = forge
    await is_refused(app, sessions, "oidc.token")


async def is_refused(app: FastAPI, sessions: Sessions, code: str) -> None:
    async with Browser(app) as browser:
        answer = await travel(browser)
        assert (answer.status_code, f"<code>{code}</code>" in answer.text) == (403, True)
        assert (await browser.get("/account")).status_code == 303
        assert (await browser.get("/login/oidc/new")).status_code == 303
    assert await nothing_is_left(sessions)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda _issuer: {"state": "another"}, "oidc.stale"),
        (lambda _issuer: {"state": None}, "oidc.stale"),
        (lambda _issuer: {"iss": "http://127.0.0.1:1/another"}, "oidc.mixed_up"),
        (lambda issuer: {"iss": f"{issuer.address}/"}, "oidc.mixed_up"),
        # It said that it names itself, so it does.
        (lambda _issuer: {"iss": None}, "oidc.mixed_up"),
        (lambda _issuer: {"code": "another"}, "oidc.code"),
        (lambda _issuer: {"code": None}, "oidc.refused"),
    ],
)
async def test_an_answer_that_was_changed_on_the_way_is_refused(
    app: FastAPI,
    issuer: FakeIssuer,
    sessions: Sessions,
    change: Callable[[FakeIssuer], dict[str, str | None]],
    code: str,
) -> None:
    async with Browser(app) as browser:
        back = await ask(await set_out(browser))
        answer = await browser.get(changed(back, **change(issuer)))

    assert (answer.status_code, f"<code>{code}</code>" in answer.text) == (403, True)
    assert await nothing_is_left(sessions)


async def test_another_browser_cannot_use_the_answer_nor_spoil_it(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions
) -> None:
    async with Browser(app) as mine, Browser(app) as theirs, Browser(app) as nobodys:
        back = await ask(await set_out(mine))
        await set_out(theirs)
        for browser in (theirs, nobodys):
            answer = await browser.get(back)
            assert (answer.status_code, "oidc.stale" in answer.text) == (403, True)
        assert await nothing_is_left(sessions)
        assert (await mine.get(back)).headers["Location"] == "/login/oidc/new"


async def test_an_answer_works_once(app: FastAPI, issuer: FakeIssuer) -> None:
    async with Browser(app) as browser:
        back = await ask(await set_out(browser))
        await browser.get(back)
        asked = len(issuer.asked)
        again = await browser.get(back)

    assert (again.status_code, "oidc.stale" in again.text) == (403, True)
    assert len(issuer.asked) == asked


async def test_a_used_code_is_dead_in_another_sign_in_too(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions
) -> None:
    async with Browser(app) as browser:
        used = dict(parse_qsl(urlsplit(await ask(await set_out(browser))).query))
        back = await ask(await set_out(browser))
        answer = await browser.get(changed(back, code=used["code"]))

    # The code is alive, but was given for another verifier.
    assert (answer.status_code, "oidc.code" in answer.text) == (403, True)
    assert await nothing_is_left(sessions)


async def test_an_answer_ten_minutes_late_is_refused(
    app: FastAPI, clock: SettableClock, sessions: Sessions
) -> None:
    async with Browser(app) as browser:
        back = await ask(await set_out(browser))
        clock.advance(timedelta(minutes=10))
        answer = await browser.get(back)

    assert (answer.status_code, "oidc.stale" in answer.text) == (403, True)
    assert await nothing_is_left(sessions)


async def test_a_proof_is_the_browsers_own_and_works_once(app: FastAPI, sessions: Sessions) -> None:
    async with Browser(app) as mine, Browser(app) as theirs:
        await travel(mine)
        await set_out(theirs)
        form = {"name": "Roser"}
        assert (await theirs.submit("/login/oidc/new", form)).status_code == 403
        assert (await mine.submit("/login/oidc/new", form)).status_code == 303
        assert (await mine.submit("/login/oidc/new", form)).status_code == 403


async def test_a_parameter_that_comes_twice_is_refused(app: FastAPI, sessions: Sessions) -> None:
    async with Browser(app) as browser:
        back = await ask(await set_out(browser))
        answer = await browser.get(f"{back}&code=another")

    assert answer.status_code == 422
    assert await nothing_is_left(sessions)


async def test_nothing_that_is_stored_opens_a_sign_in(app: FastAPI, sessions: Sessions) -> None:
    async with Browser(app) as browser:
        query = dict(parse_qsl(urlsplit(await set_out(browser)).query))
        cookie = browser.cookies[app.state.cookies.sign_in]
    async with sessions() as session:
        stored = str((await session.execute(text("select * from sign_ins"))).all())

    for secret in (query["state"], query["nonce"], query["code_challenge"], cookie):
        assert secret not in stored
