"""A clock for tests."""

from datetime import UTC, datetime, timedelta


class SettableClock:
    """Stands at noon of the day of the last festival until it is moved."""

    def __init__(self, start: datetime = datetime(2026, 9, 24, 12, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        """Return the instant the clock stands at."""
        return self._now

    def advance(self, by: timedelta) -> datetime:
        """Move the clock, and return where it stands."""
        self._now += by
        return self._now
