"""The workshop, the festival's reveal, the results and the history over HTTP."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from html import unescape
from uuid import UUID

import anyio
import pytest

from app.accounts.service import create_guest
from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.matches.editions import edition
from app.matches.pages import MatchPage
from app.matches.service import SeatSpec, start_match
from app.rules.castell.notation import format_tower
from app.rules.castell.solver import best_tower
from app.rules.game import Seat
from tests.support.browser import Browser, serving
from tests.support.played import NAMES, NOW, play_on

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True)
class Evening:
    """A match of three people, each with a browser, and a stranger."""

    sessions: Sessions
    match_id: UUID
    browsers: tuple[Browser, ...]
    stranger: Browser

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}"


async def seated(sessions: Sessions, browser: Browser, name: str) -> UUID:
    async with sessions.begin() as session:
        person = await create_guest(session, name=name, now=NOW)
        token = await start_session(session, person=person, label="test", now=NOW)
    browser.cookies.set("__Host-placa_sid", token)
    return person.id


@pytest.fixture
async def evening(database_url: str, sessions: Sessions) -> AsyncIterator[Evening]:
    async with serving(database_url) as app:
        browsers = tuple(Browser(app) for _ in range(4))
        people = [
            await seated(sessions, browser, name)
            for browser, name in zip(browsers, NAMES, strict=True)
        ]
        async with sessions.begin() as session:
            match_id = await start_match(
                session,
                game="castell",
                options={"edition": edition("castell")},
                seats=[SeatSpec(people[n], None, NAMES[n], n + 1) for n in range(3)],
                now=NOW,
                seed=bytes(range(32)),
            )
        yield Evening(sessions, match_id, browsers[:3], browsers[3])
        for browser in browsers:
            await browser.aclose()


def festival(page: MatchPage) -> bool:
    return page.base_view.phase == "festivals" and len(page.asked) > 1


async def at_festival(evening: Evening) -> tuple[MatchPage, str, Seat, Seat]:
    page = await play_on(evening.sessions, evening.match_id, until=festival)
    region, seats = next((r, s) for r, s in page.base_view.entrants.items() if len(s) > 1)
    return page, region, seats[0], seats[1]


def best(page: MatchPage, region: str, seat: Seat) -> str:
    colla = page.base_view.collas[seat]
    tokens = next(
        fest.tokens
        for number in page.base_view.calendar
        for fest in number.festivals
        if fest.region == region and not fest.resolved
    )
    found = best_tower(colla.castellers, colla.ranks, tokens)
    assert found is not None
    return format_tower(found.tower)


def links(html: str, key: str) -> list[str]:
    return [unescape(found) for found in re.findall(rf'{key}[^>]*href="([^"]+)"', html)]


async def test_taps_alone_build_a_tower_without_any_script(evening: Evening) -> None:
    _, region, seat, _ = await at_festival(evening)
    browser = evening.browsers[seat]
    html = (await browser.get(f"{evening.path}/workshop?goal=festival:{region}")).text

    for _ in range(3):
        (tap,) = links(html, 'data-add="[0-9]+"')[:1]
        html = (await browser.get(tap)).text
    (undo,) = links(html, 'id="undo"')
    undone = (await browser.get(undo)).text

    assert html.count('class="person"') == 3
    assert undone.count('class="person"') == 2


async def test_a_mistake_is_said_in_words_and_mended_by_its_link(evening: Evening) -> None:
    page, region, seat, _ = await at_festival(evening)
    browser = evening.browsers[seat]
    size = next(n + 1 for n, count in enumerate(page.base_view.collas[seat].castellers) if count)
    wrong = f"{evening.path}/workshop?goal=festival:{region}&tower=1x{size}/1x10"

    html = (await browser.get(wrong)).text
    (fix,) = links(html, 'id="fix"')
    mended = (await browser.get(fix)).text

    assert 'role="alert"' in html
    assert 'role="alert"' not in mended


async def test_a_drag_is_an_address_too(evening: Evening) -> None:
    page, region, seat, _ = await at_festival(evening)
    size = next(n + 1 for n, count in enumerate(page.base_view.collas[seat].castellers) if count)

    answer = await evening.browsers[seat].get(
        f"{evening.path}/workshop?goal=festival:{region}&tower=&add={size}&at=1"
    )

    assert answer.status_code == 303
    assert f"tower=1x{size}" in answer.headers["location"]
    assert "add=" not in answer.headers["location"]


async def test_the_part_is_the_workshop_without_the_page_around_it(evening: Evening) -> None:
    _, region, seat, _ = await at_festival(evening)

    html = (await evening.browsers[seat].get(
        f"{evening.path}/workshop/part?goal=festival:{region}", headers={"HX-Request": "true"}
    )).text  # fmt: skip

    assert html.lstrip().startswith("<main")
    assert "<html" not in html


async def test_an_answer_is_kept_secret_shown_to_its_seat_and_replaced(evening: Evening) -> None:
    page, region, mine, other = await at_festival(evening)
    tower = best(page, region, mine)
    line = f"festival {region} = {tower}"
    form = {"expected_version": str(page.version), "key": "a", "line": line}

    answer = await evening.browsers[mine].submit(f"{evening.path}/commit", form)

    assert answer.status_code == 303
    workshop = f"{evening.path}/workshop?goal=festival:{region}"
    mine_html = (await evening.browsers[mine].get(workshop)).text
    other_html = (await evening.browsers[other].get(workshop)).text
    assert tower in mine_html
    assert "Replaces what you handed in" in mine_html
    assert tower not in other_html
    assert "tower in" in other_html


async def test_starting_over_forgets_what_was_handed_in(evening: Evening) -> None:
    page, region, mine, _ = await at_festival(evening)
    line = f"festival {region} = {best(page, region, mine)}"
    form = {"expected_version": str(page.version), "key": "a", "line": line}
    await evening.browsers[mine].submit(f"{evening.path}/commit", form)
    workshop = f"{evening.path}/workshop?goal=festival:{region}"

    html = (await evening.browsers[mine].get(workshop)).text
    (clear,) = links(html, 'id="clear"')
    cleared = (await evening.browsers[mine].get(clear)).text

    assert 'class="person"' in html
    assert 'class="person"' not in cleared


async def test_the_poll_says_nothing_until_somebody_hands_in(evening: Evening) -> None:
    page, region, mine, other = await at_festival(evening)
    poll = f"{evening.path}/workshop/builders?goal=festival:{region}&since={page.version}"
    asks = {"HX-Request": "true"}

    before = await evening.browsers[mine].get(poll, headers=asks)
    line = f"festival {region} = {best(page, region, other)}"
    await evening.browsers[other].submit(
        f"{evening.path}/commit",
        {"expected_version": str(page.version), "key": "a", "line": line},
    )
    after = before
    with anyio.fail_after(10):
        # The news travels from the database to the process by itself.
        while after.status_code == 204:
            await anyio.sleep(0.05)
            after = await evening.browsers[mine].get(poll, headers=asks)

    assert before.status_code == 204
    assert after.status_code == 200
    assert "tower in" in after.text
    assert "hx-get" in after.text
    assert 'class="person"' not in after.text


async def test_after_the_last_answer_the_poll_leads_to_the_reveal_and_stops(
    evening: Evening,
) -> None:
    page, region, mine, _ = await at_festival(evening)
    round_ = page.base_view.round
    await play_on(
        evening.sessions, evening.match_id, until=lambda now: now.base_view.phase == "turns"
    )
    poll = f"{evening.path}/workshop/builders?goal=festival:{region}&since={page.version}"

    html = (await evening.browsers[mine].get(poll, headers={"HX-Request": "true"})).text
    (reveal,) = links(html, 'class="button"')
    shown = (await evening.browsers[mine].get(reveal)).text

    assert "hx-get" not in html
    assert reveal.endswith(f"/festivals/{round_}")
    assert shown.count('class="castell') >= 2
    assert "trophy" in shown


async def test_the_last_answer_leads_to_all_towers_and_any_other_to_the_match(
    evening: Evening,
) -> None:
    page, _, _, _ = await at_festival(evening)
    ways: list[str] = []
    for seat in sorted(page.asked):
        line = f"festival {page.base_view.collas[seat].region} = decline"
        version = str(page.version + len(ways))
        form = {"expected_version": version, "key": "a", "line": line, "view": "show"}
        answer = await evening.browsers[seat].submit(f"{evening.path}/commit", form)
        way = await evening.browsers[seat].get(answer.headers["location"])
        ways.append(way.headers["location"])

    assert set(ways[:-1]) == {evening.path}
    assert ways[-1] == f"{evening.path}/festivals/{page.base_view.round}"


@pytest.mark.parametrize(
    "query",
    ["goal=festival:XXX", "goal=tile:S99", "goal=nonsense", "goal=festival:BCN&seat=1"],
)
async def test_what_is_not_there_or_not_yours_is_not_found(evening: Evening, query: str) -> None:
    answer = await evening.browsers[0].get(f"{evening.path}/workshop?{query}")

    assert answer.status_code == 404


async def test_nonsense_for_a_tower_is_refused_with_a_page(evening: Evening) -> None:
    _, region, seat, _ = await at_festival(evening)
    answer = await evening.browsers[seat].get(
        f"{evening.path}/workshop?goal=festival:{region}&tower=3y9"
    )

    assert answer.status_code == 422
    assert "<html" in answer.text


PLACES = ["workshop?goal=festival:BCN", "results", "festivals/3", "history/1", "export"]


@pytest.mark.parametrize("place", PLACES)
async def test_strangers_do_not_learn_that_there_is_a_match(evening: Evening, place: str) -> None:
    answer = await evening.stranger.get(f"{evening.path}/{place}")

    assert answer.status_code == 404


async def test_a_running_match_has_no_results(evening: Evening) -> None:
    answer = await evening.browsers[0].get(f"{evening.path}/results")

    assert answer.status_code == 303
    assert answer.headers["location"].endswith(evening.path)


async def test_a_finished_match_shows_its_results_seed_text_and_every_position(
    evening: Evening,
) -> None:
    page = await play_on(evening.sessions, evening.match_id)
    assert page.outcome is not None
    browser = evening.browsers[0]

    html = (await browser.get(f"{evening.path}/results")).text
    text = await browser.get(f"{evening.path}/export")
    middle = (await browser.get(f"{evening.path}/history/{page.version // 2}")).text

    assert html.count("podium__step ") == 3
    for score in page.outcome.scores.values():
        assert f">{score}<" in html
    assert page.commitment in html
    assert text.text.startswith("castell match")
    assert "You are looking at the past." in middle
    assert "version" not in middle.split('class="walk__past"')[1].split("</p>")[0]
    assert len(links(middle, 'data-walk="[a-z]+"')) == 4


async def test_the_ends_of_the_history_have_no_way_beyond(evening: Evening) -> None:
    page = await play_on(
        evening.sessions, evening.match_id, until=lambda now: now.base_view.round == 2
    )
    browser = evening.browsers[1]
    board = (await browser.get(f"{evening.path}?seen=1")).text

    first = (await browser.get(f"{evening.path}/history/1")).text
    last = (await browser.get(f"{evening.path}/history/{page.version}")).text
    beyond = await browser.get(f"{evening.path}/history/{page.version + 1}")

    assert len(links(first, 'data-walk="(?:first|previous)"')) == 0
    assert len(links(last, 'data-walk="(?:next|last)"')) == 0
    assert f"/history/{page.version}?" in links(board, 'id="history-tool"')[0]
    assert beyond.status_code == 404


async def test_everybody_is_shown_the_towers_on_the_board_until_they_go_on(
    evening: Evening,
) -> None:
    before, *_ = await at_festival(evening)
    asked = sorted(before.asked)
    after = await play_on(
        evening.sessions, evening.match_id, until=lambda now: now.base_view.phase != "festivals"
    )
    seen = f"seen={before.base_view.round}"

    for seat in asked:
        browser = evening.browsers[seat]
        html = (await browser.get(evening.path)).text
        polled = await browser.get(
            f"{evening.path}/board?since=0.0.0", headers={"HX-Request": "true"}
        )
        (on,) = [link for link in links(html, "data-follow") if link.endswith(seen)]
        gone_on = (await browser.get(on)).text

        assert 'id="reveal"' in html
        assert 'id="reveal"' in polled.text
        assert "on with " in html.lower()
        assert 'id="reveal"' not in gone_on
        assert seen in gone_on
        for elsewhere in ("text-tool", "history-tool"):
            page = (await browser.get(links(gone_on, f'id="{elsewhere}"')[0])).text
            (back,) = {link for link in links(page, "<a") if f"{evening.path}?" in link}
            assert 'id="reveal"' not in (await browser.get(back)).text
        assert f"{evening.path}/festivals/{before.base_view.round}" in gone_on
    (turn,) = after.asked
    drafting = (await evening.browsers[turn].get(f"{evening.path}?open=train")).text
    assert 'id="reveal"' not in drafting
    assert f"/draft?{seen}" in drafting


async def test_a_tower_of_everybody_there_is_makes_no_huge_page(evening: Evening) -> None:
    _, region, seat, _ = await at_festival(evening)
    everybody = "/".join(f"15x{size}" for size in range(10, 0, -1))
    back = f"~{everybody}" * 12

    answer = await evening.browsers[seat].get(
        f"{evening.path}/workshop?goal=festival:{region}&tower={everybody}&back={back}"
    )

    assert answer.status_code == 200
    assert "+12</b>" in answer.text
    assert len(answer.content) < 200_000
