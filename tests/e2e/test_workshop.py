"""The tower workshop in a browser: tap, keys and drag; and a poll that leaves it alone."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from app.matches.pages import MatchPage
from app.rules.game import Seat
from tests.e2e.conftest import NewContext
from tests.e2e.server import Server
from tests.e2e.stored import Stored, stored


@dataclass(frozen=True, slots=True)
class Festival:
    """A match that waits for several seats at one festival."""

    match: Stored
    region: str
    seats: tuple[Seat, ...]
    sizes: tuple[int, ...]

    @property
    def path(self) -> str:
        return f"{self.match.path}/workshop?goal=festival:{self.region}&tower="


@pytest.fixture
def server(beside: Server) -> Server:
    """The web process alone, beside the test."""
    return beside


@pytest.fixture
def festival(settings: Settings) -> Festival:
    match = stored(settings, lambda page: bool(_contested(page)), game="castell", seats=3)
    region, seats = _contested(match.page)[0]
    return Festival(match, region, seats, _sizes(match.page, seats[0]))


def _contested(page: MatchPage) -> list[tuple[str, tuple[Seat, ...]]]:
    """Return where several are asked for a tower, the first of them with three sizes in hand."""
    view = page.base_view
    return [
        (region, seats)
        for region, seats in view.entrants.items()
        if view.phase == "festivals" and len(seats) > 1 and len(_sizes(page, seats[0])) > 2
    ]


def _sizes(page: MatchPage, seat: Seat) -> tuple[int, ...]:
    hand = page.base_view.collas[seat].castellers
    return tuple(size for size in range(10, 0, -1) if hand[size - 1])


def sit(new_context: NewContext, server: Server, festival: Festival, seat: int) -> Page:
    context = new_context(viewport={"width": 1280, "height": 900})
    page = festival.match.sit(context, server.url, festival.seats[seat])
    page.goto(festival.path)
    return page


def drag(page: Page, size: int, target: str) -> None:
    page.locator(f"#add-{size} .card__figure").hover()
    page.mouse.down()
    box = page.locator(target).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=12)
    page.mouse.up()


def test_a_tower_is_built_by_tap_by_key_and_by_drag(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    page = sit(new_context, server, festival, 0)
    people = page.locator(".person")
    big, middle, small = festival.sizes[:3]

    page.click(f"#add-{big}")
    expect(people).to_have_count(1)
    page.keyboard.press(str(middle % 10))
    expect(page.locator("#level-2 .person")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#level-1")).to_have_class("level is-selected")
    page.keyboard.press("Backspace")
    expect(people).to_have_count(1)
    drag(page, small, "#level-1 .level__people")
    expect(page.locator("#level-1 .person")).to_have_count(2)
    drag(page, big, ".stage__head h2")
    expect(page.locator("#level-2 .person")).to_have_count(1)
    page.click("#undo")
    expect(people).to_have_count(2)
    before = page.url
    page.reload()

    expect(people).to_have_count(2)
    assert page.url == before


def test_fast_fingers_lose_no_tap(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    page = sit(new_context, server, festival, 0)

    page.evaluate(
        "sizes => sizes.forEach((size) => document.querySelector(`#add-${size}`).click())",
        list(festival.sizes[:3]),
    )

    expect(page.locator(".person")).to_have_count(3)


def test_a_rival_who_hands_in_is_seen_and_the_tower_stays_as_it_was(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    mine = sit(new_context, server, festival, 0)
    mine.click(f"#add-{festival.sizes[0]}")
    expect(mine.locator(".person")).to_have_count(1)
    before = mine.url

    other = sit(new_context, server, festival, 1)
    other.click("#use-best")
    expect(other.locator("#verdict")).to_have_class("verdict is-ready")
    other.click("#submit .button--commit")
    other.wait_for_url(lambda url: "workshop" not in url)

    expect(mine.locator("#builders .is-ok")).to_have_count(1)
    expect(mine.locator(".person")).to_have_count(1)
    expect(mine.locator(f"#add-{festival.sizes[0]}")).to_be_focused()
    assert mine.url == before


def test_without_a_script_links_alone_build_and_hand_in(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    context = new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = festival.match.sit(context, server.url, festival.seats[0])
    page.goto(festival.path)

    page.click(f"#add-{festival.sizes[0]}")
    expect(page.locator(".person")).to_have_count(1)
    page.click("#clear")
    expect(page.locator(".person")).to_have_count(0)
    page.click('.tabbar a[href="#best"]')
    page.click("#use-best")
    page.click("#submit .button--commit")

    assert page.url.endswith(festival.match.path)
