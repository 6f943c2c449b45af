"""What stands on the map of Spain, each thing with its place, for either level of detail.

Nothing is decided here: the scene is the view, drawn.  Where a draft differs
from the position everybody plays on, the difference is a ghost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.i18n import gettext
from app.rules.el_grande.components import CAS
from app.rules.el_grande.view import ElGrandeView, RegionView
from app.rules.game import Seat
from app.web.boards.el_grande_map import Box, places
from app.web.boards.el_grande_words import area_label, area_name, short_name
from app.web.boards.seats import Who

CUBE: Final = (24.0, 25.5)
STOREY: Final = 13.0
COLUMN: Final = 31.0
# From the foot of a stack to the top of its first cube, and above the last one its number.
FIRST: Final = 23.0
FIGURES: Final = 17.0
FOOT: Final = (26.0, 28.6)
GRANDE: Final = (34.0, 44.2)
PLATE: Final = 80.0
# On the overview a seat is its pawn and a number.
SMALL_PAWN: Final = (42.0, 46.2)
SMALL_COLUMN: Final = 96.0
LEAST_COLUMN: Final = 80.0
# Room for "and so many more".
MORE: Final = 36.0
BADGES: Final = {"source": "i-recruit", "target": "i-plus", "move": "i-move", "disc": "i-flag"}


@dataclass(frozen=True, slots=True)
class SquadArt:
    """The caballeros of one seat in one area; `ghosts` are drafted in, `leaving` drafted away."""

    kit: int
    letter: str
    count: int
    cubes: tuple[tuple[float, float], ...]
    ghosts: tuple[tuple[float, float], ...]
    leaving: tuple[tuple[float, float], ...]
    x: float
    pawn_y: float
    letter_y: float
    count_y: float
    points: int
    changed: bool


@dataclass(frozen=True, slots=True)
class GrandeArt:
    """A Grande; `ghost` where a draft has left."""

    kit: int
    letter: str
    x: float
    y: float
    ghost: bool


@dataclass(frozen=True, slots=True)
class AreaKit:
    """All that an area shows on one level of detail."""

    name: str
    name_x: float
    name_y: float
    badge_x: float
    badge_width: float
    news_x: float
    plate: Box
    squads: tuple[SquadArt, ...]
    more: int
    more_x: float
    more_y: float
    grandes: tuple[GrandeArt, ...]
    king: Box | None
    king_gone: Box | None
    taboo: Box | None
    castle: Box | None
    pill: Box | None


@dataclass(frozen=True, slots=True)
class AreaArt:
    """One area: the link over its land, and what is drawn upon it.

    `badge` is the icon of what a tap does (empty: it only looks); `acts` is the
    button that does it.
    """

    id: str
    name: str
    label: str
    badge: str
    acts: str
    king: bool
    near: bool
    far: bool
    chosen: bool
    news: bool
    values: tuple[int, ...]
    mobile: bool
    inside: str
    detail: AreaKit
    overview: AreaKit


@dataclass(frozen=True, slots=True)
class SceneFacts:
    """What the scene needs beside the two positions.

    `taps` are the icon and the button of each area that a tap acts on;
    `points` what each seat would get there if it were scored.
    """

    seats: Mapping[Seat, Who]
    taps: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    points: Mapping[str, Sequence[int]] = field(default_factory=dict)
    news: frozenset[str] = frozenset()
    chosen: str = ""


def draw_scene(view: ElGrandeView, base: ElGrandeView, facts: SceneFacts) -> tuple[AreaArt, ...]:
    """Return every area of `view` as it is drawn; `base` is `view` without the draft."""
    before = {region.id: region for region in base.regions}
    drawn = [_region_art(view, base, region, before[region.id], facts) for region in view.regions]
    return (*drawn, _castillo_art(view, base, facts))


def castillo_counts(view: ElGrandeView) -> tuple[int | None, ...]:
    """Return what the viewer is shown of the Castillo, seat by seat."""
    return tuple(player.castillo for player in view.players)


def _region_art(
    view: ElGrandeView,
    base: ElGrandeView,
    region: RegionView,
    before: RegionView,
    facts: SceneFacts,
) -> AreaArt:
    icon, acts = facts.taps.get(region.id, ("", ""))
    counts = tuple(zip(before.caballeros, region.caballeros, strict=True))
    standing = [(seat, False) for seat in region.grandes]
    standing += [(seat, True) for seat in before.grandes if seat not in region.grandes]
    drawing = _Drawing(view, region.id, counts, tuple(standing), facts)
    return AreaArt(
        id=region.id,
        name=area_name(view, region.id),
        label=area_label(view, region, facts.seats, facts.points.get(region.id, ())),
        badge=icon,
        acts=acts,
        king=region.king,
        near=region.open,
        far=bool(facts.taps) and not icon and not region.king,
        chosen=region.id == facts.chosen,
        news=region.id in facts.news,
        values=region.values,
        mobile=region.board is not None,
        inside="",
        detail=drawing.detail(king=region.king, left=before.king and not region.king),
        overview=drawing.overview(king=region.king),
    )


def _castillo_art(view: ElGrandeView, base: ElGrandeView, facts: SceneFacts) -> AreaArt:
    icon, acts = facts.taps.get(CAS, ("", ""))
    # Of a hidden Castillo the viewer's own number is told in words: nobody is seen inside.
    counts = tuple(
        (was or 0, now or 0) if view.castillo == "open" else (0, 0)
        for was, now in zip(castillo_counts(base), castillo_counts(view), strict=True)
    )
    drawing = _Drawing(view, CAS, counts, (), facts)
    return AreaArt(
        id=CAS,
        name=area_name(view, CAS),
        label=area_label(view, None, facts.seats, facts.points.get(CAS, ())),
        badge=icon,
        acts=acts,
        king=False,
        near=False,
        far=bool(facts.taps) and not icon,
        chosen=facts.chosen == CAS,
        news=CAS in facts.news,
        values=view.values.castillo,
        mobile=False,
        inside=_inside(view),
        detail=drawing.detail(king=False, left=False),
        overview=drawing.overview(king=False),
    )


def _inside(view: ElGrandeView) -> str:
    """What a hidden Castillo shows: the viewer's own caballeros, and that there are others."""
    if view.castillo != "hidden":
        return ""
    mine = next((p.castillo for p in view.players if p.seat == view.seat), None)
    return "?" if mine is None else gettext("%(count)s yours + ?", count=mine)


