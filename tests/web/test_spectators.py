"""The host lets others watch, and ends it, while the match runs."""

import re
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.db.session import Sessions
from app.ids import new_token
from tests.support.browser import HERE, Browser, serving, without_tokens
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


def link_on(page: str) -> str:
    found = re.search(rf'value="{HERE}(/w/[^"]+)"', page)
    assert found is not None, "no spectator link on the page"
    return found[1]


async def test_the_menu_leads_the_host_to_the_spectators(app: FastAPI, world: World) -> None:
    match = world.path("/matches/{match}")
    for role, leads in (("player", True), ("guest", False)):
        async with world.browser(app, role) as browser:
            assert (f'href="{match}/spectators"' in (await browser.get(match)).text) == leads


async def test_an_ended_link_is_as_unknown_as_any(app: FastAPI, world: World) -> None:
    match = world.path("/matches/{match}")
    async with (
        world.browser(app, "player") as host,
        world.browser(app, "spectator") as spectator,
        Browser(app) as stranger,
    ):
        # The world's own link was made with another key than the server's.
        for word in ("off", "on"):
            await host.submit(f"{match}/spectators", {"allowed": word})
        link = link_on((await host.get(f"{match}/spectators")).text)
        assert (await spectator.submit(link)).status_code == 303
        assert (await spectator.get(match)).status_code == 200
        assert (await stranger.get(link)).status_code == 200

        assert (await host.submit(f"{match}/spectators", {"allowed": "off"})).status_code == 303

        assert (await spectator.get(match)).status_code == 404
        unknown = f"/w/{new_token()}"
        dead, never = [await stranger.get(path) for path in (link, unknown)]
        assert dead.status_code == 404
        assert without_tokens(dead.text) == without_tokens(never.text.replace(unknown, link))
        dead, never = [await stranger.submit(path) for path in (link, unknown)]
        assert dead.status_code == 404
        assert without_tokens(dead.text) == without_tokens(never.text.replace(unknown, link))
        assert "Nobody may watch" in (await host.get(f"{match}/spectators")).text


async def test_watching_allowed_again_has_a_new_link(app: FastAPI, world: World) -> None:
    match = world.path("/matches/{match}")
    async with (
        world.browser(app, "player") as host,
        world.browser(app, "spectator") as spectator,
    ):
        old = link_on((await host.get(f"{match}/spectators")).text)
        for word in ("off", "on"):
            await host.submit(f"{match}/spectators", {"allowed": word})
        new = link_on((await host.get(f"{match}/spectators")).text)

        assert new != old
        assert (await spectator.get(old)).status_code == 404
        assert (await spectator.get(match)).status_code == 404
        assert (await spectator.submit(new)).status_code == 303
        assert (await spectator.get(match)).status_code == 200
