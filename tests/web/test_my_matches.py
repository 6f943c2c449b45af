"""The lists of matches on the pages: a few at a time, however many there are."""

import re
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.matches.lists import CARDS_SHOWN
from app.matches.service import SeatSpec, start_match
from app.web.front import MATCHES_SHOWN
from tests.support.browser import Browser, serving
from tests.support.people import NOON, guest

pytestmark = pytest.mark.anyio

MORE = 3


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def busy(app: FastAPI, sessions: Sessions) -> AsyncIterator[Browser]:
    """Return the browser of somebody who plays more matches than a page shows."""
    anna = await guest(sessions, "Anna")
    seats = [SeatSpec(anna.id, None, "Anna", 1), SeatSpec(anna.id, None, "Blai", 2)]
    async with sessions.begin() as session:
        for _ in range(CARDS_SHOWN + MORE):
            await start_match(session, game="castell", options={}, seats=seats, now=NOON)
        cookie = await start_session(session, person=anna, label="", now=NOON)
    async with Browser(app) as browser:
        browser.cookies.set(app.state.cookies.session, cookie)
        yield browser


async def shown(browser: Browser, path: str) -> tuple[str, list[str]]:
    """Return a page and the matches it leads to."""
    answer = await browser.get(path)
    assert answer.status_code == 200
    return answer.text, list(
        dict.fromkeys(re.findall(r'href="/matches/([0-9a-f-]{36})', answer.text))
    )


async def test_every_match_is_on_one_page_of_the_list(busy: Browser) -> None:
    first, there = await shown(busy, "/matches")
    second, rest = await shown(busy, "/matches?page=2")

    assert (len(there), len(rest)) == (CARDS_SHOWN, MORE)
    assert set(there).isdisjoint(rest)
    assert 'href="/matches?page=2"' in first
    assert 'href="/matches?page=1"' in second
    assert f"{CARDS_SHOWN + MORE} matches wait for you." in first


async def test_the_front_page_shows_a_few_and_counts_all(busy: Browser) -> None:
    front, there = await shown(busy, "/")

    assert len(there) == MATCHES_SHOWN
    assert f"{CARDS_SHOWN + MORE} wait for you" in front


async def test_beyond_the_last_page_there_is_a_way_back(busy: Browser) -> None:
    page, there = await shown(busy, "/matches?page=9")

    assert there == []
    assert 'href="/matches?page=2"' in page
