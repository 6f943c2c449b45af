"""A Castell turn on a phone: every choice whole, every reason in reach, the draft on the map."""

import pytest
from playwright.sync_api import Locator, expect

from app.config import Settings
from app.matches.pages import MatchPage
from app.rules.game import Seat
from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE
from tests.e2e.server import Server
from tests.e2e.stored import stored


@pytest.fixture
def server(beside: Server) -> Server:
    """The web process alone, beside the test."""
    return beside


def _first_turn(page: MatchPage) -> bool:
    return page.view.phase == "turns" and page.view.collas[page.seat].region is None


def _whole(choice: Locator, within: Locator) -> bool:
    inner, outer = choice.bounding_box(), within.bounding_box()
    assert inner is not None
    assert outer is not None
    return inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_a_turn_shows_whole_choices_reasons_and_the_draft_on_the_map(
    settings: Settings, server: Server, new_context: NewContext
) -> None:
    match = stored(settings, _first_turn, game="castell")
    page = match.sit(new_context(**PHONE), server.url)
    page.goto(match.path)
    form = page.locator("#turn .turn__form")

    page.locator("#why-recruit").tap()
    expect(form.locator(".refused")).to_contain_text("Place your pawn in a region first.")
    expect(form.locator(".refused")).to_be_in_viewport()

    page.locator("#open-move").tap()
    form.locator(".target").first.tap()
    expect(page.locator("#turn .draft__item")).to_have_count(1)
    page.locator("#open-recruit").tap()
    people = form.locator("a.person")
    expect(people.first).to_be_visible()
    assert all(_whole(person, form) for person in people.all())
    before = [person.bounding_box() for person in people.all()]
    # Of castellers alike the first is marked, whichever is tapped.
    sizes = [person.get_attribute("href") for person in people.all()]
    other = next((n for n, size in enumerate(sizes) if size != sizes[0]), 0)
    people.nth(other).tap()
    picked = form.locator("a.person.is-picked")
    expect(picked).to_have_count(1)
    assert picked.bounding_box() == before[other]

    form.locator("button.person").first.tap()
    expect(page.locator("#turn .draft__item")).to_have_count(2)
    taken = page.locator(".lod-overview .sizes .is-taken")
    expect(taken).to_have_count(2)
    expect(taken.first).to_have_css("text-decoration-line", "line-through")
    page.locator("#open-train").tap()
    lessons = form.locator(".lesson")
    expect(lessons.first).to_be_visible()
    assert all(_whole(lesson, form) for lesson in lessons.all())


def test_whoever_begins_a_round_reads_that_it_has_begun(
    settings: Settings, server: Server, new_context: NewContext
) -> None:
    def begins(page: MatchPage) -> bool:
        view = page.view
        return bool(view.phase == "turns" and view.round == 2 and view.order[0] == page.seat)

    match = stored(settings, begins, game="castell", seats=2)
    phone = match.sit(new_context(**PHONE), server.url)
    phone.goto(match.path)

    expect(phone.locator("#turn .turn__begins")).to_have_text("Round 2 begins; you go first.")

    desk = match.sit(new_context(**DESK), server.url)
    desk.goto(match.path)

    expect(desk.locator("#log")).to_contain_text("Round 2 begins; you go first.")
    expect(desk.locator("#turn .turn__begins")).to_be_hidden()

    # Whoever waits reads there what has happened meanwhile.
    other = match.sit(new_context(**PHONE), server.url, Seat(1 - match.seat))
    other.goto(match.path)

    expect(other.locator("#turn .turn__news")).to_contain_text("Round 2 begins;")
