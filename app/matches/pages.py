"""What the queries hand to pages and programs: plain values, nothing hidden in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from app.rules.game import Decision, Outcome, Prompt, Seat

Status: TypeAlias = Literal["running", "finished", "void"]


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits where.  `person_id` is for comparing, never for showing."""

    seat: Seat
    name: str
    kit: int
    person_id: UUID | None
    bot: str | None
    resigned: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the rules refuse: a stable code, the numbers involved, the paragraph."""

    code: str
    details: Mapping[str, Any]
    rule: str


@dataclass(frozen=True, slots=True)
class DroppedLine:
    """A drafted move that can no longer be made, and why."""

    line: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Draft:
    """A seat's draft: the moves in effect, in notation, and those that fell away."""

    lines: tuple[str, ...] = ()
    revision: int = 0
    dropped: tuple[DroppedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class StoryEvent:
    """An event as the viewer may see it; `event` is the game's own value."""

    version: int
    seat: Seat | None
    at: datetime
    event: Any


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match as `seat` (None: a spectator) may see it at `version`.

    `latest` is the version it has by now; history pages lie before it.
    `base_view` is the position everybody plays on; `view` is the same with the
    viewer's draft applied, and `options` says what may follow it (None when the
    viewer is not asked).  `answered` are the seats whose answer to the open
    simultaneous prompt is in; `answer` is the viewer's own.  Of a secret prompt
    only the viewer's own part is shown.  `standing` holds the viewer's standing
    orders by what they answer, `decisions` what more could be left for.  `since` is what
    the viewer's last commit brought and what happened after it.  `clock` holds the
    terms about time, None: there is no clock.  `proposals` says how many there
    may be to look up.  `seed` and
    `nonce` are None until the match is over.
    """

    id: UUID
    game: str
    seat: Seat | None
    version: int
    latest: int
    status: Status
    seats: tuple[SeatInfo, ...]
    prompts: Mapping[Seat, Prompt]
    view: Any
    base_view: Any
    options: Any
    draft: Draft
    answered: frozenset[Seat]
    answer: str | None
    standing: Mapping[str, str]
    decisions: tuple[Decision, ...]
    since: tuple[StoryEvent, ...]
    outcome: Outcome | None
    match_options: Mapping[str, Any]
    clock: Mapping[str, Any] | None
    proposals: int
    created_at: datetime
    finished_at: datetime | None
    commitment: str
    seed: str | None
    nonce: str | None

    @property
    def prompt(self) -> Prompt | None:
        """What the viewer is asked, answered or not."""
        return None if self.seat is None else self.prompts.get(self.seat)

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats the match is waiting for."""
        return frozenset(self.prompts) - self.answered

    @property
    def broken_off(self) -> bool:
        """Whether the match ended without a result just here: nobody moves any more."""
        return self.status == "void" and self.version == self.latest


@dataclass(frozen=True, slots=True)
class News:
    """How far a match is, and what happened on the way there."""

    version: int
    status: Status
    events: tuple[StoryEvent, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a match is: its version, and the revision of every seat's draft."""

    version: int
    drafts: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class WaitedFor:
    """A person whom a match waits for: the decision, and the version at which it opened."""

    seat: Seat
    person_id: UUID
    prompt: str
    opened: int


@dataclass(frozen=True, slots=True)
class MatchCard:
    """One line of *my matches*; `view` is that of the first of the person's seats."""

    id: UUID
    game: str
    version: int
    status: Status
    seats: tuple[SeatInfo, ...]
    mine: tuple[Seat, ...]
    asked: frozenset[Seat]
    updated_at: datetime
    clocked: bool
    view: Any
    outcome: Outcome | None

    @property
    def my_turn(self) -> bool:
        """Whether the match waits for one of the person's seats."""
        return not self.asked.isdisjoint(self.mine)


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """All that whoever plays a seat needs in order to answer.

    `prompt` is None when the seat is not asked or has answered.
    """

    game: str
    version: int
    status: Status
    seat: Seat
    bot: str | None
    prompt: Prompt | None
    view: Any
