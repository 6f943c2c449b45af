"""How people get in, as browsers do it: links, codes, devices, accounts."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.accounts.limits import WRONG_CODE
from app.accounts.links import make_link
from app.db.session import Sessions
from tests.support.browser import HERE, Browser, serving, without_tokens
from tests.support.clock import SettableClock
from tests.support.world import PASSWORD, World, make_world

pytestmark = pytest.mark.anyio

TABLE = {
    "name": "Anna",
    "game": "castell",
    "seats": "3",
    "visibility": "private",
    "seat_order": "chosen",
    "wheel_side": "all_regions",
    "assistants": "on",
    "key": "k",
}


@pytest.fixture
async def app(database_url: str, clock: SettableClock) -> AsyncIterator[FastAPI]:
    async with serving(database_url, clock=clock) as app:
        yield app


async def lay_table(browser: Browser, **changes: str) -> str:
    """Make a table and return its path."""
    return (await browser.submit("/new", TABLE | changes)).headers["Location"]


async def invitation(browser: Browser, table: str) -> str:
    """Return the path of the table's invitation."""
    room = (await browser.get(table)).text
    return "/i/" + room.split(f"{HERE}/i/")[1].split('"')[0]


def location(answer: httpx.Response) -> str:
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


@pytest.mark.parametrize(
    ("choices", "agreed"),
    [
        ({}, ("Castell,", "one skill everywhere", "yes, for everyone")),
        (
            {"game": "el_grande", "length": "6", "veto": "off", "castillo": "open"},
            ("El Grande,", "Six rounds", "Without it", "Open"),
        ),
    ],
    ids=["castell", "el_grande"],
)
async def test_a_table_says_what_is_played_there(
    app: FastAPI, choices: dict[str, str], agreed: tuple[str, ...]
) -> None:
    other = {"wheel_side", "assistants"} if choices else set()
    sent = {name: value for name, value in TABLE.items() if name not in other}
    async with Browser(app) as host:
        laid = await host.submit("/new", sent | choices)
        room = (await host.get(location(laid))).text

    told = room.split('class="facts-list"')[1].split("</dl>")[0]
    assert [words for words in agreed if words not in told] == []


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://localhost:8080", True),
        ("http://127.0.0.1:8080", True),
        ("http://[::1]:8080", True),
        ("http://192.168.1.5:8080", False),
        (HERE, False),
    ],
)
async def test_a_host_alone_is_told_that_the_link_opens_only_there(
    database_url: str, clock: SettableClock, address: str, told: bool
) -> None:
    async with (
        serving(database_url, clock=clock, public_url=address) as app,
        Browser(app, base=address) as host,
        Browser(app, base=address) as friend,
    ):
        table = await lay_table(host, visibility="open")
        mine = (await host.get(table)).text
        await friend.submit(f"{table}/join", {"name": "Blai"})
        theirs = (await friend.get(table)).text

    assert ("opens on this computer only" in mine) is told
    assert ("PUBLIC_URL=http://192.168.1.5:8080" in mine) is told
    assert "/i/" in theirs
    assert "opens on this computer only" not in theirs


async def test_a_guest_from_a_match_against_bots_is_asked_for_a_name(app: FastAPI) -> None:
    async with Browser(app) as host, Browser(app) as friend:
        await host.submit("/play-bots", {"key": "b"})
        asked = (await host.get("/new")).text
        link = await invitation(host, await lay_table(host))
        invited = (await friend.get(link)).text

    assert 'id="name"' in asked
    assert 'value="Guest"' not in asked
    assert "Anna invites you" in invited


