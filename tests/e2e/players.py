"""People at a match, who know only what the page shows them."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from playwright.sync_api import BrowserContext, Locator, Page, expect

# Without a graphics card, the slow pulse of the targets costs more than all the rest.
_STILL = {"reduced_motion": "reduce"}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    **_STILL,
}
DESK = {"viewport": {"width": 1440, "height": 900}, **_STILL}
# How long what is new may take to come, and how long bots may think, before anybody looks again.
_PAUSE_MS = 60
_BOTS_MS = 250
# What a poll and its answer take.
_ASKING_MS = 200
# Only so that a match that hangs fails instead of waiting for ever.
MATCH_SECONDS = 1200.0
# How often Tab may be pressed before a control counts as out of reach.
REACH = 400
# Turned forward by this much, a page asks at once for what is new.
POLL_MS = 2000

# How often Tab leads from where the focus is to an element; less than none: backwards.
# Where a swap took the focus away only the browser knows from where it goes on: one step tells.
_TABS = """element => {
  const here = document.activeElement;
  if (here === document.body) return 1;
  const all = [...document.querySelectorAll("a[href], button, input, summary, [tabindex]")];
  const stops = all.filter((stop) => stop === element
    || (stop.tabIndex >= 0 && !stop.disabled && stop.checkVisibility()));
  const to = stops.indexOf(element);
  const before = stops.filter((stop) => stop !== here
    && here.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING).length;
  return stops.includes(here) || to < before ? to - before : to - before + 1;
}"""

# What the page of a match says at a glance.  A locator by role would look at every element
# of the page each time, and this is asked more often than anything else.
_GLANCE = """() => [
  document.querySelector("#turn-signal[data-my-turn]") !== null,
  document.querySelector("#turn.is-over a[href$='/results']") !== null,
  document.querySelector("#topbar-status b")?.textContent ?? "",
]"""


@dataclass(frozen=True, slots=True)
class Glance:
    """What a page says about whose turn it is; `status` is a sentence with the names."""

    asked: bool
    over: bool
    status: str


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody in front of a page, with a finger, a mouse or a keyboard only.

    Who plays a whole match takes their time over every third turn, and is brief over the rest.
    """

    name: str
    page: Page
    hand: str = "mouse"
    turns: Iterator[int] = field(default_factory=count)

    def use(self, control: Locator) -> None:
        """Press a control the way this player presses controls."""
        if self.hand == "keyboard":
            expect(control).to_be_visible()
            self.reach(control)
            self.page.keyboard.press("Enter")
        elif self.hand == "touch":
            control.tap()
        else:
            control.click()

    def reach(self, control: Locator) -> None:
        """Go to a control with Tab alone, forwards or backwards, whichever is nearer."""
        for _ in range(4):
            steps = control.evaluate(_TABS)
            if not steps:
                return
            for _ in range(abs(steps)):
                self.page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        handle = control.element_handle()
        for _ in range(REACH):
            if handle.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{self.name} cannot reach {control} with Tab")

    def glance(self) -> Glance:
        """Return what the page says about whose turn it is."""
        return Glance(*self.page.evaluate(_GLANCE))

    def hear(self) -> Glance:
        """Let the page ask what is new, and look at it."""
        self.page.clock.fast_forward(POLL_MS)
        self.page.wait_for_timeout(_ASKING_MS)
        return self.glance()

    def act(self) -> None:
        """Do what the page asks for, when the festivals just held have been looked at."""
        self.go_on()
        if self.page.locator("#turn .turn__answer").count():
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
        """Draft what is open, one choice an action, and end the turn; in brief: only move."""
        for action in ("move",) if self.is_brief() else ("move", "recruit", "train"):
            opener = self.page.locator(f"#open-{action}")
            if opener.count():
                if "is-open" not in (opener.get_attribute("class") or ""):
                    self.use(opener)
                    expect(opener).to_have_class(re.compile("is-open"))
                self._choose()
        self.end_turn()

    def is_brief(self) -> bool:
        """Begin a turn; tell whether it is one to be brief over."""
        return next(self.turns) % 3 > 0

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


def device(context: BrowserContext) -> Page:
    """Return a page of a new device, whose clock a test may turn forward."""
    context.clock.install()
    return context.new_page()


def play_to_the_end(players: Sequence[Player]) -> None:
    """Let everyone do what the page asks for until every page says that it is over.

    Whom the page of the last to act names is told at once that it is their turn; the others
    hear of it when their page asks by itself, as it does every two seconds.
    """
    until = time.monotonic() + MATCH_SECONDS
    seen = {player.name: player.glance() for player in players}
    last = players[0]
    while not all(glance.over for glance in seen.values()):
        assert time.monotonic() < until, "the match does not end"
        asked = [player for player in players if seen[player.name].asked]
        for number, player in enumerate(asked):
            # What was asked of several may be settled by the first to answer.
            if number and not player.hear().asked:
                continue
            player.act()
            last = player
        if not asked:
            for player in _named(players, seen, last):
                player.page.clock.fast_forward(POLL_MS)
            last.page.wait_for_timeout(_PAUSE_MS if len(players) > 1 else _BOTS_MS)
        seen = {player.name: player.glance() for player in players}


def _named(players: Sequence[Player], seen: Mapping[str, Glance], last: Player) -> Sequence[Player]:
    """Return whom `last` is told to wait for; everybody where no name is told."""
    status = seen[last.name].status
    named = [player for player in players if player is not last and player.name in status]
    return named or players
