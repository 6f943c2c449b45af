"""Whole matches: against bots, and four people with a mouse, two phones and a keyboard only."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE, Player, device, play_to_the_end

# What there is of a match that is over, beside its results.
ENDED = ("", "?seen=10", "/festivals/3", "/history/1", "/history/20", "/text")


def _lay_table(host: Player) -> str:
    """Lay a table of four and return its invite link."""
    host.page.goto("/new")
    host.page.get_by_label("Your name").fill(host.name)
    host.page.locator("label", has=host.page.locator("input[name=seats][value='4']")).click()
    host.use(host.page.get_by_role("button", name=re.compile("Lay the table")))
    expect(host.page.get_by_role("heading", level=1)).to_have_text(f"{host.name}'s table")
    return host.page.get_by_label("Send this link").input_value()


def _sit_down(guest: Player, link: str) -> None:
    """From the link to the seat in two pages: the name is all that is asked."""
    guest.page.goto(link)
    guest.page.get_by_label(re.compile("name", re.IGNORECASE)).first.fill(guest.name)
    guest.use(guest.page.locator("#main form button").first)
    expect(guest.page.locator("#room")).to_contain_text(guest.name)


def test_one_click_leads_to_a_whole_match_against_bots(new_context: NewContext) -> None:
    player = Player("Guest", device(new_context(**PHONE)), "touch")
    player.page.goto("/")
    player.use(player.page.get_by_role("button", name=re.compile("Play now against bots")))
    player.page.wait_for_url(re.compile("/matches/"))

    play_to_the_end([player])
    player.see_results()

    expect(player.page).to_have_url(re.compile("/results"))
    expect(player.page.locator("#main")).to_contain_text("Where the points came from")


def test_four_people_play_a_whole_match(new_context: NewContext) -> None:
    dark = {"color_scheme": "dark"}
    host = Player("Mar", device(new_context(**DESK)))
    jordi = Player("Jordi", device(new_context(**PHONE)), "touch")
    txell = Player("Txell", device(new_context(**PHONE, **dark)), "touch")
    aneu = Player("Aneu", device(new_context(**DESK, **dark)), "keyboard")
    players = (host, jordi, txell, aneu)

    link = _lay_table(host)
    for guest in players[1:]:
        _sit_down(guest, link)
    host.use(host.page.get_by_role("button", name=re.compile("Start the match")))
    for player in players:
        player.page.wait_for_url(re.compile("/matches/"))

    play_to_the_end(players)

    for player in players:
        player.see_results()
        expect(player.page.get_by_role("heading", level=1)).to_be_visible()
        for name in ("Jordi", "Txell"):
            if name != player.name:
                expect(player.page.locator("#main")).to_contain_text(name)
    # A desk and a phone; the other two show the same.
    assert [line for player in (host, jordi) for line in _faults_of_the_end(player.page)] == []
    host.page.goto(host.page.url.replace("/results", "?seen=10"))
    _see_every_rival(host.page)


def _faults_of_the_end(page: Page) -> list[str]:
    """Return what axe finds in the pages of a match that is over; `page` shows its results."""
    match = page.url.removesuffix("/results")
    found: list[str] = []
    for place in ENDED:
        page.goto(match + place)
        found += violations(page)
    page.goto("/matches")
    found += violations(page)
    page.goto(f"{match}/results")
    return found + violations(page)


def _see_every_rival(page: Page) -> None:
    """See three rivals whole, without scrolling."""
    rivals = page.locator(".rival")
    expect(rivals).to_have_count(3)
    panel = page.locator("#rivals").bounding_box()
    assert panel is not None
    for rival in rivals.all():
        box = rival.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= min(panel["y"] + panel["height"], 900) + 1
