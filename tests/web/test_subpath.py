"""Under a path of a shared host: no address leads outside, whether the proxy strips it or not."""

import re

import pytest

from tests.support.browser import Browser, serving

pytestmark = pytest.mark.anyio

HERE = "https://plaza.test"
ADDRESS = re.compile(r"""(?:href|src|action|hx-get|hx-post)="([^"#]*)""")


@pytest.mark.parametrize("prefix", ["/games", ""], ids=["kept by the proxy", "stripped"])
async def test_every_address_stays_inside(database_url: str, prefix: str) -> None:
    async with (
        serving(database_url, public_url=f"{HERE}/games") as app,
        Browser(app) as browser,
    ):
        made = await browser.submit(
            f"{prefix}/new",
            {
                "name": "Anna",
                "game": "castell",
                "seats": "2",
                "visibility": "private",
                "seat_order": "chosen",
                "wheel_side": "all_regions",
                "key": "k",
            },
        )
        table = made.headers["Location"]
        pages = [
            await browser.get(prefix + path)
            for path in ("/", "/new", "/join", "/account", "/rules/castell", "/nothing")
        ]
        pages.append(await browser.get(prefix + table.removeprefix("/games")))
        played = await browser.submit(f"{prefix}/play-bots", {"bots": "1", "key": "l"})
        pages.append(await browser.get(prefix + played.headers["Location"].removeprefix("/games")))
        static = re.search(r'href="/games(/static/css/base[^"]*)"', pages[0].text)
        sheet = await browser.get(prefix + static[1]) if static else None

    assert table.startswith("/games/tables/")
    assert [page.status_code for page in pages] == [200, 200, 200, 200, 200, 404, 200, 200]
    addresses = [address for page in pages for address in ADDRESS.findall(page.text)]
    outside = {a for a in addresses if a and not a.startswith(("/games/", "?", "data:"))}
    assert {a for a in outside if a != "/games" and not a.startswith("https://")} == set()
    assert f"{HERE}/games/i/" in pages[-2].text
    assert sheet is not None
    assert sheet.status_code == 200


@pytest.mark.parametrize("wished", ["", "/", "/other", "//evil.test", "/games/\\evil.test"])
async def test_nobody_is_sent_outside_after_a_form(database_url: str, wished: str) -> None:
    async with (
        serving(database_url, public_url=f"{HERE}/games") as app,
        Browser(app) as browser,
    ):
        kept = await browser.submit("/games/preferences", {"theme": "dark", "next": wished})
        stays = await browser.submit("/games/preferences", {"theme": "dark", "next": "/games/new"})

    assert kept.headers["Location"] == "/games/"
    assert stays.headers["Location"] == "/games/new"
