"""What has happened in a match.  Chance is settled before an event is written.

Each event of a turn carries a whole part of it.  `DiscChosen`, `Planned` and
`Answered` are known to their seat alone while the match runs, and so is the
value of a recall.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from app.rules.el_grande.components import AnswerKind, Board, Counts, PlacedBy
from app.rules.el_grande.edition import Edition
from app.rules.el_grande.moves import Shift, Special
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class Started:
    """The match has begun: its options, and what the region cards dealt (section 3)."""

    edition: Edition
    seats: int
    length: int
    veto: str
    castillo: str
    king: str
    homes: tuple[str, ...]
    first: Seat


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round has begun; `revealed` holds the card of each of the stacks 1 to 4 (R1, R2)."""

    round: int
    first: Seat
    revealed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PowerPlayed:
    """A power card has been played (R3)."""

    seat: Seat
    round: int
    value: int


@dataclass(frozen=True, slots=True)
class Took:
    """Caballeros have come from the province to the court; `most` could have (R4.1)."""

    seat: Seat
    count: int
    most: int


@dataclass(frozen=True, slots=True)
class Refilled:
    """Caballeros have come from regions to the court, as the province was short (R4.1)."""

    seat: Seat
    sources: Counts


@dataclass(frozen=True, slots=True)
class CardTaken:
    """An action card has been taken (R4.2)."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Placed:
    """Caballeros have been placed from the court (R4.3).

    `by` the seat in its `turn`; or, after a sealed special action, as its
    `plan` says, or by the `rules` as nobody is left in the court (section 14).
    """

    seat: Seat
    to: Counts
    by: PlacedBy = "turn"


@dataclass(frozen=True, slots=True)
class SpecialSkipped:
    """The special action has been left out (R4.4)."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Announced:
    """A special action, or a further step of it, has been chosen.

    Unless it is `sealed`, what it brings about follows at once (section 14).
    `awaits_disc`: the seat's own disc is still to be set.
    """

    seat: Seat
    card: str
    special: Special
    sealed: bool
    awaits_disc: bool


@dataclass(frozen=True, slots=True)
class DiscChosen:
    """A seat has set its own disc for its own card; secret until all discs are shown."""

    seat: Seat
    region: str


@dataclass(frozen=True, slots=True)
class Planned:
    """A seat has filed what it will place after its sealed special action; secret."""

    seat: Seat
    to: Counts


@dataclass(frozen=True, slots=True)
class AnswersOpened:
    """A sealed special action waits: for `holders` of a Veto, and for who is `questioned`.

    Both are in the order of play after `seat`.
    """

    seat: Seat
    card: str
    holders: tuple[Seat, ...]
    questioned: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A seat has answered; secret until what it answers comes about."""

    seat: Seat
    answer: AnswerKind
    region: str = ""
    sources: Counts = ()


@dataclass(frozen=True, slots=True)
class Vetoed:
    """`seat` has spent a Veto on the special action of `card` (section 13)."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class DiscsRevealed:
    """All discs are shown, in seat order: (seat, region)."""

    card: str
    discs: tuple[tuple[Seat, str], ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """Caballeros have moved by `seat`'s card."""

    seat: Seat
    moves: tuple[Shift, ...]


@dataclass(frozen=True, slots=True)
class Added:
    """Additional caballeros have been placed from the court."""

    seat: Seat
    to: Counts


@dataclass(frozen=True, slots=True)
class Returned:
    """Caballeros have gone back to their provinces by `seat`'s card: (owner, area, count)."""

    seat: Seat
    returned: tuple[tuple[Seat, str, int], ...]


@dataclass(frozen=True, slots=True)
class KingMoved:
    """The King has gone to another region."""

    seat: Seat
    origin: str
    region: str


@dataclass(frozen=True, slots=True)
class BoardMoved:
    """A mobile scoreboard has come to a region; `origin` is None if it was not in play."""

    seat: Seat
    board: Board
    origin: str | None
    region: str


@dataclass(frozen=True, slots=True)
class GrandeMoved:
    """A Grande has gone to another region, the new home."""

    seat: Seat
    origin: str
    region: str


@dataclass(frozen=True, slots=True)
class Courted:
    """Caballeros have come to the court by a card: from the province, then from regions."""

    seat: Seat
    province: int
    sources: Counts


@dataclass(frozen=True, slots=True)
class Recalled:
    """A played power card has gone back to the hand; None: the reader may not know which."""

    seat: Seat
    value: int | None


@dataclass(frozen=True, slots=True)
class SpecialDone:
    """A sealed special action has come to its end."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat has ended its turn of this round."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """All turns are over: `discarded` was not taken, unused Vetoes have `expired` (R5)."""

    round: int
    discarded: tuple[str, ...]
    expired: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ScoringBegan:
    """A general scoring has begun; who is `asked` sets a disc for the Castillo (6.1)."""

    round: int
    asked: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class AreaScored:
    """An area has been scored (6.2): everything that a reckoning shows, seat by seat.

    `cause` is the card, or `general`.  `values` are the places that pay;
    `points` come from them, `king` and `home` are the bonuses on top (6.3).
    """

    area: str
    cause: str
    counts: tuple[int, ...]
    values: tuple[int, ...]
    points: tuple[int, ...]
    king: tuple[int, ...]
    home: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CastilloEmptied:
    """The discs are shown: (seat, region or COURT, count) left the Castillo (6.1).

    Who chose the King's region has them back in the court.
    """

    round: int
    moves: tuple[tuple[Seat, str, int], ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The last round is over; `scores[seat]` is the final score (6.5)."""

    scores: tuple[int, ...]


Event: TypeAlias = (
    Started
    | RoundStarted
    | PowerPlayed
    | Took
    | Refilled
    | CardTaken
    | Placed
    | SpecialSkipped
    | Announced
    | DiscChosen
    | Planned
    | AnswersOpened
    | Answered
    | Vetoed
    | DiscsRevealed
    | Moved
    | Added
    | Returned
    | KingMoved
    | BoardMoved
    | GrandeMoved
    | Courted
    | Recalled
    | SpecialDone
    | TurnEnded
    | RoundEnded
    | ScoringBegan
    | AreaScored
    | CastilloEmptied
    | MatchEnded
)

EVENT_TYPES: Final[tuple[type, ...]] = get_args(Event)
