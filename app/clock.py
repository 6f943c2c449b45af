"""The one place that asks what time it is.

Rules never do; services take `now` as an argument; the entry points read a
`Clock` and pass its answer on, so that a test can stand still or leap ahead.
"""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, always aware and in UTC."""

    def now(self) -> datetime:
        """Return the present instant."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the present instant."""
        return datetime.now(UTC)


SYSTEM_CLOCK = SystemClock()