class TestAFriendWithALink:
    async def test_is_seated_in_two_pages(self, app: FastAPI) -> None:
        async with Browser(app) as host, Browser(app) as friend:
            table = await lay_table(host)
            link = await invitation(host, table)

            first = await friend.get(link)
            second = await friend.get(location(await friend.submit(link, {"name": "Blai"})))

        assert first.status_code == 200
        assert "Anna" in first.text
        assert second.status_code == 200
        assert "Blai" in second.text

    async def test_is_remembered_on_the_device(self, app: FastAPI, clock: SettableClock) -> None:
        async with Browser(app) as host, Browser(app) as friend:
            table = await lay_table(host)
            link = await invitation(host, table)
            await friend.submit(link, {"name": "Blai"})
            clock.advance(timedelta(days=13))

            again = await friend.get(link)
            front = await friend.get("/")

        assert location(again) == table
        assert table in front.text

    async def test_is_told_what_is_wrong_with_the_name(self, app: FastAPI) -> None:
        async with Browser(app) as host, Browser(app) as friend:
            link = await invitation(host, await lay_table(host))

            taken = await friend.submit(link, {"name": "ANNA"})
            empty = await friend.submit(link, {"name": " "}, HX_Request="true")

        assert taken.status_code == 409
        assert "Choose another." in taken.text
        assert f'href="{link}"' in taken.text or "To the front page" in taken.text
        assert empty.status_code == 422
        assert "<html" not in empty.text
        assert "letter or digit" in empty.text

    async def test_who_is_refused_leaves_nothing_behind(
        self, app: FastAPI, sessions: Sessions
    ) -> None:
        async with Browser(app) as host, Browser(app) as friend:
            link = await invitation(host, await lay_table(host))
            await friend.submit(link, {"name": "Anna"})

            assert app.state.cookies.session not in friend.cookies
        async with sessions.begin() as session:
            assert (await session.scalar(text("select count(*) from people"))) == 1

    async def test_looking_changes_nothing(self, app: FastAPI, sessions: Sessions) -> None:
        async def rows() -> list[int | None]:
            async with sessions.begin() as session:
                return [
                    await session.scalar(text(f"select count(*) from {table}"))
                    for table in ("people", "sessions", "table_watchers")
                ] + [await session.scalar(text("select sum(revision) from tables"))]

        world: World = await make_world(sessions)
        before = await rows()
        for path in ("/i/{invite}", "/w/{watch}", "/device/{device}", "/join/{code}"):
            for method in ("GET", "HEAD") * 10:
                async with Browser(app) as scanner:
                    await scanner.request(method, world.path(path))

        assert await rows() == before
        async with Browser(app) as human:
            assert (await human.submit(world.path("/device/{device}"))).status_code == 303

    async def test_by_code(self, app: FastAPI) -> None:
        async with Browser(app) as host, Browser(app) as friend:
            table = await lay_table(host)
            code = (await host.get(table)).text.split('id="invite-code">')[1].split("<")[0]

            shown = location(await friend.submit("/join", {"code": code.lower()}))
            seated = await friend.submit(shown, {"name": "Blai"})

        assert shown == f"/join/{code}"
        assert location(seated) == table

    async def test_codes_are_not_found_by_trying(self, app: FastAPI) -> None:
        async with Browser(app) as host, Browser(app, address="198.51.100.9") as thief:
            table = await lay_table(host)
            code = (await host.get(table)).text.split('id="invite-code">')[1].split("<")[0]
            answers = [
                (await thief.submit("/join", {"code": f"PINYA-{n:04}"})).status_code
                for n in range(WRONG_CODE.count + 3)
            ]
            late = await thief.submit("/join", {"code": code})
            friend = await host.submit("/join", {"code": code})

        assert answers == [404] * WRONG_CODE.count + [429] * 3
        assert late.status_code == 429
        assert int(late.headers["Retry-After"]) > 0
        assert friend.status_code == 303


class TestSentAway:
    async def test_counts_from_the_next_request(self, app: FastAPI) -> None:
        async with Browser(app) as host, Browser(app) as friend:
            table = await lay_table(host)
            await friend.submit(await invitation(host, table), {"name": "Blai"})
            before = await friend.get(table)
            await host.submit(f"{table}/seats/1/free")

            after = await friend.get(table)
            poll = await friend.get(f"{table}/part?since=0.0", headers={"HX-Request": "true"})

        assert [a.status_code for a in (before, after, poll)] == [200, 404, 404]


class TestThePoll:
    async def test_says_nothing_until_something_happens(self, app: FastAPI) -> None:
        async with Browser(app) as host, Browser(app) as friend:
            table = await lay_table(host, seats="2")
            address = (await host.get(table)).text.split('hx-get="')[1].split('"')[0]

            async def poll() -> httpx.Response:
                return await host.get(address, headers={"HX-Request": "true"})

            quiet = await poll()
            await friend.submit(await invitation(host, table), {"name": "Blai"})
            joined = await poll()
            match = location(await host.submit(f"{table}/start"))
            started = await poll()

        assert quiet.status_code == 204
        assert "Blai" in joined.text
        assert "<html" not in joined.text
        assert started.headers["HX-Redirect"] == match

    async def test_a_fragment_without_htmx_is_the_page(self, app: FastAPI) -> None:
        async with Browser(app) as host:
            table = await lay_table(host)

            assert location(await host.get(f"{table}/part?since=0.0")) == table


