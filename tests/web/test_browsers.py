"""The page of one's notices: this browser, told, tried, told anew and forgotten."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.queries import person_by_id
from app.accounts.service import sign_up
from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.hosting.audit import Actor
from app.hosting.people import sign_out
from app.hosting.service import Deed
from app.notifications.channels.vapid import public_key
from app.notifications.timing import NoticeWishes
from tests.support.browser import Browser, serving
from tests.support.clock import SettableClock
from tests.support.post import KEY, Post, post_office
from tests.support.push import PushService, push_service
from tests.support.world import PASSWORD, World, make_world

pytestmark = pytest.mark.anyio

PAGE = "/account/notices"
OLD, NEW = "quatre de nou amb folre", "tres de deu amb folre i manilles"
ADD = f"{PAGE}/browser"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def service(clock: SettableClock) -> Iterator[PushService]:
    with push_service(lambda: clock.now().timestamp()) as service:
        yield service
    assert service.faults == []


@pytest.fixture
async def post(
    service: PushService,
    sessions: Sessions,
    engine: AsyncEngine,
    clock: SettableClock,
    database_url: str,
) -> AsyncIterator[Post]:
    async with post_office(
        sessions, engine, clock, database_url, notify_allow=service.allow
    ) as post:
        yield post


@pytest.fixture
async def app(post: Post, service: PushService) -> AsyncIterator[FastAPI]:
    allow = {"notify_allow": service.allow}
    async with serving(post.database_url, clock=post.clock, secret_key=KEY, **allow) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


@pytest.fixture
async def browser(app: FastAPI, world: World) -> AsyncIterator[Browser]:
    async with world.browser(app, "player") as browser:
        browser.headers["User-Agent"] = FIREFOX
        yield browser


async def subscribe(browser: Browser, service: PushService, **more: str) -> int:
    page = (await browser.get(PAGE)).text
    key = re.search(r'data-key="([\w-]+)"', page)
    assert key is not None
    form = service.subscribe(key[1]).form(service.url)
    return (await browser.submit(ADD, {**form, **more})).status_code


async def channels(post: Post) -> list[tuple[str, str]]:
    rows = await post.matches.run("select id::text, label from channels order by id")
    return [(row[0], row[1]) for row in rows]


async def test_a_browser_is_told_tried_and_forgotten(
    browser: Browser, post: Post, service: PushService
) -> None:
    assert 'data-here=""' in (await browser.get(PAGE)).text
    assert await subscribe(browser, service) == 303
    ((channel_id, label),) = await channels(post)
    page = (await browser.get(PAGE)).text
    assert label == "Firefox · Linux"
    assert "Firefox · Linux, this browser" in page
    assert 'data-here="works"' in page
    assert "By which way" in page
    for secret in (*service.subscribers, service.url):
        assert secret not in page
    await browser.submit(f"{PAGE}/channels/{channel_id}/test")
    await post.work()

    (got,) = service.got
    assert got.told["title"] == "A test from Plaça"
    assert (await browser.submit(f"{PAGE}/channels/{channel_id}/forget")).status_code == 303
    assert 'data-here=""' in (await browser.get(PAGE)).text


async def test_who_presses_twice_has_one_browser(
    browser: Browser, post: Post, service: PushService
) -> None:
    for _ in range(3):
        assert await subscribe(browser, service) == 303

    assert len(await channels(post)) == 1


async def test_of_two_tabs_that_press_at_once_none_breaks(
    browser: Browser, post: Post, service: PushService
) -> None:
    await browser.get(PAGE)
    key = public_key(KEY)
    forms = [service.subscribe(key).form(service.url) for _ in range(5)]
    answers = await asyncio.gather(*(browser.submit(ADD, form) for form in forms))

    assert [answer.status_code for answer in answers] == [303] * 5
    assert len(await channels(post)) == 1


async def test_a_guest_who_makes_an_account_is_told_there_still(
    app: FastAPI, world: World, post: Post, service: PushService
) -> None:
    async with world.browser(app, "guest") as browser:
        assert await subscribe(browser, service) == 303
        before = await channels(post)
        made = await browser.submit("/signup", {"name": "Guestling", "password": PASSWORD})
        assert made.status_code == 303
        assert 'data-here="works"' in (await browser.get(PAGE)).text

    assert await channels(post) == before
    assert len(before) == 1


async def test_browsers_alike_are_told_apart(
    app: FastAPI, browser: Browser, post: Post, service: PushService
) -> None:
    await subscribe(browser, service)
    async with Browser(app) as other:
        other.headers["User-Agent"] = FIREFOX
        await other.submit("/login", {"name": "Player", "password": PASSWORD})
        await subscribe(other, service)
        page = (await other.get(PAGE)).text
        assert "Firefox · Linux (2), this browser" in page
        assert "Firefox · Linux</span>" in page
        await other.submit("/logout")

    assert [label for _, label in await channels(post)] == ["Firefox · Linux"]


async def test_what_ran_out_is_taken_in_its_place_and_nowhere_else(
    browser: Browser, post: Post, service: PushService
) -> None:
    assert await subscribe(browser, service, renewed="true") == 404
    assert await subscribe(browser, service) == 303
    assert await subscribe(browser, service, renewed="true") == 303

    assert len(await channels(post)) == 1


async def test_a_browser_that_is_gone_is_told_in_the_log(
    browser: Browser, post: Post, service: PushService
) -> None:
    await subscribe(browser, service)
    ((channel_id, _),) = await channels(post)
    service.subscribers.clear()
    await browser.submit(f"{PAGE}/channels/{channel_id}/test")
    await post.work()
    page = (await browser.get(PAGE)).text

    assert "Firefox · Linux takes notices no more, and was forgotten." in page
    assert 'data-here=""' in page
    assert "One of your channels" not in page


async def test_a_browser_that_is_refused_is_said_to_be(
    browser: Browser, post: Post, service: PushService
) -> None:
    await subscribe(browser, service)
    ((channel_id, _),) = await channels(post)
    service.status = 403
    await browser.submit(f"{PAGE}/channels/{channel_id}/test")
    await post.work()

    assert 'data-here="refused"' in (await browser.get(PAGE)).text


@pytest.mark.parametrize("way", ["out", "forget", "revoke", "others", "password", "host"])
async def test_what_waits_for_a_browser_that_is_left_goes_by_mail(
    app: FastAPI, post: Post, service: PushService, way: str
) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes(turn_by="channel"))
    async with post.sessions.begin() as session:
        guest = await person_by_id(session, anna)
        account = await sign_up(
            session, guest=guest, name="Anna", password=OLD, now=post.clock.now()
        )

    async def by_the_host() -> httpx.Response:
        async with post.sessions.begin() as session:
            await sign_out(session, Deed(Actor.shell("root"), post.clock.now()), person=account)
        return httpx.Response(303)

    async with Browser(app) as here, Browser(app) as there:
        for browser in (here, there):
            browser.cookies.set(app.state.cookies.session, await session_of(post, anna))
        await subscribe(here, service)
        await post.matches.start(anna, None, game="castell")
        await post.work()
        assert await post.statuses() == ["waiting"]
        ((channel_id, _),) = await channels(post)
        ((session_id,),) = await post.matches.run("select session_id::text from channels")
        done = {
            "out": lambda: here.submit("/logout"),
            "forget": lambda: here.submit(f"{PAGE}/channels/{channel_id}/forget"),
            "revoke": lambda: there.submit(f"/account/sessions/{session_id}/revoke"),
            "others": lambda: there.submit("/account/sessions/revoke-others"),
            "password": lambda: there.submit("/account/password", {"old": OLD, "password": NEW}),
            "host": by_the_host,
        }
        assert (await done[way]()).status_code == 303
    await post.work(after=timedelta(minutes=11))

    assert await channels(post) == []
    assert service.got == []
    assert len(post.box.letters) == 1


async def session_of(post: Post, person_id: UUID) -> str:
    now = post.clock.now()
    async with post.sessions.begin() as session:
        person = await person_by_id(session, person_id)
        assert person is not None
        return await start_session(session, person=person, label="", now=now)


async def test_a_stranger_cannot_be_told(app: FastAPI, service: PushService) -> None:
    form = service.subscribe(public_key(KEY)).form(service.url)
    async with Browser(app) as stranger:
        assert (await stranger.submit(ADD, form)).status_code == 401


async def test_where_it_is_off_nothing_is_offered_or_taken(
    database_url: str, sessions: Sessions, service: PushService
) -> None:
    world = await make_world(sessions)
    async with (
        serving(database_url, notify_channels=("discord",)) as app,
        world.browser(app, "player") as browser,
    ):
        page = (await browser.get(PAGE)).text
        form = service.subscribe("").form(service.url)
        refused = await browser.submit(ADD, form)

    assert "data-subscribe" not in page
    assert "browser_notices" not in page
    assert refused.status_code == 422
    assert "switched off channels of this kind" in refused.text


@pytest.mark.parametrize("prefix", ["/games", ""], ids=["kept by the proxy", "stripped"])
async def test_all_of_it_works_below_a_path(
    database_url: str, sessions: Sessions, prefix: str
) -> None:
    world = await make_world(sessions)
    async with (
        serving(database_url, public_url="https://plaza.test/games") as app,
        world.browser(app, "player") as browser,
    ):
        page = (await browser.get(prefix + PAGE)).text
        worker = re.search(r'data-worker="/games(/worker\.js\?key=[\w-]+)"', page)
        manifest = re.search(r'rel="manifest" href="/games(/static/[^"]+)"', page)
        assert worker is not None
        assert manifest is not None
        script = await browser.get(prefix + worker[1])
        described = await browser.get(prefix + manifest[1])
        icon = await browser.get(f"{prefix}/icon.png")

    assert 'data-scope="/games/"' in page
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert "connect-src 'self'" in script.headers["Content-Security-Policy"]
    assert described.headers["Content-Type"] == "application/manifest+json"
    assert described.json()["scope"] == "../"
    assert re.fullmatch(r"\./icon-192\.\w+\.png", described.json()["icons"][0]["src"])
    assert icon.content.startswith(b"\x89PNG")


async def test_the_worker_keeps_and_answers_nothing(browser: Browser) -> None:
    script = (await browser.get("/worker.js")).text

    for word in ('"fetch"', "caches", "indexedDB", "importScripts"):
        assert word not in script
