"""The steps of a match, to walk through: one for every commit that brought something about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.i18n import gettext
from app.matches.pages import StoryEvent
from app.rules.castell.events import FestivalHeld, MatchEnded, RoundStarted, Started
from app.rules.game import Seat
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class Step:
    """One position: the version, the round it belongs to, who made it."""

    version: int
    round: int
    who: Who | None
    label: str
    festivals: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """Where one stands in the history, and the ways from there (None: there is none)."""

    number: int
    count: int
    here: Step
    first: Step | None
    previous: Step | None
    next: Step | None
    last: Step | None
    rounds: tuple[Step, ...]
    around: tuple[Step, ...]


def steps_of(
    story: Sequence[StoryEvent], people: Mapping[Seat, Who], me: Seat | None = None
) -> tuple[Step, ...]:
    """Return the steps of `story`, which begins with the first event of the match; `me` is *you*.

    A version in which nothing visible happened, a secret answer, is no step.
    """
    by_version: dict[int, list[StoryEvent]] = {}
    for told in story:
        by_version.setdefault(told.version, []).append(told)
    steps = []
    round_ = 1
    for version, events in by_version.items():
        steps.append(_step(version, round_, events, people, me))
        started = [told.event.round for told in events if isinstance(told.event, RoundStarted)]
        round_ = started[-1] if started else round_
    return tuple(steps)


def walk(steps: Sequence[Step], version: int) -> Walk:
    """Return the ways from `version`; between two steps one stands on the earlier."""
    number = max((n for n, step in enumerate(steps) if step.version <= version), default=0)
    here = steps[number]
    after, before = steps[number + 1 :], steps[:number]
    rounds = {step.round: step for step in reversed(steps)}
    return Walk(
        number=number + 1,
        count=len(steps),
        here=here,
        first=steps[0] if before else None,
        previous=before[-1] if before else None,
        next=after[0] if after else None,
        last=steps[-1] if after else None,
        rounds=tuple(rounds[number] for number in sorted(rounds)),
        around=tuple(step for step in steps if step.round == here.round),
    )


def _step(
    version: int,
    round_: int,
    events: Sequence[StoryEvent],
    people: Mapping[Seat, Who],
    me: Seat | None,
) -> Step:
    seats = [told.seat for told in events if told.seat is not None]
    who = people[seats[0]] if seats else None
    return Step(
        version=version,
        round=round_,
        who=who,
        label=_label(events, who, me),
        festivals=any(isinstance(told.event, FestivalHeld) for told in events),
    )


def _label(events: Sequence[StoryEvent], who: Who | None, me: Seat | None) -> str:
    kinds = {type(told.event) for told in events}
    if Started in kinds:
        return gettext("The start")
    if MatchEnded in kinds:
        return gettext("The end")
    if FestivalHeld in kinds:
        return gettext("The festivals")
    if who is None:
        return gettext("Something happened")
    if who.seat == me:
        return gettext("Your turn")
    return gettext("%(name)s’s turn", name=who.name)
