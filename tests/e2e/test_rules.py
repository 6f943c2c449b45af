"""The rules page: found by word, with and without a script."""

import re

from playwright.sync_api import expect

from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE


def test_a_word_finds_its_parts_whatever_the_accents(new_context: NewContext) -> None:
    page = new_context(**DESK).new_page()
    page.goto("/rules/castell")
    parts = page.locator(".rule")
    every = parts.count()

    page.get_by_label("Find in the rules").fill("towér secret")
    expect(page.locator("#rule-8")).to_be_visible()
    expect(page.locator("#rule-2\\.3")).to_be_hidden()
    expect(page.locator(".rules__contents a[href='#rule-2.3']")).to_be_hidden()
    expect(page.get_by_text(re.compile(r"\d parts found"))).to_be_visible()

    page.get_by_label("Find in the rules").fill("")
    expect(page.locator(".rule:visible")).to_have_count(every)


def test_without_a_script_the_contents_lead_to_every_part(new_context: NewContext) -> None:
    page = new_context(**PHONE, java_script_enabled=False).new_page()
    page.goto("/rules/castell")

    expect(page.get_by_label("Find in the rules")).to_be_hidden()
    page.get_by_role("link", name="8 Festivals").first.tap()

    expect(page.locator("#rule-8-h")).to_be_in_viewport()
