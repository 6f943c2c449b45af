"""A wrong proxy explains itself: the page names the header and the setting."""

import html

import pytest

from tests.support.browser import Browser, serving

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("public_url", "base", "origin", "named"),
    [
        # The server has been told no address, and believes what reaches it.
        (
            None,
            "http://play.example.org",
            "https://play.example.org",
            ["X-Forwarded-Proto", "TRUSTED_PROXIES", "PUBLIC_URL"],
        ),
        (
            None,
            "http://127.0.0.1:8000",
            "http://play.example.org",
            ["header Host", "http://127.0.0.1:8000"],
        ),
        # On a network without https, opened by another name.
        (
            "http://192.168.1.5:8000",
            "http://host.local:8000",
            "http://host.local:8000",
            ["http://192.168.1.5:8000", "Open it there", "PUBLIC_URL"],
        ),
    ],
)
async def test_the_page_says_what_to_mend(
    database_url: str, public_url: str | None, base: str, origin: str, named: list[str]
) -> None:
    async with (
        serving(database_url, public_url=public_url) as app,
        Browser(app, base=base) as browser,
    ):
        refused = await browser.post(
            "/preferences", data={"theme": "dark"}, headers={"Origin": origin}
        )

    page = html.unescape(refused.text)
    assert refused.status_code == 403
    assert origin in page
    assert all(word in page for word in named)


async def test_by_another_name_on_the_network_pages_open_and_lead_nowhere_else(
    database_url: str,
) -> None:
    async with (
        serving(database_url, public_url="http://192.168.1.5:8000") as app,
        Browser(app, base="http://host.local:8000") as browser,
    ):
        pages = [await browser.get(path) for path in ("/", "/login", "/rules", "/tables")]

    assert [page.status_code for page in pages] == [200] * 4


async def test_what_a_stranger_calls_itself_is_shown_as_text(database_url: str) -> None:
    async with serving(database_url) as app, Browser(app) as browser:
        evil = "https://<script>alert(1)</script>" + "x" * 500
        refused = await browser.post(
            "/preferences", data={"theme": "dark"}, headers={"Origin": evil}
        )

    assert refused.status_code == 403
    assert "<script>alert" not in refused.text
    assert "x" * 200 not in refused.text


async def test_plain_http_at_its_own_address_works(database_url: str) -> None:
    here = "http://192.168.1.5:8000"
    async with serving(database_url, public_url=here) as app, Browser(app, base=here) as browser:
        made = await browser.post(
            "/play-bots", data={"bots": "1", "key": "k"}, headers={"Origin": here}
        )
        match = await browser.get(made.headers["Location"].removeprefix(here))

    assert made.status_code == 303
    assert "Secure" not in made.headers["Set-Cookie"]
    assert match.status_code == 200
