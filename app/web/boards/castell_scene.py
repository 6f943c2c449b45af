"""What stands on the map, each thing with its place, for either level of detail.

Nothing is decided here: the scene is the view, drawn.  Where a draft differs
from the position everybody plays on, the difference is a ghost.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.rules.castell.view import CastellView, FestivalView, RegionView
from app.rules.game import Seat
from app.web.boards.castell_map import Box, places
from app.web.boards.castell_tiles import TileArt, draw_tile, tile_words
from app.web.boards.castell_words import region_label, skill_name
from app.web.boards.seats import Who

FIGURE: Final = 40 / 84
TALL: Final = 60.0
PAWN: Final = (36.0, 39.6)
TILES: Final = 2
SKINS: Final = 4


@dataclass(frozen=True, slots=True)
class Man:
    """A casteller waiting in a region; `taken` when the draft recruits it."""

    size: int
    taken: bool
    skin: int
    x: float
    y: float
    width: float
    height: float
    tag_x: float
    tag_y: float


@dataclass(frozen=True, slots=True)
class PawnArt:
    """A pawn; `ghost` where the draft has left, `moved` since the viewer's last turn."""

    kit: int
    letter: str
    x: float
    y: float
    mine: bool
    ghost: bool
    moved: bool


@dataclass(frozen=True, slots=True)
class TokenArt:
    """Special action tokens of one owner in a row; `new` when the draft puts one there."""

    kit: int
    letter: str
    count: int
    x: float
    y: float
    new: bool


@dataclass(frozen=True, slots=True)
class PennantArt:
    """A festival to come: the round and the numbers on its size tokens."""

    round: int
    now: bool
    x: float
    y: float
    width: float
    discs: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class SignArt:
    """The skill a region trains now."""

    skill: str
    name: str
    x: float
    y: float
    width: float
    done: bool


@dataclass(frozen=True, slots=True)
class StageArt:
    """The local performance row."""

    x: float
    y: float
    width: float
    tiles: tuple[TileArt, ...]
    gone: tuple[float, ...]
    tokens: tuple[TokenArt, ...]


@dataclass(frozen=True, slots=True)
class KitArt:
    """All that a region shows on one level of detail."""

    name_x: float
    name_y: float
    plate_x: float
    plate_width: float
    news_x: float
    sign: SignArt | None
    pennants: tuple[PennantArt, ...]
    men: tuple[Man, ...]
    sizes: tuple[tuple[float, int, bool], ...]
    pill: Box
    stage: StageArt | None
    pawns: tuple[PawnArt, ...]


@dataclass(frozen=True, slots=True)
class RegionArt:
    """One region: the link over its land, and what is drawn upon it."""

    id: str
    name: str
    label: str
    target: bool
    here: bool
    far: bool
    chosen: bool
    news: bool
    detail: KitArt
    overview: KitArt


@dataclass(frozen=True, slots=True)
class SceneFacts:
    """What the scene needs beside the two positions."""

    seats: Mapping[Seat, Who]
    targets: frozenset[str] = frozenset()
    news: frozenset[str] = frozenset()
    moved: frozenset[Seat] = frozenset()
    chosen: str = ""


def draw_scene(view: CastellView, base: CastellView, facts: SceneFacts) -> tuple[RegionArt, ...]:
    """Return every region of `view` as it is drawn; `base` is `view` without the draft."""
    mine = _colla_region(view, view.seat)
    neighbours: frozenset[str] = frozenset()
    for region in view.regions:
        if region.id == mine:
            neighbours = frozenset(region.neighbours)
    before = {region.id: region for region in base.regions}
    drawn = []
    for region in view.regions:
        drawing = _Drawing(view, region, before[region.id], facts)
        drawn.append(
            RegionArt(
                id=region.id,
                name=region.name,
                label=region_label(view, region, facts.seats, target=region.id in facts.targets),
                target=region.id in facts.targets,
                here=region.id == mine,
                far=bool(facts.targets)
                and region.id not in facts.targets
                and region.id != mine
                and region.id not in neighbours,
                chosen=region.id == facts.chosen,
                news=region.id in facts.news,
                detail=drawing.detail(),
                overview=drawing.overview(),
            )
        )
    return tuple(drawn)


