"""Every change of every wall clock from 2024 to 2030 in twelve zones."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from app.matches.clocks.calendar import Calendar
from app.matches.clocks.local import instant, local_day
from app.matches.clocks.reckoning import due, next_daily
from app.matches.clocks.terms import Terms

ZONES = (
    "Europe/Madrid",
    "Europe/London",
    "America/New_York",
    "America/Sao_Paulo",
    "America/Santiago",
    "America/Nuuk",
    "Africa/Casablanca",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Pacific/Apia",
)
FIRST = datetime(2024, 1, 1, tzinfo=UTC)
LAST = datetime(2031, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def changes(zone: str) -> Iterator[datetime]:
    """Yield the first instant after each change of the zone's offset, to the minute."""
    there = ZoneInfo(zone)
    moment = FIRST
    while moment < LAST:
        later = moment + timedelta(hours=12)
        if moment.astimezone(there).utcoffset() != later.astimezone(there).utcoffset():
            change = moment
            while moment.astimezone(there).utcoffset() == change.astimezone(there).utcoffset():
                change += MINUTE
            yield change
        moment = later


CHANGES = [(zone, change) for zone in ZONES for change in changes(zone)]


def test_the_zones_change_as_often_as_they_do() -> None:
    counts = {zone: sum(name == zone for name, _ in CHANGES) for zone in ZONES}

    assert sum(counts.values()) == len(CHANGES) >= 110
    assert counts["Europe/Madrid"] == counts["Australia/Lord_Howe"] == 14
    assert counts["Asia/Kathmandu"] == counts["Pacific/Apia"] == counts["America/Sao_Paulo"] == 0
    assert counts["Africa/Casablanca"] >= 14


@pytest.mark.parametrize(("zone", "change"), CHANGES)
def test_a_day_is_86400_seconds_across_every_change(zone: str, change: datetime) -> None:
    terms = Terms(kind="turn", days=1, zone=zone)
    for before in range(0, 25, 3):
        opened = change - timedelta(hours=before)

        answer = due(terms, Calendar(zone=zone), opened=opened, allotted=DAY)

        assert (answer - opened).total_seconds() == 86_400


@pytest.mark.parametrize(("zone", "change"), CHANGES)
def test_a_time_of_day_comes_once_a_local_day_across_every_change(
    zone: str, change: datetime
) -> None:
    day = local_day(zone, change)
    for at in (time(20), time(2, 30), time(0), time(0, 15), time(23, 45), time(1, 45)):
        terms = Terms(kind="daily", at=at, zone=zone)
        moments: list[datetime] = []
        moment = instant(zone, day - 3 * DAY, at)
        while len(moments) < 7:
            moments.append(moment)
            moment = next_daily(terms, Calendar(zone=zone), moment + MINUTE)
        expected = [instant(zone, day + n * DAY, at) for n in range(-3, 4)]

        assert moments == expected
        assert all(DAY / 2 < b - a < 2 * DAY for a, b in pairwise(moments))


@pytest.mark.parametrize(("zone", "change"), CHANGES)
def test_a_skipped_time_is_the_jump_and_a_repeated_one_the_second(
    zone: str, change: datetime
) -> None:
    there = ZoneInfo(zone)
    old = (change - MINUTE).astimezone(there).replace(tzinfo=None) + MINUTE
    new = change.astimezone(there).replace(tzinfo=None)
    if old < new:
        skipped = old + (new - old) / 2

        assert instant(zone, skipped.date(), skipped.time()) == change
    else:
        repeated = new + (old - new) / 2

        assert instant(zone, repeated.date(), repeated.time()) == change + (old - new) / 2


@pytest.mark.parametrize(("zone", "change"), CHANGES)
def test_a_later_time_on_the_wall_is_never_an_earlier_instant(zone: str, change: datetime) -> None:
    wall = (change - DAY).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    instants = [
        instant(zone, (wall + n * 10 * MINUTE).date(), (wall + n * 10 * MINUTE).time())
        for n in range(288)
    ]

    assert instants == sorted(instants)


def test_the_night_is_as_long_as_the_wall_says_on_both_changes_in_madrid() -> None:
    night = Calendar(zone="Europe/Madrid", night=(time(22), time(8)))
    spring, autumn = (
        night.off(
            datetime(2026, month, day, 12, tzinfo=UTC),
            datetime(2026, month, day + 1, 12, tzinfo=UTC),
        )
        for month, day in ((3, 28), (10, 24))
    )

    assert [span.length for span in spring] == [timedelta(hours=9)]
    assert [span.length for span in autumn] == [timedelta(hours=11)]
    assert autumn[0].start == datetime(2026, 10, 24, 20, tzinfo=UTC)


def test_a_day_that_apia_skipped_once_is_the_moment_of_the_jump() -> None:
    assert instant("Pacific/Apia", date(2011, 12, 30), time(20)) == datetime(
        2011, 12, 30, 10, tzinfo=UTC
    )
