"""What fits on a phone of 360 pixels: no page is wider, no control is smaller than a finger."""

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from app.matches.pages import MatchPage
from tests.e2e.conftest import NewContext
from tests.e2e.players import PHONE
from tests.e2e.server import Server
from tests.e2e.stored import stored

SMALLEST = 44


@pytest.fixture
def server(beside: Server) -> Server:
    """The web process alone, beside the test."""
    return beside


def _over(page: MatchPage) -> bool:
    return page.outcome is not None


def _placing(page: MatchPage) -> bool:
    """A turn begins with somebody in the court."""
    view = page.view
    return view.phase == "turn" and bool(view.players[view.turn.seat].court)


def _too_small(page: Page, controls: str) -> list[str]:
    """Return the controls smaller than a finger, each with its size."""
    found: list[str] = page.locator(controls).evaluate_all(
        "(all, least) => all.map((one) => [one, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width && (box.width < least || box.height < least))"
        ".map(([one, box]) => `${one.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)",
        SMALLEST,
    )
    return found


@pytest.mark.parametrize(("game", "seats"), [("castell", 2), ("el_grande", 3)])
def test_results_are_as_wide_as_the_phone(
    settings: Settings, server: Server, new_context: NewContext, game: str, seats: int
) -> None:
    match = stored(settings, _over, game=game, seats=seats)
    page = match.sit(new_context(**PHONE), server.url)
    page.goto(f"{match.path}/results")
    expect(page.locator(".podium__step")).to_have_count(seats)

    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_every_part_of_a_switch_takes_a_finger(new_context: NewContext) -> None:
    page = new_context(**PHONE).new_page()
    page.goto("/")
    expect(page.locator(".switch input")).not_to_have_count(0)

    assert _too_small(page, ".switch input") == []


def test_placing_one_more_takes_a_finger(
    settings: Settings, server: Server, new_context: NewContext
) -> None:
    match = stored(settings, _placing)
    page = match.sit(new_context(**PHONE), server.url)
    page.goto(match.path)
    page.locator("#turn button[id^=take-]").last.tap()
    page.locator("#turn .placer").first.wait_for()

    assert _too_small(page, "#turn .placer button") == []
