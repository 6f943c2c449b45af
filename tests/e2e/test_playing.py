"""What a player counts on while playing in a browser."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE
from tests.e2e.watch import Watch


def _start_against_bots(page: Page) -> str:
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))
    return page.url.split("?")[0]


def test_the_title_says_that_it_is_my_turn(new_context: NewContext) -> None:
    page = new_context(**DESK).new_page()
    _start_against_bots(page)

    page.locator("#turn-signal[data-my-turn]").wait_for(state="attached")

    expect(page).to_have_title(re.compile("Your turn"))


def test_a_draft_survives_a_reload_and_each_step_can_be_undone(new_context: NewContext) -> None:
    page = new_context(**DESK).new_page()
    _start_against_bots(page)
    page.locator("#turn button[name=add]").first.click()
    expect(page.locator("#turn .draft__item")).to_have_count(1)
    page.locator("#open-train").click()
    page.locator("#turn .lesson[name=add]").first.click()
    expect(page.locator("#turn .draft__item")).to_have_count(2)

    page.reload()
    expect(page.locator("#turn .draft__item")).to_have_count(2)
    page.locator("#turn .undo").last.click()

    expect(page.locator("#turn .draft__item")).to_have_count(1)


def test_a_server_out_of_reach_is_told_and_nothing_drafted_is_lost(
    new_context: NewContext, watch: Watch
) -> None:
    context = new_context(**DESK)
    page = context.new_page()
    _start_against_bots(page)
    page.locator("#turn button[name=add]").first.click()
    expect(page.locator("#turn .draft__item")).to_have_count(1)
    line = page.get_by_text("No connection, trying again")
    expect(line).to_be_hidden()

    watch.cut_off = True
    context.set_offline(True)
    page.get_by_role("button", name="End turn").click()
    expect(line).to_be_visible()
    context.set_offline(False)

    expect(line).to_be_hidden()
    expect(page.locator("#turn .draft__item")).to_have_count(1)


def test_opponents_moves_show_by_themselves_and_typed_text_stays(new_context: NewContext) -> None:
    page = new_context(**DESK).new_page()
    match = _start_against_bots(page)
    page.locator("#turn-signal[data-my-turn]").wait_for(state="attached")
    page.get_by_role("button", name="End turn").click()
    expect(page.locator("#turn .commit")).to_have_count(0)
    page.goto(f"{match}?talk=true#talk")
    field = page.locator("#say")
    field.fill("half a sen")
    field.focus()

    page.locator("#turn-signal[data-my-turn]").wait_for(state="attached", timeout=60_000)

    expect(field).to_have_value("half a sen")
    expect(field).to_be_focused()


def test_a_turn_is_played_without_javascript(new_context: NewContext) -> None:
    page = new_context(**PHONE, java_script_enabled=False).new_page()
    match = _start_against_bots(page)
    for _ in range(60):
        if page.locator("#turn button[name=add]").count():
            break
        page.wait_for_timeout(500)
        page.goto(match)
    page.locator("#turn button[name=add]").first.click()
    expect(page.locator("#turn .draft__item")).to_have_count(1)

    page.get_by_role("button", name="End turn").click()

    expect(page.locator("#turn .commit")).to_have_count(0)


def test_ending_the_turn_is_in_reach_on_a_phone_from_the_first_turn_on(
    new_context: NewContext,
) -> None:
    page = new_context(**PHONE).new_page()
    _start_against_bots(page)
    page.locator("#turn-signal[data-my-turn]").wait_for(state="attached")
    expect(page.locator("#turn .draft__item")).to_have_count(0)

    end = page.get_by_role("button", name="End turn").bounding_box()

    assert end is not None
    assert end["height"] >= 44
    assert end["y"] + end["height"] <= 740 - 44


def test_nothing_scrolls_sideways_on_a_phone(new_context: NewContext) -> None:
    page = new_context(**PHONE).new_page()
    match = _start_against_bots(page)

    for path in (match, f"{match}/text", f"{match}/history", "/", "/new", "/rules/castell"):
        page.goto(path)
        wide = page.evaluate("() => document.documentElement.scrollWidth")

        assert wide <= 360, path
