"""Headers, cookies, limits, redirects: what a browser is told with every answer."""

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from app.db.session import Sessions
from app.web.cookies import Cookies
from app.web.static import static_files
from tests.support.browser import KEY, Browser, serving, settings
from tests.support.world import PASSWORD, World, make_world
from tests.web.routes import ROWS

pytestmark = pytest.mark.anyio

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none';"
    " object-src 'none'; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'"
)

# Where `next` must not lead.
ELSEWHERE = (
    "https://evil.test",
    "//evil.test",
    "///evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "/\t/evil.test",
    "\t//evil.test",
    "http:evil.test",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.test",
    "/%5c\\evil.test",
    "/\n//evil.test",
    "/x\r\nSet-Cookie: a=b",
    "@evil.test",
    "/\u2028//evil.test",
    "https://plaza.test.evil.test/",
    "https:/plaza.test",
)


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def browser(app: FastAPI) -> AsyncIterator[Browser]:
    async with Browser(app) as browser:
        yield browser


def wrong_headers(answer: httpx.Response) -> list[str]:
    """Return what is missing from an answer that may depend on who asks."""
    headers = answer.headers
    wanted = {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Strict-Transport-Security": "max-age=31536000",
        "Cache-Control": "no-store",
    }
    wrong = [name for name, value in wanted.items() if headers.get(name) != value]
    wrong += [
        name
        for name in ("ETag", "Last-Modified", "Server", "Access-Control-Allow-Origin")
        if name in headers
    ]
    vary = {name.strip() for name in headers.get("Vary", "").split(",")}
    return wrong + ([] if {"Cookie", "HX-Request"} <= vary else ["Vary"])


async def test_every_page_carries_the_headers(app: FastAPI, sessions: Sessions) -> None:
    world: World = await make_world(sessions)
    problems = []
    for role in ("anonymous", "guest"):
        async with world.browser(app, role) as browser:
            for row in ROWS:
                if row.method == "GET":
                    for extra in ({}, {"HX-Request": "true"}):
                        answer = await browser.get(world.path(row.path), headers=extra)
                        problems += [(row.path, name) for name in wrong_headers(answer)]

    assert problems == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/tables/not-an-id", 404),
        ("DELETE", "/login", 405),
        ("TRACE", "/login", 405),
        ("GET", "/.git/config", 404),
        ("GET", "/docs", 404),
        ("POST", "/logout", 403),
    ],
)
async def test_refusals_carry_them_too(
    browser: Browser, method: str, path: str, status: int
) -> None:
    trusted = {} if status == 403 else {"Sec-Fetch-Site": "same-origin"}

    answer = await browser.request(method, path, headers=trusted)

    assert answer.status_code == status
    assert wrong_headers(answer) == []


async def test_a_bug_shows_a_number_and_nothing_else(app: FastAPI, browser: Browser) -> None:
    @app.get("/bug")
    async def bug() -> None:
        raise RuntimeError("sentinel of the inside")

    answer = await browser.get("/bug")

    assert answer.status_code == 500
    assert "sentinel" not in answer.text
    assert "Traceback" not in answer.text
    assert wrong_headers(answer) == []


async def test_pages_with_a_token_in_their_address_send_no_referrer(
    app: FastAPI, sessions: Sessions
) -> None:
    world: World = await make_world(sessions)
    async with world.browser(app, "elsewhere") as browser:
        policies = {
            path: (await browser.get(world.path(path))).headers["Referrer-Policy"]
            for path in ("/i/{invite}", "/w/{watch}", "/device/{device}", "/join/{code}", "/")
        }

    assert policies.pop("/") == "same-origin"
    assert set(policies.values()) == {"no-referrer"}


@pytest.mark.parametrize(
    ("name", "document"), [("css/base.css", False), ("js/app.js", False), ("icon.svg", True)]
)
async def test_only_what_can_be_a_document_has_a_policy(
    browser: Browser, name: str, document: bool
) -> None:
    answer = await browser.get(f"/static/{static_files()[name].public_name}")

    assert ("Content-Security-Policy" in answer.headers) == document
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_static_files_are_kept_for_ever(browser: Browser) -> None:
    name = static_files()["css/base.css"].public_name

    answer = await browser.get(f"/static/{name}")

    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


