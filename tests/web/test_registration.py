"""Who may make an account: anybody, whom somebody with an account has seated, or nobody."""

import pytest

from app.accounts.service import sign_up
from app.db.session import Sessions
from tests.support.browser import Browser, serving
from tests.support.people import NOON, Gathering
from tests.support.world import make_world

pytestmark = pytest.mark.anyio

FORM = {"name": "Roser", "password": "quatre de nou amb folre", "next": ""}


@pytest.mark.parametrize(
    ("registration", "stranger", "host", "seated"),
    [("open", 303, 303, 303), ("invite", 403, 403, 303), ("closed", 403, 403, 403)],
)
async def test_each_mode_lets_in_whom_it_says(  # noqa: PLR0917 - a table's columns
    sessions: Sessions, database_url: str, registration: str, stranger: int, host: int, seated: int
) -> None:
    world = await make_world(sessions)
    async with serving(database_url, registration=registration) as app:
        for role, expected in (("anonymous", stranger), ("elsewhere", host), ("guest", seated)):
            async with world.browser(app, role) as browser:
                page = await browser.get("/signup")
                made = await browser.submit("/signup", {**FORM, "name": f"Roser {role}"})
            assert made.status_code == expected, role
            assert page.status_code == (200 if expected == 303 else 403)


@pytest.mark.parametrize(
    ("public_url", "expected"),
    [("https://plaza.test", 403), ("http://192.168.1.5:8000", 303), (None, 303)],
)
async def test_unless_it_is_set_only_a_server_with_https_asks_for_an_invitation(
    database_url: str, public_url: str | None, expected: int
) -> None:
    base = public_url or "http://localhost:8000"
    async with (
        serving(database_url, public_url=public_url, registration=None) as app,
        Browser(app, base=base) as browser,
    ):
        made = await browser.submit("/signup", FORM)

    assert made.status_code == expected


async def test_nobody_invites_themselves(sessions: Sessions, database_url: str) -> None:
    table = await Gathering.of(sessions, seats=3)
    token = ((await table.page()).invite_url or "").rpartition("/")[2]
    async with serving(database_url, registration="invite") as app:
        async with Browser(app) as another_tab:
            await another_tab.submit(f"/i/{token}", {"name": "Blai"})
            refused = await another_tab.submit("/signup", FORM)
        async with sessions.begin() as session:
            await sign_up(
                session, guest=table.host, name="Anna", password=FORM["password"], now=NOON
            )
        async with Browser(app) as friend:
            await friend.submit(f"/i/{token}", {"name": "Carla"})
            made = await friend.submit("/signup", FORM)

    assert refused.status_code == 403
    assert "or ask the host of this server" in refused.text
    assert made.status_code == 303


async def test_guests_play_where_nobody_can_make_an_account(
    sessions: Sessions, database_url: str
) -> None:
    table = await Gathering.of(sessions, seats=2)
    token = ((await table.page()).invite_url or "").rpartition("/")[2]
    async with serving(database_url, registration="closed") as app, Browser(app) as browser:
        joined = await browser.submit(f"/i/{token}", {"name": "Blai"})
        shown = await browser.get(joined.headers["Location"].removeprefix("https://plaza.test"))

    assert joined.status_code == 303
    assert "Blai" in shown.text
