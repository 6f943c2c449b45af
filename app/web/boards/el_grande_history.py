"""The steps of a match of El Grande, to walk through."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from app.i18n import gettext
from app.matches.pages import StoryEvent
from app.rules.el_grande.events import (
    CastilloEmptied,
    MatchEnded,
    PowerPlayed,
    RoundStarted,
    Started,
    Vetoed,
)
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
    milestones = {
        Started: gettext("The start"),
        MatchEnded: gettext("The end"),
        CastilloEmptied: gettext("The general scoring"),
    }
    for kind, label in milestones.items():
        if kind in kinds:
            return label
    if who is None:
        return gettext("Something happened")
    return _mine(events, kinds) if mine else _theirs(events, kinds, who.name)


def _mine(events: Sequence[Any], kinds: Collection[type]) -> str:
    for event in events:
        if isinstance(event, PowerPlayed):
            return gettext("You: power %(value)s", value=event.value)
    return gettext("Your Veto") if Vetoed in kinds else gettext("Your turn")


def _theirs(events: Sequence[Any], kinds: Collection[type], name: str) -> str:
    for event in events:
        if isinstance(event, PowerPlayed):
            return gettext("%(name)s: power %(value)s", name=name, value=event.value)
    if Vetoed in kinds:
        return gettext("%(name)s’s Veto", name=name)
    return gettext("%(name)s’s turn", name=name)


def _started(event: Any) -> int | None:
    return event.round if isinstance(event, RoundStarted) else None


def _revealed(events: Sequence[Any]) -> int:
    return max((event.round for event in events if isinstance(event, CastilloEmptied)), default=0)


_TELLING: Final = Telling(_label, _started, _revealed, "i-score")
