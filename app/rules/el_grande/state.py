"""The state of a match, flat and cheap to copy.

A published state is never changed: `evolve` fills in a private `copy()`.
Inside the state areas are indices into `tables(edition).ids`; moves, events
and views name them.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from app.rules.el_grande.components import AnswerKind, Counts
from app.rules.el_grande.edition import REGIONS, Card, Edition, tables
from app.rules.el_grande.moves import Special
from app.rules.game import Seat

Phase: TypeAlias = Literal["power", "turn", "answers", "place", "disc", "over"]
# Caballeros of one seat: in each region, in the Castillo, the court, the province.
Pieces: TypeAlias = tuple[int, ...]

CASTILLO: Final = REGIONS
AT_COURT: Final = REGIONS + 1
PROVINCE: Final = REGIONS + 2
NOWHERE: Final = -1
# In a seat's log of power cards: one has gone back to the hand.
RECALL: Final = 0


@dataclass(frozen=True, slots=True)
class Filed:
    """An answer that has been given but has not come about yet."""

    seat: int
    answer: AnswerKind
    region: str = ""
    sources: Counts = ()


@dataclass(slots=True)
class State:
    """All there is to know about a match between two moves.

    `bids` are this round's power cards, `order` the turns they lead to, `turn`
    counts the turns that are over; `offer` are the cards to take, `taken` those
    taken this round.  `unseen` are the cards left in stacks 1 to 4: their order
    is drawn when one is revealed.  `boards` and `grandes` are regions.  `logs`
    are all power cards played, `hands` those a seat holds.  `vetoes` holds
    (seat, round taken), the oldest first.  `tally[seat]` are the points of each
    general scoring, and last those of all special ones.

    The running turn: `took` is NOWHERE until caballeros have come to the court;
    `refilled` came from regions, and `courted` says how many came by the card;
    `parts` spells in order what has begun, `p` for placing and `s` for the
    special action; `placed`, `special`, `disc` and `plan` are what has been
    chosen so far; `sealed`: the special is announced and not yet carried out.
    While others decide, `holders` may veto, `questioned` have to choose, and
    `filed` are their answers.
    """

    edition: Edition
    seats: int
    length: int
    veto: str
    castillo: str
    phase: Phase
    round: int
    first: int
    bids: tuple[tuple[int, int], ...]
    order: tuple[int, ...]
    turn: int
    offer: tuple[str, ...]
    taken: tuple[tuple[int, str], ...]
    unseen: tuple[tuple[str, ...], ...]
    king: int
    boards: tuple[int, ...]
    grandes: tuple[int, ...]
    pieces: tuple[Pieces, ...]
    hands: tuple[tuple[int, ...], ...]
    logs: tuple[tuple[int, ...], ...]
    vetoes: tuple[tuple[int, int], ...]
    tally: tuple[tuple[int, ...], ...]
    took: int
    refilled: Counts
    courted: int
    card: str
    parts: str
    placed: Counts
    special: Special | None
    sealed: bool
    awaits_disc: bool
    disc: str
    plan: Counts | None
    vetoed: bool
    holders: tuple[int, ...]
    questioned: tuple[int, ...]
    filed: tuple[Filed, ...]

    def copy(self) -> "State":
        """Return a shallow copy; everything inside is shared and immutable."""
        return State(
            self.edition,
            self.seats,
            self.length,
            self.veto,
            self.castillo,
            self.phase,
            self.round,
            self.first,
            self.bids,
            self.order,
            self.turn,
            self.offer,
            self.taken,
            self.unseen,
            self.king,
            self.boards,
            self.grandes,
            self.pieces,
            self.hands,
            self.logs,
            self.vetoes,
            self.tally,
            self.took,
            self.refilled,
            self.courted,
            self.card,
            self.parts,
            self.placed,
            self.special,
            self.sealed,
            self.awaits_disc,
            self.disc,
            self.plan,
            self.vetoed,
            self.holders,
            self.questioned,
            self.filed,
        )

    def current(self) -> int | None:
        """Return the seat that bids or whose turn it is, None outside turns."""
        if self.phase == "power":
            return (self.first + len(self.bids)) % self.seats
        if self.phase in ("disc", "over") or self.turn == self.seats:
            return None
        return self.order[self.turn]

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """Return the other seats in the order of play after `seat`."""
        return tuple((seat + step) % self.seats for step in range(1, self.seats))

    def power_of(self, seat: int) -> int:
        """Return the power card a seat has played this round."""
        return dict(self.bids)[seat]

    def card_taken(self) -> Card:
        """Return the action card of the running turn."""
        return tables(self.edition).cards[self.card]

    def score(self, seat: int) -> int:
        """Return a seat's points."""
        return sum(self.tally[seat])

    def values_of(self, area: int) -> tuple[int, ...]:
        """Return what an area is worth now: a mobile scoreboard covers the printed values."""
        if area in self.boards:
            return self.edition.boards[self.boards.index(area)]
        return tables(self.edition).values[area]

    def answer_of(self, seat: int, *kinds: AnswerKind) -> Filed | None:
        """Return what a seat has answered already, if it is of one of these kinds."""
        return next(
            (filed for filed in self.filed if filed.seat == seat and filed.answer in kinds), None
        )

    def window_open(self) -> bool:
        """Tell whether a holder of a Veto has yet to pass (section 13)."""
        return any(self.answer_of(holder, "pass") is None for holder in self.holders)

    def seat(self) -> Seat:
        """Return the seat whose turn it is."""
        return Seat(self.order[self.turn])
