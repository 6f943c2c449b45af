"""The page about playing by mail keeps what its reader chooses."""

import pytest

from app.db.session import Sessions
from tests.support.browser import Browser, serving
from tests.support.world import make_world

pytestmark = pytest.mark.anyio


async def test_the_choice_is_kept_and_taken_back(database_url: str, sessions: Sessions) -> None:
    world = await make_world(sessions)
    async with serving(database_url) as app, world.browser(app, "player") as browser:
        assert "checked" not in (await browser.get("/account/replies")).text
        await browser.submit("/account/replies", {"directly": "on"})
        assert "checked" in (await browser.get("/account/replies")).text
        await browser.submit("/account/replies", {})
        assert "checked" not in (await browser.get("/account/replies")).text


async def test_the_page_is_offered_where_answers_are_taken(
    database_url: str, sessions: Sessions
) -> None:
    world = await make_world(sessions)
    async with serving(database_url) as app, world.browser(app, "player") as browser:
        assert "/account/replies" not in (await browser.get("/account")).text
    async with (
        serving(database_url, reply_address="play+*@plaza.test") as app,
        world.browser(app, "player") as browser,
    ):
        assert "/account/replies" in (await browser.get("/account")).text
    async with serving(database_url) as app, Browser(app) as stranger:
        assert (await stranger.get("/account/replies")).headers["Location"] == "/login"
