"""Any schedule: whatever stops a clock, no time is won and none is lost.

`CLOCK_SCHEDULES` says how many are tried.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import pytest

from app.matches.clocks.calendar import Calendar
from app.matches.clocks.reckoning import bank_after, calendar_of, due, used
from app.matches.clocks.spans import Span, first_of, merged
from app.matches.clocks.terms import KINDS, Terms
from tests.matches.clocks.test_local import ZONES

SCHEDULES = int(os.environ.get("CLOCK_SCHEDULES", "1000"))
SHARES = 10
NOTHING = timedelta()
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Schedule:
    """Terms, and what stopped the time in a match that began at `started`."""

    terms: Terms
    started: datetime
    stopped: tuple[Span, ...]
    absences: tuple[Span, ...]
    moments: tuple[datetime, ...]

    @property
    def calendar(self) -> Calendar:
        return calendar_of(
            self.terms, started=self.started, stopped=self.stopped, absences=self.absences
        )


def seconds(rng: random.Random, most: timedelta) -> timedelta:
    return timedelta(seconds=rng.randrange(int(most.total_seconds()) + 1))


def spans(rng: random.Random, around: datetime, most: timedelta) -> tuple[Span, ...]:
    starts = [around + seconds(rng, 30 * DAY) - 5 * DAY for _ in range(rng.randrange(4))]
    return tuple(Span(start, start + seconds(rng, most)) for start in starts)


def schedules(share: int) -> Iterator[Schedule]:
    rng = random.Random(share)
    for _ in range(SCHEDULES // SHARES):
        started = datetime(2024, 1, 1, tzinfo=UTC) + seconds(rng, 6.9 * 365 * DAY)
        kind = rng.choice(KINDS)
        terms = Terms(
            kind=kind,
            days=rng.randint(1, 7) if kind == "turn" else 0,
            bank_days=rng.randint(1, 10) if kind == "bank" else 0,
            increment_hours=rng.randint(0, 24) if kind == "bank" else 0,
            at=time(rng.randint(9, 21), rng.randrange(60)) if kind == "daily" else None,
            zone=rng.choice(ZONES),
            nights_off=rng.choice((None, (time(22), time(8)), (time(0, 30), time(7, 45)))),
            weekends_off=rng.random() < 0.5,
            absence_days=rng.choice((0, 3, 14)),
        )
        moments = sorted(started + seconds(rng, 20 * DAY) for _ in range(6))
        yield Schedule(
            terms,
            started,
            spans(rng, started, 3 * DAY),
            spans(rng, started, 10 * DAY),
            tuple(moments),
        )


every_share = pytest.mark.parametrize("share", range(SHARES))


@every_share
def test_play_time_and_pause_are_wall_time_and_time_adds_up(share: int) -> None:
    for case in schedules(share):
        calendar, (a, *_, b, c) = case.calendar, case.moments
        still = sum((span.length for span in calendar.off(a, c)), NOTHING)

        assert calendar.between(a, c) + still == c - a
        assert calendar.between(a, b) + calendar.between(b, c) == calendar.between(a, c)


@every_share
def test_a_deadline_is_when_the_allotted_time_has_run(share: int) -> None:
    for case in schedules(share):
        calendar, opened = case.calendar, case.moments[0]
        allotted = case.terms.allotted(None, secret=False)
        answer = due(case.terms, calendar, opened=opened, allotted=allotted)

        ran = calendar.between(opened, answer)

        assert ran >= allotted if case.terms.kind == "daily" else ran == allotted
        assert calendar.is_due_time(answer)


@every_share
def test_another_pause_never_brings_a_deadline_nearer_and_never_refills(share: int) -> None:
    rng = random.Random(-share - 1)
    for case in schedules(share):
        opened = case.moments[0]
        allotted = case.terms.allotted(None, secret=False)
        pause = Span(case.moments[1], case.moments[1] + seconds(rng, 5 * DAY))
        longer = calendar_of(
            case.terms,
            started=case.started,
            stopped=(*case.stopped, pause),
            absences=case.absences,
        )
        before = due(case.terms, case.calendar, opened=opened, allotted=allotted)

        after = due(case.terms, longer, opened=opened, allotted=allotted)

        assert after >= before
        if case.terms.kind != "daily":
            assert longer.between(opened, after) == allotted
            assert case.calendar.between(before, after) <= pause.length


@every_share
def test_time_left_falls_as_time_runs_whenever_somebody_looks(share: int) -> None:
    for case in schedules(share):
        calendar, opened = case.calendar, case.moments[0]
        allotted = case.terms.allotted(None, secret=False)
        left = [
            allotted - used(calendar, opened=opened, closed=moment, allotted=allotted)
            for moment in case.moments
        ]

        assert left == sorted(left, reverse=True)
        assert left[0] == allotted
        assert left[-1] >= NOTHING


@every_share
def test_a_hundred_times_doing_and_undoing_wins_no_time(share: int) -> None:
    rng = random.Random(100 + share)
    for number, case in enumerate(schedules(share)):
        if number % 10 or case.terms.kind == "daily":
            continue
        calendar, moment = case.calendar, case.moments[0]
        left = case.terms.allotted(None, secret=False)
        for _ in range(100):
            closed = moment + seconds(rng, HOUR)
            taken = used(calendar, opened=moment, closed=closed, allotted=left)

            assert left - taken <= left

            left -= taken
            moment = closed + seconds(rng, HOUR)

        assert NOTHING <= left <= case.terms.allotted(None, secret=False)


@every_share
def test_a_bank_grows_by_its_increment_alone_and_never_beyond_itself(share: int) -> None:
    for case in schedules(share):
        terms, calendar = case.terms, case.calendar
        bank = terms.bank
        for opened, closed in zip(case.moments, case.moments[1:], strict=False):
            allotted = terms.allotted(bank, secret=False)
            taken = used(calendar, opened=opened, closed=closed, allotted=allotted)
            after = bank_after(terms, allotted=allotted, taken=taken)

            assert (after is None) == (terms.kind != "bank")
            if after is not None:
                assert bank is not None
                assert after - bank <= terms.increment
                assert NOTHING <= after <= timedelta(days=terms.bank_days)
            bank = after


@every_share
def test_absences_stop_the_clock_for_no_longer_than_the_table_allows(share: int) -> None:
    for case in schedules(share):
        without = calendar_of(case.terms, started=case.started, stopped=case.stopped)
        a, c = case.started - 30 * DAY, case.started + 60 * DAY

        stopped = without.between(a, c) - case.calendar.between(a, c)

        assert NOTHING <= stopped <= case.terms.absence_days * DAY


def test_time_that_is_off_at_the_very_start_does_not_count() -> None:
    calendar = Calendar(night=(time(22), time(8)))
    asked_at_night = datetime(2026, 9, 24, 23, tzinfo=UTC)

    assert calendar.after(asked_at_night, HOUR) == datetime(2026, 9, 25, 9, tzinfo=UTC)
    assert calendar.after(asked_at_night, NOTHING) == datetime(2026, 9, 25, 8, tzinfo=UTC)
    assert calendar.after(asked_at_night, 14 * HOUR) == datetime(2026, 9, 25, 22, tzinfo=UTC)


def test_a_weekend_off_moves_fridays_deadline_to_monday_and_refills_nothing() -> None:
    calendar = Calendar(weekends=True)
    friday = datetime(2026, 9, 25, 12, tzinfo=UTC)
    asked = friday

    for _ in range(20):
        answer = calendar.after(asked, DAY)

        assert answer == datetime(2026, 9, 28, 12, tzinfo=UTC)
        assert calendar.between(friday, answer) == DAY


def test_a_daily_deadline_on_a_weekend_off_is_mondays() -> None:
    terms = Terms(kind="daily", at=time(20), weekends_off=True)
    calendar = calendar_of(terms, started=datetime(2026, 9, 24, tzinfo=UTC))

    def asked(day: int, hour: int) -> datetime:
        opened = datetime(2026, 9, day, hour, tzinfo=UTC)
        return due(terms, calendar, opened=opened, allotted=6 * HOUR)

    assert asked(24, 13) == datetime(2026, 9, 24, 20, tzinfo=UTC)
    assert asked(24, 15) == datetime(2026, 9, 25, 20, tzinfo=UTC)
    assert asked(25, 15) == datetime(2026, 9, 28, 20, tzinfo=UTC)


def test_a_calendar_in_which_time_never_runs_says_so() -> None:
    start = datetime(2026, 9, 24, tzinfo=UTC)
    never = Calendar(stopped=(Span(start, start + 100 * 365 * DAY),))

    with pytest.raises(ValueError, match="never runs"):
        never.after(start, HOUR)


def test_spans_that_meet_are_one_and_a_budget_takes_the_first() -> None:
    t = datetime(2026, 9, 24, tzinfo=UTC)
    pieces = [Span(t + 2 * DAY, t + 3 * DAY), Span(t, t + DAY), Span(t + DAY, t + DAY), Span(t, t)]

    assert merged([*pieces, Span(t + DAY, t + 2 * DAY)]) == [Span(t, t + 3 * DAY)]
    assert first_of(pieces, 1.5 * DAY) == [
        Span(t, t + DAY),
        Span(t + 2 * DAY, t + 2.5 * DAY),
    ]
    assert first_of(pieces, NOTHING) == []
