"""What another site makes a browser send is refused: Sec-Fetch-Site x Origin x token."""

from collections.abc import AsyncIterator
from itertools import product

import pytest
from fastapi import FastAPI

from app.db.session import Sessions
from app.web.csrf import unmasked
from tests.support.browser import HERE, Browser, serving
from tests.support.world import World, make_world
from tests.web.routes import ROWS

pytestmark = pytest.mark.anyio

SITES = (None, "same-origin", "same-site", "cross-site", "none", "nonsense")
ORIGINS = (None, HERE, "https://evil.test", "null")
TOKENS = ("absent", "valid", "wrong", "another browser's")


def allowed(site: str | None, origin: str | None, token: str) -> bool:
    """Say what item 49 of the checklist asks for."""
    if site == "same-origin":
        return True
    if site in {"same-site", "cross-site", "nonsense"}:
        return False
    if site is None and origin not in {None, "null"}:
        return origin == HERE
    return token == "valid"


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


async def test_all_ninety_six_combinations(app: FastAPI) -> None:
    async with Browser(app) as browser, Browser(app) as other:
        tokens = {
            "absent": None,
            "valid": await browser.token("/login"),
            "wrong": "0" * 64,
            "another browser's": await other.token("/login"),
        }
        answers = {}
        for site, origin, token in product(SITES, ORIGINS, TOKENS):
            headers = {"Sec-Fetch-Site": site, "Origin": origin}
            given = tokens[token]
            answer = await browser.post(
                "/preferences",
                data={"theme": "dark"} | ({} if given is None else {"csrf": given}),
                headers={name: value for name, value in headers.items() if value is not None},
            )
            answers[site, origin, token] = answer.status_code

    assert len(answers) == 96
    wrong = {
        case: code for case, code in answers.items() if code != (303 if allowed(*case) else 403)
    }
    assert wrong == {}


async def test_a_page_never_carries_the_same_token_twice(app: FastAPI) -> None:
    async with Browser(app) as browser:
        tokens = [await browser.token("/login") for _ in range(3)]

    assert len(set(tokens)) == 3
    assert len({unmasked(token) for token in tokens}) == 1


@pytest.mark.parametrize("text", ["", "é", "12 34", "abc", "zz"])
def test_nonsense_is_no_token(text: str) -> None:
    assert len(unmasked(text)) < 32


async def test_no_form_is_taken_from_another_site(app: FastAPI, sessions: Sessions) -> None:
    world: World = await make_world(sessions)
    async with world.browser(app, "player") as browser:
        token = await browser.token()
        accepted = []
        for row in ROWS:
            # A mail program stops mails with nothing but the address in the mail.
            if row.method == "GET" or row.path.startswith("/notices/stop/"):
                continue
            form = {name: world.path(value) for name, value in row.form.items()}
            for headers in (
                {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.test"},
                {"Sec-Fetch-Site": "same-site", "Origin": "https://other.plaza.test"},
                {"Origin": "https://evil.test"},
                {"Origin": "null", "csrf": "no"},
                {},
            ):
                sent = form | ({"csrf": token} if "Sec-Fetch-Site" in headers else {})
                answer = await browser.post(world.path(row.path), data=sent, headers=headers)
                if answer.status_code != 403:
                    accepted.append((row.path, headers, answer.status_code))

    assert accepted == []


async def test_the_token_counts_in_a_header_too(app: FastAPI) -> None:
    async with Browser(app) as browser:
        token = await browser.token("/login")
        answer = await browser.post(
            "/preferences", data={"theme": "dark"}, headers={"X-CSRF-Token": token}
        )

    assert answer.status_code == 303


async def test_the_form_arrives_whole_after_its_token_was_read(app: FastAPI) -> None:
    async with Browser(app) as browser:
        token = await browser.token("/login")
        answer = await browser.post("/preferences", data={"csrf": token, "theme": "dark"})

    assert browser.cookies.get("theme") == "dark"
    assert answer.status_code == 303


@pytest.mark.parametrize(
    "form",
    [{"pad": "x" * 70_000}, {f"field{n}": "" for n in range(1001)}],
    ids=["too long", "too many fields"],
)
async def test_a_form_that_cannot_be_ours_carries_no_token(
    app: FastAPI, form: dict[str, str]
) -> None:
    async with Browser(app) as browser:
        token = await browser.token("/login")
        answer = await browser.post("/preferences", data={"csrf": token, **form})

    assert answer.status_code == 403


async def test_the_token_changes_when_somebody_becomes_known(app: FastAPI) -> None:
    async with Browser(app) as browser:
        before = await browser.token("/login")
        await browser.submit(
            "/signup", {"name": "Anna", "password": "quatre de nou amb folre", "next": "/"}
        )
        after = await browser.token("/")
        stale = await browser.post("/logout", data={"csrf": before})

    assert before != after
    assert stale.status_code == 403


@pytest.mark.parametrize("destination", ["script", "image", "iframe", "object", "embed", "style"])
async def test_other_sites_embed_nothing(app: FastAPI, destination: str) -> None:
    async with Browser(app) as browser:
        for site in ("cross-site", "same-site"):
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": destination}
            assert (await browser.get("/", headers=headers)).status_code == 403
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
        assert (await browser.get("/", headers=link)).status_code == 200


async def test_a_friend_on_plain_http_can_take_an_invitation(
    database_url: str, sessions: Sessions
) -> None:
    """No Sec-Fetch-Site there, and `Origin: null` because the page sends no referrer."""
    async with serving(database_url, public_url="http://192.168.1.5:8000") as app:
        async with Browser(app, base="http://192.168.1.5:8000") as host:
            made = await host.post(
                "/new",
                data={
                    "name": "Anna",
                    "game": "castell",
                    "seats": "2",
                    "visibility": "private",
                    "seat_order": "chosen",
                    "wheel_side": "all_regions",
                    "key": "k",
                },
                headers={"Origin": "http://192.168.1.5:8000"},
            )
            room = await host.get(made.headers["Location"])
            path = room.text.split("http://192.168.1.5:8000/i/")[1].split('"')[0]
        async with Browser(app, base="http://192.168.1.5:8000") as friend:
            token = await friend.token(f"/i/{path}")
            seated = await friend.post(
                f"/i/{path}", data={"name": "Blai", "csrf": token}, headers={"Origin": "null"}
            )

    assert made.status_code == 303
    assert seated.status_code == 303
    assert seated.headers["Location"] == made.headers["Location"]
