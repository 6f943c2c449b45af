"""Standing orders in a browser: left on a phone without scripts, looked over at a desk."""

import os
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE

SMALLEST = 44
# Where to leave pictures, for whoever wants to look at them.
PICTURES = os.environ.get("PICTURES")


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/orders-{name}.png", full_page=True)


def orders_of_a_match(page: Page, game: str) -> None:
    page.goto("/")
    page.locator("label", has=page.locator(f"input[name=game][value={game}]")).click()
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))
    page.goto(f"{page.url.split('?')[0]}/orders")


def big_enough(page: Page) -> None:
    for control in page.locator("main :is(button, select, .option, a.button):visible").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= SMALLEST
    assert page.locator("html").evaluate("html => html.scrollWidth <= html.clientWidth")


def test_an_order_for_festivals_is_left_and_taken_back_without_javascript(
    new_context: NewContext,
) -> None:
    page = new_context(**PHONE, java_script_enabled=False).new_page()
    orders_of_a_match(page, "castell")
    every = page.locator("section", has_text="Every festival until the match ends")
    big_enough(page)

    every.get_by_text("Show it only if it scores enough").click()
    every.get_by_label("At least so many points").fill("9")
    every.get_by_role("button", name="Let this answer for me").click()

    stands = "It stands: show my best tower if it scores at least 9, else ask me."
    expect(every.get_by_text(stands)).to_be_visible()
    picture(page, "castell-phone")
    page.get_by_role("link", name="In all my matches").click()
    expect(page.get_by_text("show my best tower if it scores at least 9")).to_be_visible()
    picture(page, "all-phone")
    page.get_by_role("link", name="Change the orders").click()
    every.get_by_role("button", name="Ask me instead").click()
    expect(every.get_by_text("You will be asked.")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_list_of_power_cards_and_a_veto_are_left_by_keyboard(
    new_context: NewContext, theme: str
) -> None:
    page = new_context(**DESK, color_scheme=theme).new_page()
    orders_of_a_match(page, "el_grande")
    bids = page.locator("section", has_text="The power card of round 2")

    for number, (card, when) in enumerate((("13", "none>10"), ("7", ""), ("lowest", ""))):
        bids.locator("[name=pick]").nth(number).select_option(card)
        bids.locator("[name=when]").nth(number).select_option(when)
    bids.get_by_role("button", name="Let this answer for me").press("Enter")
    told = "13 if nobody has played above 10, else 7, else the lowest"
    expect(bids.get_by_text(f"It stands: {told}.")).to_be_visible()

    veto = page.locator("section", has_text="My Veto, whenever it is asked for")
    veto.get_by_label("Veto these cards").press("Space")
    veto.locator("[value='5-01']").press("Space")
    veto.get_by_role("button", name="Let this answer for me").press("Enter")
    expect(veto.get_by_text("It stands: veto 5-01")).to_be_visible()
    big_enough(page)
    picture(page, f"el-grande-desk-{theme}")
    assert violations(page) == []

    page.set_viewport_size({"width": 360, "height": 740})
    big_enough(page)
    picture(page, f"el-grande-phone-{theme}")
    page.goto("/account/orders")
    expect(page.get_by_text(told)).to_be_visible()
    assert violations(page) == []
