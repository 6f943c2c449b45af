"""The match page over HTTP: looking, drafting, committing, polling, several seats, watching."""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from html import unescape
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.service import create_guest
from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.matches.editions import edition
from app.matches.pages import MatchPage
from app.matches.queries import match_page
from app.matches.service import SeatSpec, start_match
from app.rules.game import Seat
from tests.support.browser import Browser, serving
from tests.support.matches import NOW

pytestmark = pytest.mark.anyio

HTMX = {"HX-Request": "true"}
NAMES = ("Mar", "Jordi", "Txell")


@dataclass(frozen=True, slots=True)
class Square:
    """A match: Mar has seats 0 and 2 on one device, Jordi seat 1; a stranger stands by."""

    app: FastAPI
    sessions: Sessions
    match_id: UUID
    mar: Browser
    jordi: Browser
    stranger: Browser

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}"

    async def page(self, seat: int | None = None) -> MatchPage:
        async with self.sessions.begin() as session:
            return await match_page(
                session, match_id=self.match_id, seat=None if seat is None else Seat(seat)
            )

    async def first(self) -> int:
        """The seat that goes first."""
        return min((await self.page()).asked)

    def browser_of(self, seat: int) -> Browser:
        return self.jordi if seat == 1 else self.mar


async def seated(sessions: Sessions, browser: Browser, name: str) -> UUID:
    async with sessions.begin() as session:
        person = await create_guest(session, name=name, now=NOW)
        token = await start_session(session, person=person, label="test", now=NOW)
    browser.cookies.set("__Host-placa_sid", token)
    return person.id


@pytest.fixture
async def square(database_url: str, sessions: Sessions) -> AsyncIterator[Square]:
    async with serving(database_url) as app:
        browsers = [Browser(app) for _ in range(3)]
        mar, jordi, _ = [
            await seated(sessions, browser, name)
            for browser, name in zip(browsers, NAMES, strict=True)
        ]
        async with sessions.begin() as session:
            match_id = await start_match(
                session,
                game="castell",
                options={"edition": edition("castell")},
                seats=[
                    SeatSpec(person, None, NAMES[n], n + 1)
                    for n, person in enumerate((mar, jordi, mar))
                ],
                now=NOW,
                seed=bytes(range(32)),
            )
        yield Square(app, sessions, match_id, *browsers)
        for browser in browsers:
            await browser.aclose()


