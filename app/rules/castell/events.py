"""What has happened in a match.  Chance is settled before an event is written.

`source` says what paid for an option: the turn's own `action`, a special
action `token`, or the Special tile of the `wheel`.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from app.rules.castell.components import Prize, Skill, Tower, WheelSkill
from app.rules.castell.edition import Edition
from app.rules.game import Seat

Source: TypeAlias = Literal["action", "token", "wheel"]


@dataclass(frozen=True, slots=True)
class Started:
    """The match has begun: its options, and all that setup drew (rule 3).

    `castellers` and `tiles` follow `edition.regions`; castellers are listed by
    size, ascending.  `festivals` holds (round, region, size tokens).
    """

    edition: Edition
    seats: int
    wheel_side: str
    assistants: bool
    first: Seat
    wheel: tuple[WheelSkill, ...]
    festivals: tuple[tuple[int, str, tuple[int, ...]], ...]
    castellers: tuple[tuple[int, ...], ...]
    tiles: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round has begun; `refill` holds (region, sizes) drawn from the bag (rules 2.3, 4)."""

    round: int
    first: Seat
    refill: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class PawnMoved:
    """A pawn has been placed or has gone to another region (rule 5)."""

    seat: Seat
    region: str
    source: Source


@dataclass(frozen=True, slots=True)
class Recruited:
    """Castellers have joined a colla, largest first (rule 5)."""

    seat: Seat
    region: str
    sizes: tuple[int, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Trained:
    """A skill has risen to `rank` (rule 5)."""

    seat: Seat
    skill: Skill
    rank: int


@dataclass(frozen=True, slots=True)
class LocalPerformed:
    """A local tile has been claimed with the special action tokens of its row (rule 7)."""

    seat: Seat
    region: str
    tile: str
    tower: Tower
    tokens: tuple[Seat, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class SpecialTokenPlaced:
    """A special action token has been put in the row of the pawn's region (rule 5)."""

    seat: Seat
    region: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat has ended its turn of this round."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class FestivalsOpened:
    """The round's festivals ask the seats that can build a tower for them (rule 8)."""

    round: int
    entrants: tuple[tuple[str, tuple[Seat, ...]], ...]


@dataclass(frozen=True, slots=True)
class FestivalAnswered:
    """A seat has secretly submitted a tower, or declined with None (rule 8)."""

    seat: Seat
    region: str
    tower: Tower | None


@dataclass(frozen=True, slots=True)
class FestivalHeld:
    """A festival is over (rule 8): `towers` holds (seat, tower, score), the best first."""

    round: int
    region: str
    towers: tuple[tuple[Seat, Tower, int], ...]
    prizes: tuple[tuple[Seat, Prize], ...]
    token_winners: tuple[tuple[int, Seat | None], ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The last round is over; `scores[seat]` is the final total (rule 9)."""

    scores: tuple[int, ...]


Event: TypeAlias = (
    Started
    | RoundStarted
    | PawnMoved
    | Recruited
    | Trained
    | LocalPerformed
    | SpecialTokenPlaced
    | TurnEnded
    | FestivalsOpened
    | FestivalAnswered
    | FestivalHeld
    | MatchEnded
)

EVENT_TYPES: Final[tuple[type, ...]] = get_args(Event)
