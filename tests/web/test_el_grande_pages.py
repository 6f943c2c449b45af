"""El Grande in the browser: drafting, committing, answers and their standing orders."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI

from app.accounts.service import create_guest
from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.matches.editions import edition
from app.matches.pages import MatchPage
from app.matches.queries import match_page
from app.matches.service import SeatSpec, start_match
from app.rules.game import Seat
from app.web.boards.el_grande_map import map_art
from tests.support.browser import Browser, serving

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NAMES = ("Mar", "Jordi", "Mar")
SEATS = 3


@dataclass(frozen=True, slots=True)
class Court:
    """A match of three seats: Mar holds the first and the last, Jordi the one between."""

    app: FastAPI
    sessions: Sessions
    match_id: UUID
    mar: Browser
    jordi: Browser
    stranger: Browser

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}"

    def browser_of(self, seat: int) -> Browser:
        return self.jordi if seat == 1 else self.mar

    async def page_of(self, seat: int) -> MatchPage:
        async with self.sessions() as session:
            return await match_page(session, match_id=self.match_id, seat=Seat(seat))

    async def asked(self) -> int:
        return min((await self.page_of(0)).asked)

    async def get(self, seat: int, query: str = "", path: str = "") -> str:
        address = f"{self.path}{path}?seat={seat}{query}"
        answer = await self.browser_of(seat).get(address)
        assert answer.status_code == 200
        return answer.text

    async def commit(self, seat: int, line: str = "", **headers: str) -> httpx.Response:
        page = await self.get(seat)
        sent = {"expected_version": field(page, "expected_version"), "key": field(page, "key")}
        return await self.browser_of(seat).submit(
            f"{self.path}/commit?seat={seat}", {**sent, **({"line": line} if line else {})},
            **headers,
        )  # fmt: skip

    async def draft(self, seat: int, line: str, query: str = "", **headers: str) -> httpx.Response:
        return await self.browser_of(seat).submit(
            f"{self.path}/draft?seat={seat}{query}", {"add": line}, **headers
        )


def field(html: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found is not None, f"no field {name}"
    return unescape(found[1])


async def seated(sessions: Sessions, browser: Browser, name: str) -> UUID:
    async with sessions.begin() as session:
        person = await create_guest(session, name=name, now=NOW)
        token = await start_session(session, person=person, label="test", now=NOW)
    browser.cookies.set("__Host-placa_sid", token)
    return person.id


@pytest.fixture
async def court(database_url: str, sessions: Sessions) -> AsyncIterator[Court]:
    async with serving(database_url) as app:
        browsers = [Browser(app) for _ in range(3)]
        mar, jordi, _ = [
            await seated(sessions, browser, name)
            for browser, name in zip(browsers, ("Mar", "Jordi", "Nobody"), strict=True)
        ]
        async with sessions.begin() as session:
            match_id = await start_match(
                session,
                game="el_grande",
                options={"edition": edition("el_grande")},
                seats=[
                    SeatSpec(person, None, NAMES[n], n + 1)
                    for n, person in enumerate((mar, jordi, mar))
                ],
                now=NOW,
                seed=bytes(range(32)),
            )
        yield Court(app, sessions, match_id, *browsers)
        for browser in browsers:
            await browser.aclose()


async def bid(court: Court) -> int:
    """Everybody plays a power card; returns who acts first."""
    for value in range(SEATS):
        seat = await court.asked()
        assert (await court.commit(seat, f"power {value + 1}")).status_code == 303
    return await court.asked()


async def take_a_card(court: Court, seat: int) -> str:
    card: str = max((await court.page_of(seat)).view.offer)
    assert (await court.draft(seat, f"card {card}")).status_code == 303
    return card


async def test_the_board_shows_every_region_the_castillo_and_what_i_may_do(court: Court) -> None:
    seat = await court.asked()

    page = await court.get(seat)

    for code in ("GAL", "PVA", "CVI", "ARA", "CAT", "CNU", "VAL", "GRA", "SEV", "CAS"):
        assert f'id="map-{code}"' in page
    assert "Your power card" in page
    assert "<title>Your turn: El Grande · Plaça</title>" in page
    assert "nothing moves" in page
    assert "style=" not in page
    assert "<script>" not in page


async def test_the_map_says_where_it_comes_from(court: Court) -> None:
    page = await court.get(await court.asked())

    assert map_art().credit in unescape(page)


async def test_who_waits_reads_in_the_turn_panel_what_has_happened(court: Court) -> None:
    seat = await court.asked()
    assert (await court.commit(seat, "power 7")).status_code == 303
    (waiting,) = set(range(SEATS)) - {seat, await court.asked()}

    page = await court.get(waiting)

    told = re.search(r'class="turn__news".*?</ol>', page, re.DOTALL)
    assert told is not None
    assert "plays power card 7" in told[0]


async def test_a_power_card_is_picked_by_a_link_and_played_by_a_button(court: Court) -> None:
    seat = await court.asked()

    picked = await court.get(seat, "&open=power-7")

    assert 'name="line" value="power 7"' in picked
    assert (await court.commit(seat, "power 7")).status_code == 303
    assert await court.asked() != seat


async def test_what_a_form_keeps_open_stays_open(court: Court) -> None:
    seat = await bid(court)
    await take_a_card(court, seat)

    answer = await court.draft(seat, "place CAS 1", "&open=place", HX_Request="true")

    assert answer.status_code == 200
    assert "open=place" in answer.text
    assert "Place 1 in Castillo" in answer.text
    assert 'name="drop" value="1"' in answer.text


async def test_a_turn_is_drafted_and_ended(court: Court) -> None:
    seat = await bid(court)
    await take_a_card(court, seat)
    await court.draft(seat, "place CAS 1")

    assert (await court.commit(seat)).status_code == 303
    assert (await court.page_of(seat)).base_view.taken[0][0] == seat


async def test_a_refusal_says_why_with_its_rule(court: Court) -> None:
    seat = await bid(court)
    await take_a_card(court, seat)
    king = (await court.page_of(seat)).base_view.king

    answer = await court.draft(seat, f"place {king} 1")

    assert answer.status_code == 422
    assert 'href="/rules/el_grande#rule-4"' in answer.text


async def test_the_text_board_has_every_form(court: Court) -> None:
    seat = await bid(court)
    page = await court.get(seat, path="/text")
    card = await take_a_card(court, seat)
    after = await court.get(seat, path="/text")

    assert f'name="add" value="card {card}"' in page
    assert 'name="add" value="place CAS 1"' in after
    assert "If scored now" in after


async def test_a_standing_order_is_kept_and_taken_back(court: Court) -> None:
    browser, path = court.browser_of(0), f"{court.path}/standing?seat=0"

    kept = await browser.submit(path, {"decision": "veto", "order": "veto *", "items": "3-01"})
    assert kept.status_code == 303
    assert (await court.page_of(0)).standing == {"veto": "veto 3-01"}
    assert (await browser.submit(path, {"decision": "veto", "order": ""})).status_code == 303
    assert (await court.page_of(0)).standing == {}


async def test_what_is_no_standing_order_is_refused_beside_the_turn(court: Court) -> None:
    answer = await court.browser_of(0).submit(
        f"{court.path}/standing?seat=0", {"decision": "veto", "order": "dance"}
    )

    assert answer.status_code == 422
    assert 'class="notice"' in answer.text
    assert (await court.page_of(0)).standing == {}


async def test_nobody_else_sets_a_standing_order(court: Court) -> None:
    answer = await court.stranger.submit(
        f"{court.path}/standing?seat=0", {"decision": "veto", "order": "pass"}
    )

    assert answer.status_code == 404


async def test_the_page_of_others_is_the_same_whatever_i_draft(court: Court) -> None:
    seat = await bid(court)
    other = next(n for n in (0, 1) if court.browser_of(n) is not court.browser_of(seat))
    before = await court.get(other)
    await take_a_card(court, seat)
    await court.draft(seat, "place CAS 1")
    after = await court.get(other)

    def still(page: str) -> str:
        return re.sub(r'name="(key|csrf)" value="[^"]*"|since=[^"&]*', "", page)

    assert still(before) == still(after)


async def test_a_scoring_that_was_not_held_is_not_there(court: Court) -> None:
    assert (await court.mar.get(f"{court.path}/scorings/3")).status_code == 404


@pytest.mark.parametrize("page", ["/", "/new?game=el_grande", "/rules", "/rules/el_grande"])
async def test_pages_without_a_match_show_the_game(court: Court, page: str) -> None:
    answer = await court.stranger.get(page)

    assert answer.status_code == 200
    assert "El Grande" in answer.text


async def test_a_table_takes_the_choices_of_its_game_and_no_others(court: Court) -> None:
    wish = {
        "name": "Mar",
        "game": "el_grande",
        "seats": "5",
        "visibility": "private",
        "seat_order": "chosen",
        "length": "6",
        "veto": "off",
        "castillo": "open",
    }

    made = await court.mar.submit("/new", {**wish, "key": "a"})
    strange = await court.mar.submit("/new", {**wish, "key": "b", "wheel_side": "all_regions"})
    wrong = await court.mar.submit("/new", {**wish, "key": "c", "length": "7"})

    assert made.status_code == 303
    assert strange.status_code == 422
    assert wrong.status_code == 422


async def test_every_rule_that_is_cited_has_its_paragraph(court: Court) -> None:
    page = (await court.stranger.get("/rules/el_grande")).text

    for number in ("1.1", "1.3", "2", "3", "4", "5", "5.2", "5.3", "6.1", "6.5", "13", "14", "15"):
        assert f'id="rule-{number}"' in page
    for card in edition("el_grande")["cards"]:
        assert f'id="card-{card}"' in page
