"""The admin page: for administrators, over the services of the command line, all written down."""

import html
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.accounts.admins import SESSION_LIFE
from app.db.session import Sessions
from app.hosting import service
from app.hosting.audit import Actor, deeds
from app.hosting.service import Deed
from app.jobs.holding import hold
from app.matches.queries import match_page
from tests.support.browser import serving
from tests.support.clock import SettableClock
from tests.support.people import NOON
from tests.support.played import play_on
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def app(database_url: str, clock: SettableClock) -> AsyncIterator[FastAPI]:
    async with serving(database_url, clock=clock) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    """Return the world with its player as administrator."""
    world = await make_world(sessions)
    async with sessions.begin() as session:
        await service.make_admin(session, Deed(Actor.shell("root"), NOON), name="Player")
    return world


async def test_an_administrator_sees_matches_deeds_and_what_is_on_hold(
    app: FastAPI, sessions: Sessions, world: World
) -> None:
    async with sessions.begin() as session:
        await hold(session, now=NOON)
    async with world.browser(app, "player") as browser:
        account = await browser.get("/account")
        front = await browser.get("/admin")
        void = await browser.get("/admin?status=void")
        match = await browser.get(f"/admin/matches/{world.match_id}")

    assert "/admin" in account.text
    assert f"/admin/matches/{world.match_id}" in front.text
    assert "admin.create" in front.text
    assert front.text.count("24 Sep 2026, ") == front.text.count(" 2026") > 0
    assert "placa mail release" in front.text
    assert str(world.match_id) not in void.text
    assert all(f"Seat {n}" in match.text for n in range(4))


async def test_everything_done_there_is_done_and_written_down(
    app: FastAPI, sessions: Sessions, world: World
) -> None:
    match_id = world.match_id
    await play_on(sessions, match_id, until=lambda page: page.version > 4)
    here = f"/admin/matches/{match_id}"
    async with world.browser(app, "player") as browser:
        back = await browser.submit(f"{here}/rollback", {"version": "2", "reason": "<b>misclick"})
        seat = await browser.submit(
            f"{here}/reassign", {"seat": "0", "to": str(world.people["elsewhere"].id)}
        )
        bot = await browser.submit(f"{here}/reassign", {"seat": "1", "bot": "random"})
        shown = await browser.get(here)
        void = await browser.submit(f"{here}/void", {"reason": "over"})
        after = await browser.get(here)

    assert [answer.status_code for answer in (back, seat, bot, void)] == [303] * 4
    async with sessions.begin() as session:
        page = await match_page(session, match_id=match_id, seat=None)
        done = await deeds(session, subject=str(match_id))
    assert page.status == "void"
    assert page.seats[0].person_id == world.people["elsewhere"].id
    assert page.seats[1].bot == "random"
    assert [deed.action for deed in done] == [
        "match.void",
        "match.reassign_seat",
        "match.reassign_seat",
        "match.rollback",
    ]
    assert {deed.actor for deed in done} == {"account Player"}
    assert "<b>misclick" not in shown.text
    assert "<b>misclick" in html.unescape(shown.text)
    assert "<form" in shown.text.split("<main")[1]
    assert "/void" not in after.text.split("<main")[1]


async def test_what_cannot_be_is_refused_and_leaves_no_trace(
    app: FastAPI, sessions: Sessions, world: World
) -> None:
    here = f"/admin/matches/{world.match_id}"
    tries = (
        ("rollback", {"version": "99"}, 422),
        ("rollback", {"version": "0"}, 422),
        ("reassign", {"seat": "0"}, 422),
        ("reassign", {"seat": "0", "to": "Player", "bot": "steady"}, 422),
        ("reassign", {"seat": "0", "bot": "genius"}, 422),
        ("reassign", {"seat": "9", "bot": "steady"}, 404),
        ("reassign", {"seat": "0", "to": "Nobody"}, 404),
        ("void", {"reason": "x" * 201}, 422),
    )
    async with world.browser(app, "player") as browser:
        for action, form, status in tries:
            answer = await browser.submit(f"{here}/{action}", form)
            assert answer.status_code == status, (action, form)

    async with sessions.begin() as session:
        assert await deeds(session, subject=str(world.match_id)) == ()


async def test_an_old_session_has_to_sign_in_again_and_a_dismissed_one_sees_nothing(
    app: FastAPI, sessions: Sessions, world: World, clock: SettableClock
) -> None:
    async with world.browser(app, "player") as browser:
        assert (await browser.get("/admin")).status_code == 200
        clock.advance(SESSION_LIFE)
        old = await browser.get("/admin")
        posted = await browser.submit(f"/admin/matches/{world.match_id}/void", {})
        async with sessions.begin() as session:
            await service.end_admin(session, Deed(Actor.shell("root"), NOON), name="Player")
        dismissed = await browser.get("/admin")
        account = await browser.get("/account")

    assert (old.status_code, posted.status_code, dismissed.status_code) == (403, 403, 404)
    assert "Sign in again" in old.text
    assert 'href="/admin"' not in account.text
