"""Until when a seat has, how long it took, what is left in its bank."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from app.matches.clocks.calendar import DAY, Calendar
from app.matches.clocks.local import instant, local_day
from app.matches.clocks.spans import Span, clipped, first_of, merged
from app.matches.clocks.terms import Terms


def calendar_of(
    terms: Terms,
    *,
    started: datetime,
    stopped: Iterable[Span] = (),
    absences: Iterable[Span] = (),
) -> Calendar:
    """Return when a seat's time runs.

    `stopped` is what stops everybody's: pauses, and times in which the server was
    away.  Of the seat's own `absences` since the match `started`, the first count
    until the table's budget is used up.
    """
    ends = max((span.end for span in absences), default=started)
    budget = timedelta(days=terms.absence_days)
    own = first_of(clipped(absences, started, ends), budget)
    return Calendar(
        zone=terms.zone,
        night=terms.nights_off,
        weekends=terms.weekends_off,
        stopped=tuple(merged([*stopped, *own])),
    )


def due(terms: Terms, calendar: Calendar, *, opened: datetime, allotted: timedelta) -> datetime:
    """Return by when a seat asked at `opened` has to answer."""
    soonest = calendar.after(opened, allotted)
    if terms.kind != "daily":
        return soonest
    return next_daily(terms, calendar, soonest)


def next_daily(terms: Terms, calendar: Calendar, soonest: datetime) -> datetime:
    """Return the first of the days' times that is not before `soonest`, nor off."""
    if terms.at is None:
        raise ValueError("only a daily clock has a time of day")
    day = local_day(terms.zone, soonest) - DAY
    while True:
        moment = instant(terms.zone, day, terms.at)
        if moment >= soonest and calendar.is_due_time(moment):
            return moment
        day += DAY


def used(
    calendar: Calendar, *, opened: datetime, closed: datetime, allotted: timedelta
) -> timedelta:
    """Return how much of what was allotted an answer at `closed` took, never more than all."""
    return min(calendar.between(opened, closed), allotted)


def bank_after(terms: Terms, *, allotted: timedelta, taken: timedelta) -> timedelta | None:
    """Return what is in the bank after a decision that took `taken` of `allotted`."""
    if terms.bank is None:
        return None
    return min(allotted - taken + terms.increment, terms.bank)
