"""Zones, clocks and days as nobody should send them, and those at the edges of the calendar.

clocks.json names zones there are and are not, terms of a clock that are refused
and that are taken, and days.  What is taken has to work afterwards: the table's
page says it, and a match begins under it.
"""

import json
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from fastapi import FastAPI

from app.db.session import Sessions
from tests.badinput.corpus import FOLDER, fingerprint
from tests.support.browser import Browser, serving
from tests.support.world import World, make_world
from tests.web.test_times import FIELDS, WISH

pytestmark = pytest.mark.anyio

CASES: Final[dict[str, list[Any]]] = json.loads((FOLDER / "clocks.json").read_text("utf-8"))


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def world(app: FastAPI, sessions: Sessions) -> World:
    return await make_world(sessions)


async def look(sessions: Sessions) -> str:
    async with sessions.begin() as session:
        return await fingerprint(session)


def wish(number: int, **fields: str) -> dict[str, str]:
    return {**WISH, **FIELDS, "key": f"k{number}", **fields}


async def test_terms_nobody_can_play_by_are_refused(app: FastAPI, sessions: Sessions) -> None:
    before = await look(sessions)
    refused = [*CASES["refused"], *({"clock": "turn", "zone": zone} for zone in CASES["no_zones"])]
    for number, fields in enumerate(refused):
        async with Browser(app, address=f"198.51.100.{number}") as browser:
            answer = await browser.submit("/new", wish(number, **fields))
        assert answer.status_code == 422, fields
    assert await look(sessions) == before


async def test_terms_at_the_edges_of_the_clock_are_played_by(app: FastAPI) -> None:
    taken = [
        *CASES["taken"],
        *({"clock": "daily", "at": "02:30", "zone": zone} for zone in CASES["zones"]),
    ]
    for number, fields in enumerate(taken):
        async with Browser(app, address=f"198.51.100.{number}") as browser:
            made = await browser.submit("/new", wish(number, **fields))
            assert made.status_code == 303, fields
            room = made.headers["Location"]
            assert (await browser.get(room)).status_code == 200
            # A bot takes the other seat.
            seated = await browser.submit(f"{room}/seats/1/bot", {"policy": "random"})
            assert seated.status_code == 303
            begun = await browser.submit(f"{room}/start", {})
            assert begun.status_code == 303, fields
            match = begun.headers["Location"]
            time = await browser.get(f"{match}/time")
            assert time.status_code == 200, fields
            assert "Until" in time.text or "until" in time.text


async def test_a_zone_of_nowhere_is_as_good_as_none(app: FastAPI, world: World) -> None:
    async with world.browser(app, "player") as browser:
        for zone in (*CASES["zones"], *CASES["no_zones"]):
            header = zone.encode("utf-8", "replace").replace(b"\n", b"").replace(b"\0", b"")
            cookie = browser.cookies.get(app.state.cookies.session)
            sent = f"{app.state.cookies.session}={cookie}; zone=".encode() + header
            answer = await browser.get("/account/time", headers=[(b"Cookie", sent)])
            assert answer.status_code == 200, zone


async def test_days_there_are_not_are_no_absence_and_no_pause(
    app: FastAPI, world: World, sessions: Sessions
) -> None:
    pause = world.path("/matches/{match}/propose")
    async with world.browser(app, "player") as browser:
        for zone in ("UTC", "Pacific/Kiritimati", "America/New_York"):
            browser.cookies.set("zone", zone)
            before = await look(sessions)
            for day in CASES["days"]:
                for form in ({"first": day, "last": day}, {"first": "2026-09-25", "last": day}):
                    answer = await browser.submit("/account/absences", form)
                    assert answer.status_code == 422, (zone, form)
                answer = await browser.submit(pause, {"kind": "pause", "until": day})
                assert answer.status_code in {409, 422}, (zone, day)
            assert await look(sessions) == before