class TestAnotherDevice:
    async def test_a_link_is_taken_once(self, app: FastAPI) -> None:
        async with Browser(app) as phone:
            table = await lay_table(phone)
            shown = (await phone.submit("/account/device-link")).text
            link = "/device/" + shown.split(f"{HERE}/device/")[1].split('"')[0]
            laptops = [Browser(app) for _ in range(100)]
            answers = await asyncio.gather(*(laptop.submit(link) for laptop in laptops))
            inside = [
                laptop
                for laptop, answer in zip(laptops, answers, strict=True)
                if answer.status_code == 303
            ]
            seated = [(await laptop.get(table)).status_code for laptop in inside]
            for laptop in laptops:
                await laptop.aclose()

        assert seated == [200]
        assert sorted({answer.status_code for answer in answers}) <= [303, 404, 429]

    async def test_brings_the_seats_along_if_wanted(self, app: FastAPI) -> None:
        for bring, status in (("on", 200), ("", 404)):
            async with Browser(app) as phone, Browser(app) as laptop:
                await phone.submit("/play-bots", {"bots": "1"})
                table = await lay_table(laptop, name="Laptop")
                shown = (await phone.submit("/account/device-link")).text
                link = "/device/" + shown.split(f"{HERE}/device/")[1].split('"')[0]
                page = await laptop.get(link)
                await laptop.submit(link, {"bring": "on"} if bring else {})

                assert "Laptop" in page.text
                assert (await laptop.get(table)).status_code == status

    async def test_a_login_link_replaces_a_forgotten_password(
        self, app: FastAPI, sessions: Sessions, clock: SettableClock
    ) -> None:
        async with Browser(app) as browser:
            await browser.submit("/signup", {"name": "Anna", "password": PASSWORD})
        async with sessions.begin() as session:
            from app.accounts.service import find_account  # noqa: PLC0415 - used once

            anna = await find_account(session, name="Anna")
            link = await make_link(session, person=anna, now=clock.now(), purpose="login")
        new = {"password": "tres de deu amb folre"}
        async with Browser(app) as browser:
            entered = location(await browser.submit(f"/device/{link.token}"))
            clock.advance(timedelta(minutes=11))
            late = await browser.submit("/account/password", new)
        async with sessions.begin() as session:
            link = await make_link(session, person=anna, now=clock.now(), purpose="login")
        async with Browser(app) as browser:
            await browser.submit(f"/device/{link.token}")
            changed = await browser.submit("/account/password", new)
            await browser.submit("/logout")
            signed_in = await browser.submit("/login", {"name": "Anna"} | new)

        assert entered == "/account"
        assert late.status_code == 422
        assert (changed.status_code, signed_in.status_code) == (303, 303)


