"""What a seat may wish to do.  `notation` reads and prints these (section 15)."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from app.rules.el_grande.components import Board, Counts, SpecialKind
from app.rules.game import Seat

# (owner, from, to, count)
Shift: TypeAlias = tuple[Seat, str, str, int]


@dataclass(frozen=True, slots=True)
class PlayPower:
    """Play a power card (section 4, R3)."""

    value: int


@dataclass(frozen=True, slots=True)
class Take:
    """Bring `count` caballeros from the province to the court; without it, all there may be."""

    count: int


@dataclass(frozen=True, slots=True)
class Refill:
    """Make up what the province lacks with own caballeros from these regions (section 4, R4)."""

    sources: Counts


@dataclass(frozen=True, slots=True)
class TakeCard:
    """Take a face-up action card."""

    card: str


@dataclass(frozen=True, slots=True)
class Place:
    """Place caballeros from the court next to the King or in the Castillo; none is allowed."""

    to: Counts


@dataclass(frozen=True, slots=True)
class Special:
    """Carry out the card's special action, or a part of it (section 5).

    `kind` says which of the other fields hold something: `moves` of a *move*,
    `areas` of an *add* and a *court* (what is taken from regions), `owners`
    (owner, region) of a *return*, `area` of a *score*, *board*, *king*,
    *expel* and *grande*, `value` of a *recall* (None: not known to the reader).
    """

    kind: SpecialKind
    moves: tuple[Shift, ...] = ()
    areas: Counts = ()
    owners: tuple[tuple[Seat, str], ...] = ()
    area: str = ""
    board: Board | None = None
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Disc:
    """Set the secret disc to a region."""

    region: str


@dataclass(frozen=True, slots=True)
class Return:
    """Return own caballeros from these regions or the court to the province (card 2-04)."""

    sources: Counts


@dataclass(frozen=True, slots=True)
class Veto:
    """Stop the special action that has been announced (section 13)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the special action that has been announced happen."""


@dataclass(frozen=True, slots=True)
class End:
    """Complete the turn: what has not been placed stays, what is not done is skipped."""


TurnMove: TypeAlias = Take | Refill | TakeCard | Place | Special | Disc | End
Move: TypeAlias = PlayPower | TurnMove | Return | Veto | Pass

END: Final = End()
VETO: Final = Veto()
PASS: Final = Pass()
SKIP: Final = Special("skip")
DO: Final = Special("do")
