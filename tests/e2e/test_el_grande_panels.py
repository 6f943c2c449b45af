"""What a finger and a pointer count on in El Grande's panels."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE


def _start_against_bots(page: Page) -> None:
    page.goto("/")
    page.locator("label", has=page.locator("input[name=game][value=el_grande]")).click()
    page.get_by_role("button", name=re.compile("Play now")).click()
    page.wait_for_url(re.compile("/matches/"))
    page.locator("#turn-signal[data-my-turn]").wait_for(state="attached", timeout=60_000)


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
    new_context: NewContext, height: int
) -> None:
    size = ViewportSize(width=360, height=height)
    page = new_context(**{**PHONE, "viewport": size}).new_page()
    _start_against_bots(page)
    cards = page.locator("#turn a.power")
    expect(cards.or_(page.locator("#mine .power.is-blocked"))).to_have_count(13)

    last = cards.last
    last.scroll_into_view_if_needed()
    _tap_where_it_shows(page, last)
    expect(page.locator("#turn a.power.is-picked")).to_have_count(1)
    play = page.get_by_role("button", name=re.compile(r"^Play \d+"))
    _tap_where_it_shows(page, play)

    expect(page.locator("#ask-power-h")).to_have_count(0)


def _bid(page: Page) -> None:
    page.locator("#turn a.power").first.click()
    page.get_by_role("button", name=re.compile(r"^Play \d+")).click()
    page.locator("#turn .choosing button").first.wait_for(timeout=60_000)


def test_a_control_stays_under_the_pointer_that_presses_it(new_context: NewContext) -> None:
    page = new_context(**DESK).new_page()
    _start_against_bots(page)
    _bid(page)
    page.evaluate("document.querySelector('.lod-detail').drawn = 'before'")
    # The most that may be placed.
    page.locator("#turn .choosing button[name=add]").last.click()
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