class TestAccounts:
    async def test_an_account_takes_over_the_guests_seats(self, app: FastAPI) -> None:
        async with Browser(app) as browser, Browser(app) as elsewhere:
            table = await lay_table(browser)
            await browser.submit("/signup", {"name": "Anna", "password": PASSWORD})

            await elsewhere.submit("/login", {"name": "anna", "password": PASSWORD})

            assert (await browser.get(table)).status_code == 200
            assert (await elsewhere.get(table)).status_code == 200

    async def test_signing_in_brings_the_seats_of_this_device(
        self, app: FastAPI, sessions: Sessions
    ) -> None:
        async with Browser(app) as home, Browser(app) as phone:
            await home.submit("/signup", {"name": "Anna", "password": PASSWORD})
            table = await lay_table(phone, name="Anna on the phone", seats="2")
            await phone.submit(f"{table}/talk", {"text": "Hola", "key": "k"})
            match = location(await phone.submit("/play-bots", {"bots": "2"}))
            guest = dict(phone.cookies)

            await phone.submit("/login", {"name": "Anna", "password": PASSWORD})

            for browser in (home, phone):
                assert (await browser.get(table)).status_code == 200
                assert (await browser.get(match)).status_code == 200
            async with Browser(app) as thief:
                thief.cookies.update(guest)
                assert (await thief.get(match)).status_code == 404
        async with sessions.begin() as session:
            assert (await session.scalar(text("select count(*) from people"))) == 1

    async def test_at_one_table_both_seats_stay(self, app: FastAPI) -> None:
        async with Browser(app) as home, Browser(app) as phone:
            await home.submit("/signup", {"name": "Anna", "password": PASSWORD})
            table = await lay_table(home)
            await phone.submit(await invitation(home, table), {"name": "Phone"})

            await phone.submit("/login", {"name": "Anna", "password": PASSWORD})
            room = (await phone.get(table)).text

        assert "Phone" in room
        assert "you, too" in room

    async def test_a_wrong_password_and_an_unknown_name_look_the_same(self, app: FastAPI) -> None:
        async with Browser(app) as browser:
            await browser.submit("/signup", {"name": "Anna", "password": PASSWORD})
            await browser.submit("/logout")
            await browser.get("/login")
            answers = [
                await browser.submit("/login", {"name": name, "password": "not the one"})
                for name in ("Anna", "Nobody")
            ]

        assert answers[0].status_code == answers[1].status_code == 422
        assert without_tokens(answers[0].text) == without_tokens(answers[1].text)
        assert answers[0].headers == answers[1].headers

    async def test_sessions_are_listed_and_revoked(self, app: FastAPI) -> None:
        async with Browser(app) as home, Browser(app) as phone:
            await home.submit("/signup", {"name": "Anna", "password": PASSWORD})
            phone.headers["User-Agent"] = "Mozilla/5.0 (Android 15; Mobile) Firefox/140.0"
            await phone.submit("/login", {"name": "Anna", "password": PASSWORD})
            listed = (await home.get("/account")).text
            await home.submit("/account/sessions/revoke-others")

            assert "Firefox · Android" in listed
            assert (await phone.get("/account")).status_code == 303
            assert (await home.get("/account")).status_code == 200

    async def test_an_api_token_is_shown_once(self, app: FastAPI) -> None:
        async with Browser(app) as browser:
            await browser.submit("/signup", {"name": "Anna", "password": PASSWORD})
            made = await browser.submit("/account/tokens", {"label": "my bot"})
            later = await browser.get("/account")

        shown, still = (
            set(re.findall(r"[\w-]{43}", without_tokens(page.text))) for page in (made, later)
        )
        assert len(shown - still) == 1
        assert "my bot" in later.text

    async def test_a_deleted_person_is_nobody_and_leaves_everything(self, app: FastAPI) -> None:
        async with Browser(app) as browser, Browser(app) as friend:
            table = await lay_table(browser)
            await friend.submit(await invitation(browser, table), {"name": "Blai"})
            match = location(await browser.submit("/play-bots", {"bots": "1", "key": "m"}))
            await browser.submit("/account/delete")

            assert (await browser.get("/account")).status_code == 303
            assert [(await browser.get(path)).status_code for path in (table, match)] == [404, 404]
            room = (await friend.get(table)).text
            assert "Anna" not in room
            assert "Blai" in room


class TestTwoClicks:
    """Somebody unknown clicks twice: both requests come without a session."""

    async def both(self, browser: Browser, path: str, form: dict[str, str]) -> set[str]:
        """Send the form twice at once; return where the answers lead."""
        answers = await asyncio.gather(*(browser.submit(path, form) for _ in range(2)))
        return {location(answer) for answer in answers}

    async def count(self, sessions: Sessions, table: str) -> int:
        async with sessions.begin() as session:
            return (await session.scalar(text(f"select count(*) from {table}"))) or 0

    def fields(self, page: str, action: str) -> dict[str, str]:
        """Return the hidden fields of the form that leads to `action`."""
        form = page.split(f'action="{action}"')[1].partition("</form>")[0]
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))

    async def test_on_play_against_bots_start_one_match(
        self, app: FastAPI, sessions: Sessions
    ) -> None:
        async with Browser(app) as browser:
            form = self.fields((await browser.get("/")).text, "/play-bots") | {"bots": "1"}

            places = await self.both(browser, "/play-bots", form)

            assert len(places) == 1
            assert (await browser.get(places.pop())).status_code == 200
        assert await self.count(sessions, "matches") == 1
        assert await self.count(sessions, "people") == 1

    async def test_on_new_table_lay_one(self, app: FastAPI, sessions: Sessions) -> None:
        async with Browser(app) as browser:
            form = TABLE | self.fields((await browser.get("/new")).text, "/new")

            places = await self.both(browser, "/new", form)

            assert len(places) == 1
            assert (await browser.get(places.pop())).status_code == 200
        assert await self.count(sessions, "tables") == 1
        assert await self.count(sessions, "people") == 1

    async def test_with_another_form_or_browser_or_much_later_make_somebody_new(
        self, app: FastAPI, sessions: Sessions, clock: SettableClock
    ) -> None:
        async with Browser(app) as browser, Browser(app) as other:
            await browser.get("/")
            await other.get("/")
            visitor = dict(browser.cookies)
            await browser.submit("/new", TABLE | {"key": "one"})
            await other.submit("/new", TABLE | {"key": "one"})
            for key in ("two", "one"):
                browser.cookies.clear()
                browser.cookies.update(visitor)
                await browser.submit("/new", TABLE | {"key": key})
                clock.advance(timedelta(hours=1))

        assert await self.count(sessions, "people") == 4
