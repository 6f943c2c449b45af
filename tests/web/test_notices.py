"""The page of one's notices: an address, when to be told, the log; and stopping by a link."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.addresses import address_of, claim_address, confirm_address
from app.accounts.queries import known_by_session
from app.db.session import Sessions
from app.ids import new_id
from app.notifications.events import Cast
from app.notifications.links import person_of_token, stop_token
from app.notifications.outbox import delivery_log, note
from app.notifications.timing import Mode, NoticeWishes
from app.notifications.wishes import keep_notice_wishes, wishes_of
from tests.support.browser import Browser, serving
from tests.support.clock import SettableClock
from tests.support.people import NOON
from tests.support.post import KEY, Post, post_office
from tests.support.smtp import part
from tests.support.world import PASSWORD, World, make_world

pytestmark = pytest.mark.anyio

PAGE = "/account/notices"


@pytest.fixture
async def post(
    sessions: Sessions, engine: AsyncEngine, clock: SettableClock, database_url: str
) -> AsyncIterator[Post]:
    async with post_office(sessions, engine, clock, database_url) as post:
        yield post


@pytest.fixture
async def app(post: Post) -> AsyncIterator[FastAPI]:
    async with serving(
        post.database_url, clock=post.clock, smtp_url=post.settings.smtp_url, secret_key=KEY
    ) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


@pytest.fixture
async def browser(app: FastAPI, world: World) -> AsyncIterator[Browser]:
    async with world.browser(app, "player") as browser:
        yield browser


async def code_mailed(post: Post) -> str:
    await post.pending()
    subject = str(post.box.letters[-1]["Subject"])
    return "".join(letter for letter in subject if letter.isdigit())


async def prove(browser: Browser, post: Post, address: str = "anna@example.org") -> None:
    await browser.submit(f"{PAGE}/address", {"address": address})
    answer = await browser.submit(f"{PAGE}/code", {"code": await code_mailed(post)})
    assert answer.status_code == 303


async def test_an_address_is_proven_by_the_code_that_was_mailed(
    browser: Browser, post: Post, world: World
) -> None:
    answer = await browser.submit(f"{PAGE}/address", {"address": "anna@example.org"})
    assert answer.status_code == 303
    assert "anna@example.org" in (await browser.get(PAGE)).text
    code = await code_mailed(post)
    assert post.box.recipients == ["anna@example.org"]
    # Not in the queue, not in the log.
    assert code not in str(await post.matches.run("select said, prompt from notices"))

    wrong = "000000" if code != "000000" else "111111"
    refused = await browser.submit(f"{PAGE}/code", {"code": wrong})
    assert refused.status_code == 422
    assert "not the code" in refused.text
    assert (await browser.submit(f"{PAGE}/code", {"code": code})).status_code == 303
    async with post.sessions.begin() as session:
        found = await address_of(session, world.people["player"].id)
    assert found is not None
    assert found.usable == "anna@example.org"


async def test_an_address_that_is_left_is_told_so(browser: Browser, post: Post) -> None:
    await prove(browser, post)
    # The same again is no change.
    await prove(browser, post)
    assert post.box.recipients == ["anna@example.org"] * 2

    await prove(browser, post, "anna@elsewhere.org")
    await post.pending()
    assert post.box.recipients[2:] == ["anna@elsewhere.org", "anna@example.org"]
    told = post.box.letters[-1]
    assert "not in use" in str(told["Subject"])
    assert "elsewhere" not in part(told, "plain")

    await browser.submit(f"{PAGE}/forget")
    await post.pending()
    assert post.box.recipients[4:] == ["anna@elsewhere.org"]


async def test_what_is_no_address_is_refused_in_words(browser: Browser) -> None:
    answer = await browser.submit(f"{PAGE}/address", {"address": "anna"})

    assert answer.status_code == 422
    assert "This is no mail address." in answer.text


async def test_wishes_are_kept_with_the_zone(browser: Browser, post: Post, world: World) -> None:
    form = {
        "mode": "daily",
        "delay": "25",
        "daily_at": "19:30",
        "quiet": "true",
        "quiet_from": "23:00",
        "quiet_until": "7:15",
        "zone": "Europe/Madrid",
        "items": "24",
    }
    assert (await browser.submit(f"{PAGE}/wishes", form)).status_code == 303
    async with post.sessions.begin() as session:
        kept = await wishes_of(session, world.people["player"].id)

    wanted = NoticeWishes("daily", 25, 19 * 60 + 30, 23 * 60, 7 * 60 + 15, (24,), picture=False)
    assert kept == wanted
    text = (await browser.get(PAGE)).text
    assert 'value="19:30"' in text
    assert "<option selected>Europe/Madrid</option>" in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"daily_at": "24:00"},
        {"delay": "0"},
        {"delay": "1000"},
        {"zone": "Mars/Base"},
        {"items": "7"},
        {"mode": "x"},
    ],
)
async def test_wishes_that_cannot_be_are_refused(browser: Browser, wrong: dict[str, str]) -> None:
    form = {"mode": "daily", "zone": "UTC"}

    assert (await browser.submit(f"{PAGE}/wishes", {**form, **wrong})).status_code == 422


async def test_a_test_arrives_and_stands_in_the_log(browser: Browser, post: Post) -> None:
    await prove(browser, post)
    assert (await browser.submit(f"{PAGE}/test")).status_code == 303
    await post.work()

    assert post.box.letters[-1]["Subject"] == "A test from Plaça"
    assert "A test: sent" in (await browser.get(PAGE)).text


async def test_a_refused_address_raises_a_banner_until_it_is_mended(
    browser: Browser, post: Post
) -> None:
    await prove(browser, post)
    post.box.rcpt = "550 nobody here"
    await browser.submit(f"{PAGE}/test")
    await post.work()

    for path in ("/account", "/matches"):
        assert "refuses our mail" in (await browser.get(path)).text
    assert "550 nobody here" in (await browser.get(PAGE)).text
    assert (await browser.submit(f"{PAGE}/resume")).status_code == 303
    assert "refuses our mail" not in (await browser.get("/account")).text


async def test_a_match_is_muted_and_told_of_again(
    browser: Browser, post: Post, world: World
) -> None:
    path = f"{PAGE}/matches/{world.match_id}"
    await browser.submit(path, {"told": "no"})
    assert "you hear nothing of it" in (await browser.get(PAGE)).text
    await browser.submit(path, {"told": "yes"})
    assert "you hear nothing of it" not in (await browser.get(PAGE)).text


async def mode_of(post: Post, person_id: UUID) -> str:
    async with post.sessions.begin() as session:
        return (await wishes_of(session, person_id)).mode


async def test_a_mail_is_stopped_by_one_click_of_the_mail_program_and_not_by_looking(
    app: FastAPI, browser: Browser, post: Post, world: World
) -> None:
    await prove(browser, post)
    await browser.submit(f"{PAGE}/test")
    await post.work()
    header = str(post.box.letters[-1]["List-Unsubscribe"])
    path = header.strip(" <>").removeprefix("https://plaza.test")
    person_id = world.people["player"].id
    async with Browser(app) as stranger:
        for _ in range(2):
            assert (await stranger.get(path)).status_code == 200
        assert await mode_of(post, person_id) != "off"
        # A mail program has no cookie and says nothing of where it comes from.
        answer = await stranger.post(path, data={"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 200
    assert await mode_of(post, person_id) == "off"


async def test_a_mail_of_somebody_who_is_gone_stops_nothing_and_breaks_nothing(
    app: FastAPI,
) -> None:
    path = f"/notices/stop/{stop_token(KEY, new_id())}"
    async with Browser(app) as stranger:
        assert (await stranger.get(path)).status_code == 404
        answer = await stranger.post(path, data={"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 404


@pytest.mark.parametrize(("own", "then"), [(None, "off"), ("daily", "daily")])
async def test_who_wanted_no_more_mail_as_a_guest_gets_none_as_an_account(
    app: FastAPI, post: Post, world: World, own: Mode | None, then: str
) -> None:
    guest, account = world.people["guest"], world.people["player"]
    wishes: dict[UUID, Mode | None] = {guest.id: "off", account.id: own}
    async with post.sessions.begin() as session:
        for who, mode in wishes.items():
            if mode is not None:
                await keep_notice_wishes(
                    session, person_id=who, wishes=NoticeWishes(mode), now=NOON
                )
    async with world.browser(app, "guest") as browser:
        await browser.submit("/login", {"name": "Player", "password": PASSWORD})

    assert await mode_of(post, account.id) == then


async def test_what_a_guest_was_to_be_told_the_account_is_told(
    app: FastAPI, post: Post, world: World
) -> None:
    guest, account = world.people["guest"], world.people["player"]
    now = post.clock.now()
    async with post.sessions.begin() as session:
        for person, address in ((guest, "guest@example.org"), (account, "account@example.org")):
            code = await claim_address(session, person=person, address=address, now=now)
            await confirm_address(session, person=person, code=code, now=now)
        seated = frozenset({guest.id})
        await note(session, "over", Cast(seated=seated), about=world.match_id, now=now)
    async with world.browser(app, "guest") as browser:
        await browser.submit("/login", {"name": "Player", "password": PASSWORD})
    async with post.sessions.begin() as session:
        told = [(one.event, one.about) for one in await delivery_log(session, account.id)]

    assert ("over", world.match_id) in told


async def test_every_link_in_a_mail_can_be_opened_by_anybody_and_changes_nothing(
    app: FastAPI, post: Post
) -> None:
    anna = await post.person("Anna")
    match_id = await post.matches.start(anna, None, game="castell")
    await post.work()
    words = part(post.box.letters[0], "plain").split()
    links = {word.removeprefix("https://plaza.test") for word in words if "https://" in word}
    before = await post.matches.dump("matches", "notices", "notice_wishes", "addresses")
    async with Browser(app) as stranger:
        for link in [*links, *links]:
            await stranger.get(link)

    assert len(links) == 3
    assert f"/matches/{match_id}" in links
    assert await post.matches.dump("matches", "notices", "notice_wishes", "addresses") == before


async def test_a_token_is_of_one_person_and_of_this_host(post: Post) -> None:
    anna = UUID(int=7)
    token = stop_token(KEY, anna)

    assert person_of_token(KEY, token) == anna
    assert person_of_token("another key, as long as it has to be", token) is None
    for wrong in ("", "x", token[:-1], token[1:], token.swapcase(), "é" * 43):
        assert person_of_token(KEY, wrong) is None


async def test_without_a_mail_server_the_page_says_so(
    database_url: str, sessions: Sessions
) -> None:
    world = await make_world(sessions)
    async with serving(database_url) as app, world.browser(app, "player") as browser:
        text = (await browser.get(PAGE)).text
        refused = await browser.submit(f"{PAGE}/address", {"address": "anna@example.org"})

    assert "This host sends no mail." in text
    assert "Send me a code" not in text
    assert refused.status_code == 422


async def test_wishes_can_be_had_without_an_address(sessions: Sessions, world: World) -> None:
    async with sessions.begin() as session:
        person = world.people["guest"]
        wishes = NoticeWishes("off")
        await keep_notice_wishes(session, person_id=person.id, wishes=wishes, now=NOON)
        known = await known_by_session(session, token=world.cookies["guest"], now=NOON)

    assert known is not None
    assert not known.mail_refused
