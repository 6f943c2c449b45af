"""What is measured, the mark to meet, and how a run is shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that is measured: its value must be `most` or less, or `least` or more."""

    id: str
    what: str
    against: str
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def shown(self) -> str:
        """The mark as people write it."""
        bound = f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}"
        return f"{bound} {self.unit}".rstrip()

    def met(self, value: float) -> bool:
        """Whether `value` is good enough."""
        if self.least is not None and value < self.least:
            return False
        return self.most is None or value <= self.most


MARKS: Final = {
    mark.id: mark
    for mark in (
        Mark("A1", "poll answered 204", "the smallest FastAPI route", "times as many", least=0.75),
        Mark("A2", "poll answered 204", "the same poll through the ORM", "times as many", least=5),
        Mark("A3", "commits of a turn, one client", "the same SQL by pgbench", "of it", least=0.2),
        Mark("A4", "commit after 2,000 events", "after 20", "times", most=1.1),
        Mark("A5", "match page after 2,000 events", "after 20", "times", most=1.1),
        Mark("A6", "match page", "an empty FastAPI and Jinja page", "times", most=12),
        Mark("A6.first", "first visit, without fonts", "", "KB", most=60),
        Mark("A6.fonts", "fonts of the first visit", "", "KB", most=150),
        Mark("A6.again", "second visit", "", "KB", most=15),
        Mark("A7", "a commit shows, beyond the interval", "polling every 2 s", "ms p95", most=100),
        Mark("A8", "open pages polling every 2 s", "p95 ≤ 100 ms", "pages", least=3000),
        Mark("A9", "second start of `placa play`", "", "s", most=5),
        Mark("A9.memory", "idle memory of web and worker", "", "MB PSS", most=200),
        Mark("B1", "random playouts of Castell, four seats", "", "actions/s", least=50_000),
        Mark("B2", "random playouts of El Grande, four seats", "", "actions/s", least=100_000),
        Mark("B3", "copy of a state", "", "µs", most=3),
        Mark("B3.view", "view of a seat", "", "µs", most=100),
        Mark("B4", "best tower, 25 castellers, 8 ranks", "", "ms p95", most=3),
        Mark("B4.worst", "the same", "", "ms p99", most=5),
        Mark("B5", "is this shape buildable", "", "ms", most=0.2),
        Mark("B5.tiles", "all tiles I can perform", "", "ms p95", most=20),
        Mark("B6", "a whole match replayed with checks", "", "ms", most=25),
        Mark("B7", "a turn of the `steady` bot", "", "ms p95", most=500),
    )
}


@dataclass(frozen=True, slots=True)
class Figure:
    """What came out: the median of `rounds`, and what it was made of."""

    value: float
    rounds: tuple[float, ...] = ()
    note: str = ""

    @classmethod
    def of(cls, rounds: Iterable[float], note: str = "") -> "Figure":
        """Return the median of `rounds`."""
        values = tuple(rounds)
        return cls(median(values), values, note)


@dataclass(frozen=True, slots=True)
class Run:
    """All figures of one run, and where it ran; `missing` says why something is not there."""

    machine: str
    date: str
    quick: bool
    figures: Mapping[str, Figure]
    missing: Mapping[str, str]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of `values` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def as_json(run: Run, marks: Mapping[str, Mark]) -> dict[str, Any]:
    """Return the run as JSON values."""
    return {
        "machine": run.machine,
        "date": run.date,
        "quick": run.quick,
        "figures": {
            name: {
                "value": _short(figure.value),
                "unit": marks[name].unit,
                "mark": marks[name].shown,
                "met": marks[name].met(figure.value),
                "rounds": [_short(value) for value in figure.rounds],
                "note": figure.note,
            }
            for name, figure in run.figures.items()
        },
        "missing": dict(run.missing),
    }


def rows(run: Run) -> list[tuple[str, ...]]:
    """Return a row for each mark: id, what, against, result, mark, met, note."""
    found: list[tuple[str, ...]] = []
    for name, mark in MARKS.items():
        what = (name, mark.what, mark.against)
        figure = run.figures.get(name)
        if figure is None:
            found.append((*what, "—", mark.shown, "not measured", run.missing.get(name, "")))
            continue
        verdict = "met" if mark.met(figure.value) else "not met"
        found.append((*what, f"{_short(figure.value):,g}", mark.shown, verdict, figure.note))
    return found


def as_table(run: Run) -> str:
    """Return the run for a terminal."""
    table = [row[:6] for row in rows(run)]
    widths = [max(len(row[column]) for row in table) for column in range(6)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
    return "\n".join([run.machine, *lines])


def _short(value: float) -> float:
    """Round to three digits that mean something."""
    return float(f"{value:.3g}") if abs(value) < 1000 else float(round(value))
