"""The turn panel: the four actions, the one that is open, and every choice in it.

What may be done and why not the rest comes from the rules' options; here it is
put into words and into lines of notation that a button can send.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from app.i18n import gettext, ngettext
from app.rules.castell.components import Skill
from app.rules.castell.view import CastellView, RegionView, TileView
from app.rules.game import Seat
from app.web.boards.castell_draft import my_colla
from app.web.boards.castell_offers import ActionOffer, Offers, SpecialOffer
from app.web.boards.castell_tiles import TileArt, draw_tile, tile_task, tile_words
from app.web.boards.castell_words import anded, festivals_to_come, skill_name
from app.web.boards.seats import Who

ACTIONS: Final = ("move", "recruit", "train", "special")
ICONS: Final = {
    "move": "i-move",
    "recruit": "i-recruit",
    "train": "i-train",
    "special": "skill-special",
}
# The paragraph of the rules page that explains each action.
RULES: Final = {
    "move": "5-move",
    "recruit": "5-recruit",
    "train": "5-train",
    "special": "5-special",
    "train-special": "6.1",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: a button that sends `line`, or a link that only opens `opens`.

    `why` is the reason it cannot be chosen, `rule` its paragraph.
    """

    title: str
    line: str = ""
    opens: Mapping[str, str] | None = None
    hint: str = ""
    flag: bool = False
    region: str = ""
    sizes: tuple[int, ...] = ()
    skin: int = 1
    picked: bool = False
    skill: str = ""
    ranks: tuple[int, int] | None = None
    tile: TileArt | None = None
    workshop: str = ""
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Choices of one kind: `targets`, `people`, `skills` or `tiles`."""

    kind: str
    legend: str
    choices: tuple[Choice, ...]
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class ActionTile:
    """One of the four actions: `state` is open, free, done or blocked."""

    key: str
    name: str
    icon: str
    state: str
    note: str
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class TurnPanel:
    """All that the viewer may do in a turn; `groups` belong to the open action, as does `rule`,
    the paragraph that explains it."""

    actions: tuple[ActionTile, ...]
    open: str
    groups: tuple[Group, ...]
    every: Mapping[str, tuple[Group, ...]]
    pairs: tuple[Choice, ...]
    targets: frozenset[str]
    verb: str
    call: str
    call_icon: str
    tips: tuple[Choice, ...] = ()
    rule: str = ""
    in_reach: frozenset[str] = field(default_factory=frozenset)


def draw_turn(
    view: CastellView,
    offers: Offers,
    seats: Mapping[Seat, Who],
    *,
    opened: str = "",
    pick: int = 0,
) -> TurnPanel:
    """Return the panel; `opened` names an action, `pick` the casteller chosen first."""
    drawing = _Panel(view, offers, seats, pick)
    every = {
        "move": (drawing.move(),),
        "recruit": (drawing.recruit(),),
        "train": drawing.train(),
        "special": drawing.special("special", offers.special, offers.special_options),
    }
    if offers.wheel_options is not None:
        every["train-special"] = drawing.special(
            "train special", offers.train, offers.wheel_options
        )
    chosen = drawing.opened(opened, every)
    actions = tuple(drawing.tile(key, chosen) for key in ACTIONS)
    groups = every.get(chosen, ())
    targets, verb = _targets(groups)
    here = drawing.here
    return TurnPanel(
        actions=actions,
        open=chosen,
        groups=groups,
        every=every,
        pairs=drawing.pairs(),
        targets=targets,
        verb=verb,
        call=_call(chosen, targets, groups, here),
        call_icon=ICONS.get(chosen, "skill-special"),
        tips=drawing.tips(chosen),
        rule=RULES.get(chosen, "5"),
        in_reach=frozenset(tile.id for tile, offer in offers.special_options.tiles if offer.line),
    )


def _targets(groups: Sequence[Group]) -> tuple[frozenset[str], str]:
    for group in groups:
        if group.kind == "targets":
            lines = {choice.region: choice.line for choice in group.choices if choice.line}
            verb = next(iter(lines.values()), "move").rpartition(" ")[0].replace(" ", "-")
            return frozenset(lines), verb
    return frozenset(), "move"


def _call(
    opened: str, targets: frozenset[str], groups: Sequence[Group], here: RegionView | None
) -> str:
    """Say on the board what the open action waits for."""
    if opened == "move" and targets:
        if here is None:
            return gettext("place your pawn in any region")
        return ngettext("%(n)s place in reach", "%(n)s places in reach", len(targets))
    if opened == "recruit" and here is not None and groups and groups[0].choices:
        return gettext("up to two from %(region)s", region=here.name)
    if opened == "train" and here is not None and groups:
        return gettext("one skill, one rank up")
    if opened in {"special", "train-special"} and groups:
        return gettext("move, recruit one, or perform")
    return ""


class _Panel:
    """One position's panel; each method draws one action."""

    def __init__(
        self, view: CastellView, offers: Offers, seats: Mapping[Seat, Who], pick: int
    ) -> None:
        self._view, self._offers, self._seats = view, offers, seats
        colla = my_colla(view)
        region = colla.region if colla else None
        self._ranks: Mapping[Skill, int] = colla.ranks if colla else {}
        self._tokens = colla.special_tokens if colla else 0
        self._regions = {one.id: one for one in view.regions}
        self.here = self._regions.get(region or "")
        self._pick = pick

    def opened(self, wanted: str, every: Mapping[str, tuple[Group, ...]]) -> str:
        """Return the action to show: the one asked for, else the first still free."""
        if wanted in every:
            return wanted
        free = (key for key in ACTIONS if not self._offer(key).closed)
        return next(free, "")

    def tile(self, key: str, opened: str) -> ActionTile:
        names: dict[str, tuple[str, bool]] = {}
        turn = self._view.turn
        if turn is not None:
            names = {
                "move": (gettext("Move"), turn.moved),
                "recruit": (gettext("Recruit"), turn.recruited),
                "train": (gettext("Train"), turn.trained),
                "special": (gettext("Special"), turn.special),
            }
        name, done = names[key]
        offer = self._offer(key)
        is_open = opened == key or (opened == "train-special" and key == "train")
        if done:
            state, note = "done", gettext("done")
        elif offer.closed:
            state, note = "blocked", gettext("not now")
        elif is_open:
            state, note = "open", gettext("choose")
        else:
            state, note = "free", self._free_note(key)
        return ActionTile(key, name, ICONS[key], state, note, offer.why, offer.rule)

    def _free_note(self, key: str) -> str:
        return {
            "move": gettext("one step") if self.here else gettext("place"),
            "recruit": gettext("up to 2"),
            "train": gettext("one rank"),
            "special": gettext("%(count)s left", count=self._tokens),
        }[key]

    def _offer(self, key: str) -> ActionOffer:
        offer: ActionOffer = getattr(self._offers, key)
        return offer

    def move(self) -> Group:
        offer = self._offers.move
        legend = (
            gettext("Move from %(region)s to", region=self.here.name)
            if self.here
            else gettext("Place your pawn in")
        )
        choices = () if offer.closed else self._moves("move", self._offers.moves)
        return Group("targets", legend, choices, offer.why, offer.rule)

    def _moves(self, verb: str, regions: Sequence[str]) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                title=self._regions[code].name,
                line=f"{verb} {code}",
                hint=self._hint(code)[0],
                flag=self._hint(code)[1],
                region=code,
            )
            for code in regions
        )

    def _hint(self, code: str) -> tuple[str, bool]:
        """Say the best reason to go there, and whether it is a festival of this round."""
        for number, tokens in festivals_to_come(self._view, code):
            sizes = ", ".join(map(str, tokens))
            if number == self._view.round:
                return gettext("Festival now: %(sizes)s", sizes=sizes), True
            if number <= self._view.round + 2:
                return gettext("Festival R%(round)s: %(sizes)s", round=number, sizes=sizes), False
        region = self._regions[code]
        others = [self._seats[seat].name for seat in region.pawns if seat != self._view.seat]
        if others:
            return gettext("%(names)s here", names=anded(others)), False
        if region.castellers:
            return ", ".join(map(str, sorted(region.castellers, reverse=True))), False
        return gettext("nobody waits"), False

    def recruit(self) -> Group:
        """Two taps for two castellers: the first picks, the second drafts both."""
        offer = self._offers.recruit
        pool = sorted(self.here.castellers, reverse=True) if self.here else []
        where = self.here.name if self.here else ""
        if offer.closed:
            return Group("people", gettext("Recruit"), (), offer.why, offer.rule)
        pick = self._pick if self._pick in pool else 0
        choices = self._second(pool, pick) if pick else self._first(pool)
        legend = (
            gettext("The %(size)s and who else?", size=pick)
            if pick
            else gettext("Recruit one or two from %(region)s", region=where)
        )
        return Group("people", legend, choices)

    def _first(self, pool: list[int]) -> tuple[Choice, ...]:
        if len(pool) == 1 or self._offers.recruit_most < 2:
            return tuple(
                Choice(str(size), f"recruit {size}", sizes=(size,), skin=_skin(size, n))
                for n, size in enumerate(pool)
            )
        return tuple(
            Choice(
                str(size),
                opens={"open": "recruit", "pick": str(size)},
                sizes=(size,),
                skin=_skin(size, n),
            )
            for n, size in enumerate(pool)
        )

    def _second(self, pool: list[int], pick: int) -> tuple[Choice, ...]:
        """Everybody stays where they stood: only what a tap means has changed."""
        taken = pool.index(pick)
        return (
            *(
                Choice(
                    str(pick),
                    opens={"open": "recruit"},
                    sizes=(pick,),
                    skin=_skin(pick, n),
                    picked=True,
                    hint=gettext("not this one"),
                )
                if n == taken
                else Choice(
                    gettext("%(size)s too", size=size),
                    f"recruit {max(size, pick)} {min(size, pick)}",
                    sizes=(size,),
                    skin=_skin(size, n),
                )
                for n, size in enumerate(pool)
            ),
            Choice(gettext("Only the %(size)s", size=pick), f"recruit {pick}"),
        )

    def pairs(self) -> tuple[Choice, ...]:
        """Every way to recruit, one or two, as one choice each."""
        if self._offers.recruit.closed or self.here is None:
            return ()
        pool = sorted(self.here.castellers, reverse=True)
        most = min(self._offers.recruit_most, len(pool))
        groups = [
            sizes
            for count in range(most, 0, -1)
            for sizes in dict.fromkeys(combinations(pool, count))
        ]
        return tuple(
            Choice(anded(sizes), f"recruit {' '.join(map(str, sizes))}", sizes=sizes)
            for sizes in groups
        )

    def train(self) -> tuple[Group, ...]:
        offer = self._offers.train
        if offer.closed:
            return (Group("skills", gettext("Train"), (), offer.why, offer.rule),)
        choices = []
        for skill, here, everywhere, one in self._offers.skills:
            place = _place(self.here.name if self.here else "", here=here, everywhere=everywhere)
            if skill == "special":
                choices.append(
                    Choice(
                        gettext("Special"),
                        opens={"open": "train-special"},
                        hint=gettext("a special action, no token"),
                        skill=skill,
                    )
                )
                continue
            rank = self._ranks.get(skill, 0)
            choices.append(
                Choice(
                    skill_name(skill),
                    one.line,
                    hint=place,
                    skill=skill,
                    ranks=(rank, rank + 1) if one.line else (rank, rank),
                    why=one.why,
                    rule=one.rule,
                )
            )
        return (Group("skills", gettext("Train one skill"), tuple(choices)),)

    def special(self, verb: str, offer: ActionOffer, options: SpecialOffer) -> tuple[Group, ...]:
        """The three options of a special action, paid by a token or by the wheel's tile.

        What can be done comes before what cannot yet: on a phone the rest is below the edge.
        """
        if offer.closed or self.here is None:
            return (Group("targets", gettext("Special"), (), offer.why, offer.rule),)
        tiles = tuple(self._tile(verb, tile, one) for tile, one in options.tiles)
        groups = (
            Group(
                "tiles",
                gettext("Perform in %(region)s", region=self.here.name),
                tiles,
                "" if tiles else gettext("No performance tile is left here."),
            ),
            Group(
                "people",
                gettext("Recruit one"),
                tuple(
                    Choice(str(size), f"{verb} recruit {size}", sizes=(size,), skin=_skin(size, n))
                    for n, size in enumerate(options.recruits)
                ),
                "" if options.recruits else gettext("Nobody waits here."),
            ),
            Group("targets", gettext("Move to"), self._moves(f"{verb} move", options.moves)),
        )
        first, *others = sorted(groups, key=lambda group: not any(c.line for c in group.choices))
        legends = {
            "tiles": gettext("or perform in %(region)s", region=self.here.name),
            "people": gettext("or recruit one"),
            "targets": gettext("or move to"),
        }
        return (first, *(replace(group, legend=legends[group.kind]) for group in others))

    def _tile(self, verb: str, tile: TileView, one: ActionOffer) -> Choice:
        return Choice(
            tile_words(tile),
            f"{verb} perform {one.line}" if one.line else "",
            hint=tile_task(tile),
            tile=draw_tile(tile, 0, tile_words(tile)),
            workshop=tile.id,
            why=one.why,
            rule=one.rule,
        )

    def tips(self, opened: str) -> tuple[Choice, ...]:
        """What is in reach and easily overlooked."""
        if opened in {"special", "train-special"} or self._offers.special.closed:
            return ()
        return tuple(
            Choice(tile_words(tile), opens={"open": "special"}, workshop=tile.id)
            for tile, one in self._offers.special_options.tiles
            if one.line
        )


def _skin(size: int, place: int) -> int:
    return (size * 5 + place) % 4 + 1


def _place(region: str, *, here: bool, everywhere: bool) -> str:
    if here and everywhere:
        return gettext("here and everywhere")
    return gettext("everywhere") if everywhere else gettext("in %(region)s", region=region)
