"""Instants as people read them: the one place that shows when something is due.

Instants are UTC everywhere else.  The zone of whoever reads is a context
variable, like the language: a request or a mail sets it once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale, dates

from app.i18n import current_locale
from app.i18n import gettext as _

UTC_NAME: Final = "UTC"
MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)

_zone: ContextVar[str] = ContextVar("zone", default=UTC_NAME)


@dataclass(frozen=True, slots=True)
class When:
    """An instant for one reader: `at` on their wall, `zone` by its city, `away` from now."""

    at: str
    zone: str
    away: str
    iso: str
    past: bool

    def __str__(self) -> str:
        return _(
            "%(at)s (%(zone)s), %(away)s",
            at=self.at,
            zone=self.zone,
            away=self.away,
        )


@cache
def zone_names() -> tuple[str, ...]:
    """Return every zone that can be chosen, by IANA name."""
    return tuple(
        sorted(
            name
            for name in available_timezones()
            if name == UTC_NAME or ("/" in name and not name.startswith(("Etc/", "SystemV/")))
        )
    )


def is_zone(name: str | None) -> bool:
    """Tell whether `name` is the IANA name of a zone that can be chosen."""
    return name is not None and name in zone_names()


def current_zone() -> str:
    """Return the name of the zone in which instants are shown."""
    return _zone.get()


@contextmanager
def use_zone(name: str | None) -> Iterator[None]:
    """Show instants in this zone inside the block; an unknown one counts as UTC."""
    token = _zone.set(name if name is not None and is_zone(name) else UTC_NAME)
    try:
        yield
    finally:
        _zone.reset(token)


def when(moment: datetime, *, now: datetime) -> When:
    """Return how the reader is told of `moment`: their own time, its zone, and "in 7 h"."""
    name = current_zone()
    locale = Locale.parse(current_locale())
    return When(
        at=dates.format_datetime(moment, "EEE d MMM, HH:mm", tzinfo=ZoneInfo(name), locale=locale),
        zone=zone_city(name),
        away=away(moment - now),
        iso=moment.isoformat(timespec="seconds"),
        past=moment <= now,
    )


def until(moment: datetime, *, now: datetime) -> When:
    """Return how the reader is told that something lasts to `moment`.

    What ends where a day of theirs ends is told by that day: whoever reads
    "until Thu 10, 00:00" takes the 10th for a part of it.
    """
    told = when(moment, now=now)
    zone = ZoneInfo(current_zone())
    last = (moment - timedelta.resolution).astimezone(zone)
    if last.date() == moment.astimezone(zone).date():
        return told
    locale = Locale.parse(current_locale())
    day = dates.format_date(last, "EEE d MMM", locale=locale)
    return replace(told, at=_("the end of %(day)s", day=day))


def day_of(moment: datetime) -> str:
    """Return the reader's day of `moment`, as it is written in the language being spoken."""
    local = moment.astimezone(ZoneInfo(current_zone()))
    return dates.format_date(local, "medium", locale=Locale.parse(current_locale()))


def day_and_hour(moment: datetime) -> str:
    """Return the reader's day and hour of `moment`: of what is past, and needs no more."""
    return dates.format_datetime(
        moment,
        "d MMM, HH:mm",
        tzinfo=ZoneInfo(current_zone()),
        locale=Locale.parse(current_locale()),
    )


def in_full(moment: datetime) -> str:
    """Return the reader's year, day and hour of `moment`, for what is read years later."""
    return dates.format_datetime(
        moment,
        "d MMM y, HH:mm",
        tzinfo=ZoneInfo(current_zone()),
        locale=Locale.parse(current_locale()),
    )


def zone_city(name: str) -> str:
    """Return the city a zone is known by, in the language being spoken."""
    if name == UTC_NAME:
        return name
    return dates.get_timezone_location(
        ZoneInfo(name), locale=Locale.parse(current_locale()), return_city=True
    )


def away(span: timedelta) -> str:
    """Return how far off something is, as roughly as one would say it."""
    if abs(span) < MINUTE:
        return _("now")
    if span < timedelta():
        return _("%(span)s ago", span=lasting(-span))
    return _("in %(span)s", span=lasting(span))


def lasting(span: timedelta) -> str:
    """Return how long `span` is, never more than it is: two days show hours, one hour minutes."""
    days, hours = span // DAY, span % DAY // HOUR
    minutes = span % HOUR // MINUTE
    if days >= 3 or (days and not hours):
        return _("%(days)s d", days=days)
    if days:
        return _("%(days)s d %(hours)s h", days=days, hours=hours)
    if hours >= 3 or (hours and not minutes):
        return _("%(hours)s h", hours=hours)
    if hours:
        return _("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes)
    return _("%(minutes)s min", minutes=minutes)
