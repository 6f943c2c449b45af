"""Stretches of time: from an instant until just before another."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple


class Span(NamedTuple):
    """From `start` until just before `end`."""

    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        """How long it is; nothing for one that ends before it starts."""
        return max(self.end - self.start, timedelta())


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return the same time as spans in order that neither meet nor are empty."""
    joined: list[Span] = []
    for span in sorted(span for span in spans if span.start < span.end):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def clipped(spans: Iterable[Span], start: datetime, end: datetime) -> list[Span]:
    """Return what of `spans` lies between `start` and `end`."""
    cut = (Span(max(span.start, start), min(span.end, end)) for span in spans)
    return [span for span in cut if span.start < span.end]


def first_of(spans: Iterable[Span], budget: timedelta) -> list[Span]:
    """Return the earliest time in `spans` that adds up to no more than `budget`."""
    kept: list[Span] = []
    for span in merged(spans):
        part = Span(span.start, span.start + min(span.length, budget))
        if part.start < part.end:
            kept.append(part)
        budget -= part.length
    return kept
