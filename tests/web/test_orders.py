"""Standing orders on the pages: left, changed, taken back, and what became of them."""

import re
from collections.abc import AsyncIterator, Mapping
from typing import TypeAlias
from uuid import UUID

import pytest
from fastapi import FastAPI

from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.db.session import Sessions
from app.matches.queries import match_page
from app.matches.service import Commit, SeatSpec, commit, start_match
from app.rules.game import Seat
from tests.support.browser import Browser, serving
from tests.support.people import NOON, guest

pytestmark = pytest.mark.anyio

# What a form sends: several values where a field is there several times.
Form: TypeAlias = Mapping[str, str | list[str]]

EDITIONS = {"castell": "castell-1", "el_grande": "el-grande-1"}
BIDS: Form = {"decision": "power:1", "pick": ["13", "7", "lowest"], "when": ["none>10", "", ""]}


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


async def known(app: FastAPI, sessions: Sessions, person: Person) -> Browser:
    browser = Browser(app)
    async with sessions.begin() as session:
        cookie = await start_session(session, person=person, label="", now=NOON)
    browser.cookies.set(app.state.cookies.session, cookie)
    return browser


async def match_of(sessions: Sessions, game: str, *people: Person) -> UUID:
    specs = [SeatSpec(one.id, None, one.name, n + 1) for n, one in enumerate(people)]
    async with sessions.begin() as session:
        return await start_match(
            session,
            game=game,
            options={"edition": EDITIONS[game]},
            seats=specs,
            now=NOON,
            seed=bytes(32),
        )


async def second_bidder(sessions: Sessions, match_id: UUID) -> Seat:
    async with sessions() as session:
        page = await match_page(session, match_id=match_id, seat=None)
    (first,) = page.prompts
    return Seat(1 - first)


async def play(sessions: Sessions, match_id: UUID, seat: int, line: str) -> int:
    async with sessions.begin() as session:
        version = (await match_page(session, match_id=match_id, seat=None)).version
        done = await commit(
            session,
            Commit(
                match_id=match_id,
                seat=Seat(seat),
                expected_version=version,
                key=line,
                line=line,
                now=NOON,
            ),
        )
    return done.version


async def test_a_list_of_power_cards_is_left_said_and_played(
    app: FastAPI, sessions: Sessions
) -> None:
    people = [await guest(sessions, name) for name in ("Anna", "Bert")]
    match_id = await match_of(sessions, "el_grande", *people)
    seat = await second_bidder(sessions, match_id)
    async with await known(app, sessions, people[seat]) as mine:
        here = f"/matches/{match_id}/orders"
        left = await mine.submit(here, BIDS)
        stands = (await mine.get(here)).text
        mine_all = (await mine.get("/account/orders")).text
        version = await play(sessions, match_id, 1 - seat, "power 12")
        after = (await mine.get(here)).text

    assert left.headers["Location"].endswith(here)
    told = "13 if nobody has played above 10, else 7, else the lowest"
    assert f"It stands: {told}." in stands
    assert re.search(r'value="none&gt;10" selected', stands)
    assert f"The power card of round 1:</b> {told}" in mine_all
    assert "Answered by your standing order:" in after
    assert "<samp>power 7</samp>" in after
    assert f"/history/{version}" in after


async def test_an_order_is_taken_back(app: FastAPI, sessions: Sessions) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, "castell", anna, bert)
    async with await known(app, sessions, anna) as mine:
        here = f"/matches/{match_id}/orders"
        await mine.submit(here, {"decision": "festivals", "order": "best *", "items": "12"})
        stands = (await mine.get(here)).text
        await mine.submit(here, {"decision": "festivals"})
        gone = (await mine.get(here)).text

    assert "It stands: show my best tower if it scores at least 12, else ask me." in stands
    assert 'name="items" min="1" max="99" value="12"' in stands
    assert "It stands" not in gone


async def test_a_refused_list_is_still_there_to_be_mended(app: FastAPI, sessions: Sessions) -> None:
    people = [await guest(sessions, name) for name in ("Anna", "Bert")]
    match_id = await match_of(sessions, "el_grande", *people)
    seat = await second_bidder(sessions, match_id)
    wrong: Form = {"decision": "power:1", "pick": ["lowest", "7"], "when": ["", "none>9"]}
    async with await known(app, sessions, people[seat]) as mine:
        answer = await mine.submit(f"/matches/{match_id}/orders", wrong)

    assert answer.status_code == 422
    assert "is no standing order" in answer.text
    assert 'value="lowest" selected' in answer.text
    assert 'value="none&gt;9" selected' in answer.text


@pytest.mark.parametrize("decision", ["", "power:9", "turn:1:0", "festival:\x00", "x" * 4000])
async def test_an_order_for_what_is_not_to_come_is_refused(
    app: FastAPI, sessions: Sessions, decision: str
) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, "castell", anna, bert)
    async with await known(app, sessions, anna) as mine:
        answer = await mine.submit(
            f"/matches/{match_id}/orders", {"decision": decision, "order": "best"}
        )

    assert answer.status_code == 422


async def test_nobody_sees_the_orders_of_another_seat(app: FastAPI, sessions: Sessions) -> None:
    anna, bert = await guest(sessions, "Anna"), await guest(sessions, "Bert")
    match_id = await match_of(sessions, "castell", anna, bert)
    paths = [f"/matches/{match_id}/{path}" for path in ("orders", "text")]
    async with await known(app, sessions, bert) as his:
        before = [(await his.get(path)).text for path in paths]
        async with await known(app, sessions, anna) as hers:
            left = await hers.submit(
                f"/matches/{match_id}/orders", {"decision": "festivals", "order": "decline"}
            )
        after = [(await his.get(path)).text for path in paths]

    assert left.status_code == 303
    assert [re.sub(r'value="[0-9a-f-]{32,}"', "", page) for page in after] == [
        re.sub(r'value="[0-9a-f-]{32,}"', "", page) for page in before
    ]
