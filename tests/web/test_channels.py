"""The page of one's notices: other channels than mail, pasted, tried, mended and forgotten."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from app.notifications.wishes import wishes_of
from tests.support.browser import Browser, serving
from tests.support.clock import SettableClock
from tests.support.post import KEY, Post, post_office
from tests.support.services import (
    BOT,
    CHAT,
    HOOK,
    ROOM,
    ROOM_TOKEN,
    TOPIC,
    TOPIC_TOKEN,
    WEBHOOK,
    WEBHOOK_TOKEN,
    Services,
    services,
)
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio

PAGE = "/account/notices"
ADD = f"{PAGE}/channels"
KINDS = ("discord", "ntfy", "matrix", "telegram", "webhook")


@pytest.fixture
def peer() -> Iterator[Services]:
    with services() as peer:
        yield peer


@pytest.fixture
def allowed(peer: Services) -> dict[str, Any]:
    return {
        "notify_channels": KINDS,
        "notify_allow": peer.allow,
        "notify_telegram_url": peer.url,
    }


@pytest.fixture
async def post(
    allowed: dict[str, Any],
    sessions: Sessions,
    engine: AsyncEngine,
    clock: SettableClock,
    database_url: str,
) -> AsyncIterator[Post]:
    async with post_office(sessions, engine, clock, database_url, **allowed) as post:
        yield post


@pytest.fixture
async def app(post: Post, allowed: dict[str, Any]) -> AsyncIterator[FastAPI]:
    async with serving(post.database_url, clock=post.clock, secret_key=KEY, **allowed) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


@pytest.fixture
async def browser(app: FastAPI, world: World) -> AsyncIterator[Browser]:
    async with world.browser(app, "player") as browser:
        yield browser


def form(kind: str, url: str) -> dict[str, str]:
    """Return what the form of a kind sends."""
    fields: dict[str, dict[str, str]] = {
        "discord": {"address": f" {url}/api/webhooks/{WEBHOOK}/{WEBHOOK_TOKEN} "},
        "ntfy": {"address": f"{url}/{TOPIC}", "token": TOPIC_TOKEN},
        "matrix": {"address": url, "room": ROOM, "token": ROOM_TOKEN},
        "telegram": {"token": BOT, "room": CHAT},
        "webhook": {"address": f"{url}{HOOK}"},
    }
    return {"kind": kind, **fields[kind]}


async def ids(post: Post) -> list[UUID]:
    return [row[0] for row in await post.matches.run("select id from channels order by id")]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_channel_is_pasted_tried_and_forgotten_and_never_shown(
    browser: Browser, post: Post, peer: Services, kind: str
) -> None:
    sent = form(kind, peer.url)
    assert (await browser.submit(ADD, sent)).status_code == 303
    (channel_id,) = await ids(post)
    assert (await browser.submit(f"{ADD}/{channel_id}/test")).status_code == 303
    await post.work()
    page = (await browser.get(PAGE)).text

    (got,) = peer.got
    assert "A test from Plaça" in str(got.body)
    assert "A test: sent" in page
    for secret in (TOPIC, WEBHOOK, *sent.values()):
        if secret not in {kind, peer.url}:
            assert secret.strip() not in page
    assert (await browser.submit(f"{ADD}/{channel_id}/forget")).status_code == 303
    assert await ids(post) == []
    assert "By which way" not in (await browser.get(PAGE)).text


async def test_a_dead_channel_raises_a_banner_until_it_is_mended(
    browser: Browser, post: Post, peer: Services
) -> None:
    await browser.submit(ADD, form("webhook", peer.url))
    (channel_id,) = await ids(post)
    peer.status = 410
    await browser.submit(f"{ADD}/{channel_id}/test")
    await post.work()

    for path in ("/account", "/matches"):
        assert "One of your channels does not take our notices" in (await browser.get(path)).text
    page = (await browser.get(PAGE)).text
    assert page.count("It was refused (410): it is gone, or the token is wrong.") == 2
    assert f"{channel_id}/test" not in page
    assert (await browser.submit(f"{ADD}/{channel_id}/resume")).status_code == 303
    assert "One of your channels" not in (await browser.get("/account")).text


async def test_the_road_is_chosen_and_kept_by_whom_the_page_does_not_ask(
    browser: Browser, post: Post, peer: Services, world: World
) -> None:
    person_id = world.people["player"].id
    await browser.submit(ADD, form("webhook", peer.url))
    chosen = {"turn_by": "channel", "reminder_by": "both", "other_by": "mail"}
    wishes = {"mode": "immediate", "zone": "UTC"}
    assert (await browser.submit(f"{PAGE}/wishes", {**wishes, **chosen})).status_code == 303
    assert (await browser.submit(f"{PAGE}/wishes", wishes)).status_code == 303

    async with post.sessions.begin() as session:
        kept = await wishes_of(session, person_id)
    assert (kept.turn_by, kept.reminder_by, kept.other_by) == ("channel", "both", "mail")
    page = (await browser.get(PAGE)).text
    found = re.findall(r'<option value="(\w+)" selected>', page)
    assert found == ["channel", "both", "mail"]
    wrong = await browser.submit(f"{PAGE}/wishes", {**wishes, "turn_by": "pigeon"})
    assert wrong.status_code == 422


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"kind": "ntfy", "address": "https://192.168.1.10/x"}, "leads into a private network"),
        ({"kind": "ntfy", "address": "https://evil.test/x"}, "sends nothing to that host"),
        ({"kind": "ntfy", "address": "https://ntfy.sh:22/x"}, "sends nothing to that port"),
        ({"kind": "ntfy", "address": "http://ntfy.sh/x"}, "has to begin with https://"),
        ({"kind": "discord", "address": "https://discord.com/x"}, "no webhook of Discord"),
        ({"kind": "pigeon", "address": "https://ntfy.sh/x"}, ""),
        ({"kind": "ntfy", "address": "https://ntfy.sh/" + "x" * 600}, ""),
    ],
)
async def test_what_cannot_be_is_refused_in_words(
    browser: Browser, post: Post, sent: dict[str, str], why: str
) -> None:
    answer = await browser.submit(ADD, sent)

    assert answer.status_code == 422
    assert why in answer.text
    assert await ids(post) == []


async def test_nobody_touches_the_channel_of_somebody_else(
    app: FastAPI, browser: Browser, world: World, post: Post, peer: Services
) -> None:
    await browser.submit(ADD, form("webhook", peer.url))
    (channel_id,) = await ids(post)
    async with world.browser(app, "guest") as other:
        for deed in ("test", "resume", "forget"):
            assert (await other.submit(f"{ADD}/{channel_id}/{deed}")).status_code == 404
        assert str(channel_id) not in (await other.get(PAGE)).text
    await post.work()

    assert await ids(post) == [channel_id]
    assert peer.got == []


async def test_a_host_that_has_none_on_offers_none(database_url: str, sessions: Sessions) -> None:
    world = await make_world(sessions)
    async with (
        serving(database_url, notify_channels=()) as app,
        world.browser(app, "player") as browser,
    ):
        page = (await browser.get(PAGE)).text
        refused = await browser.submit(ADD, form("discord", "https://discord.com"))

    assert "Other channels" not in page
    assert "switched off channels of this kind" in refused.text


async def test_generic_webhooks_are_off_unless_the_host_says_so(
    database_url: str, sessions: Sessions
) -> None:
    world = await make_world(sessions)
    async with serving(database_url) as app, world.browser(app, "player") as browser:
        page = (await browser.get(PAGE)).text

    assert "Add Discord" in page
    assert "Add Webhook" not in page
    assert "You can be told by another channel" in page
