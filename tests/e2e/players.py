"""People at a match, who know only what the page shows them."""

import re
import time
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

# Without a graphics card, the slow pulse of the targets costs more than all the rest.
_STILL = {"reduced_motion": "reduce"}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    **_STILL,
}
DESK = {"viewport": {"width": 1440, "height": 900}, **_STILL}
# Only so that a match that hangs fails instead of waiting for ever.
MATCH_SECONDS = 1200.0
# How often Tab may be pressed before a control counts as out of reach.
REACH = 400


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody in front of a page, with a finger, a mouse or a keyboard only."""

    name: str
    page: Page
    hand: str = "mouse"

    def use(self, control: Locator) -> None:
        """Press a control the way this player presses controls."""
        expect(control).to_be_visible()
        if self.hand == "keyboard":
            self.reach(control)
            self.page.keyboard.press("Enter")
        elif self.hand == "touch":
            control.tap()
        else:
            control.click()

    def reach(self, control: Locator) -> None:
        """Go to a control with Tab alone."""
        handle = control.element_handle()
        for _ in range(REACH):
            if handle.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{self.name} cannot reach {control} with Tab")

    def is_asked(self) -> bool:
        """Tell whether the page says that it is this player's turn."""
        return self.page.locator("#turn-signal[data-my-turn]").count() > 0

    def is_over(self) -> bool:
        """Tell whether the page says that the match is over."""
        return self.page.get_by_role("link", name="See the results").count() > 0

    def act(self) -> None:
        """Do what the page asks for, when the festivals just held have been looked at."""
        self.go_on()
        if self.page.get_by_role("link", name=re.compile("Build your tower")).count():
            self.answer()
        else:
            self.take_turn()

    def go_on(self) -> None:
        """Put aside the festivals that lie over the board, if any do."""
        card = self.page.locator("#reveal")
        if card.count():
            self.use(card.get_by_role("link", name=re.compile("On with|To the board")))
            expect(card).to_have_count(0)

    def see_results(self) -> None:
        """Go from the board of a match that is over to its results."""
        self.go_on()
        self.use(self.page.get_by_role("link", name="See the results"))

    def take_turn(self) -> None:
        """Draft what is open, one choice an action, and end the turn."""
        for action in ("move", "recruit", "train"):
            opener = self.page.locator(f"#open-{action}")
            if opener.count():
                if "is-open" not in (opener.get_attribute("class") or ""):
                    self.use(opener)
                    expect(opener).to_have_class(re.compile("is-open"))
                self._choose()
        self.end_turn()

    def end_turn(self) -> None:
        """End the turn and see that the page agrees."""
        self.use(self.page.get_by_role("button", name="End turn"))
        expect(self.page.locator("#turn .commit")).to_have_count(0)

    def answer(self) -> None:
        """Hand in the best tower."""
        self.use(self.page.get_by_role("button", name=re.compile("Perform my best tower")))
        expect(self.page.locator("#turn .turn__answer")).to_have_count(0)

    def _choose(self) -> None:
        """Take the most promising choice of the open action, if it has any."""
        groups = self.page.locator("#turn .turn__form .choices")
        noted = self.page.locator("#turn .draft__item").count()
        pick = groups.locator("a.person").first
        if pick.count() and not groups.locator("a.person.is-picked").count():
            self.use(pick)
            expect(groups.locator("a.person.is-picked").first).to_be_visible()
        festival = groups.locator("button[name=add]:has(.is-now)")
        choice = (festival if festival.count() else groups.locator("button[name=add]")).first
        if choice.count():
            self.use(choice)
            expect(self.page.locator("#turn .draft__item")).to_have_count(noted + 1)


def play_to_the_end(*players: Player) -> None:
    """Let everyone do what the page asks for until every page says that it is over."""
    until = time.monotonic() + MATCH_SECONDS
    while not all(player.is_over() for player in players):
        assert time.monotonic() < until, "the match does not end"
        for player in players:
            if player.is_asked():
                player.act()
        players[0].page.wait_for_timeout(100)