def _width(name: str, letter: float) -> float:
    """Return about how wide a name is: the page measures no text."""
    return letter * sum(0.53 if sign in " íijlt" else 1.06 for sign in name)


class _Drawing:
    """One area of one position; the two methods lay it out."""

    def __init__(
        self,
        view: ElGrandeView,
        area: str,
        counts: tuple[tuple[int, int], ...],
        grandes: tuple[tuple[Seat, bool], ...],
        facts: SceneFacts,
    ) -> None:
        self._view, self._area, self._facts = view, area, facts
        self._grandes = grandes
        self._target = area in facts.taps
        # The tallest first, as they count; those who are drafted away altogether come last.
        self._squads = sorted(
            ((Seat(seat), was, now) for seat, (was, now) in enumerate(counts) if was or now),
            key=lambda squad: (-squad[2], -squad[1], squad[0]),
        )
        points = facts.points.get(area, ())
        self._points = dict(enumerate(points))

    def detail(self, *, king: bool, left: bool) -> AreaKit:
        boxes = places()[self._area].detail
        name = area_name(self._view, self._area)
        squads = self._columns(boxes["squads"], boxes["plate"])
        return self._kit(boxes, name, 11.2, squads, king=king, left=left)

    def overview(self, *, king: bool) -> AreaKit:
        boxes = places()[self._area].overview
        name = short_name(self._view, self._area)
        squads, more, more_x = self._row(boxes["squads"])
        kit = self._kit(boxes, name, 15.2, squads, king=king, left=False)
        box = boxes["squads"]
        return AreaKit(
            **{
                **{slot: getattr(kit, slot) for slot in AreaKit.__slots__},
                "more": more,
                "more_x": more_x,
                "more_y": box.y + 36,
            }
        )

    def _kit(
        self,
        boxes: Mapping[str, Box],
        name: str,
        letter: float,
        squads: tuple[SquadArt, ...],
        *,
        king: bool,
        left: bool,
    ) -> AreaKit:
        x, y = boxes["name"].middle
        width = len(name) * letter + boxes["name"].height * 1.7
        return AreaKit(
            name=name,
            name_x=round(x, 1),
            name_y=round(y, 1),
            badge_x=round(x - width / 2, 1),
            badge_width=round(width, 1),
            # At the end of the name, or on the rim of the badge around it.
            news_x=round(x + (width / 2 - 8 if self._target else _width(name, letter) / 2 + 7), 1),
            plate=boxes["plate"],
            squads=squads,
            more=0,
            more_x=0,
            more_y=0,
            grandes=self._nobles(boxes.get("grandes")),
            king=boxes.get("king") if king else None,
            king_gone=boxes.get("king") if left else None,
            taboo=boxes.get("taboo") if king else None,
            castle=boxes.get("castle"),
            pill=boxes.get("pill"),
        )

    def _columns(self, box: Box, plate: Box) -> tuple[SquadArt, ...]:
        """Cubes on each other, a seat a column, its pawn at the foot; no number meets `plate`."""
        count = len(self._squads)
        step = min(COLUMN, (box.width - FOOT[0]) / max(count - 1, 1))
        start = box.x + (box.width - FOOT[0] - step * (count - 1)) / 2
        foot = box.y + box.height
        tallest = max((max(was, now) for _, was, now in self._squads), default=1)
        room = box.height - 12
        if box.x < plate.x + plate.width and plate.x < box.x + box.width:
            room = min(room, foot - FIRST - FIGURES - plate.y - plate.height)
        storey = min(STOREY, room / max(tallest - 1, 1))
        drawn = []
        for place, (seat, was, now) in enumerate(self._squads):
            x = start + step * place
            spots = [
                (round(x + 1, 1), round(foot - FIRST - storey * n, 1)) for n in range(max(was, now))
            ]
            stay = min(was, now)
            top = spots[-1][1]
            drawn.append(
                SquadArt(
                    kit=self._facts.seats[seat].kit,
                    letter=self._facts.seats[seat].letter,
                    count=now,
                    cubes=tuple(spots[:stay]),
                    ghosts=tuple(spots[stay:now]),
                    leaving=tuple(spots[max(stay, now) :]),
                    x=round(x, 1),
                    pawn_y=round(foot, 1),
                    letter_y=round(foot + (19.5 if self._facts.seats[seat].kit == 3 else 16.9), 1),
                    count_y=round(top - 4, 1),
                    points=self._points.get(seat, 0),
                    changed=was != now,
                )
            )
        return tuple(drawn)

    def _row(self, box: Box) -> tuple[tuple[SquadArt, ...], int, float]:
        """Pawns with numbers in a row: those who lead, and how many more there are."""
        room = int(box.width // LEAST_COLUMN)
        if len(self._squads) > room:
            room = int((box.width - MORE) // LEAST_COLUMN)
        shown = self._squads[:room]
        more = len(self._squads) - len(shown)
        free = box.width - (MORE if more else 0)
        step = min(SMALL_COLUMN, free / max(len(shown), 1))
        width = step * len(shown) + (MORE if more else 0)
        start = box.x + max(box.width - width, 0) / 2
        drawn = []
        for place, (seat, was, now) in enumerate(shown):
            x = start + step * place
            kit = self._facts.seats[seat].kit
            drawn.append(
                SquadArt(
                    kit=kit,
                    letter=self._facts.seats[seat].letter,
                    count=now,
                    cubes=(),
                    ghosts=(),
                    leaving=(),
                    x=round(x, 1),
                    pawn_y=box.y,
                    letter_y=round(box.y + (32 if kit == 3 else 27.6), 1),
                    count_y=box.y + 34,
                    points=self._points.get(seat, 0),
                    changed=was != now,
                )
            )
        return tuple(drawn), more, round(start + step * len(shown), 1)

    def _nobles(self, box: Box | None) -> tuple[GrandeArt, ...]:
        if box is None or not self._grandes:
            return ()
        count = len(self._grandes)
        step = min(GRANDE[0] - 2, (box.width - GRANDE[0]) / max(count - 1, 1))
        start = box.x + (box.width - GRANDE[0] - step * (count - 1)) / 2
        # The viewer's own stands in front.
        ordered = sorted(self._grandes, key=lambda one: (one[0] == self._view.seat, one[0]))
        return tuple(
            GrandeArt(
                kit=self._facts.seats[seat].kit,
                letter=self._facts.seats[seat].letter,
                x=round(start + step * place, 1),
                y=box.y,
                ghost=gone,
            )
            for place, (seat, gone) in enumerate(ordered)
        )
