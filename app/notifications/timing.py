"""When a person is told: their wishes, worked out on their own clock.  No I/O."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

Mode: TypeAlias = Literal["immediate", "coalesced", "daily", "off"]
Road: TypeAlias = Literal["mail", "channel", "both"]

DELAYS: Final = range(1, 12 * 60 + 1)
DAY_MINUTES: Final = 24 * 60
FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class NoticeWishes:
    """When a person wants to be told.

    `coalesced` waits for `delay_minutes` in case they come by themselves; `daily`
    tells of everything at `daily_at`.  Between `quiet_from` and `quiet_until`
    nothing comes but what is daily.  Times are minutes since midnight.  Reminders come
    `remind_hours` before a deadline.  `turn_by`, `reminder_by` and `other_by` say by which
    road decisions, reminders and everything else are told; `picture`, whether mails show
    the position.
    """

    mode: Mode = "coalesced"
    delay_minutes: int = 10
    daily_at: int = 8 * 60
    quiet_from: int | None = None
    quiet_until: int | None = None
    remind_hours: tuple[int, ...] = (12, 2)
    turn_by: Road = "both"
    reminder_by: Road = "both"
    other_by: Road = "both"
    picture: bool = True


def due(wishes: NoticeWishes, zone: str, now: datetime) -> datetime | None:
    """Return when what happens `now` is told, or None: not at all."""
    match wishes.mode:
        case "off":
            return None
        case "daily":
            return _next(wishes.daily_at, zone, now)
        case "immediate":
            return _after_quiet(wishes, zone, now)
        case "coalesced":
            return _after_quiet(wishes, zone, now + timedelta(minutes=wishes.delay_minutes))


def reminder(
    wishes: NoticeWishes, zone: str, *, opened: datetime, deadline: datetime, now: datetime
) -> tuple[int, datetime] | None:
    """Return the point whose time has come, in hours before the deadline, and when to remind.

    None before the first of the person's points, and for who wants to hear nothing.
    A decision that opened after a point was news then, so nobody is reminded of it.
    Quiet hours hold, but not past the deadline: too late is no reminder.
    """
    passed = points_passed(wishes.remind_hours, opened=opened, deadline=deadline, now=now)
    if not passed or wishes.mode == "off":
        return None
    later = _after_quiet(wishes, zone, now)
    return min(passed), later if later < deadline else now


def points_passed(
    points: Iterable[int], *, opened: datetime, deadline: datetime, now: datetime
) -> list[int]:
    """Return which points, in hours before the deadline, have come since the decision opened."""
    return [
        hours for hours in points if opened < deadline - timedelta(hours=hours) <= now < deadline
    ]


def held(
    wishes: NoticeWishes, zone: str, deadlines: Iterable[datetime], *, now: datetime
) -> datetime | None:
    """Return until when what is due `now` has to wait for the end of quiet hours; None: not at all.

    A letter that could not be sent in time, or whose worker was away, keeps nobody awake;
    but one of `deadlines` that would pass by then does not wait.
    """
    later = _after_quiet(wishes, zone, now)
    pressing = any(now < deadline <= later for deadline in deadlines)
    return later if later > now and not pressing else None


def pause(attempts: int, chance: float) -> timedelta:
    """Return how long to wait after so many failed attempts: a minute, then ever longer.

    `chance`, from 0 to 1, spreads those who wait over half of the span: they do not all
    come back at once.
    """
    span = min(FIRST_PAUSE * (1 << min(attempts - 1, 10)), LONGEST_PAUSE)
    return span * (0.75 + chance / 2) if span < LONGEST_PAUSE else span * (0.5 + chance / 2)


def _after_quiet(wishes: NoticeWishes, zone: str, moment: datetime) -> datetime:
    start, end = wishes.quiet_from, wishes.quiet_until
    if start is None or end is None or start == end:
        return moment
    local = moment.astimezone(ZoneInfo(zone))
    minute = local.hour * 60 + local.minute
    quiet = start <= minute < end if start < end else minute >= start or minute < end
    # What the clock shows twice ends what is quiet twice.
    return _next(end, zone, moment, twice=True) if quiet else moment


def _next(minute: int, zone: str, after: datetime, *, twice: bool = False) -> datetime:
    """Return the first instant after `after` at which the clock on the wall shows `minute`.

    A time that the clock leaps over counts as the one an hour on; of two that it
    shows, the first is meant, or with `twice` either.
    """
    day = after.astimezone(ZoneInfo(zone)).date()
    while True:
        wall = datetime(
            day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=ZoneInfo(zone)
        )
        first, second = wall.astimezone(UTC), wall.replace(fold=1).astimezone(UTC)
        if first > after:
            return first
        if twice and second > after and second > first:
            return second
        day += timedelta(days=1)
