"""What a wall shows, as an instant.

Twice a year some walls skip an hour and some show one twice.  One rule holds
everywhere: a time that is skipped is the moment of the jump, and a time that
comes twice is the second one.  So a later time on the wall is never an earlier
instant, and nobody loses time to a change.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

_SECOND = timedelta(seconds=1)


@lru_cache(maxsize=8192)
def instant(zone: str, day: date, at: time) -> datetime:
    """Return, in UTC, when the wall in `zone` shows `at` on `day`."""
    wall = datetime.combine(day, at, ZoneInfo(zone))
    first = wall.replace(fold=0).astimezone(UTC)
    second = wall.replace(fold=1).astimezone(UTC)
    if first <= second:
        return second
    return _jump(zone, second, first)


def local_day(zone: str, moment: datetime) -> date:
    """Return what day it is in `zone`."""
    return moment.astimezone(ZoneInfo(zone)).date()


def _jump(zone: str, before: datetime, after: datetime) -> datetime:
    """Return the first instant, to the second, after which the wall in `zone` has jumped."""
    there = ZoneInfo(zone)
    jumped = after.astimezone(there).utcoffset()
    while after - before > _SECOND:
        half = before + (after - before) // 2
        if half.astimezone(there).utcoffset() == jumped:
            after = half
        else:
            before = half
    return after.replace(microsecond=0)
