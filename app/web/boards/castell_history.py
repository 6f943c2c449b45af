"""The steps of a match of Castell, to walk through."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.i18n import gettext
from app.matches.pages import StoryEvent
from app.rules.castell.events import FestivalHeld, MatchEnded, RoundStarted, Started
from app.rules.game import Seat
from app.web.boards import walking
from app.web.boards.seats import Who
from app.web.boards.walking import Step, Telling


def steps_of(
    story: Sequence[StoryEvent], people: Mapping[Seat, Who], me: Seat | None = None
) -> tuple[Step, ...]:
    """Return the steps of `story`, which begins with the match; those of `me` are *yours*."""
    return walking.steps_of(story, people, _TELLING, me)


def _label(events: Sequence[Any], who: Who | None, *, mine: bool) -> str:
    kinds = {type(event) for event in events}
    if Started in kinds:
        return gettext("The start")
    if MatchEnded in kinds:
        return gettext("The end")
    if FestivalHeld in kinds:
        return gettext("The festivals")
    if who is None:
        return gettext("Something happened")
    if mine:
        return gettext("Your turn")
    return gettext("%(name)s’s turn", name=who.name)


def _started(event: Any) -> int | None:
    return event.round if isinstance(event, RoundStarted) else None


def _revealed(events: Sequence[Any]) -> int:
    return max((event.round for event in events if isinstance(event, FestivalHeld)), default=0)


_TELLING: Final = Telling(_label, _started, _revealed, "trophy")