class TestCookies:
    @pytest.mark.parametrize(
        ("public_url", "name", "secure"),
        [
            ("https://plaza.test", "__Host-placa_sid", True),
            ("https://plaza.test/games", "__Host-placa_games_sid", True),
            ("https://plaza.test:8443/a/b", "__Host-placa_8443_a_b_sid", True),
            ("http://192.168.1.5", "placa_sid", False),
            ("http://192.168.1.5:8080/games", "placa_8080_games_sid", False),
        ],
    )
    def test_are_named_and_guarded_by_the_public_address(
        self, public_url: str, name: str, secure: bool
    ) -> None:
        cookies = Cookies.of(settings("postgresql://x/y", public_url=public_url))

        assert (cookies.session, cookies.secure) == (name, secure)

    async def test_of_the_session_cannot_be_read_by_scripts(self, browser: Browser) -> None:
        answer = await browser.submit("/play-bots", {"bots": "1"})

        cookie = answer.headers["Set-Cookie"]
        name, _, rest = cookie.partition("=")
        assert name == "__Host-placa_sid"
        assert {part.strip() for part in rest.split(";")[1:]} == {
            "HttpOnly",
            "Max-Age=15552000",
            "Path=/",
            "SameSite=lax",
            "Secure",
        }
        assert len(cookie) < 4096

    async def test_on_plain_http_are_not_secure(self, database_url: str) -> None:
        base = "http://192.168.1.5:8000"
        async with (
            serving(database_url, public_url=base) as app,
            Browser(app, base=base) as browser,
        ):
            answer = await browser.submit("/play-bots", {"bots": "1"})
            known = await browser.get("/account")

        assert "Secure" not in answer.headers["Set-Cookie"]
        assert "Strict-Transport-Security" not in answer.headers
        assert known.status_code == 200

    @pytest.mark.parametrize(
        "value", ["", "x", "é", "a" * 5000, '"quoted"', "\x01", "%00", "' or 1=1 --"]
    )
    async def test_that_are_not_ours_are_nobody(self, browser: Browser, value: str) -> None:
        cookie = f"__Host-placa_sid={value}".encode("utf-8", "surrogateescape")

        answer = await browser.get("/account", headers={b"Cookie": cookie})

        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/login")

    async def test_a_former_session_is_dead(self, app: FastAPI, browser: Browser) -> None:
        await browser.submit("/play-bots", {"bots": "1"})
        old = browser.cookies[app.state.cookies.session]
        await browser.submit("/signup", {"name": "Anna", "password": PASSWORD})
        signed_up = browser.cookies[app.state.cookies.session]
        out = await browser.submit("/logout")
        await browser.submit("/login", {"name": "Anna", "password": PASSWORD})
        signed_in = browser.cookies[app.state.cookies.session]
        await browser.submit("/account/password", {"old": PASSWORD, "password": PASSWORD + "!"})

        for dead in (old, signed_up, signed_in):
            async with Browser(app) as thief:
                thief.cookies.set(app.state.cookies.session, dead)
                assert (await thief.get("/account")).status_code == 303
        assert (await browser.get("/account")).status_code == 200
        assert out.headers["Clear-Site-Data"] == '"cache", "storage"'


