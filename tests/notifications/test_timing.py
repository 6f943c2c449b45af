"""When people are told, on their own clocks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.notifications.timing import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    NoticeWishes,
    due,
    held,
    pause,
    reminder,
)

NOON = datetime(2026, 9, 24, 12, tzinfo=UTC)
ZONES = (
    "Europe/Madrid",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "UTC",
)


def test_each_mode_has_its_moment() -> None:
    assert due(NoticeWishes("immediate"), "UTC", NOON) == NOON
    assert due(NoticeWishes("coalesced", 25), "UTC", NOON) == NOON + timedelta(minutes=25)
    assert due(NoticeWishes("off"), "UTC", NOON) is None


@pytest.mark.parametrize(
    ("zone", "minute", "expected"),
    [
        ("UTC", 12 * 60, datetime(2026, 9, 25, 12, tzinfo=UTC)),
        ("UTC", 12 * 60 + 1, datetime(2026, 9, 24, 12, 1, tzinfo=UTC)),
        ("Europe/Madrid", 8 * 60, datetime(2026, 9, 25, 6, tzinfo=UTC)),
        ("America/New_York", 9 * 60, datetime(2026, 9, 24, 13, tzinfo=UTC)),
    ],
)
def test_daily_is_the_next_time_the_wall_shows_it(
    zone: str, minute: int, expected: datetime
) -> None:
    assert due(NoticeWishes("daily", daily_at=minute), zone, NOON) == expected


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ((2026, 9, 24, 22, 59), (2026, 9, 24, 22, 59)),
        ((2026, 9, 24, 23, 0), (2026, 9, 25, 7, 0)),
        ((2026, 9, 25, 6, 59), (2026, 9, 25, 7, 0)),
        ((2026, 9, 25, 7, 0), (2026, 9, 25, 7, 0)),
    ],
)
def test_nothing_comes_in_quiet_hours(local: tuple[int, ...], expected: tuple[int, ...]) -> None:
    zone = ZoneInfo("Europe/Madrid")
    wishes = NoticeWishes("immediate", quiet_from=23 * 60, quiet_until=7 * 60)
    found = due(wishes, "Europe/Madrid", datetime(*local, tzinfo=zone))  # type: ignore[misc, arg-type]  # five numbers

    assert found == datetime(*expected, tzinfo=zone)  # type: ignore[misc, arg-type]  # five numbers


def test_quiet_hours_within_a_day() -> None:
    wishes = NoticeWishes("immediate", quiet_from=11 * 60, quiet_until=13 * 60)

    assert due(wishes, "UTC", NOON) == NOON + timedelta(hours=1)


@given(
    st.datetimes(datetime(2024, 1, 1), datetime(2030, 12, 31)),  # noqa: DTZ001 - made aware below
    st.sampled_from(ZONES),
    st.integers(0, 1439),
    st.integers(0, 1439),
    st.integers(0, 1439),
)
def test_it_is_never_in_the_past_nor_in_quiet_hours(
    moment: datetime, zone: str, daily: int, start: int, end: int
) -> None:
    now = moment.replace(tzinfo=UTC)
    morning = due(NoticeWishes("daily", daily_at=daily), zone, now)
    wishes = NoticeWishes("immediate", quiet_from=start, quiet_until=end)
    told = due(wishes, zone, now)

    assert morning is not None
    # Two days: where the date line moved, a day is missing.
    assert now < morning <= now + timedelta(days=2)
    assert told is not None
    assert now <= told <= now + timedelta(days=2)
    if told > now:
        local = told.astimezone(ZoneInfo(zone))
        # An hour that does not exist is the next one.
        assert abs(local.hour * 60 + local.minute - end) in {0, 30, 60}


def test_quiet_hours_end_twice_where_the_clock_shows_their_end_twice() -> None:
    wishes = NoticeWishes("immediate", quiet_from=22 * 60, quiet_until=150)
    night = datetime(2026, 10, 25, tzinfo=UTC)
    first, second = night + timedelta(minutes=30), night + timedelta(minutes=90)

    def told(moment: datetime) -> datetime | None:
        return due(wishes, "Europe/Madrid", moment)

    assert told(first - timedelta(minutes=20)) == first
    assert told(first + timedelta(minutes=1)) == first + timedelta(minutes=1)
    assert told(second - timedelta(minutes=20)) == second
    # Where the clock leaps over their end, they end once.
    spring = datetime(2027, 3, 28, 0, 50, tzinfo=UTC)
    assert told(spring) == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)


def test_what_is_late_waits_for_the_morning_unless_it_presses() -> None:
    wishes = NoticeWishes("immediate", quiet_from=11 * 60, quiet_until=13 * 60)
    morning = NOON + timedelta(hours=1)

    assert held(wishes, "UTC", [], now=NOON) == morning
    assert held(wishes, "UTC", [morning + timedelta(minutes=1)], now=NOON) == morning
    assert held(wishes, "UTC", [morning], now=NOON) is None
    assert held(wishes, "UTC", [NOON], now=NOON) == morning
    assert held(wishes, "UTC", [], now=morning) is None
    assert held(NoticeWishes("immediate"), "UTC", [], now=NOON) is None


def test_pauses_grow_and_differ() -> None:
    pauses = [pause(attempt, 0.5) for attempt in range(1, 12)]

    assert pauses[0] == FIRST_PAUSE
    assert pauses == sorted(pauses)
    assert pause(50, 1.0) == LONGEST_PAUSE
    assert pause(3, 0.0) < pause(3, 1.0)


def reminded(hours: float, *, opened: float = 72, **changes: object) -> int | None:
    """Return the point that has come so many hours before the deadline."""
    wishes = replace(NoticeWishes("immediate", remind_hours=(24, 12, 2)), **changes)  # type: ignore[arg-type]  # its fields
    found = reminder(
        wishes,
        "UTC",
        opened=NOON - timedelta(hours=opened),
        deadline=NOON,
        now=NOON - timedelta(hours=hours),
    )
    return None if found is None else found[0]


def test_reminders_come_at_the_points_one_has_chosen() -> None:
    points = {hours: reminded(hours) for hours in (25, 24, 13, 12, 3, 2, 1, 0, -1)}

    assert points == {25: None, 24: 24, 13: 24, 12: 12, 3: 12, 2: 2, 1: 2, 0: None, -1: None}


def test_what_has_just_opened_is_no_reminder() -> None:
    assert reminded(10, opened=11) is None
    assert reminded(2, opened=11) == 2


def test_who_wants_none_gets_none() -> None:
    assert reminded(1, mode="off") is None
    assert reminded(1, remind_hours=()) is None


def test_a_reminder_waits_for_the_morning_but_not_past_the_deadline() -> None:
    def told(deadline: datetime) -> datetime:
        wishes = NoticeWishes("daily", quiet_from=11 * 60, quiet_until=14 * 60, remind_hours=(12,))
        found = reminder(
            wishes, "UTC", opened=NOON - timedelta(days=3), deadline=deadline, now=NOON
        )
        assert found is not None
        return found[1]

    assert told(NOON + timedelta(hours=6)) == NOON + timedelta(hours=2)
    assert told(NOON + timedelta(hours=1)) == NOON
