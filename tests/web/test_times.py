"""Time on the pages: choosing a clock, seeing deadlines, pauses, absences, taking a turn back."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.db.session import Sessions
from app.matches.clocks.terms import Terms
from app.matches.queries import match_page
from app.matches.service import Commit, SeatSpec, commit, start_match
from app.rules.game import Seat
from tests.support.browser import Browser, serving
from tests.support.people import NOON, Gathering, guest
from tests.support.world import PASSWORD

pytestmark = pytest.mark.anyio

WISH = {
    "name": "Anna",
    "game": "castell",
    "seats": "2",
    "visibility": "private",
    "seat_order": "chosen",
    "wheel_side": "all_regions",
    "key": "k",
}
# What the form sends whichever clock is chosen.
FIELDS = {
    "days": "3",
    "bank_days": "7",
    "increment_hours": "12",
    "at": "20:00",
    "zone": "Europe/Madrid",
    "night_from": "22:00",
    "night_until": "08:00",
    "timeout": "default",
    "absence_days": "14",
}


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


async def known(app: FastAPI, sessions: Sessions, person: Person) -> Browser:
    browser = Browser(app)
    async with sessions.begin() as session:
        cookie = await start_session(session, person=person, label="", now=NOON)
    browser.cookies.set(app.state.cookies.session, cookie)
    browser.cookies.set("zone", "Europe/Madrid")
    return browser


async def match_of(sessions: Sessions, *people: Person, clock: Terms | None) -> UUID:
    specs = [SeatSpec(one.id, None, one.name, n + 1) for n, one in enumerate(people)]
    async with sessions.begin() as session:
        return await start_match(
            session,
            game="castell",
            options={"edition": "castell-1"},
            seats=specs,
            now=NOON,
            seed=bytes(32),
            clock=clock,
        )


@pytest.mark.parametrize(
    ("chosen", "title"),
    [
        ({"clock": "none"}, "no clock: play when you like"),
        ({"clock": "turn"}, "3 days for each turn"),
        ({"clock": "daily"}, "a turn by 20:00 each day (Madrid)"),
        ({"clock": "bank"}, "7 days for the whole match, and 12 h back with each turn"),
        ({"clock": "turn", "nights": "on"}, "Nights do not count, from 22:00 to 08:00 (Madrid)."),
        ({"clock": "turn", "weekends_off": "on"}, "Saturdays and Sundays do not count (Madrid)."),
    ],
)
async def test_a_table_says_in_plain_words_what_was_chosen(
    app: FastAPI, chosen: dict[str, str], title: str
) -> None:
    async with Browser(app) as browser:
        made = await browser.submit("/new", {**WISH, **FIELDS, **chosen})
        room = await browser.get(made.headers["Location"])

    assert made.status_code == 303
    assert title in room.text


async def test_a_form_without_a_word_on_time_makes_a_table_without_a_clock(app: FastAPI) -> None:
    async with Browser(app) as browser:
        made = await browser.submit("/new", WISH)
        form = await browser.get("/new")

        assert "no clock" in (await browser.get(made.headers["Location"])).text
    assert re.search(r'name="clock" value="none" checked', form.text)


async def test_contradictory_terms_are_refused_with_a_sentence(app: FastAPI) -> None:
    contradictory = {"clock": "daily", "nights": "on", "night_from": "19:00"}
    async with Browser(app) as browser:
        answer = await browser.submit("/new", {**WISH, **FIELDS, **contradictory})

    assert answer.status_code == 422
    assert "lies in the night off" in answer.text


async def test_everybody_sees_the_deadline_on_their_own_wall(
    app: FastAPI, sessions: Sessions
) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, anna, bert, clock=Terms(kind="turn", days=1))
    async with await known(app, sessions, anna) as mine, await known(app, sessions, bert) as his:
        his.cookies.set("zone", "Asia/Kathmandu")
        pages = [await mine.get(f"/matches/{match_id}"), await his.get(f"/matches/{match_id}")]
        lists = [await mine.get("/matches"), await his.get("/")]
        times = await his.get(f"/matches/{match_id}/time")

    assert "Fri 25 Sep, 14:00 (Madrid)" in pages[0].text
    assert "Fri 25 Sep, 17:45 (Kathmandu)" in pages[1].text
    assert "Fri 25 Sep, 14:00" in lists[0].text
    assert "Fri 25 Sep, 17:45" in lists[1].text
    assert "Fri 25 Sep, 17:45 (Kathmandu), in 1 d" in times.text
    assert all('datetime="2026-09-25T12:00:00+00:00"' in page.text for page in (*pages, *lists))


async def test_a_pause_is_asked_for_agreed_to_and_shown(app: FastAPI, sessions: Sessions) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, anna, bert, clock=Terms(kind="turn", days=1))
    here = f"/matches/{match_id}"
    async with await known(app, sessions, anna) as mine, await known(app, sessions, bert) as his:
        for wrong in ("", "2026-09-23", "2027-09-23"):
            refused = await mine.submit(f"{here}/propose", {"kind": "pause", "until": wrong})
            assert (refused.status_code, 'role="alert"' in refused.text) == (422, True)
        asked = await mine.submit(f"{here}/propose", {"kind": "pause", "until": "2026-09-30"})

        assert asked.headers["Location"] == here

        page = await his.get(f"{here}/time")
        assert "Anna asks for a pause until the end of Wed 30 Sep (Madrid), in 6 d." in page.text
        assert "Waits for Bert." in (await mine.get(f"{here}/time")).text
        assert "Waits for" not in page.text
        board, own = (await his.get(here)).text, (await mine.get(here)).text
        assert "wait for your word" in board
        assert "Anna asks for a pause until the end of Wed 30 Sep" in board
        assert "wait for your word" not in own
        assert "You ask for a pause until the end of Wed 30 Sep (Madrid), in 6 d." in own
        assert "Waits for Bert." in own

        stale = await his.submit(f"{here}/agree", {"kind": "pause", "version": "1", "word": "yes"})
        assert stale.status_code == 409

        yes = await his.submit(f"{here}/agree", {"kind": "pause", "version": "2", "word": "yes"})
        assert yes.status_code == 303
        assert "paused" in (await his.get(here)).text
        # A day of play, and the pause: until the first of October, ten hours after noon in UTC.
        assert "Fri 2 Oct, 00:00 (Madrid)" in (await mine.get(f"{here}/time")).text


async def test_an_absence_is_noted_shown_to_the_others_and_ended(
    app: FastAPI, sessions: Sessions
) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, anna, bert, clock=Terms(kind="turn", days=1))
    async with await known(app, sessions, anna) as mine, await known(app, sessions, bert) as his:
        for wrong in ({}, {"first": "2026-09-20", "last": "2026-09-30"}):
            assert (await mine.submit("/account/absences", wrong)).status_code == 422
        await mine.submit("/account/absences", {"first": "2026-09-24", "last": "2026-09-26"})

        shown = (await his.get(f"/matches/{match_id}/time")).text
        assert "Anna is away until the end of Sat 26 Sep (Madrid), in 2 d 10 h." in shown
        # From noon in UTC until midnight of the 27th in Madrid, and a day of play.
        assert "Mon 28 Sep, 00:00 (Madrid)" in shown

        page = (await mine.get("/account/time")).text
        (absence,) = re.findall(r"/account/absences/([0-9a-f-]+)/end", page)
        assert (await his.submit(f"/account/absences/{absence}/end", {})).status_code == 404
        assert (await mine.submit(f"/account/absences/{absence}/end", {})).status_code == 303
        assert "/end" not in (await mine.get("/account/time")).text
        assert "Fri 25 Sep, 14:00" in (await mine.get(f"/matches/{match_id}")).text


@pytest.mark.parametrize("whose", ["the guest's", "the account's"])
async def test_who_signs_in_on_holiday_is_still_away(
    app: FastAPI, sessions: Sessions, whose: str
) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, anna, bert, clock=Terms(kind="turn", days=1))
    away = {"first": "2026-09-24", "last": "2026-09-26"}
    login = {"name": "Aina", "password": PASSWORD}
    here = f"/matches/{match_id}"
    async with Browser(app) as home:
        home.cookies.set("zone", "Europe/Madrid")
        await home.submit("/signup", login)
        if whose == "the account's":
            await home.submit("/account/absences", away)
    async with await known(app, sessions, anna) as mine, await known(app, sessions, bert) as his:
        if whose == "the guest's":
            await mine.submit("/account/absences", away)
        await mine.submit("/login", login)

        shown = (await his.get(f"{here}/time")).text
        assert "is away until the end of Sat 26 Sep (Madrid)" in shown
        assert "Mon 28 Sep, 00:00 (Madrid)" in shown
        page = (await mine.get("/account/time")).text
        (absence,) = re.findall(r"/account/absences/([0-9a-f-]+)/end", page)
        await mine.submit(f"/account/absences/{absence}/end", {})
        assert "Fri 25 Sep, 14:00" in (await mine.get(here)).text


async def test_a_turn_taken_back_is_struck_through(app: FastAPI, sessions: Sessions) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, anna, bert, clock=None)
    here = f"/matches/{match_id}"
    async with sessions.begin() as session:
        first: dict[str, Any] = {"match_id": match_id, "seat": Seat(0), "expected_version": 1}
        await commit(session, Commit(**first, key="k", line="move VAL; end", now=NOON))
    async with await known(app, sessions, anna) as mine, await known(app, sessions, bert) as his:
        assert "<li>You move to Valls.</li>" in (await mine.get(f"{here}/time")).text
        await mine.submit(f"{here}/propose", {"kind": "undo"})
        asked = (await mine.get(f"{here}/time")).text
        assert "You ask to take back your last turn" in asked
        assert "Ask to take it back" not in asked
        assert "Anna asks to take back their last turn" in (await his.get(f"{here}/time")).text

        await his.submit(f"{here}/agree", {"kind": "undo", "version": "3", "word": "yes"})

        page = await mine.get(here)
        assert "Your turn" in page.text
        times = (await mine.get(f"{here}/time")).text
        assert "have not finished a turn" in times
        for text in (times, (await his.get(f"{here}/history/4")).text):
            assert re.search(r"<s>[^<]*Valls[^<]*</s>", text)


async def test_a_refusal_ends_what_was_asked(app: FastAPI, sessions: Sessions) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    clock = Terms(kind="turn", days=1)
    match_id = await match_of(sessions, anna, bert, clock=clock)
    here = f"/matches/{match_id}"
    until = (NOON + timedelta(days=3)).date().isoformat()
    async with await known(app, sessions, anna) as mine, await known(app, sessions, bert) as his:
        await mine.submit(f"{here}/propose", {"kind": "pause", "until": until})
        await his.submit(f"{here}/agree", {"kind": "pause", "version": "2", "word": "no"})

        assert "asks for a pause" not in (await his.get(f"{here}/time")).text
        again = await his.submit(f"{here}/agree", {"kind": "pause", "version": "2", "word": "yes"})
        assert again.status_code == 404


async def test_the_seat_of_whoever_is_late_is_given_to_a_friend(
    app: FastAPI, sessions: Sessions
) -> None:
    table = await Gathering.of(
        sessions, seats=2, clock={"kind": "turn", "days": 1, "timeout": "substitute"}
    )
    people = {one.name: one for one in (table.host, await table.joined("Blai"))}
    match_id = await table.start()
    async with sessions.begin() as session:
        page = await match_page(session, match_id=match_id, seat=None)
        (seat,) = page.asked
        await session.execute(text("update match_deadlines set missed_at = due_at"))
    late = page.seats[seat].name
    (other,) = set(people) - {late}

    async with await known(app, sessions, people[other]) as hers:
        time = (await hers.get(f"/matches/{match_id}/time")).text
    invitation = f"/i/{await table.token()}"
    async with Browser(app) as friend:
        shown = (await friend.get(invitation)).text
        await friend.submit(invitation, {"name": "Carla"})
        board = await friend.get(f"/matches/{match_id}")

    assert re.search(r'id="vacant-link" readonly value="[^"]*/i/[^"]+"', time)
    assert f"the time of {late} has run out" in shown
    assert "Take the seat over" in shown
    assert board.status_code == 200
    async with await known(app, sessions, people[other]) as hers:
        assert "vacant-link" not in (await hers.get(f"/matches/{match_id}/time")).text
    # Whoever was late has no seat any more, and may see how it ends.
    async with await known(app, sessions, people[late]) as theirs:
        assert (await theirs.get(f"/matches/{match_id}")).status_code == 200
        assert (await theirs.get(f"/matches/{match_id}/orders")).status_code == 404
