"""The values of one edition of El Grande, and what follows from them.

The edition is data: it is read from a mapping by `edition_from_mapping`, is
frozen into the first event of a match and never changes while that match lives.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.rules.el_grande.components import BOARDS, CAS, STACKS, Action, Board, SpecialKind
from app.rules.el_grande.moves import Disc, Place, PlayPower, Shift, Special, TakeCard
from app.rules.game import Seat

SEAT_COUNTS: Final = range(2, 6)
REGIONS: Final = 9
SCORINGS: Final = 3
LENGTHS: Final = (9, 6)
VETOES: Final = ("simple", "off")
CASTILLOS: Final = ("hidden", "open")
# The special actions that choose one area.
CHOSEN: Final[tuple[SpecialKind, ...]] = ("score", "king", "expel", "grande")
# The count of a card that names no number.
ALL: Final = 1000


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the board with its printed values (section 1)."""

    id: str
    name: str
    values: tuple[int, ...]
    neighbours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """An action card (section 5): what it does, and the numbers it does it with.

    `any`, `own` and `opponents` limit how many caballeros move; `count` is ALL
    where the card names no number; `least` is the fewest a region must hold to
    be chosen; `values` are the first places of the regions that are scored.
    """

    id: str
    stack: int
    copies: int
    action: Action
    any: int = 0
    own: int = 0
    opponents: int = 0
    count: int = ALL
    least: int = 0
    values: tuple[int, ...] = ()


# Without slots: an edition keeps its look-ups, which are needed at every step.
@dataclass(frozen=True)
class Edition:
    """Every value that the printed game may hold differently.

    `rounds` holds the rounds played, by length in the order of LENGTHS;
    `boards` the values of A and B; `powers[v - 1]` the caballeros of power card
    v; `placement[s - 1]` the limit of stack s; `places` how many places pay
    with two seats and more.  Regions are in alphabetical order.
    """

    name: str
    rounds: tuple[tuple[int, ...], ...]
    scorings: tuple[int, ...]
    caballeros: int
    at_home: int
    at_court: int
    castillo: tuple[int, ...]
    king_bonus: int
    home_bonus: int
    places: tuple[int, ...]
    boards: tuple[tuple[int, ...], ...]
    powers: tuple[int, ...]
    regions: tuple[Region, ...]
    placement: tuple[int, ...]
    cards: tuple[Card, ...]

    def __hash__(self) -> int:
        """Hash by name only: tables are looked up by edition at every move."""
        return hash(self.name)

    def board_values(self, board: Board) -> tuple[int, ...]:
        """Return what a region is worth under a mobile scoreboard."""
        return self.boards[BOARDS.index(board)]

    def played(self, length: int) -> tuple[int, ...]:
        """Return the rounds that a match of this length plays."""
        return self.rounds[LENGTHS.index(length)]

    def stack(self, number: int, veto: str) -> tuple[str, ...]:
        """Return the cards of a stack, each as often as it is there.

        Without vetoes the Veto cards stay in the box (section 13).
        """
        return tuple(
            card.id
            for card in self.cards
            if card.stack == number and (card.action != "veto" or veto != "off")
            for _ in range(card.copies)
        )


@dataclass(frozen=True, slots=True)
class Tables:
    """Look-ups derived once from an edition; areas by index, the Castillo last.

    The rest are the moves that are used again and again: by the index of the
    King `places[king]` next to him, `adds[king]` anywhere but there, each with
    its area, and `shifts[king][seat][origin]` to anywhere; by area `chosen[kind]`
    and, for each scoreboard, `boards`; by value `recalls`.
    """

    ids: tuple[str, ...]
    index: Mapping[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    values: tuple[tuple[int, ...], ...]
    cards: Mapping[str, Card]
    powers: tuple[PlayPower, ...]
    takes: Mapping[str, TakeCard]
    discs: tuple[Disc, ...]
    places: tuple[tuple[tuple[int, Place], ...], ...]
    adds: tuple[tuple[tuple[int, Special], ...], ...]
    shifts: tuple[tuple[tuple[tuple[Special, ...], ...], ...], ...]
    chosen: Mapping[SpecialKind, tuple[Special, ...]]
    boards: tuple[tuple[Special, ...], ...]
    recalls: tuple[Special, ...]


@lru_cache(maxsize=64)
def shared(edition: Edition) -> Edition:
    """Return one edition for all that are equal, so that look-ups need not compare them."""
    return edition


def tables(edition: Edition) -> Tables:
    """Return the look-ups of `edition`."""
    found: Tables | None = edition.__dict__.get(_LOOKUPS)
    if found is None:
        found = edition.__dict__[_LOOKUPS] = _tables(edition)
    return found


# Not a field: what is compared, stored and printed are the values alone.
_LOOKUPS: Final = "_lookups"


@lru_cache(maxsize=64)
def _tables(edition: Edition) -> Tables:
    ids = (*(region.id for region in edition.regions), CAS)
    index = {id_: number for number, id_ in enumerate(ids)}
    regions = range(len(edition.regions))
    neighbours = tuple(
        tuple(sorted(index[other] for other in region.neighbours)) for region in edition.regions
    )
    steps = {id_: Place(((id_, 1),)) for id_ in ids}
    adds = {id_: Special("add", areas=((id_, 1),)) for id_ in ids}
    return Tables(
        ids=ids,
        index=index,
        neighbours=neighbours,
        values=(*(region.values for region in edition.regions), edition.castillo),
        cards={card.id: card for card in edition.cards},
        powers=tuple(PlayPower(value) for value in range(1, len(edition.powers) + 1)),
        takes={card.id: TakeCard(card.id) for card in edition.cards},
        discs=tuple(Disc(region.id) for region in edition.regions),
        places=tuple(
            tuple((area, steps[ids[area]]) for area in (*neighbours[king], len(regions)))
            for king in regions
        ),
        adds=tuple(
            tuple((area, adds[id_]) for area, id_ in enumerate(ids) if area != king)
            for king in regions
        ),
        shifts=tuple(
            tuple(
                tuple(_shifts(ids, king, Seat(seat), origin) for origin in regions)
                for seat in range(SEAT_COUNTS[-1])
            )
            for king in regions
        ),
        chosen={kind: tuple(Special(kind, area=id_) for id_ in ids) for kind in CHOSEN},
        boards=tuple(
            tuple(Special("board", area=id_, board=board) for id_ in ids[:-1]) for board in BOARDS
        ),
        recalls=tuple(Special("recall", value=value) for value in range(len(edition.powers) + 1)),
    )


def _shifts(ids: tuple[str, ...], king: int, seat: Seat, origin: int) -> tuple[Special, ...]:
    if origin == king:
        return ()
    moves: list[Shift] = [
        (seat, ids[origin], id_, 1) for area, id_ in enumerate(ids) if area not in (king, origin)
    ]
    return tuple(Special("move", moves=(move,)) for move in moves)


def cards_by_stack(edition: Edition, veto: str) -> tuple[tuple[str, ...], ...]:
    """Return the cards of all five stacks."""
    return tuple(edition.stack(number, veto) for number in STACKS)
