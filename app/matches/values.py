"""What the match service is handed and what it hands back."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who is to sit in a new match's next seat: a person, or the bot of that name."""

    person_id: UUID | None
    bot: str | None
    name: str
    kit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A seat's wish to make its draft, or `line`, final.

    For a simultaneous prompt the line is the answer.  `revision` is that of the
    draft the client saw; None leaves it unchecked.  `person_id` is who asks, and
    has to hold the seat still; None is the program itself, for a bot.
    """

    match_id: UUID
    seat: Seat
    expected_version: int
    key: str
    line: str | None
    now: datetime
    revision: int | None = None
    person_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """What a command came to: the match's version once it was carried out."""

    version: int
