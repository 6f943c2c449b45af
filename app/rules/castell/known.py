"""What a seat may know of a running match's log."""

from collections.abc import Sequence

from app.rules.castell.events import Event, FestivalAnswered, FestivalHeld
from app.rules.game import Seat


def known_events(events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Return the `events` that `seat` (None: a spectator) may know while the match runs.

    Another seat's answer becomes public when its festival is held (rule 8).
    """
    held = max((n for n, event in enumerate(events) if isinstance(event, FestivalHeld)), default=-1)
    return tuple(
        event
        for n, event in enumerate(events)
        if n < held or not isinstance(event, FestivalAnswered) or event.seat == seat
    )
