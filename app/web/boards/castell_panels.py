"""Time and property: the calendar, training ahead, my colla and the rivals."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from app.rules.castell.components import PRIZES, SKILLS, Prize, Skill, WheelSkill
from app.rules.castell.view import CastellView, CollaView, FestivalView, RoundView
from app.rules.game import Seat
from app.web.boards.castell_charts import category_name
from app.web.boards.castell_words import skill_name
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class FestivalLine:
    """A festival on the calendar; `seats` won it, or stand there now."""

    region: str
    name: str
    tokens: tuple[int, ...]
    resolved: bool
    seats: tuple[Who, ...]


@dataclass(frozen=True, slots=True)
class RoundCell:
    """A round of the calendar: `when` is past, now or ahead."""

    number: int
    when: str
    refill: bool
    festivals: tuple[FestivalLine, ...]


@dataclass(frozen=True, slots=True)
class AheadRow:
    """What one region, or with code ALL every region, trains from now on."""

    code: str
    name: str
    skills: tuple[tuple[WheelSkill, str] | None, ...]


@dataclass(frozen=True, slots=True)
class SizeStack:
    """Castellers of one size in a colla; `new` of them by the draft."""

    size: int
    count: int
    new: int
    skins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SkillRank:
    """A skill and its rank; `drafted` when the draft has just raised it."""

    skill: Skill
    name: str
    rank: int
    drafted: bool


@dataclass(frozen=True, slots=True)
class CollaPanel:
    """A colla as its owner or a rival sees it; `split` says where its points come from."""

    who: Who
    region: str
    region_name: str
    status: str
    stacks: tuple[SizeStack, ...]
    tallest: int
    castellers: int
    skills: tuple[SkillRank, ...]
    tokens: int
    tokens_spent: int
    best_tower: int
    prizes: tuple[tuple[Prize, int], ...]
    size_tokens: tuple[int, ...]
    tiles: int
    collected: int
    regions: int
    points: int
    split: tuple[tuple[str, int], ...]


def draw_calendar(
    view: CastellView, base: CastellView, seats: Mapping[Seat, Who]
) -> tuple[RoundCell, ...]:
    """Return the rounds, each with its festivals and who won them or waits there."""
    names = {region.id: region.name for region in view.regions}
    standing = {region.id: region.pawns for region in base.regions}

    def line(number: RoundView, festival: FestivalView) -> FestivalLine:
        if festival.resolved:
            there = [seat for seat, prize in festival.prizes if prize == festival.prizes[0][1]]
        elif number.number == view.round:
            there = list(standing[festival.region])
        else:
            there = []
        return FestivalLine(
            festival.region,
            names[festival.region],
            festival.tokens,
            festival.resolved,
            tuple(seats[seat] for seat in there),
        )

    return tuple(
        RoundCell(
            number.number,
            _when(number.number, view),
            number.refill,
            tuple(line(number, festival) for festival in number.festivals),
        )
        for number in view.calendar
    )


def draw_ahead(view: CastellView) -> tuple[AheadRow, ...]:
    """Return what can be trained where, this round and in every later one."""

    def named(skills: tuple[WheelSkill | None, ...]) -> tuple[tuple[WheelSkill, str] | None, ...]:
        return tuple((skill, skill_name(skill)) if skill else None for skill in skills)

    rows = [AheadRow(region.id, region.name, named(region.skills)) for region in view.regions]
    if any(view.everywhere):
        return (AheadRow("ALL", "", named(view.everywhere)), *rows)
    return tuple(rows)


def draw_colla(
    view: CastellView,
    base: CastellView,
    seat: Seat,
    seats: Mapping[Seat, Who],
    answered: Collection[Seat] = (),
    *,
    broken_off: bool = False,
) -> CollaPanel:
    """Return the holdings of `seat`, marking what the viewer's draft has changed.

    `answered` are the seats whose festival tower is in; in a match that is `broken_off`
    nobody is to move.
    """
    now, before = _colla(view, seat), _colla(base, seat)
    names = {region.id: region.name for region in view.regions}
    prizes: Counter[Prize] = Counter()
    for earned in now.earned:
        prizes.update(earned.prizes)
    region = now.region or ""
    return CollaPanel(
        who=seats[seat],
        region=region,
        region_name=names.get(region, ""),
        status="" if broken_off else _status(base, seat, answered),
        stacks=tuple(
            SizeStack(
                size,
                count,
                max(0, count - before.castellers[size - 1]),
                tuple((size * 3 + n * 2) % 4 + 1 for n in range(count)),
            )
            for size, count in enumerate(now.castellers, 1)
        ),
        tallest=max(now.castellers),
        castellers=sum(now.castellers),
        skills=tuple(
            SkillRank(
                skill, skill_name(skill), now.ranks[skill], now.ranks[skill] > before.ranks[skill]
            )
            for skill in SKILLS
        ),
        tokens=now.special_tokens,
        tokens_spent=max(0, view.values.special_tokens - now.special_tokens),
        best_tower=now.best_tower,
        prizes=tuple((prize, prizes[prize]) for prize in PRIZES if prizes[prize]),
        size_tokens=tuple(sorted(token for earned in now.earned for token in earned.size_tokens)),
        tiles=sum(len(earned.tiles) for earned in now.earned),
        collected=sum(len(earned.tokens) for earned in now.earned),
        regions=sum(
            bool(earned.prizes or earned.size_tokens or earned.tiles or earned.tokens)
            for earned in now.earned
        ),
        points=now.points,
        split=tuple((category_name(key), points) for key, points in now.categories.items()),
    )


def _colla(view: CastellView, seat: Seat) -> CollaView:
    return next(colla for colla in view.collas if colla.seat == seat)


def _when(number: int, view: CastellView) -> str:
    if number < view.round or view.phase == "over":
        return "past"
    return "now" if number == view.round else "ahead"


def _status(view: CastellView, seat: Seat, answered: Collection[Seat]) -> str:
    """How far `seat` is in this round: played, now, next, later, or nothing to say."""
    if view.phase == "festivals":
        if seat in answered:
            return "in"
        return "building" if seat in view.asked else ""
    if view.turn is None or seat not in view.order:
        return ""
    current, place = view.order.index(view.turn.seat), view.order.index(seat)
    if place == current:
        return "now"
    if place < current:
        return "played"
    return "next" if place == current + 1 else "later"
