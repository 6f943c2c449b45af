"""Signing in by a mailed code: one browser, ten minutes, once."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.accounts.service import sign_up
from app.config import Settings
from app.db.session import Sessions
from app.jobs.worker import run_pending
from app.worker import load_tasks
from tests.support.browser import KEY, Browser, serving, without_tokens
from tests.support.clock import SettableClock
from tests.support.mails import give_address
from tests.support.matches import all_of
from tests.support.people import NOON
from tests.support.smtp import Mailbox, mail_server, part

pytestmark = pytest.mark.anyio

ADDRESS = "anna@friends.test"


@pytest.fixture
async def box(sessions: Sessions) -> AsyncIterator[Mailbox]:
    load_tasks()
    async with sessions.begin() as session:
        anna = await sign_up(session, guest=None, name="Anna", password="a long password", now=NOON)
    await give_address(sessions, anna.id, ADDRESS)
    async with mail_server() as box:
        yield box


@pytest.fixture
async def app(database_url: str, clock: SettableClock, box: Mailbox) -> AsyncIterator[FastAPI]:
    smtp = f"smtp://127.0.0.1:{box.port}?security=none"
    async with serving(database_url, clock=clock, smtp_url=smtp) as app:
        yield app


class Post:
    """Runs the jobs, and reads what they mailed."""

    def __init__(self, url: str, sessions: Sessions, clock: SettableClock, box: Mailbox) -> None:
        self._url, self._sessions, self._clock, self._box = url, sessions, clock, box

    async def code(self) -> str | None:
        """Return the code in the mail that goes out now."""
        return self._find(r"\b([0-9]{6})\b", await self.letters())

    async def link(self) -> str | None:
        """Return the path of the link in the mail that goes out now."""
        return self._find(r"https://plaza\.test(/device/\S+)", await self.letters())

    async def letters(self) -> list[str]:
        before = len(self._box.letters)
        settings: Settings = self._box.settings(secret_key=KEY)
        await run_pending(self._url, self._sessions, clock=self._clock, settings=settings)
        return [part(letter, "plain") for letter in self._box.letters[before:]]

    @staticmethod
    def _find(pattern: str, letters: list[str]) -> str | None:
        found = re.search(pattern, "\n".join(letters))
        return found[1] if found else None


@pytest.fixture
def post(database_url: str, sessions: Sessions, clock: SettableClock, box: Mailbox) -> Post:
    return Post(database_url, sessions, clock, box)


async def ask(browser: Browser, address: str = ADDRESS) -> None:
    await browser.get("/login/mail")
    answer = await browser.submit("/login/mail", {"address": address})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/login/code")


async def is_known(browser: Browser) -> bool:
    return (await browser.get("/account")).status_code == 200


async def test_the_code_signs_in_once(app: FastAPI, post: Post) -> None:
    async with Browser(app) as browser:
        await ask(browser, "Anna@Friends.test")
        code = await post.code()
        assert code is not None
        typed = {"code": f" {code[:3]} {code[3:]} "}
        assert (await browser.submit("/login/code", typed)).status_code == 303
        assert await is_known(browser)
        await browser.submit("/logout")

        assert (await browser.submit("/login/code", typed)).status_code == 422
        assert not await is_known(browser)


async def test_the_code_works_in_no_other_browser(app: FastAPI, post: Post) -> None:
    async with Browser(app) as mine, Browser(app) as theirs:
        await ask(mine)
        await theirs.get("/login/mail")
        code = await post.code()
        assert code is not None

        assert (await theirs.submit("/login/code", {"code": code})).status_code == 422
        assert (await mine.submit("/login/code", {"code": code})).status_code == 303


async def test_the_code_is_dead_after_ten_minutes(
    app: FastAPI, post: Post, clock: SettableClock
) -> None:
    async with Browser(app) as browser:
        await ask(browser)
        code = await post.code()
        assert code is not None
        clock.advance(timedelta(minutes=10))

        assert (await browser.submit("/login/code", {"code": code})).status_code == 422


async def test_five_wrong_codes_are_all(app: FastAPI, post: Post) -> None:
    async with Browser(app) as browser:
        await ask(browser)
        code = await post.code()
        assert code is not None
        wrong = "000000" if code != "000000" else "111111"
        for _ in range(5):
            assert (await browser.submit("/login/code", {"code": wrong})).status_code == 422

        assert (await browser.submit("/login/code", {"code": code})).status_code == 422


async def test_asking_again_voids_the_code_before(app: FastAPI, post: Post) -> None:
    async with Browser(app) as browser:
        await ask(browser)
        first = await post.code()
        await ask(browser)
        second = await post.code()
        assert first is not None
        assert second is not None
        assert first != second

        assert (await browser.submit("/login/code", {"code": first})).status_code == 422
        assert (await browser.submit("/login/code", {"code": second})).status_code == 303


async def test_of_many_clicks_at_once_one_signs_in(app: FastAPI, post: Post) -> None:
    async with Browser(app) as browser:
        await ask(browser)
        code = await post.code()
        assert code is not None
        answers = await all_of(*(browser.submit("/login/code", {"code": code}) for _ in range(4)))

    assert sorted(answer.status_code for answer in answers) == [303, 422, 422, 422]


async def test_looking_at_the_link_changes_nothing_and_a_click_signs_in(
    app: FastAPI, post: Post, sessions: Sessions
) -> None:
    async with Browser(app) as browser, Browser(app) as phone, Browser(app) as scanner:
        await ask(browser)
        link = await post.link()
        assert link is not None
        for _ in range(20):
            assert (await scanner.get(link)).status_code == 200
            assert (await scanner.head(link)).status_code in {200, 405}
        async with sessions.begin() as session:
            assert (await session.execute(text("select count(*) from sessions"))).scalar() == 0

        assert (await phone.submit(link)).status_code == 303
        assert await is_known(phone)
        assert (await scanner.submit(link)).status_code == 404


async def test_nobody_learns_whether_an_address_is_known(app: FastAPI, post: Post) -> None:
    answers = []
    for address in (ADDRESS, "nobody@friends.test"):
        async with Browser(app) as browser:
            await browser.get("/login/mail")
            asked = await browser.submit("/login/mail", {"address": address})
            shown = await browser.get("/login/code")
            wrong = await browser.submit("/login/code", {"code": "12"})
            answers.append(
                [
                    (one.status_code, sorted(one.headers), without_tokens(one.text))
                    for one in (asked, shown, wrong)
                ]
            )

    assert answers[0] == answers[1]
    assert len(await post.letters()) == 1


async def test_asking_is_limited_alike_for_known_and_unknown(app: FastAPI, post: Post) -> None:
    for spellings in (["anna@friends.test", "An.na+x@friends.test"], ["nobody@friends.test"]):
        statuses = []
        for number in range(12):
            async with Browser(app, address=f"203.0.113.{number}") as browser:
                await browser.get("/login/mail")
                address = spellings[number % len(spellings)]
                answer = await browser.submit("/login/mail", {"address": address})
                statuses.append(answer.status_code)

        assert statuses == [303] * 10 + [429] * 2


async def test_what_is_no_address_is_refused(app: FastAPI) -> None:
    async with Browser(app) as browser:
        await browser.get("/login/mail")
        for address in ("anna", "anna@friends.test\r\nBcc: b@b.test", "a@b@c.test", ""):
            answer = await browser.submit("/login/mail", {"address": address})

            assert answer.status_code == 422, address


async def test_a_password_may_be_set_after_it(app: FastAPI, post: Post) -> None:
    async with Browser(app) as browser:
        await ask(browser)
        code = await post.code()
        await browser.submit("/login/code", {"code": code or ""})
        answer = await browser.submit("/account/password", {"password": "another long one"})

    assert answer.status_code == 303
