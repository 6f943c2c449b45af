"""Issuers differ, move, lie down and go wrong; nobody is lost by that."""

import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI
from joserfc.jwk import ECKey
from sqlalchemy import text

from app.accounts.service import sign_up
from app.db.session import Sessions
from tests.support.browser import Browser, serving
from tests.support.clock import SettableClock
from tests.support.issuer import FakeIssuer, ask, issuing, register, set_out, travel
from tests.support.people import NOON
from tests.support.web import free_port

pytestmark = pytest.mark.anyio

PASSWORD = "quatre de nou amb folre"


@pytest.mark.parametrize(
    "mood",
    [
        {"client_secret": None},
        {"describes": {"token_endpoint_auth_methods_supported": ["client_secret_post"]}},
        {"names_itself": False},
        {"path": ""},
        {"path": "/application/o/placa/"},
        {"keys": [ECKey.generate_key("P-256", {"kid": "curved", "use": "sig"})]},
    ],
)
async def test_issuers_differ(
    database_url: str, clock: SettableClock, mood: dict[str, Any]
) -> None:
    with issuing(clock.now) as issuer:
        for name, value in mood.items():
            setattr(issuer, name, value)
        async with (
            serving(database_url, clock=clock, **issuer.settings) as app,
            Browser(app) as browser,
        ):
            assert (await register(browser)).status_code == 303


async def test_documents_are_fetched_once_and_a_new_key_is_found(
    app: FastAPI, issuer: FakeIssuer, clock: SettableClock
) -> None:
    async with Browser(app) as browser:
        await register(browser)
        await travel(browser)
        assert issuer.asked.count(".well-known/openid-configuration") == 1
        assert issuer.asked.count("keys") == 1
        issuer.rotate()
        clock.advance(timedelta(minutes=1))
        assert (await travel(browser)).status_code == 303
        assert issuer.asked.count("keys") == 2


async def test_an_issuer_that_is_down_is_left_alone_for_a_moment(
    app: FastAPI, issuer: FakeIssuer, clock: SettableClock
) -> None:
    issuer.status = 500
    async with Browser(app) as browser:
        for _ in range(3):
            assert (await browser.submit("/login/oidc")).status_code == 503
        assert len(issuer.asked) == 1
        issuer.status = 0
        clock.advance(timedelta(seconds=5))
        assert (await register(browser)).status_code == 303


async def test_keys_that_cannot_be_had_are_left_alone_for_a_moment(
    app: FastAPI, issuer: FakeIssuer, clock: SettableClock
) -> None:
    """Everybody else who signs in would wait for them, one after the other."""
    issuer.describes["jwks_uri"] = f"{issuer.address}/nowhere"
    async with Browser(app) as browser:
        for _ in range(3):
            assert (await travel(browser)).status_code == 503
        assert issuer.asked.count("nowhere") == 1
        clock.advance(timedelta(seconds=5))
        assert (await travel(browser)).status_code == 503

    assert issuer.asked.count("nowhere") == 2


async def test_nothing_is_asked_for_that_nobody_looks_at(
    app: FastAPI, database_url: str, issuer: FakeIssuer
) -> None:
    async with Browser(app) as browser:
        query = parse_qs(urlsplit(await set_out(browser)).query)
    allow = "groups=players,email=*@friends.test"
    async with (
        serving(database_url, **issuer.settings, oidc_allow=allow) as other,
        Browser(other) as browser,
    ):
        more = parse_qs(urlsplit(await set_out(browser)).query)

    assert query["scope"] == ["openid profile"]
    assert more["scope"] == ["openid profile email groups"]


