"""Every state of El Grande passes axe, in both themes, on a desk and on a phone."""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from app.config import Settings
from app.matches.pages import MatchPage
from app.rules.game import Seat
from tests.e2e.axe import BOTH, Theme, violations
from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE
from tests.e2e.server import Server
from tests.e2e.stored import Stored, stored

DEVICES = (DESK, PHONE)
MOVING = {"1-01", "1-02", "1-03", "1-05", "1-06"}


@pytest.fixture
def server(beside: Server) -> Server:
    """The web process alone, beside the test."""
    return beside


Everywhere = Callable[[Stored], "list[Page]"]


@pytest.fixture
def everywhere(new_context: NewContext, server: Server) -> Everywhere:
    """Make two pages of one seat: desk and phone."""

    def make(match: Stored) -> list[Page]:
        return [match.sit(new_context(**device), server.url) for device in DEVICES]

    return make


def look(pages: Sequence[Page], path: str, shown: str, themes: Sequence[Theme] = BOTH) -> list[str]:
    """Open `path` on every page, see that `shown` is there, and return what axe finds."""
    found = []
    for page in pages:
        page.goto(path)
        expect(page.locator(shown).first).to_be_attached()
        found += violations(page, themes)
    return found


def add(page: Page, button: str) -> None:
    """Press a button that notes a line."""
    noted = page.locator("#turn .draft__item").count()
    page.locator(button).first.click()
    expect(page.locator("#turn .draft__item")).to_have_count(noted + 1)


def _moving_turn(page: MatchPage) -> bool:
    return page.view.phase == "turn" and page.view.round > 1 and bool(_movers(page))


def _movers(page: MatchPage) -> set[str]:
    return MOVING & set(page.view.offer) - {card for _, card in page.view.taken}


def test_a_turn_passes_axe(settings: Settings, server: Server, everywhere: Everywhere) -> None:
    match = stored(settings, _moving_turn, castillo="hidden")
    pages = everywhere(match)
    desk = pages[0]

    found = look(pages, match.path, "#turn .choosing")
    add(desk, " , ".join(f"#take-{card}" for card in sorted(MOVING)))
    found += look(pages, match.path, "#turn .placing")
    found += look(pages, f"{match.path}?region=CAS#region", "#region.is-chosen")
    add(desk, "#act-place-CAS")
    found += look(pages, f"{match.path}?open=place", "#turn .placer__n.is-on")
    found += look(pages, f"{match.path}?open=special", "#turn .special a[id^=from-]")
    desk.goto(f"{match.path}?open=special")
    desk.locator("#turn a[id^=from-]").first.click()
    expect(desk.locator("#turn .moving__who")).to_be_visible()
    half = desk.url.removeprefix(server.url)
    found += look(pages, half, "#turn .moving__who")
    desk.goto(half)
    add(desk, "#turn button[id^=act-move-]")
    found += look(pages, f"{match.path}?open=special", "#turn .draft__item:nth-child(3)")
    found += look(pages, f"{match.path}/text", "form")

    assert found == []


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        (lambda page: page.view.phase == "power", "#ask-power-h"),
        (lambda page: page.options.veto is None and page.view.phase == "answers", "#ask-veto-h"),
        (lambda page: page.options.returns is not None, "#ask-return-h"),
        (lambda page: page.view.phase == "disc", "#ask-disc-h"),
        (lambda page: page.view.phase == "answers" and page.options.discs, "#ask-disc-h"),
        (lambda page: page.view.phase == "place", "#turn .placing"),
    ],
    ids=["power", "veto", "return", "Castillo disc", "disc", "placing after the answers"],
)
def test_a_question_passes_axe(
    settings: Settings,
    everywhere: Everywhere,
    wanted: Callable[[MatchPage], bool],
    shown: str,
) -> None:
    match = stored(settings, lambda page: page.options is not None and wanted(page))
    pages = everywhere(match)

    found = look(pages, match.path, shown)
    choices = pages[0].locator("#turn a:is(.power, .target)")
    if choices.count():
        choices.first.click()
        expect(pages[0].locator("#turn a.is-picked, #turn .number.is-picked").first).to_be_visible()
        chosen = pages[0].url
        found += look(pages, chosen, shown)

    assert found == []


def test_waiting_passes_axe(settings: Settings, server: Server, new_context: NewContext) -> None:
    match = stored(settings, _moving_turn)
    others = [Seat(seat) for seat in range(len(match.tokens)) if seat != match.seat]
    pages = [match.sit(new_context(**device), server.url, others[0]) for device in DEVICES]

    found = look(pages, match.path, "#turn .turn__wait")
    for panel in ("cards", "mine", "seats", "log", "region", "menu"):
        found += look(pages[1:], f"{match.path}#{panel}", f"#{panel}")

    assert found == []


def test_every_step_of_a_general_scoring_passes_axe(
    settings: Settings, everywhere: Everywhere
) -> None:
    match = stored(settings, lambda page: page.view.round == 5, length=6)
    desk, phone = pages = everywhere(match)

    found = look(pages, match.path, "#reveal")
    scoring = f"{match.path}/scorings/3"
    for step in range(1, 4):
        found += look(pages, f"{scoring}?step={step}", "#scoring-h")
    # The Castillo, the discs, a region; the other regions differ in their colour alone.
    for step in range(4, 12):
        found += look([desk], f"{scoring}?step={step}", "#scoring-h", ["light"])
        found += look([phone], f"{scoring}?step={step}", "#scoring-h", ["dark"])

    assert found == []


def test_the_end_passes_axe(settings: Settings, everywhere: Everywhere) -> None:
    match = stored(settings, lambda page: page.outcome is not None, length=6)
    pages = everywhere(match)

    found = look(pages, match.path, "#reveal")
    found += look(pages, f"{match.path}?seen=9", "#turn .turn__wait")
    found += look(pages, f"{match.path}/results", "#score-h")
    found += look(pages, f"{match.path}/history/20", "#walk-h")
    found += look(pages, f"{match.path}/text", "main")
    found += look(pages, "/matches", "main")

    assert found == []


def test_the_rules_and_a_new_table_pass_axe(new_context: NewContext) -> None:
    pages = [new_context(**device).new_page() for device in DEVICES]

    found = look(pages, "/rules/el_grande", ".rule")
    found += look(pages, "/new?game=el_grande", "input[name=castillo]")

    assert found == []