def coming(view: CastellView, region: str) -> tuple[tuple[int, FestivalView], ...]:
    """Return (round, festival) for each festival of `region` that is not resolved yet."""
    return tuple(
        (number.number, festival)
        for number in view.calendar
        for festival in number.festivals
        if festival.region == region and not festival.resolved
    )


def _colla_region(view: CastellView, seat: Seat | None) -> str | None:
    return next((colla.region for colla in view.collas if colla.seat == seat), None)


def _without(larger: Sequence[int], smaller: Sequence[int]) -> Counter[int]:
    return Counter(larger) - Counter(smaller)


class _Drawing:
    """One region of one position; the two methods lay it out."""

    def __init__(
        self, view: CastellView, region: RegionView, before: RegionView, facts: SceneFacts
    ) -> None:
        self._view, self._region, self._before, self._facts = view, region, before, facts
        self._places = places()[region.id]
        self._target = region.id in facts.targets
        taken = _without(before.castellers, region.castellers)
        self._people = sorted(
            [(size, False) for size in region.castellers]
            + [(size, True) for size in taken.elements()],
            key=lambda man: (-man[0], man[1]),
        )
        self._coming = coming(view, region.id)

    def detail(self) -> KitArt:
        boxes = self._places.detail
        return self._kit(
            boxes,
            letter=11.6,
            sign=self._sign(boxes["sign"], text=True),
            pennants=self._pennants(boxes["pen"]),
            men=self._men(boxes["men"]),
            stage=self._stage(boxes["stage"]),
            pawns=self._pawns(boxes["pawns"], PAWN[0]),
        )

    def overview(self) -> KitArt:
        boxes = self._places.overview
        now = [(n, festival) for n, festival in self._coming if n == self._view.round]
        return self._kit(
            boxes,
            letter=15.5,
            sign=self._sign(boxes["sign"], text=False),
            pennants=tuple(
                PennantArt(
                    round=number,
                    now=True,
                    x=boxes["pen"].x,
                    y=boxes["pen"].y + 4,
                    width=48 + 40 * (len(festival.tokens) - 1) + 30,
                    discs=tuple(
                        (33.0 + 40 * place, token) for place, token in enumerate(festival.tokens)
                    ),
                )
                for number, festival in now
            ),
            men=(),
            stage=None,
            pawns=self._pawns(boxes["pawns"], 58.0),
        )

    def _kit(
        self,
        boxes: Mapping[str, Box],
        *,
        letter: float,
        sign: SignArt | None,
        pennants: tuple[PennantArt, ...],
        men: tuple[Man, ...],
        stage: StageArt | None,
        pawns: tuple[PawnArt, ...],
    ) -> KitArt:
        name = boxes["name"]
        x, y = name.middle
        text = len(self._region.name) * letter
        plate = text + name.height * 1.5
        pill = boxes.get("pill", name)
        sizes, width = self._pill(pill.width)
        return KitArt(
            name_x=x,
            name_y=y,
            plate_x=round(x - plate / 2, 1),
            plate_width=round(plate, 1),
            news_x=round(x + (plate / 2 - 2 if self._target else text * 0.6 + 6), 1),
            sign=sign,
            pennants=pennants,
            men=men,
            sizes=sizes,
            pill=Box(pill.x, pill.y, width, pill.height),
            stage=stage,
            pawns=pawns,
        )

    def _pill(self, room: float) -> tuple[tuple[tuple[float, int, bool], ...], float]:
        """The sizes in a row, as the overview writes them, and how wide that is."""
        widths = [38.0 if size > 9 else 22.0 for size, _ in self._people]
        gap = min(13.0, (room - 28 - sum(widths)) / max(len(widths) - 1, 1))
        x, placed = 14.0, []
        for width, (size, taken) in zip(widths, self._people, strict=True):
            placed.append((round(x + width / 2, 1), size, taken))
            x += width + gap
        return tuple(placed), round(x - gap + 14, 1)

    def _sign(self, box: Box, *, text: bool) -> SignArt | None:
        skill = self._region.skills[0] if self._region.skills else None
        if skill is None:
            return None
        name = skill_name(skill)
        return SignArt(
            skill=skill,
            name=name if text else "",
            x=box.x,
            y=box.y,
            width=round(21 + 8.2 * len(name)),
            done=self._trained(),
        )

    def _trained(self) -> bool:
        """Whether the viewer stands here and has trained in this turn."""
        turn = self._view.turn
        return (
            turn is not None
            and turn.seat == self._view.seat
            and turn.trained
            and self._region.id == _colla_region(self._view, self._view.seat)
        )

    def _pennants(self, box: Box) -> tuple[PennantArt, ...]:
        drawn = []
        for place, (number, festival) in enumerate(self._coming[:2]):
            start = 50.0 if number > 9 else 44.0
            discs = tuple((start + 23 * n, token) for n, token in enumerate(festival.tokens))
            drawn.append(
                PennantArt(
                    round=number,
                    now=number == self._view.round,
                    x=box.x + 2,
                    y=box.y + 3 + 33 * place,
                    width=start - 4 + 23 * len(discs),
                    discs=discs,
                )
            )
        return tuple(drawn)

    def _men(self, box: Box) -> tuple[Man, ...]:
        count = len(self._people)
        if not count:
            return ()
        step = min(34.0, (box.width - 30) / max(count - 1, 1))
        left = box.x + (box.width - step * (count - 1)) / 2
        seen: Counter[int] = Counter()
        drawn = []
        for place, (size, taken) in enumerate(self._people):
            tall = TALL * (0.56 + 0.044 * size)
            middle = left + step * place
            seen[size] += 1
            drawn.append(
                Man(
                    size=size,
                    taken=taken,
                    # The same casteller looks the same whoever stands beside it.
                    skin=(ord(self._region.id[1]) + size * 5 + seen[size]) % SKINS + 1,
                    x=round(middle - tall * FIGURE / 2, 1),
                    y=round(box.y + TALL - tall, 1),
                    width=round(tall * FIGURE, 1),
                    height=round(tall, 1),
                    tag_x=round(middle, 1),
                    tag_y=box.y + TALL + 1.5,
                )
            )
        return tuple(drawn)

    def _stage(self, box: Box) -> StageArt | None:
        tiles = tuple(
            draw_tile(tile, 6 + 54.0 * place, tile_words(tile))
            for place, tile in enumerate(self._region.tiles)
        )
        owned, before = Counter(self._region.tokens), Counter(self._before.tokens)
        single = len(self._region.tokens) <= 4
        shown = (
            [(seat, 1) for seat in sorted(self._region.tokens)] if single else sorted(owned.items())
        )
        edge = 6 + 54.0 * len(tiles)
        drafted = {seat for seat in owned if owned[seat] > before[seat]}
        tokens = []
        for place, (seat, count) in enumerate(shown):
            tall = len(shown) > 1
            last = place + 1 == len(shown) or shown[place + 1][0] != seat
            tokens.append(
                TokenArt(
                    kit=self._facts.seats[seat].kit,
                    letter=self._facts.seats[seat].letter,
                    count=count,
                    x=edge + 24.0 * (place // 2),
                    y=(8.0 + 24 * (place % 2)) if tall else 20.0,
                    new=seat in drafted and last,
                )
            )
        if not tiles and not tokens:
            return None
        width = edge + 24 * ((len(shown) + 1) // 2) + (2 if shown else 0)
        missing = len(self._before.tiles) - len(tiles)
        return StageArt(
            x=box.x + (box.width - width) / 2,
            y=box.y,
            width=width,
            tiles=tiles,
            gone=tuple(6 + 54.0 * (len(tiles) + n) for n in range(missing)),
            tokens=tuple(tokens),
        )

    def _pawns(self, box: Box, width: float) -> tuple[PawnArt, ...]:
        standing = [(seat, False) for seat in self._region.pawns]
        standing += [(seat, True) for seat in self._before.pawns if seat not in self._region.pawns]
        if not standing:
            return ()
        # The viewer's own pawn stands in front.
        standing.sort(key=lambda pawn: (pawn[0] == self._view.seat, pawn[0]))
        step = min(width + 6, (box.width - width) / max(len(standing) - 1, 1))
        left = box.x + (box.width - width - step * (len(standing) - 1)) / 2
        return tuple(
            PawnArt(
                kit=self._facts.seats[seat].kit,
                letter=self._facts.seats[seat].letter,
                x=round(left + step * place, 1),
                y=round(box.y + (box.height - width * 1.1) / 2, 1),
                mine=seat == self._view.seat and not ghost,
                ghost=ghost,
                moved=seat in self._facts.moved and not ghost,
            )
            for place, (seat, ghost) in enumerate(standing)
        )
