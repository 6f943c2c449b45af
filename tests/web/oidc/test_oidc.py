"""Signing in at an issuer: who gets in, as whom, and what is left when it does not work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.accounts.admins import make_admin
from app.accounts.service import sign_up
from app.db.session import Sessions
from app.hosting.audit import Actor, deeds
from app.hosting.service import Deed, login_link
from app.hosting.ways_in import turn_off, turn_on
from tests.support.browser import Browser, serving
from tests.support.clock import SettableClock
from tests.support.issuer import FakeIssuer, ask, register, set_out, travel
from tests.support.people import NOON, Gathering

pytestmark = pytest.mark.anyio

PASSWORD = "quatre de nou amb folre"


async def is_known(browser: Browser) -> bool:
    return (await browser.get("/account")).status_code == 200


async def account(sessions: Sessions, name: str = "Anna") -> None:
    async with sessions.begin() as session:
        await sign_up(session, guest=None, name=name, password=PASSWORD, now=NOON)


@asynccontextmanager
async def signed_in(app: FastAPI, name: str = "Anna") -> AsyncIterator[Browser]:
    async with Browser(app) as browser:
        done = await browser.submit("/login", {"name": name, "password": PASSWORD, "next": ""})
        assert done.status_code == 303
        yield browser


async def people(sessions: Sessions) -> list[tuple[Any, ...]]:
    return await rows(sessions, "select kind, name, admin from people order by name")


async def rows(sessions: Sessions, query: str) -> list[tuple[Any, ...]]:
    async with sessions() as session:
        return [tuple(row) for row in await session.execute(text(query))]


async def test_somebody_new_confirms_a_name_and_is_known_from_then_on(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions
) -> None:
    issuer.says["preferred_username"] = "roser@friends.test"
    async with Browser(app) as browser:
        arrived = await travel(browser, next="/rules")
        asked = await browser.get("/login/oidc/new")
        before = await people(sessions)
        made = await browser.submit("/login/oidc/new", {"name": "Roser"})
        assert await is_known(browser)

    assert arrived.headers["Location"] == "/login/oidc/new"
    assert 'value="roser"' in asked.text
    assert before == []
    assert (made.status_code, made.headers["Location"]) == (303, "/rules")
    async with Browser(app) as another:
        back = await travel(another, next="/tables")
        assert back.headers["Location"] == "/tables"
        assert "Roser" in (await another.get("/account")).text
    assert await people(sessions) == [("account", "Roser", False)]


async def test_a_name_that_is_taken_gets_a_number(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions
) -> None:
    await account(sessions, "Róser")
    issuer.says["preferred_username"] = "roser"
    async with Browser(app) as browser:
        await travel(browser)
        asked = await browser.get("/login/oidc/new")
        taken = await browser.submit("/login/oidc/new", {"name": "ROSER"})
        made = await browser.submit("/login/oidc/new", {"name": "roser 2"})

    assert 'value="roser 2"' in asked.text
    assert taken.status_code == 409
    assert made.status_code == 303


async def test_a_session_gets_a_new_id(app: FastAPI, sessions: Sessions) -> None:
    table = await Gathering.of(sessions, seats=2)
    token = ((await table.page()).invite_url or "").rpartition("/")[2]
    async with Browser(app) as browser:
        await browser.submit(f"/i/{token}", {"name": "Blai"})
        before = browser.cookies[app.state.cookies.session]
        await register(browser, "Blai")
        after = browser.cookies[app.state.cookies.session]
        # The seat of the guest has come along.
        assert (await browser.get(f"/tables/{table.id}")).status_code == 200
        browser.cookies.set(app.state.cookies.session, before, domain="plaza.test", path="/")
    async with Browser(app) as thief:
        thief.cookies.set(app.state.cookies.session, before)
        assert not await is_known(thief)

    assert before != after


async def test_a_guest_brings_the_seats_to_an_account_there_is(
    app: FastAPI, sessions: Sessions
) -> None:
    async with Browser(app) as first:
        await register(first)
    table = await Gathering.of(sessions, seats=2)
    token = ((await table.page()).invite_url or "").rpartition("/")[2]
    async with Browser(app) as browser:
        await browser.submit(f"/i/{token}", {"name": "Blai"})
        await travel(browser)
        assert (await browser.get(f"/tables/{table.id}")).status_code == 200

    assert [kind for kind, *_ in await people(sessions)].count("guest") == 1  # the host


async def test_an_account_is_connected_by_a_click_and_by_no_mail_address(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions
) -> None:
    await account(sessions)
    issuer.says |= {"preferred_username": "anna", "email": "anna@friends.test"}
    issuer.says["email_verified"] = True
    async with signed_in(app) as browser:
        await browser.submit("/account/notices/address", {"address": "anna@friends.test"})
        refused = await travel(browser)
        assert refused.status_code == 409
        assert "oidc.not_connected" in refused.text
        done = await travel(browser, connect="on", next="/account")
        assert done.headers["Location"] == "/account"
        assert "has signed you in since" in (await browser.get("/account")).text
    async with Browser(app) as another:
        assert (await travel(another)).headers["Location"] == "/"
        assert "Anna" in (await another.get("/account")).text

    assert await people(sessions) == [("account", "Anna", False)]


async def test_a_mail_address_of_somebodys_makes_nobody_theirs(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions
) -> None:
    await account(sessions)
    async with sessions.begin() as session:
        await session.execute(
            text(
                "insert into addresses (person_id, address, verified_at)"
                " select id, 'anna@friends.test', now() from people"
            )
        )
    issuer.says |= {"email": "anna@friends.test", "preferred_username": "Anna"}
    issuer.says["email_verified"] = True
    async with Browser(app) as browser:
        arrived = await travel(browser)
        assert arrived.headers["Location"] == "/login/oidc/new"
        assert 'value="Anna 2"' in (await browser.get("/login/oidc/new")).text
        assert not await is_known(browser)

    assert await people(sessions) == [("account", "Anna", False)]


async def test_what_is_connected_here_cannot_be_connected_there(
    app: FastAPI, sessions: Sessions
) -> None:
    for name in ("Anna", "Blai"):
        await account(sessions, name)
    async with signed_in(app, "Anna") as anna, signed_in(app, "Blai") as blai:
        assert (await travel(anna, connect="on")).status_code == 303
        refused = await travel(blai, connect="on")
        assert refused.status_code == 409
        assert "oidc.elsewhere" in refused.text
        assert "Blai" in (await blai.get("/account")).text


async def test_a_guest_connects_nothing(app: FastAPI, sessions: Sessions) -> None:
    async with Browser(app) as browser:
        assert (await browser.submit("/login/oidc", {"connect": "on"})).status_code == 403


async def test_connecting_needs_the_person_who_began(app: FastAPI, sessions: Sessions) -> None:
    for name in ("Anna", "Blai"):
        await account(sessions, name)
    async with signed_in(app, "Anna") as browser:
        there = await set_out(browser, connect="on")
        await browser.submit("/logout")
        await browser.submit("/login", {"name": "Blai", "password": PASSWORD, "next": ""})
        answer = await browser.get(await ask(there))

    assert (answer.status_code, "oidc.stale" in answer.text) == (403, True)
    assert await rows(sessions, "select 1 from identities") == []


async def test_disconnecting_leaves_another_way_in(app: FastAPI, sessions: Sessions) -> None:
    await account(sessions)
    async with signed_in(app) as anna:
        await travel(anna, connect="on")
        assert (await anna.submit("/account/oidc/disconnect")).status_code == 303
        assert (await anna.submit("/account/oidc/disconnect")).status_code == 404
    async with Browser(app) as roser:
        await register(roser)
        refused = await roser.submit("/account/oidc/disconnect")
        assert refused.status_code == 409
        # Signed in just now, a password can be set; then there is another way in.
        page = (await roser.get("/account")).text
        assert 'name="old"' not in page
        assert (await roser.submit("/account/password", {"password": PASSWORD})).status_code == 303
        assert (await roser.submit("/account/oidc/disconnect")).status_code == 303
    async with signed_in(app, "Roser") as roser:
        assert await is_known(roser)


async def test_who_has_no_password_signs_in_anew_for_what_asks_for_one(
    app: FastAPI, clock: SettableClock, sessions: Sessions
) -> None:
    async with Browser(app) as browser:
        await register(browser)
        clock.advance(timedelta(minutes=11))
        assert (await browser.submit("/account/delete")).status_code == 403
        password = {"password": PASSWORD, "old": ""}
        assert (await browser.submit("/account/password", password)).status_code == 403
        await travel(browser)
        assert (await browser.submit("/account/delete")).status_code == 303

    assert await rows(sessions, "select 1 from identities") == []
    assert [kind for kind, *_ in await people(sessions)] == ["deleted"]


async def test_nobody_signs_in_with_an_empty_password(app: FastAPI) -> None:
    async with Browser(app) as browser:
        await register(browser)
    async with Browser(app) as browser:
        for password in ("", "none", "None"):
            form = {"name": "Roser", "password": password, "next": ""}
            assert (await browser.submit("/login", form)).status_code == 422


@pytest.mark.parametrize(
    ("registration", "allow", "expected"),
    [
        ("open", "", 303),
        ("closed", "", 403),
        ("closed", "groups=players", 403),
        ("invite", "", 403),
        ("invite", "groups=players", 303),
    ],
)
async def test_registration_counts_and_the_hosts_list_invites(  # noqa: PLR0917 - a table's columns
    database_url: str,
    clock: SettableClock,
    issuer: FakeIssuer,
    sessions: Sessions,
    registration: str,
    allow: str,
    expected: int,
) -> None:
    issuer.says["groups"] = ["players"]
    more = {"registration": registration, "oidc_allow": allow}
    async with (
        serving(database_url, clock=clock, **issuer.settings, **more) as app,
        Browser(app) as browser,
    ):
        answer = await travel(browser)
    assert answer.status_code == expected
    if expected == 403:
        assert f"registration.{registration}" in answer.text
        assert await people(sessions) == []


@pytest.mark.parametrize(
    ("says", "userinfo", "let_in"),
    [
        ({"groups": ["players", "others"]}, {}, True),
        ({"groups": "players"}, {}, True),
        ({}, {"groups": ["players"]}, True),
        ({}, {"groups": ["players"], "sub": "somebody else"}, False),
        ({"groups": ["others"]}, {"groups": ["players"]}, False),
        ({"email": "Roser@Friends.test", "email_verified": True}, {}, True),
        ({"email": "roser@friends.test"}, {}, False),
        ({"email": "roser@friends.test", "email_verified": "true"}, {}, False),
        ({"email": "roser@friends.test"}, {"email_verified": True}, False),
        ({"email": "roser@evil.test@friends.test", "email_verified": True}, {}, False),
        ({"email": "roser@evil-friends.test", "email_verified": True}, {}, False),
        ({"groups": [["players"]]}, {}, False),
        ({}, {}, False),
    ],
)
async def test_the_hosts_list_lets_in_whom_it_names(  # noqa: PLR0917 - a table's columns
    database_url: str,
    clock: SettableClock,
    issuer: FakeIssuer,
    says: dict[str, Any],
    userinfo: dict[str, Any],
    let_in: bool,
) -> None:
    issuer.says |= says | {"preferred_username": "roser"}
    issuer.userinfo |= userinfo
    allow = "groups=players,email=*@friends.test"
    async with (
        serving(database_url, clock=clock, **issuer.settings, oidc_allow=allow) as app,
        Browser(app) as browser,
    ):
        answer = await travel(browser)
    assert answer.status_code == (303 if let_in else 403)
    assert ("oidc.not_allowed" in answer.text) is not let_in


async def test_an_administrator_is_one_while_the_issuer_says_so(
    database_url: str, clock: SettableClock, issuer: FakeIssuer, sessions: Sessions
) -> None:
    issuer.says["groups"] = ["placa-admins"]
    rule = {"oidc_admins": "groups=placa-admins"}
    async with (
        serving(database_url, clock=clock, **issuer.settings, **rule) as app,
        Browser(app) as browser,
    ):
        await register(browser)
        assert (await browser.get("/admin")).status_code == 200
        # Twelve hours later the word has to be given anew, however one signs in.
        await browser.submit("/account/password", {"password": PASSWORD})
        clock.advance(timedelta(hours=12))
        await browser.submit("/logout")
        form = {"name": "Roser", "password": PASSWORD, "next": ""}
        assert (await browser.submit("/login", form)).status_code == 303
        assert (await browser.get("/admin")).status_code == 403
        await browser.submit("/logout")
        await travel(browser)
        assert (await browser.get("/admin")).status_code == 200
        issuer.says["groups"] = []
        await browser.submit("/logout")
        await travel(browser)
        assert (await browser.get("/admin")).status_code == 404
    async with sessions() as session:
        done = [(deed.action, deed.actor) for deed in await deeds(session)]
    by = f"issuer {issuer.address}"
    assert done == [("admin.remove", by), ("admin.create", by)]


async def test_the_issuer_unmakes_no_administrator_of_the_hosts(
    app: FastAPI, issuer: FakeIssuer, sessions: Sessions
) -> None:
    async with Browser(app) as browser:
        await register(browser)
        async with sessions.begin() as session:
            await make_admin(session, name="Roser", now=NOON)
        await browser.submit("/logout")
        await travel(browser)
        assert (await browser.get("/admin")).status_code == 200


async def test_local_sign_in_can_be_off_and_the_shell_turns_it_on(
    database_url: str, clock: SettableClock, issuer: FakeIssuer, sessions: Sessions
) -> None:
    await account(sessions)
    deed = Deed(Actor.shell("host"), NOON)
    form = {"name": "Anna", "password": PASSWORD, "next": ""}
    only = {"local_sign_in": False}
    async with (
        serving(database_url, clock=clock, **issuer.settings, **only) as app,
        Browser(app) as browser,
    ):
        page = (await browser.get("/login")).text
        assert 'name="password"' not in page
        assert "Sign in with Amics" in page
        assert (await browser.get("/signup")).headers["Location"] == "/login?next=%2F"
        for path in ("/login", "/signup"):
            answer = await browser.submit(path, form | {"name": "Nobody"})
            assert answer.status_code == 403
        assert (await browser.submit("/login", form)).status_code == 403
        # A link from the shell lets in whatever is off.
        async with sessions.begin() as session:
            link = await login_link(session, deed, name="Anna")
        assert (await browser.submit(f"/device/{link.token}")).status_code == 303
        assert await is_known(browser)
        await browser.submit("/logout")

        async with sessions.begin() as session:
            await turn_off(session, deed)
        page = (await browser.get("/login")).text
        assert ('name="password"' in page, "Amics" in page) == (True, False)
        assert (await browser.submit("/login/oidc")).status_code == 404
        assert (await browser.submit("/login", form)).status_code == 303
        async with sessions.begin() as session:
            await turn_on(session, deed)
        await browser.submit("/logout")
        assert (await browser.submit("/login", form)).status_code == 403
    async with sessions() as session:
        assert {"oidc.disable", "oidc.enable"} <= {done.action for done in await deeds(session)}


async def test_turned_off_between_there_and_back_lets_nobody_in(
    app: FastAPI, sessions: Sessions
) -> None:
    async with Browser(app) as browser:
        back = await ask(await set_out(browser))
        async with sessions.begin() as session:
            await turn_off(session, Deed(Actor.shell("host"), NOON))
        assert (await browser.get(back)).status_code == 404

    assert await people(sessions) == []