@pytest.mark.parametrize(
    ("mood", "status", "code"),
    [
        ({"refuses": "access_denied"}, 403, "oidc.refused"),
        ({"refuses": "temporarily_unavailable"}, 503, "oidc.silent"),
        ({"refuses": "invalid_scope"}, 503, "oidc.client"),
        ({"client_secret": "another"}, 503, "oidc.client"),
        ({"status": 500}, 503, "oidc.garbled"),
        ({"says": {"exp": 1, "iat": 1}}, 403, "oidc.clock"),
    ],
)
async def test_what_goes_wrong_is_told_in_words_and_loses_nothing(  # noqa: PLR0917 - a table's columns
    app: FastAPI,
    issuer: FakeIssuer,
    sessions: Sessions,
    mood: dict[str, Any],
    status: int,
    code: str,
) -> None:
    async with Browser(app) as browser:
        there = await set_out(browser, next="/tables")
        for name, value in mood.items():
            setattr(issuer, name, value)
        answer = await browser.get(await ask(there))
        assert (await browser.get("/account")).status_code == 303

    assert (answer.status_code, f"<code>{code}</code>" in answer.text) == (status, True)
    assert 'value="/tables"' in answer.text
    assert "/login?next=/tables" in answer.text
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    async with sessions() as session:
        assert await session.scalar(text("select count(*) from people")) == 0


async def test_an_issuer_that_is_down_keeps_nobody_else_out(
    database_url: str, sessions: Sessions
) -> None:
    async with sessions.begin() as session:
        await sign_up(session, guest=None, name="Anna", password=PASSWORD, now=NOON)
    down: dict[str, Any] = {
        "oidc_issuer": f"http://127.0.0.1:{free_port()}",
        "oidc_client_id": "placa",
    }
    async with serving(database_url, **down) as app, Browser(app) as browser:
        assert (await browser.get("/login")).status_code == 200
        answer = await browser.submit("/login/oidc", {"next": "/tables"})
        assert (answer.status_code, "oidc.silent" in answer.text) == (503, True)
        assert 'value="/tables"' in answer.text
        form = {"name": "Anna", "password": PASSWORD, "next": ""}
        assert (await browser.submit("/login", form)).status_code == 303


@pytest.mark.parametrize("next_", ["https://evil.test/", "//evil.test", "/\\evil.test", "x" * 400])
async def test_nobody_is_led_elsewhere(app: FastAPI, next_: str) -> None:
    async with Browser(app) as browser:
        assert (await register(browser, next=next_)).headers["Location"] == "/"


@pytest.mark.parametrize(
    "describes",
    [
        {"issuer": "http://127.0.0.1:1/another"},
        {"token_endpoint": "ftp://127.0.0.1/"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": 'http://127.0.0.1/"><script>'},
        {"jwks_uri": None},
    ],
)
async def test_a_description_that_is_none_leads_nowhere(
    app: FastAPI, issuer: FakeIssuer, describes: dict[str, Any]
) -> None:
    issuer.describes |= describes
    async with Browser(app) as browser:
        answer = await browser.submit("/login/oidc")

    assert (answer.status_code, "oidc.garbled" in answer.text) == (503, True)


async def test_under_a_path_everything_stays_under_it(
    database_url: str, clock: SettableClock, issuer: FakeIssuer
) -> None:
    here = {"public_url": "https://plaza.test/placa"}
    async with (
        serving(database_url, clock=clock, **issuer.settings, **here) as app,
        Browser(app) as browser,
    ):
        page = await browser.submit("/placa/login/oidc", {"next": "https://evil.test"})
        found = re.search(r'content="0;url=([^"]+)"', page.text)
        assert found is not None
        there = unescape(found[1])
        assert parse_qs(urlsplit(there).query)["redirect_uri"] == [
            "https://plaza.test/placa/login/oidc/callback"
        ]
        arrived = await browser.get(await ask(there, "https://plaza.test/placa"))
        assert arrived.headers["Location"] == "/placa/login/oidc/new"
        made = await browser.submit("/placa/login/oidc/new", {"name": "Roser"})
        assert made.headers["Location"] == "/placa/"


async def test_a_page_of_somebody_elses_begins_nothing(app: FastAPI, sessions: Sessions) -> None:
    async with Browser(app) as browser:
        answer = await browser.submit("/login/oidc", Sec_Fetch_Site="cross-site")
    async with sessions() as session:
        assert await session.scalar(text("select count(*) from sign_ins")) == 0

    assert answer.status_code == 403
