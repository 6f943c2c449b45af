"""When time runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from app.matches.clocks.local import instant, local_day
from app.matches.clocks.spans import Span, clipped, merged

DAY: Final = timedelta(days=1)
SATURDAY: Final = 5
MIDNIGHT: Final = time()

# How far one look ahead goes, and how many there are before a calendar counts as one
# in which time never runs: terms that would be like that are refused.
_AHEAD: Final = timedelta(days=7)
_LOOKS: Final = 2000


@dataclass(frozen=True, slots=True)
class Calendar:
    """The time that does not run: nights and weekends in `zone`, and what is `stopped` besides.

    `night` is from one time on the wall to another; the second may be past
    midnight.  A weekend is Saturday and Sunday.
    """

    zone: str = "UTC"
    night: tuple[time, time] | None = None
    weekends: bool = False
    stopped: tuple[Span, ...] = ()

    def off(self, start: datetime, end: datetime) -> list[Span]:
        """Return the time between `start` and `end` that does not run."""
        spans = [*self.stopped, *self._regular(start, end)]
        return merged(clipped(spans, start, end))

    def between(self, start: datetime, end: datetime) -> timedelta:
        """Return how much time runs from `start` until `end`; nothing if that is earlier."""
        if end <= start:
            return timedelta()
        still = sum((span.length for span in self.off(start, end)), timedelta())
        return end - start - still

    def after(self, start: datetime, running: timedelta) -> datetime:
        """Return the earliest instant by which `running` has run since `start`.

        Of nothing, it is the first instant from `start` on at which time runs.
        """
        here = start
        for _ in range(_LOOKS):
            until = here + _AHEAD
            for on in self._on(here, until):
                if running < on.length:
                    return on.start + running
                if running and running == on.length:
                    return on.end
                running -= on.length
            here = until
        raise ValueError("time never runs")

    def is_due_time(self, moment: datetime) -> bool:
        """Tell whether a day's time may end at `moment`: just before it, time runs."""
        return not any(span.start < moment <= span.end for span in self.off_around(moment))

    def off_around(self, moment: datetime) -> list[Span]:
        """Return, whole, what is off within some days of `moment`."""
        spans = [*self.stopped, *self._regular(moment - DAY, moment + DAY)]
        return merged(spans)

    def _on(self, start: datetime, end: datetime) -> Iterator[Span]:
        for span in self.off(start, end):
            if start < span.start:
                yield Span(start, span.start)
            start = span.end
        if start < end:
            yield Span(start, end)

    def _regular(self, start: datetime, end: datetime) -> Iterator[Span]:
        """Yield every night and weekend that reaches into the time from `start` to `end`."""
        if self.night is None and not self.weekends:
            return
        day = local_day(self.zone, start) - 2 * DAY
        last = local_day(self.zone, end) + DAY
        while day <= last:
            if self.night is not None:
                yield self._night(day, *self.night)
            if self.weekends and day.weekday() == SATURDAY:
                yield Span(self._wall(day, MIDNIGHT), self._wall(day + 2 * DAY, MIDNIGHT))
            day += DAY

    def _night(self, day: date, begins: time, ends: time) -> Span:
        morning = day if begins < ends else day + DAY
        return Span(self._wall(day, begins), self._wall(morning, ends))

    def _wall(self, day: date, at: time) -> datetime:
        return instant(self.zone, day, at)
