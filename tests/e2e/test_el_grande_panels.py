"""What a finger and a pointer count on in El Grande's panels."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from app.config import Settings
from app.matches.pages import MatchPage
from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE
from tests.e2e.server import Server
from tests.e2e.stored import stored


@pytest.fixture
def server(beside: Server) -> Server:
    """The web process alone, beside the test."""
    return beside


def _last_to_bid(page: MatchPage) -> bool:
    """Nothing is played yet from a hand of thirteen, and three of its cards are blocked."""
    return page.view.phase == "power" and page.view.round == 1 and len(page.view.bids) == 3


def _with_a_court(page: MatchPage) -> bool:
    """A turn begins, three are in the court, and the card that places most is there."""
    view = page.view
    there = set(view.offer) - {card for _, card in view.taken}
    return (
        view.phase == "turn"
        and view.players[view.turn.seat].court >= 3
        and any(card.startswith("5-") for card in there)
    )


def _tap_where_it_shows(page: Page, control: Locator) -> None:
    """Put a finger on a control without any scrolling, and see that nothing covers it."""
    control.wait_for()
    box = control.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    covered = control.evaluate(
        "(element, [x, y]) => !element.contains(document.elementFromPoint(x, y))", [x, y]
    )
    assert not covered, f"{control} is covered or cut off"
    page.touchscreen.tap(x, y)


@pytest.mark.parametrize("height", [740, 640])
def test_a_power_card_out_of_thirteen_is_played_by_tap(
    settings: Settings, server: Server, new_context: NewContext, height: int
) -> None:
    size = ViewportSize(width=360, height=height)
    match = stored(settings, _last_to_bid)
    page = match.sit(new_context(**{**PHONE, "viewport": size}), server.url)
    page.goto(match.path)
    cards = page.locator("#turn a.power")
    expect(cards).to_have_count(10)
    expect(page.locator("#mine .power.is-blocked")).to_have_count(3)

    last = cards.last
    last.scroll_into_view_if_needed()
    _tap_where_it_shows(page, last)
    expect(page.locator("#turn a.power.is-picked")).to_have_count(1)
    play = page.get_by_role("button", name=re.compile(r"^Play \d+"))
    _tap_where_it_shows(page, play)

    expect(page.locator("#ask-power-h")).to_have_count(0)


def test_a_control_stays_under_the_pointer_that_presses_it(
    settings: Settings, server: Server, new_context: NewContext
) -> None:
    match = stored(settings, _with_a_court)
    page = match.sit(new_context(**DESK), server.url)
    page.goto(match.path)
    page.evaluate("document.querySelector('.lod-detail').drawn = 'before'")
    page.locator("#turn .choosing button[id^=take-5]").click()
    more = page.locator("#turn .placer [id^=act-place-]")
    more.first.wait_for()
    area = more.first.get_attribute("id")
    box = more.first.bounding_box()
    assert box is not None

    placed = page.locator("#turn .placer__n").first
    number = 0
    while page.locator(f"#turn #{area}").count():
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        number += 1
        expect(placed).to_have_text(str(number))

    assert number >= 3
    # What is drawn on the map was changed, not drawn anew.
    assert page.evaluate("document.querySelector('.lod-detail').drawn") == "before"
