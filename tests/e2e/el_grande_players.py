"""People at a match of El Grande, who like to try whatever the page offers them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Locator, expect

from tests.e2e.players import Player

# Nobody hesitates longer over one part of a turn.
STEPS = 14
# A control below what shows counts as within reach only if somebody can scroll to it.
_CUT_OFF = """element => {
  element.scrollIntoViewIfNeeded();
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (around.scrollTop > 0 && getComputedStyle(around).overflowY === "hidden") return true;
  }
  return false;
}"""
_MIDDLE = """element => {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


@dataclass(frozen=True, slots=True)
class Grandee(Player):
    """A player of El Grande; `taste` decides what is tried, `done` notes what was.

    `scripted` is whether the browser runs scripts.
    """

    taste: Random = field(default_factory=Random)
    done: set[str] = field(default_factory=set)
    scripted: bool = True

    def act(self) -> None:
        """Do what the page asks for, when the scoring just held has been looked at."""
        self.go_on()
        if self.page.locator("#ask-power-h").count():
            self.bid()
        elif self.page.locator("#turn .asking").count():
            self.answer()
        else:
            self.take_turn()

    def press(self, control: Locator) -> None:
        """Press a control and wait until the page is drawn anew; a line it notes is remembered."""
        line = control.get_attribute("value") or ""
        key = self._key()
        if self.hand == "touch":
            assert not control.evaluate(_CUT_OFF), f"{self.name} cannot scroll to {control}"
        self.use(control)
        self._drawn_after(key)
        self._note(line)

    def tap_map(self, area: str) -> None:
        """Do on the map what a tap on an area does."""
        region = self.page.locator(f"#map-{area}")
        if self.hand == "keyboard":
            self._seen(lambda: self.use(region), region)
            return
        badge = self.page.locator(f".region-kit[data-region={area}] .place--target:visible")
        x, y = badge.evaluate(_MIDDLE)
        tap = self.page.touchscreen.tap if self.hand == "touch" else self.page.mouse.click
        if self.scripted:
            self._seen(lambda: tap(x, y), region)
            return
        # Without a script the tap shows the area, and what can be done there is a button.
        tap(x, y)
        expect(self.page.locator(f"#region.is-chosen [data-region={area}]").first).to_be_visible()
        self.press(self.page.locator(".region-sheet__do .button").first)
        self.done.add("map")

    def bid(self) -> None:
        """Choose a power card, from the panel or from the hand, and play it."""
        offered = "#turn a.power"
        if self.hand != "touch" and self._likes(0.3):
            offered = "#mine a.power"
        self.press(self._one(self.page.locator(f"{offered}:not(.is-picked)")))
        self._hand_in(self.page.locator("#turn .asking__do .button--commit"))

    def answer(self) -> None:
        """Veto or let it happen, choose what goes back, set the disc: whatever is asked."""
        asked = self.page.locator("#turn .asking")
        veto = self.page.locator("#turn button[name=line][value=veto]")
        letting = self.page.locator("#turn button[name=line][value=pass]")
        if veto.count() and (letting.count() == 0 or self._likes(0.5)):
            if self._likes(0.5) or asked.count() == 1:
                self.press(veto)
                return
        elif letting.count():
            self.press(letting)
            return
        commit = asked.locator(".button--commit:not([disabled])")
        picks = asked.locator("a.target:not(.is-picked)")
        for _ in range(STEPS):
            if commit.count():
                break
            if not picks.count():
                # Somebody's Veto came first, and nothing is asked any more.
                return
            area = self._target()
            if area and self._likes(0.5):
                self.tap_map(area)
            else:
                self.press(self._one(picks))
        self._hand_in(commit)

    def take_turn(self) -> None:
        """Take a card, place and carry out its special action in either order, end the turn.

        In brief: bring nobody to the court who need not come, and place all at once.
        """
        turn = self.page.locator("#turn")
        brief = self.is_brief()
        if not brief:
            self._refill()
        cards = turn.locator(".choosing button[name=add]")
        if cards.count():
            self.press(self._one(cards))
            expect(turn.locator(".parts")).to_be_in_viewport(ratio=0.9)
        if turn.locator("#open-special").count() and self._likes(0.5):
            self._special()
            self._place(brief)
        else:
            self._place(brief)
            self._special()
        self.end_turn()

    def end_turn(self) -> None:
        """End the turn and see that the page agrees."""
        self.press(self.page.get_by_role("button", name="End turn"))

    def _hand_in(self, answer: Locator) -> None:
        """Confirm what was chosen: nobody has to look for the button first."""
        expect(answer).to_be_in_viewport(ratio=0.9)
        self.press(answer)

    def _refill(self) -> None:
        if self._likes(0.2):
            fewer = self.page.locator("#turn .filling details:has(.number)")
            if fewer.count():
                self.use(fewer.locator("summary"))
                self.press(self._one(fewer.locator("button.number")))
                self.press(self.page.locator("#turn .undo").last)
        sources = self.page.locator("#turn button[id^=act-refill-]")
        for _ in range(STEPS):
            if not sources.count() or self._likes(0.4):
                return
            self.press(self._one(sources))

    def _place(self, brief: bool) -> None:
        self._open("place")
        areas = self.page.locator("#turn .placing button[id^=act-place-]")
        all_at_once = self.page.locator("#turn .placing button.step--all")
        fewer = self.page.locator("#turn .placing button[name=drop]")
        for _ in range(STEPS):
            if not areas.count() or self._likes(0.1):
                return
            if all_at_once.count() and self._likes(1.0 if brief else 0.4):
                self.press(self._one(all_at_once))
            elif fewer.count() and self._likes(0.1):
                self.press(self._one(fewer))
            elif self._likes(0.7):
                self.tap_map(self._target())
            else:
                self.press(self._one(areas))

    def _special(self) -> None:
        if not self.page.locator("#open-special").count():
            return
        self._open("special")
        panel = self.page.locator("#turn .special")
        steps = panel.locator("button[id^=act-]:not(#act-skip), button[id^=from-], a[id^=from-]")
        others = panel.locator("a.number:not(.is-picked)")
        unfinished = self.page.locator("#turn .commit button[disabled]")
        for done in range(2 * STEPS):
            if not steps.count() or (done > 1 and not unfinished.count() and self._likes(0.4)):
                return
            area = self._target()
            if others.count() and self._likes(0.2):
                self.press(self._one(others))
            elif area and self._likes(0.5):
                self.tap_map(area)
            else:
                self.press(self._one(steps))

    def _open(self, part: str) -> None:
        """Open a part of the turn, unless it is open or the only one."""
        tab = self.page.locator(f"#open-{part}")
        if tab.count() and "is-open" not in (tab.get_attribute("class") or ""):
            self.press(tab)
            expect(tab).to_have_class(re.compile("is-open"))

    def _target(self) -> str:
        """One of the areas that a tap on the map acts on, if any."""
        targets = self.page.locator(".map a.region[data-acts]")
        if not targets.count():
            return ""
        return str(self._one(targets).get_attribute("data-region"))

    def _one(self, controls: Locator) -> Locator:
        return controls.nth(self.taste.randrange(controls.count()))

    def _likes(self, chance: float) -> bool:
        return self.taste.random() < chance

    def _seen(self, tap: Callable[[], None], region: Locator) -> None:
        acts = self.page.locator(f"#{region.get_attribute('data-acts')}")
        line = acts.get_attribute("value") or ""
        key = self._key()
        tap()
        self._drawn_after(key)
        self._note(line)
        self.done.add("map")

    def _key(self) -> str:
        """What marks this drawing of the page: every one has a key of its own."""
        return self.page.locator("#turn input[name=key]").first.input_value()

    def _drawn_after(self, key: str) -> None:
        old = self.page.locator(f'#turn input[name=key][value="{key}"]').first
        old.wait_for(state="detached")

    def _note(self, line: str) -> None:
        words: Sequence[str] = line.split()
        if words:
            self.done.add(" ".join(words[: 2 if words[0] == "special" else 1]))
