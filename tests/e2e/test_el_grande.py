"""Whole matches of El Grande: five people, one among bots, and a round without JavaScript."""

import re
import time
from collections.abc import Mapping, Sequence
from random import Random

from playwright.sync_api import expect

from tests.e2e.conftest import NewContext
from tests.e2e.el_grande_players import Grandee
from tests.e2e.players import DESK, MATCH_SECONDS, PHONE, device, play_to_the_end

# What comes up in any six rounds, whoever chooses.
ALWAYS = {"power", "card", "place", "map", "special move", "special king", "disc"}


def somebody(
    new_context: NewContext, name: str, size: Mapping[str, object], hand: str, **options: object
) -> Grandee:
    """Return a player with a device of their own."""
    return Grandee(name, device(new_context(**size, **options)), hand, taste=Random(name))


def lay_table(host: Grandee) -> None:
    """Lay a table of five for six rounds; Veto and Castillo stay as they are proposed."""
    host.page.goto("/new?game=el_grande")
    host.page.get_by_label("Your name").fill(host.name)
    for name, value in (("seats", "5"), ("length", "6")):
        choice = host.page.locator(f"input[name={name}][value='{value}']")
        host.use(host.page.locator("label", has=choice))
    assert host.page.locator("input[name=veto]:checked").input_value() == "simple"
    assert host.page.locator("input[name=castillo]:checked").input_value() == "hidden"
    host.use(host.page.get_by_role("button", name=re.compile("Lay the table")))
    expect(host.page.get_by_role("heading", level=1)).to_have_text(f"{host.name}'s table")


def sit_down(guest: Grandee, link: str) -> None:
    """From the link to the seat."""
    guest.page.goto(link)
    guest.page.get_by_label(re.compile("name", re.IGNORECASE)).first.fill(guest.name)
    guest.use(guest.page.locator("#main form button").first)
    expect(guest.page.locator("#room")).to_contain_text(guest.name)


def start(host: Grandee, *others: Grandee) -> None:
    """Start the match and see everybody come to it."""
    host.use(host.page.get_by_role("button", name=re.compile("Start the match")))
    for player in (host, *others):
        player.page.wait_for_url(re.compile("/matches/"))


def see_results(players: Sequence[Grandee]) -> None:
    """Go to the results and find everybody there."""
    for player in players:
        player.see_results()
        expect(player.page).to_have_url(re.compile("/results"))
        expect(player.page.locator("#main")).to_contain_text("Where the points came from")
        assert player.page.locator(".podium__name").count() == 5


def test_five_people_play_six_rounds(new_context: NewContext) -> None:
    players = (
        somebody(new_context, "Mar", DESK, "mouse"),
        somebody(new_context, "Jordi", DESK, "mouse", color_scheme="dark"),
        somebody(new_context, "Txell", PHONE, "touch"),
        somebody(new_context, "Wiebe", PHONE, "touch", color_scheme="dark"),
        somebody(new_context, "Aneu", DESK, "keyboard"),
    )
    host, *guests = players

    lay_table(host)
    link = host.page.get_by_label("Send this link").input_value()
    for guest in guests:
        sit_down(guest, link)
    start(host, *guests)
    play_to_the_end(players)
    see_results(players)

    tried = set[str]().union(*(player.done for player in players))
    assert tried >= ALWAYS, "somebody always does this in six rounds"


def test_one_person_plays_six_rounds_with_four_bots_on_a_phone(new_context: NewContext) -> None:
    player = somebody(new_context, "Mar", PHONE, "touch")

    lay_table(player)
    bots = player.page.get_by_role("button", name="Add a bot")
    for left in (3, 2, 1, 0):
        player.use(bots.first)
        expect(bots).to_have_count(left)
    start(player)
    play_to_the_end([player])

    see_results([player])


def test_a_round_is_played_without_javascript(new_context: NewContext) -> None:
    page = new_context(**PHONE, java_script_enabled=False).new_page()
    player = Grandee("Mar", page, "touch", taste=Random("Mar"), scripted=False)
    page.goto("/")
    page.locator("label", has=page.locator("input[name=game][value=el_grande]")).tap()
    page.get_by_role("button", name=re.compile("Play now against bots")).tap()
    page.wait_for_url(re.compile("/matches/"))
    match = page.url.split("?")[0]

    until = time.monotonic() + MATCH_SECONDS
    while not page.get_by_text("Round 2 of 9").count():
        assert time.monotonic() < until, "the round does not end"
        if player.glance().asked:
            player.act()
        else:
            page.wait_for_timeout(500)
            page.goto(match)

    assert {"power", "card"} <= player.done
    assert player.done & {"place", "map"}
