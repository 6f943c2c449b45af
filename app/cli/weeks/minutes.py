"""Time reckoned by looking at the wall every quarter of an hour: slow, simple, nobody else's.

Everything in a run happens on a whole minute, so a minute either counts or does
not.  A minute is a number: so many after the beginning.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

Minute: TypeAlias = int
Spell: TypeAlias = tuple[Minute, Minute]
"""From a minute until just before another."""

DAY: Final = 24 * 60
QUARTER: Final = 15
# Every offset of every zone, and every time that a plan names, is a multiple of it.
ONE_MINUTE: Final = timedelta(minutes=1)


class Calendar:
    """The minutes of a run, from `start` for so many days, on every wall."""

    def __init__(self, start: datetime, days: int) -> None:
        self.start = start.astimezone(UTC)
        self.end: Minute = days * DAY
        self._wall = cache(self._walls)
        self._runs = cache(self._regular)

    def moment(self, minute: Minute) -> datetime:
        """Return the instant of a minute."""
        return self.start + minute * ONE_MINUTE

    def minute(self, moment: datetime) -> Minute:
        """Return the minute of an instant, rounded up."""
        return -((self.start - moment) // ONE_MINUTE)

    def wall(self, zone: str, minute: Minute) -> datetime:
        """Return what the wall in `zone` shows."""
        return self.moment(minute).astimezone(ZoneInfo(zone))

    def of_day(self, zone: str, minute: Minute) -> int:
        """Return how many minutes past midnight the wall in `zone` shows."""
        quarter, rest = divmod(minute, QUARTER)
        return self._wall(zone)[quarter] + rest

    def running(self, clock: Mapping[str, Any], still: Iterable[Spell]) -> bytearray:
        """Return a one for each minute that counts by the terms and is in no spell of `still`."""
        zone, nights = clock.get("zone", "UTC"), clock.get("nights_off", "")
        runs = bytearray(self._runs(zone, nights, bool(clock.get("weekends_off"))))
        for begins, ends in still:
            first, last = max(begins, 0), min(ends, self.end)
            if first < last:
                runs[first:last] = bytes(last - first)
        return runs

    def due(
        self, clock: Mapping[str, Any], runs: bytearray, opened: Minute, allotted: int
    ) -> Minute:
        """Return by when somebody asked at `opened` has to answer."""
        soonest = _after(runs, opened, allotted)
        if clock["kind"] != "daily":
            return soonest
        hours, _, minutes = clock["at"].partition(":")
        at = int(hours) * 60 + int(minutes)
        for minute in range(soonest, self.end):
            here = minute % QUARTER == 0 and self.of_day(clock["zone"], minute) == at
            if here and runs[minute - 1]:
                return minute
        return self.end

    def _walls(self, zone: str) -> list[int]:
        there = ZoneInfo(zone)
        step = QUARTER * ONE_MINUTE
        walls = ((self.start + n * step).astimezone(there) for n in range(self.end // QUARTER))
        return [wall.hour * 60 + wall.minute for wall in walls]

    def _regular(self, zone: str, nights: str, weekends: bool) -> bytes:
        begins, _, ends = nights.partition("-")
        runs = bytearray()
        for quarter, of_day in enumerate(self._wall(zone)):
            off = bool(nights) and _within(of_day, _of(begins), _of(ends))
            if weekends and not off:
                off = self.wall(zone, quarter * QUARTER).weekday() >= 5
            runs += bytes([not off]) * QUARTER
        return bytes(runs)


def count(runs: bytearray, begins: Minute, ends: Minute) -> int:
    """Return how many minutes count from one until just before another."""
    return runs.count(1, begins, ends) if begins < ends else 0


def _after(runs: bytearray, opened: Minute, allotted: int) -> Minute:
    """Return the first minute by which so many have counted; of none, the first that counts."""
    here = opened
    while allotted > DAY:
        # No day has more minutes than that, so this never goes too far.
        allotted -= count(runs, here, here + DAY)
        here += DAY
    while here < len(runs):
        if runs[here]:
            if allotted == 0:
                return here
            allotted -= 1
            if allotted == 0:
                return here + 1
        here += 1
    return here


def _of(text: str) -> int:
    at = time.fromisoformat(text)
    return at.hour * 60 + at.minute


def _within(of_day: int, begins: int, ends: int) -> bool:
    return begins <= of_day < ends if begins < ends else of_day >= begins or of_day < ends
