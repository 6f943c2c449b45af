"""What one viewer may know of a match, built by copying in.

Hidden are the order of the stacks (nobody knows it), hands after a recall, a
disc before it is shown, a plan, and who has answered what.  A hidden Castillo
keeps the counts of the others from view, though they follow from the rest.
"""

from dataclasses import dataclass

from app.rules.el_grande.components import AnswerKind, Board, Counts
from app.rules.el_grande.edition import Edition
from app.rules.el_grande.moves import Special
from app.rules.el_grande.state import Phase
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class RegionView:
    """What stands in a region.

    `printed` are its own values, `values` those it is worth now; `caballeros`
    are counts by seat; `open`: the King stands next to it.
    """

    id: str
    name: str
    neighbours: tuple[str, ...]
    printed: tuple[int, ...]
    values: tuple[int, ...]
    board: Board | None
    caballeros: tuple[int, ...]
    grandes: tuple[Seat, ...]
    king: bool
    open: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat's holdings.

    `castillo` is None where the viewer is not shown it.  `log` are the power
    cards played, 0 for a recall; the `pile` holds so many of them now, the
    highest is `highest` (0: none).  `hand` is None unless it is the viewer's.
    `vetoes` are the rounds in which the Vetoes held were taken.  `categories`
    splits the score: three general scorings and all special ones.
    """

    seat: Seat
    province: int
    court: int
    castillo: int | None
    home: str
    score: int
    categories: dict[str, int]
    log: tuple[int, ...]
    pile: int
    highest: int
    hand: tuple[int, ...] | None
    vetoes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnView:
    """The running turn of `seat`.

    `power` caballeros may come to the court; `took` is None until they have
    come, `refilled` came from regions, and `courted` says how many came by the
    card.  `parts` names in order what has begun: `p` placing, `s` the special
    action.  `placed` has been placed, `special` is done or, if `sealed`,
    announced; a recalled value, the `disc` and the `plan` are shown to the seat
    itself only.  `vetoed`: the special was stopped.
    """

    seat: Seat
    power: int
    took: int | None
    refilled: Counts
    courted: int
    card: str | None
    parts: str
    placed: Counts
    special: Special | None
    sealed: bool
    awaits_disc: bool
    disc: str | None
    plan: Counts | None
    vetoed: bool


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """What the viewer has answered already: a pass, a disc or a list."""

    answer: AnswerKind
    region: str
    sources: Counts


@dataclass(frozen=True, slots=True)
class ElGrandeView:
    """The match as one viewer may see it.

    `phase` is `power`, `turn`, `answers`, `place`, `disc` or `over`.  `bids`
    are this round's power cards in the order they were played, `order` the
    turns they lead to.  `holders` may veto, `questioned` have to choose; who of
    them has answered is not told, but for the viewer's `own` answers.
    `unseen` are the cards still in each of the stacks 1 to 4, in no order.
    """

    seat: Seat | None
    seats: int
    edition: str
    length: int
    veto: str
    castillo: str
    phase: Phase
    round: int
    rounds: tuple[int, ...]
    scorings: tuple[int, ...]
    first: Seat
    bids: tuple[tuple[Seat, int], ...]
    order: tuple[Seat, ...]
    turn_number: int
    asked: tuple[Seat, ...]
    holders: tuple[Seat, ...]
    questioned: tuple[Seat, ...]
    own: tuple[OwnAnswer, ...]
    turn: TurnView | None
    king: str
    boards: dict[Board, str | None]
    regions: tuple[RegionView, ...]
    castillo_total: int
    players: tuple[SeatView, ...]
    offer: tuple[str, ...]
    taken: tuple[tuple[Seat, str], ...]
    unseen: tuple[tuple[str, ...], ...]
    values: Edition