class TestRedirects:
    async def test_next_leads_nowhere_else(self, browser: Browser) -> None:
        await browser.submit("/signup", {"name": "Anna", "password": PASSWORD})
        elsewhere = []
        for target in ELSEWHERE:
            await browser.submit("/logout")
            for path, form in (
                ("/login", {"name": "Anna", "password": PASSWORD}),
                ("/preferences", {"theme": "dark"}),
            ):
                answer = await browser.submit(path, form | {"next": target})
                if (answer.status_code, answer.headers.get("Location")) != (303, "/"):
                    elsewhere.append((path, target, answer.headers.get("Location")))
                assert "a=b" not in answer.headers.get("Set-Cookie", "")

        assert elsewhere == []

    async def test_next_leads_back(self, browser: Browser) -> None:
        answer = await browser.submit(
            "/signup", {"name": "Anna", "password": PASSWORD, "next": "/rules/castell?x=1"}
        )

        assert answer.headers["Location"] == "/rules/castell?x=1"

    async def test_links_come_from_the_public_address_only(self, browser: Browser) -> None:
        made = await browser.submit(
            "/new",
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
        for spoof in (
            {"Host": "evil.test"},
            {"X-Forwarded-Host": "evil.test", "X-Forwarded-Proto": "http"},
            {"Forwarded": "host=evil.test"},
            {"X-Original-URL": "https://evil.test/"},
        ):
            room = await browser.get(made.headers["Location"], headers=spoof)

            assert "https://plaza.test/i/" in room.text
            assert "evil.test" not in room.text


class TestInput:
    @pytest.mark.parametrize(
        ("form", "status"),
        [
            ({"name": "An\0na"}, 422),
            ({"name": "Anna", "extra": "1"}, 422),
            ({}, 422),
            ({"name": "x" * 3000}, 422),
            ({"name": "\u200b"}, 422),
            ({"name": "{{7*7}} ${7*7} {0}"}, 303),
        ],
    )
    async def test_forms_take_what_they_name(
        self, browser: Browser, form: dict[str, str], status: int
    ) -> None:
        await browser.submit("/play-bots", {"bots": "1"})

        answer = await browser.submit("/account/name", form)

        assert answer.status_code == status

    @pytest.mark.parametrize(
        "body",
        [
            b"csrf=&name=Anna&name=Blai",
            b"csrf=&name=%00",
            b"csrf=&name=" + b"a" * 70_000,
            b"&&&===",
            b"\xff\xfe=\xff",
            b"name[]=x",
            b"",
        ],
    )
    async def test_bodies_that_are_no_form_of_ours(self, browser: Browser, body: bytes) -> None:
        await browser.submit("/play-bots", {"bots": "1"})

        for content_type in (
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded; charset=utf-7",
            "multipart/form-data; boundary=x",
            "multipart/form-data",
            "application/json",
            "text/plain",
            "",
        ):
            answer = await browser.post(
                "/account/name",
                content=body,
                headers={"Content-Type": content_type, "Sec-Fetch-Site": "same-origin"},
            )

            assert answer.status_code in {400, 413, 422}

    async def test_names_that_are_not_utf8_are_kept_readable(self, browser: Browser) -> None:
        await browser.submit("/play-bots", {"bots": "1"})

        answer = await browser.post(
            "/account/name",
            content=b"name=%FF%FEAnna",
            headers={
                "Content-Type": "application/x-www-form-urlencoded",
                "Sec-Fetch-Site": "same-origin",
            },
        )

        assert answer.status_code == 303
        assert "Anna" in (await browser.get("/account")).text

    async def test_a_body_that_grows_too_long_is_cut_off(self, browser: Browser) -> None:
        async def endless() -> AsyncIterator[bytes]:
            for _ in range(1000):
                yield b"a" * 1000

        answer = await browser.post(
            "/login",
            content=endless(),
            headers={
                "Content-Type": "application/x-www-form-urlencoded",
                "Sec-Fetch-Site": "same-origin",
            },
        )

        assert answer.status_code == 413

    @pytest.mark.parametrize(
        "path",
        [
            "/tables/%00",
            "/tables/00000000-0000-0000-0000-00000000000g",
            "/tables/99999999999999999999",
            "/tables/../../etc/passwd",
            "/tables/%2e%2e/x",
            "/i/%00",
            "/i/" + "a" * 3000,
            "/i/é",
            "/join/%FF",
            "/join/%00",
            "/join/" + "9" * 500,
            "/device/'--",
            "/rules/%00",
            "/rules/..%2f..%2fapp",
            "/static/..%2f..%2fconfig.py",
            "/static/%00",
            "/matches/%F0%9F%A6%8A",
        ],
    )
    async def test_addresses_that_name_nothing(self, browser: Browser, path: str) -> None:
        assert (await browser.get(path)).status_code == 404

    async def test_queries_and_seats_out_of_range(self, app: FastAPI, sessions: Sessions) -> None:
        world: World = await make_world(sessions)
        async with world.browser(app, "player") as browser:
            for query in (
                "since=99999999999999999999.1",
                "since=-1.0",
                "since=x",
                "since=",
                "since=1.1&since=2.2",
                "since=%00",
                "",
            ):
                path = world.path("/tables/{table}/part?") + query
                answer = await browser.get(path, headers={"HX-Request": "true"})
                assert answer.status_code == 422, query
            for position in ("-1", "10", "99999999999999999999", "x", "1.5", "%00"):
                path = world.path("/tables/{table}/seats/") + f"{position}/bot"
                answer = await browser.submit(path, {"policy": "steady"})
                assert answer.status_code == 404, position


def test_secrets_are_not_shown_with_the_settings() -> None:
    assert KEY not in repr(settings("postgresql://x/y"))
