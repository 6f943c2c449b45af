"""What people call themselves and say is shown as it was written, or refused; it never works.

texts.json names for each text what becomes of it as a name and as a line of
talk: `=` as it is, another text, or `! code` of the refusal.  `make test` tries
every fifth; BADINPUT_CASES=all tries all.
"""

import html
import os
import re
from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.db.session import Sessions
from tests.badinput.corpus import fingerprint, read_texts
from tests.support.browser import Browser, serving
from tests.support.clock import SettableClock
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio

TEXTS = read_texts() if os.environ.get("BADINPUT_CASES") == "all" else read_texts()[::5]

SAID = re.compile(r'<p class="talk__text">(.*?)</p>', re.DOTALL)
# What a page of ours consists of; whatever else is in it came in with a text.
ELEMENTS = re.compile(r"<([a-zA-Z!/?][^\s>/]*)")


async def post(browser: Browser, path: str, form: dict[str, str]) -> int:
    """Send a form of ours."""
    headers = {"Sec-Fetch-Site": "same-origin"}
    return (await browser.post(path, data=form, headers=headers)).status_code


async def test_what_is_said_is_shown_as_it_was_said(sessions: Sessions, database_url: str) -> None:
    clock = SettableClock()
    async with serving(database_url, clock=clock) as app:
        world = await make_world(sessions)
        path = world.path("/tables/{started}/talk")
        async with world.browser(app, "guest") as browser:
            plain = elements(html.unescape((await browser.get(path)).text))
            for number, case in enumerate(TEXTS):
                clock.advance(timedelta(minutes=1))
                before = await look(sessions)
                status = await post(browser, path, {"text": case["text"], "key": f"k{number}"})
                expected = case["talk"]
                if expected.startswith("! "):
                    assert status == 422, case
                    assert await look(sessions) == before, case
                    continue
                assert status == 303, case
                shown = case["text"] if expected == "=" else expected
                page = (await browser.get(path)).text
                assert html.unescape(SAID.findall(page)[-1]) == shown, case
                assert elements(page) <= plain, case


async def test_names_are_shown_as_they_are_kept(sessions: Sessions, database_url: str) -> None:
    async with serving(database_url) as app:
        world = await make_world(sessions)
        for number, case in enumerate(TEXTS):
            await name_oneself(app, sessions, world, case, number)


async def name_oneself(
    app: FastAPI, sessions: Sessions, world: World, case: dict[str, str], number: int
) -> None:
    form = {
        "name": case["text"],
        "game": "castell",
        "seats": "2",
        "visibility": "private",
        "seat_order": "chosen",
        "wheel_side": "all_regions",
        "key": "k",
    }
    async with Browser(app, address=f"198.51.100.{number}") as browser:
        before = await look(sessions)
        status = await post(browser, "/new", form)
        if case["name"].startswith("! "):
            assert status == 422, case
            assert await look(sessions) == before, case
            return
        assert status == 303, case
        shown = case["text"] if case["name"] == "=" else case["name"]
        async with sessions.begin() as session:
            newest = "select name from people order by created_at desc, id desc limit 1"
            assert await session.scalar(text(newest)) == shown, case
        page = (await browser.get("/account")).text
        assert html.escape(shown, quote=False) in page.replace("&#34;", '"').replace("&#39;", "'")


async def look(sessions: Sessions) -> str:
    async with sessions.begin() as session:
        return await fingerprint(session)


def elements(page: str) -> set[str]:
    """Return the names of all elements of a page."""
    return set(ELEMENTS.findall(page))
