"""Language, theme and sound: on the device, and with the person on every other."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.accounts.service import sign_up
from app.db.session import Sessions
from tests.support.browser import Browser, serving
from tests.support.people import NOON
from tests.support.world import PASSWORD

pytestmark = pytest.mark.anyio

LOGIN = {"name": "Anna", "password": PASSWORD}


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def _account(sessions: Sessions) -> None:
    async with sessions.begin() as session:
        name, password = LOGIN["name"], LOGIN["password"]
        await sign_up(session, guest=None, name=name, password=password, now=NOON)


def chosen(browser: Browser) -> dict[str, str]:
    """Return what the device remembers."""
    names = ("locale", "theme", "sound")
    return {name: value for name, value in browser.cookies.items() if name in names}


async def test_the_device_remembers_and_what_is_missing_stays(app: FastAPI) -> None:
    async with Browser(app) as browser:
        first = await browser.submit("/preferences", {"theme": "dark", "next": "/account"})
        second = await browser.submit("/preferences", {"locale": "ca", "sound": "on"})
        third = await browser.submit("/preferences", {"locale": "tlh"})
        refused = await browser.submit("/preferences", {"theme": "pink"})

        assert (first.status_code, first.headers["Location"]) == (303, "/account")
        assert second.headers["Location"] == third.headers["Location"] == "/"
        assert refused.status_code == 422
        assert chosen(browser) == {"theme": "dark", "locale": "ca", "sound": "on"}


@pytest.mark.usefixtures("_account")
async def test_what_is_chosen_while_signed_in_comes_along_to_another_device(app: FastAPI) -> None:
    async with Browser(app) as desk, Browser(app) as phone:
        await phone.submit("/preferences", {"theme": "light", "sound": "on"})
        await desk.submit("/login", LOGIN)
        await desk.submit("/preferences", {"theme": "dark", "locale": "ca"})

        await phone.submit("/login", LOGIN)

        assert chosen(phone) == {"theme": "dark", "locale": "ca", "sound": "on"}
        assert 'lang="ca" data-theme="dark"' in (await phone.get("/about")).text


@pytest.mark.usefixtures("_account")
async def test_a_device_on_which_nobody_is_signed_in_changes_nothing_elsewhere(
    app: FastAPI,
) -> None:
    async with Browser(app) as desk, Browser(app) as phone:
        await desk.submit("/login", LOGIN)
        await desk.submit("/logout")
        await desk.submit("/preferences", {"theme": "dark"})

        await phone.submit("/login", LOGIN)

        assert chosen(phone) == {}


async def test_a_new_account_keeps_what_its_device_had_chosen(app: FastAPI) -> None:
    async with Browser(app) as desk, Browser(app) as phone:
        await desk.submit("/preferences", {"sound": "on"})
        await desk.submit("/signup", LOGIN)

        await phone.submit("/login", LOGIN)

        assert chosen(phone) == {"sound": "on"}


@pytest.mark.usefixtures("_account")
async def test_the_browser_tells_its_time_zone_once_and_it_comes_along(app: FastAPI) -> None:
    async with Browser(app) as desk, Browser(app) as phone:
        await desk.submit("/login", LOGIN)

        assert "data-zone-unknown" in (await desk.get("/about")).text

        await desk.submit("/preferences", {"zone": "Asia/Kathmandu"})
        await desk.submit("/preferences", {"zone": "Atlantis/Capital"})
        await phone.submit("/login", LOGIN)

        assert "data-zone-unknown" not in (await desk.get("/about")).text
        assert phone.cookies["zone"].strip('"') == "Asia/Kathmandu"
