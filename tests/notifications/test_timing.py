"""When people are told, on their own clocks."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.notifications.timing import FIRST_PAUSE, LONGEST_PAUSE, NoticeWishes, due, pause

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


def test_pauses_grow_and_differ() -> None:
    pauses = [pause(attempt, 0.5) for attempt in range(1, 12)]

    assert pauses[0] == FIRST_PAUSE
    assert pauses == sorted(pauses)
    assert pause(50, 1.0) == LONGEST_PAUSE
    assert pause(3, 0.0) < pause(3, 1.0)
