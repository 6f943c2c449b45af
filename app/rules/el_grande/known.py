"""What a seat may know of a running match's log."""

from collections.abc import Iterator, Sequence

from app.rules.el_grande.events import (
    Answered,
    CastilloEmptied,
    DiscsRevealed,
    Event,
    Planned,
    Returned,
    SpecialDone,
    Vetoed,
)
from app.rules.el_grande.observe import event_view
from app.rules.game import Seat


def known_events(events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Return the `events` as `seat` (None: a spectator) may know them while the match runs.

    A disc, a list and a pass become public with what they bring about, a plan
    when it is carried out.  After a veto they stay secret (section 14).
    """
    return tuple(_known(events, seat))


def _known(events: Sequence[Event], seat: Seat | None) -> Iterator[Event]:
    for number, event in enumerate(events):
        seen = event_view(event, seat)
        if seen is None and _came_about(event, events[number + 1 :]):
            seen = event
        if seen is not None:
            yield seen


def _came_about(event: Event, later: Sequence[Event]) -> bool:
    for after in later:
        if isinstance(after, Vetoed):
            return False
        if isinstance(after, SpecialDone | CastilloEmptied):
            return True
        if isinstance(after, DiscsRevealed) and not isinstance(event, Planned):
            return True
        if isinstance(after, Returned) and isinstance(event, Answered):
            own = any(owner == event.seat for owner, _, _ in after.returned)
            if own or event.answer == "pass":
                return True
    return False
