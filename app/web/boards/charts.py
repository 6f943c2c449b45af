"""The charts of the results page as SVG geometry: bars by category, points by round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.i18n import gettext
from app.i18n.lists import listed as anded
from app.web.boards.seats import Who

LEFT: Final = 96.0
RIGHT: Final = 690.0
ROW: Final = 62.0
BAR: Final = 50.0
PLOT: Final = (26.0, 366.0, 10.0, 240.0)


@dataclass(frozen=True, slots=True)
class Category:
    """One source of points: its key in the outcome, its class, its short name."""

    key: str
    style: str
    name: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One category of one seat."""

    style: str
    x: float
    y: float
    width: float
    value: int
    middle: float


@dataclass(frozen=True, slots=True)
class Row:
    """One seat's bars, and the same as a line of the table."""

    who: Who
    is_me: bool
    y: float
    bars: tuple[Bar, ...]
    values: tuple[int, ...]
    total: int
    total_x: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Points by category; `ticks` are (x, label)."""

    height: float
    rows: tuple[Row, ...]
    ticks: tuple[tuple[float, int], ...]
    legend: tuple[tuple[str, str], ...]
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's points by round: a path, and where its pawn stands at the end."""

    who: Who
    path: str
    end_y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A decisive moment on the time axis."""

    number: int
    round: int
    who: Who


@dataclass(frozen=True, slots=True)
class Dot:
    """Where a moment's number stands on the line of the seat that gained."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Lead:
    """Points after each round; ticks are (position, label)."""

    lines: tuple[Line, ...]
    dots: tuple[Dot, ...]
    across: tuple[tuple[float, int], ...]
    up: tuple[tuple[float, int], ...]
    words: str


def bars(
    seats: Sequence[tuple[Who, bool, Mapping[str, int]]], categories: Sequence[Category]
) -> Chart:
    """Draw the points of each seat, in the order given, split by category."""
    most = max((sum(points.values()) for _, _, points in seats), default=0)
    step = _step(most, 6)
    top = max(most, step)
    scale = (RIGHT - LEFT) / top
    rows = [_row(number, *seat, scale, categories) for number, seat in enumerate(seats)]
    return Chart(
        height=round(len(seats) * ROW + 30, 1),
        rows=tuple(rows),
        ticks=tuple((round(LEFT + value * scale, 1), value) for value in range(0, top + 1, step)),
        legend=tuple((one.style, one.name) for one in categories),
        words=gettext(
            "Points by category: %(totals)s",
            totals="; ".join(f"{row.who.name} {row.total}" for row in rows),
        ),
    )


def _row(  # noqa: PLR0917 - one fact an argument
    number: int,
    who: Who,
    is_me: bool,
    points: Mapping[str, int],
    scale: float,
    categories: Sequence[Category],
) -> Row:
    x, y = LEFT, 8 + number * ROW
    drawn = []
    for category in categories:
        value = points[category.key]
        width = value * scale
        if value:
            middle = round(x + width / 2, 1)
            drawn.append(Bar(category.style, round(x, 1), y, round(width, 1), value, middle))
        x += width
    return Row(
        who=who,
        is_me=is_me,
        y=y,
        bars=tuple(drawn),
        values=tuple(points[category.key] for category in categories),
        total=sum(points.values()),
        total_x=round(x + 10, 1),
    )


def lead(
    people: Sequence[Who],
    points: Sequence[Sequence[int]],
    marks: Sequence[Mark],
    numbers: Sequence[int] = (),
) -> Lead:
    """Draw the points after each round, one line a seat, in the order given.

    `numbers` are what the rounds are called, where they do not simply count up.
    """
    left, right, top, bottom = PLOT
    rounds = max((len(line) for line in points), default=1)
    most = max((value for line in points for value in line), default=0)
    step = _step(most, 4)
    high = max(most, step) * 1.06
    xs = [left + (right - left) * n / max(rounds - 1, 1) for n in range(rounds)]

    def height(value: int) -> float:
        return round(bottom - (bottom - top) * value / high, 1)

    ends = _apart([height(line[-1]) for line in points])
    by_seat = {who.seat: line for who, line in zip(people, points, strict=True)}
    return Lead(
        lines=tuple(
            Line(
                who,
                "M" + " L".join(f"{x:.1f} {height(v)}" for x, v in zip(xs, line, strict=True)),
                end,
            )
            for who, line, end in zip(people, points, ends, strict=True)
        ),
        dots=tuple(
            Dot(
                mark.number,
                round(xs[mark.round - 1], 1),
                round(height(by_seat[mark.who.seat][mark.round - 1]) - 14, 1),
            )
            for mark in marks
        ),
        across=tuple(
            (round(x, 1), number)
            for x, number in zip(xs, numbers or range(1, rounds + 1), strict=True)
        ),
        up=tuple((height(value), value) for value in range(0, most + 1, step)),
        words=gettext(
            "Points after each round. %(leaders)s", leaders=_leaders(people, points, numbers)
        ),
    )


def _apart(heights: Sequence[float], least: float = 19.0) -> list[float]:
    """Push the pawns at the ends of the lines apart, keeping their order."""
    placed = list(heights)
    order = sorted(range(len(placed)), key=lambda number: placed[number])
    for above, below in pairwise(order):
        placed[below] = round(max(placed[below], placed[above] + least), 1)
    return placed


def _leaders(people: Sequence[Who], points: Sequence[Sequence[int]], numbers: Sequence[int]) -> str:
    """Say in words who led when: what the lines show to those who see them."""
    told: list[tuple[str, int, int]] = []
    called = numbers or range(1, len(points[0]) + 1)
    for place, number in enumerate(called):
        top = max(line[place] for line in points)
        if not top:
            continue
        names = anded(
            [who.name for who, line in zip(people, points, strict=True) if line[place] == top]
        )
        if told and told[-1][0] == names:
            told[-1] = (names, told[-1][1], number)
        else:
            told.append((names, number, number))
    parts = [
        gettext("round %(first)s: %(names)s", first=first, names=names)
        if first == last
        else gettext("rounds %(first)s to %(last)s: %(names)s", first=first, last=last, names=names)
        for names, first, last in told
    ]
    return gettext("In front: %(parts)s.", parts="; ".join(parts)) if parts else ""


def _step(most: int, lines: int) -> int:
    """Return a round distance between grid lines: 5, 10, 20, 25, 50 …"""
    for step in (5, 10, 20, 25, 50, 100):
        if most <= step * lines:
            return step
    return 200