def field(html: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found is not None, f"no field {name}"
    return unescape(found[1])


def poll_of(html: str) -> str:
    found = re.search(r'id="board" hx-get="([^"]+)"', html)
    assert found is not None, "the page does not poll"
    return unescape(found[1])


async def draft(square: Square, seat: int, line: str, **headers: str) -> httpx.Response:
    return await square.browser_of(seat).submit(
        f"{square.path}/draft?seat={seat}", {"add": line}, **headers
    )


async def end_turn(square: Square, seat: int, **headers: str) -> httpx.Response:
    browser = square.browser_of(seat)
    page = (await browser.get(f"{square.path}?seat={seat}")).text
    return await browser.submit(
        f"{square.path}/commit?seat={seat}",
        {
            "expected_version": field(page, "expected_version"),
            "revision": field(page, "revision"),
            "key": field(page, "key"),
        },
        **headers,
    )


async def test_the_board_shows_every_region_and_what_i_may_do(square: Square) -> None:
    seat = await square.first()

    page = (await square.browser_of(seat).get(f"{square.path}?seat={seat}")).text

    assert page.count('class="region is-target"') == 7
    for code in ("TAR", "VAL", "VFR", "VNO", "BCN", "TER", "GIR"):
        assert f'value="move {code}"' in page
    assert "Place your pawn in" in page
    assert "data-my-turn" in page
    assert "<title>Your turn: Castell · Plaça</title>" in page
    assert "style=" not in page
    assert "<script>" not in page


@pytest.mark.parametrize(
    ("opened", "anchor"),
    [("move", "5-move"), ("recruit", "5-recruit"), ("train", "5-train"), ("special", "5-special")],
)
async def test_every_action_leads_to_its_paragraph_of_the_rules(
    square: Square, opened: str, anchor: str
) -> None:
    seat = await square.first()
    await draft(square, seat, "move BCN" if opened != "move" else "")

    page = (await square.browser_of(seat).get(f"{square.path}?seat={seat}&open={opened}")).text
    rules = (await square.mar.get("/rules/castell")).text

    led = set(re.findall(r'href="/rules/castell#(rule-[^"]+)"', page))
    assert led >= {f"rule-{anchor}", "rule-6.1", "rule-9"}
    assert led <= set(re.findall(r'id="(rule-[^"]+)"', rules))


async def test_the_page_is_small(square: Square) -> None:
    seat = await square.first()

    page = (await square.browser_of(seat).get(f"{square.path}?seat={seat}")).content

    assert len(gzip.compress(page)) <= 60_000


async def test_a_drafted_move_shows_to_its_seat_alone(square: Square) -> None:
    seat = await square.first()
    other = 0 if seat == 1 else 1

    answer = await draft(square, seat, "move BCN")
    mine = (await square.browser_of(seat).get(f"{square.path}?seat={seat}")).text
    theirs = (await square.browser_of(other).get(f"{square.path}?seat={other}")).text

    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{square.path}?seat={seat}" or seat == 1
    assert '"undo__word">Undo<' in mine
    assert "<b>move to Barcelona</b>" in mine
    assert "Barcelona. Castellers" in mine
    assert '"undo__word">Undo<' not in theirs
    assert f"{NAMES[seat]} is here" not in theirs


async def test_without_a_script_an_undo_says_too_what_it_took_along(square: Square) -> None:
    seat = await square.first()
    await draft(square, seat, "move BCN")
    view = (await square.page(seat)).view
    size = next(region for region in view.regions if region.id == "BCN").castellers[0]
    await draft(square, seat, f"recruit {size}")
    browser = square.browser_of(seat)

    undone = await browser.submit(f"{square.path}/draft?seat={seat}", {"drop": "0"})
    shown = (await browser.get(undone.headers["Location"])).text
    text = (await browser.get(undone.headers["Location"].replace("?", "/text?"))).text
    forged = (await browser.get(f"{square.path}?seat={seat}&fell=send+money+to+me")).text

    assert '"undo__word">Undo<' not in shown
    assert f"Fell out of your draft: recruit {size}." in shown
    assert "Place your pawn in a region first." in shown
    assert f"Fell out of your draft: recruit {size}." in text
    assert "Fell out of your draft" not in forged


async def test_undo_takes_back_what_depended_on_it_and_says_so(square: Square) -> None:
    seat = await square.first()
    await draft(square, seat, "move BCN")
    view = (await square.page(seat)).view
    size = next(region for region in view.regions if region.id == "BCN").castellers[0]
    await draft(square, seat, f"recruit {size}")

    answer = await square.browser_of(seat).submit(
        f"{square.path}/draft?seat={seat}", {"drop": "0"}, HX_Request="true"
    )

    assert answer.status_code == 200
    assert '"undo__word">Undo<' not in answer.text
    assert f"Fell out of your draft: recruit {size}." in answer.text
    assert "Place your pawn in a region first." in answer.text


async def test_a_refusal_is_said_in_words_with_its_rule(square: Square) -> None:
    seat = await square.first()

    answer = await draft(square, seat, "train balance", HX_Request="true")

    assert answer.status_code == 422
    assert 'id="board"' in answer.text
    assert "Place your pawn in a region first." in answer.text
    assert "#rule-5" in answer.text


async def test_a_refusal_without_script_is_the_whole_page(square: Square) -> None:
    seat = await square.first()

    answer = await draft(square, seat, "move NOWHERE")

    assert answer.status_code == 422
    assert "<!doctype html>" in answer.text
    assert "turn__message" in answer.text


async def test_ending_the_turn_passes_it_on(square: Square) -> None:
    seat = await square.first()
    await draft(square, seat, "move BCN")

    answer = await end_turn(square, seat)
    after = await square.page()

    assert answer.status_code == 303
    assert after.asked == {Seat((seat + 1) % 3)}
    assert after.view.collas[seat].region == "BCN"


async def test_ending_a_turn_twice_ends_it_once(square: Square) -> None:
    seat = await square.first()
    browser = square.browser_of(seat)
    page = (await browser.get(f"{square.path}?seat={seat}")).text
    form = {"expected_version": field(page, "expected_version"), "key": field(page, "key")}

    answers = await asyncio.gather(
        *(browser.submit(f"{square.path}/commit?seat={seat}", form) for _ in range(3))
    )

    assert {answer.status_code for answer in answers} == {303}
    assert (await square.page()).asked == {Seat((seat + 1) % 3)}


async def test_a_stale_commit_keeps_the_draft_and_shows_the_board_as_it_is(
    square: Square,
) -> None:
    seat = await square.first()
    await draft(square, seat, "move BCN")

    answer = await square.browser_of(seat).submit(
        f"{square.path}/commit?seat={seat}",
        {"expected_version": "999", "key": "k"},
        HX_Request="true",
    )

    assert answer.status_code == 409
    assert "notice" in answer.text
    assert "<b>move to Barcelona</b>" in answer.text


async def test_what_is_open_is_in_the_address(square: Square) -> None:
    seat = await square.first()
    await draft(square, seat, "move BCN")
    browser = square.browser_of(seat)
    view = (await square.page(seat)).view
    size = max(next(region for region in view.regions if region.id == "BCN").castellers)

    recruiting = (await browser.get(f"{square.path}?seat={seat}&open=recruit&pick={size}")).text
    looking = (await browser.get(f"{square.path}?seat={seat}&region=GIR")).text

    assert f'value="recruit {size}"' in recruiting
    assert 'class="quarter is-open" id="open-recruit"' in recruiting
    assert '<h2 id="region-h" tabindex="-1">Girona</h2>' in looking
    assert "region-sheet is-chosen" in looking


async def test_nonsense_in_the_address_opens_nothing(square: Square) -> None:
    seat = await square.first()

    answer = await square.browser_of(seat).get(
        f"{square.path}?seat={seat}&open=%3Cwbr%3E&pick=99&region=%22%3E%3Cwbr%3E"
    )

    assert answer.status_code == 200
    assert "<wbr>" not in answer.text


async def test_a_poll_brings_nothing_until_something_happens(square: Square) -> None:
    seat = await square.first()
    watching = 0 if seat == 1 else 1
    browser = square.browser_of(watching)
    poll = poll_of((await browser.get(f"{square.path}?seat={watching}")).text)

    before = await browser.get(poll, headers=HTMX)
    await end_turn(square, seat)
    after = await browser.get(poll, headers=HTMX)
    for _ in range(20):
        if after.status_code == 200:
            break
        await asyncio.sleep(0.1)
        after = await browser.get(poll, headers=HTMX)

    assert before.status_code == 204
    assert after.status_code == 200
    assert after.text.lstrip().startswith('<div class="match-page" id="board"')
    assert poll_of(after.text) != poll
    assert "<hx-partial" in after.text


async def test_a_poll_that_brings_nothing_does_not_touch_the_database(
    square: Square, engine: AsyncEngine
) -> None:
    poll = poll_of((await square.jordi.get(square.path)).text)
    asked = 0

    def count(*_: object) -> None:
        nonlocal asked
        asked += 1

    for _ in range(50):
        if square.app.state.live.is_on:
            break
        await asyncio.sleep(0.05)
    await square.jordi.get(poll, headers=HTMX)
    event.listen(square.app.state.engine.sync_engine, "before_cursor_execute", count)
    answers = [await square.jordi.get(poll, headers=HTMX) for _ in range(5)]

    assert [answer.status_code for answer in answers] == [204] * 5
    assert asked == 0


async def test_memory_answers_a_poll_as_the_application_does(square: Square) -> None:
    poll = poll_of((await square.jordi.get(square.path)).text)
    square.app.state.live._forget_all()
    answers = [await square.jordi.get(poll, headers=HTMX)]
    square.app.state.live.hear("beat")
    answers += [await square.jordi.get(poll, headers=HTMX) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [204] * 3
    assert dict(answers[0].headers) == dict(answers[2].headers)


async def test_a_poll_keeps_what_is_open(square: Square) -> None:
    seat = await square.first()
    browser = square.browser_of(seat)
    poll = poll_of((await browser.get(f"{square.path}?seat={seat}&region=GIR")).text)

    fresh = await browser.get(poll.replace("since=", "since=0."), headers=HTMX)

    assert '<h2 id="region-h" tabindex="-1">Girona</h2>' in fresh.text
    assert "region=GIR" in poll_of(fresh.text)


async def test_a_fragment_asked_for_by_a_browser_leads_to_the_page(square: Square) -> None:
    answer = await square.jordi.get(f"{square.path}/board?since=1.0.0")

    assert answer.status_code == 303
    assert answer.headers["Location"].startswith(square.path)


async def test_outsiders_learn_nothing(square: Square) -> None:
    for path in ("", "/board", "/text", "/resign", "/board?since=1.0.0"):
        assert (await square.stranger.get(square.path + path, headers=HTMX)).status_code == 404
    answer = await square.stranger.submit(f"{square.path}/draft", {"add": "move BCN"})
    assert answer.status_code == 404


async def test_nobody_acts_for_a_seat_of_somebody_else(square: Square) -> None:
    answer = await square.jordi.submit(f"{square.path}/draft?seat=0", {"add": "move BCN"})

    assert answer.status_code == 404


async def test_several_seats_on_one_device_are_switched_by_the_address(square: Square) -> None:
    first = (await square.mar.get(f"{square.path}?seat=0")).text
    other = (await square.mar.get(f"{square.path}?seat=2")).text
    alone = (await square.jordi.get(square.path)).text

    assert "Your seats on this device" in first
    assert f"{square.path}?seat=2" in first
    assert "draft?seat=2" in other or "is-waiting" in other
    assert "Your seats on this device" not in alone


async def test_the_text_board_holds_the_position_and_the_same_forms(square: Square) -> None:
    seat = await square.first()
    browser = square.browser_of(seat)

    page = (await browser.get(f"{square.path}/text?seat={seat}")).text
    answer = await browser.submit(
        f"{square.path}/draft?seat={seat}", {"add": "move VAL", "view": "text"}
    )
    after = (await browser.get(f"{square.path}/text?seat={seat}")).text

    for name in ("Tarragona", "Valls", "Vilafranca", "Vilanova", "Barcelona", "Terrassa", "Girona"):
        assert f"{name}. Castellers" in page
    assert 'value="move VAL"' in page
    assert answer.headers["Location"].startswith(f"{square.path}/text")
    assert "move to Valls" in after
    assert 'value="recruit ' in after


async def test_a_refusal_on_the_text_board_stays_there(square: Square) -> None:
    seat = await square.first()

    answer = await square.browser_of(seat).submit(
        f"{square.path}/draft?seat={seat}", {"add": "train mix", "view": "text"}
    )

    assert answer.status_code == 422
    assert "text-board__notice" in answer.text


async def test_leaving_asks_once_more_and_seats_a_bot(square: Square) -> None:
    asked = (await square.jordi.get(f"{square.path}/resign")).text
    answer = await square.jordi.submit(f"{square.path}/resign", {"key": field(asked, "key")})
    seats = (await square.page()).seats

    assert "for good" in asked
    assert answer.status_code == 303
    assert seats[1].bot == "steady"


async def test_a_match_without_a_table_has_no_talk(square: Square) -> None:
    page = (await square.jordi.get(square.path)).text
    answer = await square.jordi.submit(f"{square.path}/talk", {"text": "hello", "key": "k"})

    assert 'id="talk"' not in page
    assert answer.status_code == 404
