"""Two friends with a clock: one on a phone without JavaScript, one at a desk in Madrid."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE


def _lay_table(page: Page) -> str:
    """Make a table for two with three days for each turn; return the invitation's path."""
    page.goto("/new")
    page.fill("#name", "Anna")
    page.check("[name=seats][value='2']")
    page.check("[name=clock][value=turn]")
    page.get_by_role("button", name="Lay the table").click()
    page.wait_for_url(re.compile("/tables/"))
    expect(page.get_by_text("3 days for each turn")).to_be_visible()
    return page.input_value("#invite-link").partition("//")[2].partition("/")[2]


def test_a_clock_is_chosen_seen_and_stopped_with_and_without_javascript(
    new_context: NewContext,
) -> None:
    desk = new_context(**DESK, timezone_id="Europe/Madrid").new_page()
    phone = new_context(**PHONE, java_script_enabled=False).new_page()
    desk.goto("/")
    desk.wait_for_timeout(500)
    invitation = _lay_table(desk)
    phone.goto(f"/{invitation}")
    phone.fill("[name=name]", "Bernat")
    phone.locator("main form button").first.click()
    desk.reload()
    desk.get_by_role("button", name="Start the match").click()
    desk.wait_for_url(re.compile("/matches/"))
    match = desk.url
    phone.goto(match)

    # On the match page: each in their own time.
    expect(desk.locator(".topbar__due")).to_contain_text("(Madrid)")
    expect(phone.locator(".topbar__due")).to_contain_text("in 2 d 23 h")
    assert violations(desk) == []

    desk.goto(f"{match}/time")
    desk.fill("#until", desk.get_attribute("#until", "min") or "")
    desk.get_by_role("button", name="Ask for a pause").click()
    desk.wait_for_url(match)
    phone.goto(f"{match}/time")
    expect(phone.get_by_text("Anna asks for a pause until")).to_be_visible()
    for button in phone.locator("main button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    phone.get_by_role("button", name="I agree").click()

    expect(phone.locator(".topbar__due")).to_have_text("paused")
    # The desk follows by itself.
    expect(desk.locator(".topbar__due")).to_have_text("paused")
    assert phone.locator("html").evaluate("html => html.scrollWidth") <= 360


def test_an_absence_is_noted_and_ended_without_javascript(new_context: NewContext) -> None:
    page = new_context(**PHONE, java_script_enabled=False).new_page()
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.goto("/account/time")
    day = page.get_attribute("#first", "min") or ""
    page.fill("#first", day)
    page.fill("#last", day)
    page.get_by_role("button", name="Note it").click()
    expect(page.get_by_role("button", name="I am back")).to_have_count(1)

    page.get_by_role("button", name="I am back").click()

    expect(page.get_by_role("button", name="I am back")).to_have_count(0)
