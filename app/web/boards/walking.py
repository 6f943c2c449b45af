"""Walking through a match: its steps, and the ways from one to the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.matches.pages import StoryEvent
from app.rules.game import Seat
from app.web.boards.seats import Who


@dataclass(frozen=True, slots=True)
class Step:
    """One position: the version, the round it belongs to, who made it.

    `reveals` is the round whose secrets it showed, 0 for none; `icon` stands
    where nobody alone has made it.
    """

    version: int
    round: int
    who: Who | None
    label: str
    reveals: int
    icon: str


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


class Label(Protocol):
    """How a game names the step of these events; `mine`: the viewer made it."""

    def __call__(self, events: Sequence[Any], who: Who | None, /, *, mine: bool) -> str: ...


@dataclass(frozen=True, slots=True)
class Telling:
    """What a game says of the events of one version.

    `label` names the step, `started` the round an event begins (None: none), and
    `revealed` the round whose secrets the events show, 0 for none.
    """

    label: Label
    started: Callable[[Any], int | None]
    revealed: Callable[[Sequence[Any]], int]
    icon: str


def steps_of(
    story: Sequence[StoryEvent],
    people: Mapping[Seat, Who],
    telling: Telling,
    me: Seat | None = None,
) -> tuple[Step, ...]:
    """Return the steps of `story`, which begins with the first event of the match; `me` is *you*.

    A version in which nothing visible happened, a secret answer, is no step.
    """
    by_version: dict[int, list[StoryEvent]] = {}
    for told in story:
        by_version.setdefault(told.version, []).append(told)
    steps = []
    opening = by_version[min(by_version)] if by_version else []
    begun = [telling.started(told.event) for told in opening]
    round_ = next((number for number in begun if number is not None), 1)
    for version, entries in by_version.items():
        events = [entry.event for entry in entries]
        seats = [entry.seat for entry in entries if entry.seat is not None]
        who = people[seats[0]] if seats else None
        revealed = telling.revealed(events)
        steps.append(
            Step(
                version=version,
                round=round_,
                who=who,
                label=telling.label(events, who, mine=who is not None and who.seat == me),
                reveals=revealed,
                icon=telling.icon if revealed else "" if who else "i-flag",
            )
        )
        started = [telling.started(event) for event in events]
        round_ = next((number for number in reversed(started) if number is not None), round_)
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
