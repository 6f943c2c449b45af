"""Every page passes axe, in both themes, on a desk and on a phone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import NewContext
from tests.e2e.players import DESK, PHONE, Player

EVERYWHERE = [(device, theme) for device in (DESK, PHONE) for theme in ("light", "dark")]
NAMED = ["desk, light", "desk, dark", "phone, light", "phone, dark"]
STILL = (
    "/",
    "/new",
    "/join",
    "/tables",
    "/matches",
    "/login",
    "/signup",
    "/account",
    "/account/notices",
    "/account/time",
    "/account/orders",
    "/account/replies",
    "/about",
    "/rules/castell",
    "/no-such-page",
)


def _states_of_a_match(player: Player) -> Iterator[str]:
    """Lead the page through what a first turn and a waiting seat can show."""
    page = player.page
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))
    page.locator("#turn-signal[data-my-turn]").wait_for(state="attached")
    match = page.url.split("?")[0]
    yield "before the pawn is placed"
    page.locator("#turn button[name=add]").first.click()
    expect(page.locator("#turn .draft__item")).to_have_count(1)
    for action in ("recruit", "train", "special"):
        page.goto(f"{match}?open={action}")
        yield f"{action} open"
    for beside in ("text", "history", "resign", "time", "orders"):
        page.goto(f"{match}/{beside}")
        yield beside
    tile = "S01"
    page.goto(f"{match}?open=special")
    link = page.locator("#turn a.link[href*=workshop]").first
    if link.count():
        tile = str(link.get_attribute("href"))
        page.goto(tile)
        yield "workshop"
    page.goto(match)
    page.get_by_role("button", name="End turn").click()
    expect(page.locator("#turn .commit")).to_have_count(0)
    yield "waiting"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_no_page_fails_axe(new_context: NewContext, device: dict[str, object], theme: str) -> None:
    player = Player("Mar", new_context(**device, color_scheme=theme).new_page())

    found: list[str] = []
    for state in _states_of_a_match(player):
        found += [f"{state}: {line}" for line in violations(player.page)]
    for path in STILL:
        player.page.goto(path)
        found += violations(player.page)

    assert found == []


def test_a_waiting_room_and_an_invitation_pass_axe(new_context: NewContext) -> None:
    host = new_context(**DESK).new_page()
    host.goto("/new")
    host.get_by_label("Your name").fill("Mar")
    host.get_by_role("button", name=re.compile("Lay the table")).click()
    link = host.get_by_label("Send this link").input_value()
    room = host.url
    cookies = host.context.storage_state()

    found: list[str] = []
    for device, theme in EVERYWHERE:
        guest: Page = new_context(**device, color_scheme=theme).new_page()
        guest.goto(link)
        found += violations(guest)
        again = new_context(**device, color_scheme=theme, storage_state=cookies).new_page()
        again.goto(room)
        found += violations(again)

    assert found == []


def _workshops(page: Page, match: str) -> Iterator[str]:
    """Lead through a workshop that is empty, one whose tower stands, one whose tower falls."""
    page.goto(match)
    region = str(page.locator(".round__festivals .fest").first.get_attribute("data-region"))
    workshop = f"{match}/workshop?goal=festival:{region}"
    page.goto(workshop)
    owned = sorted(
        int(str(card.get_attribute("data-add"))) for card in page.locator("a.card[data-add]").all()
    )
    yield "empty"
    page.goto(f"{workshop}&tower=1x{owned[-1]}")
    expect(page.locator(".verdict")).not_to_have_class(re.compile("is-bad"))
    yield "stands so far"
    page.goto(f"{workshop}&tower=1x{owned[0]}/1x{owned[-1]}")
    expect(page.locator("#why")).to_be_visible()
    yield "falls"


@pytest.mark.parametrize(("device", "theme"), EVERYWHERE, ids=NAMED)
def test_the_workshop_passes_axe(
    new_context: NewContext, device: dict[str, object], theme: str
) -> None:
    page = new_context(**device, color_scheme=theme).new_page()
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play now against bots")).click()
    page.wait_for_url(re.compile("/matches/"))

    found: list[str] = []
    for state in _workshops(page, page.url.split("?")[0]):
        found += [f"{state}: {line}" for line in violations(page)]

    assert found == []
