"""What one viewer may know of a match, built by copying in.

Everything in Castell is public but the towers submitted to a festival before
the reveal, the order of the bag and the tiles left in the box: none of these
has a field here.
"""

from dataclasses import dataclass

from app.rules.castell.components import Prize, Skill, Tower, WheelSkill
from app.rules.castell.edition import Edition
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class TileView:
    """A local performance tile: a shape (`widths`) or an exhibition (`skills`)."""

    id: str
    points: int
    widths: tuple[int, ...]
    skills: tuple[Skill, ...]


@dataclass(frozen=True, slots=True)
class FestivalView:
    """One festival of the calendar; the last three are empty until it is resolved.

    `prizes` and `token_winners` (None: nobody) are what was won;
    `towers` holds (seat, tower, score), the best first.
    """

    region: str
    tokens: tuple[int, ...]
    resolved: bool
    towers: tuple[tuple[Seat, Tower, int], ...]
    prizes: tuple[tuple[Seat, Prize], ...]
    token_winners: tuple[tuple[int, Seat | None], ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round on the track: `refill` at its start, `festivals` at its end."""

    number: int
    refill: bool
    festivals: tuple[FestivalView, ...]


@dataclass(frozen=True, slots=True)
class RegionView:
    """What stands in a region.

    `castellers[size]` waiting, by size ascending with repeats; `skills[i]` is
    on offer at the region's wheel slot in round `view.round + i`, up to the
    last round; `tokens` are the special action tokens of its row, by owner.
    """

    id: str
    name: str
    neighbours: tuple[str, ...]
    castellers: tuple[int, ...]
    pawns: tuple[Seat, ...]
    skills: tuple[WheelSkill | None, ...]
    tiles: tuple[TileView, ...]
    tokens: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class EarnedView:
    """What lies at one region of a player board."""

    region: str
    prizes: tuple[Prize, ...]
    size_tokens: tuple[int, ...]
    tiles: tuple[TileView, ...]
    tokens: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CollaView:
    """All of one seat's holdings (open information).

    `castellers[s]` is the count of size `s + 1`; `points` is what final scoring
    would give now, split in `categories` (best_tower, regions, prizes,
    size_tokens, local).
    """

    seat: Seat
    region: str | None
    castellers: tuple[int, ...]
    ranks: dict[Skill, int]
    special_tokens: int
    best_tower: int
    best_tower_built: Tower
    earned: tuple[EarnedView, ...]
    points: int
    categories: dict[str, int]


@dataclass(frozen=True, slots=True)
class TurnView:
    """The running turn of `seat`: which of the four actions are used up."""

    seat: Seat
    moved: bool
    recruited: bool
    trained: bool
    special: bool


@dataclass(frozen=True, slots=True)
class CastellView:
    """The match as one viewer may see it.

    `phase` is `turns`, `festivals` or `over`; `order` is this round's order of
    seats; `asked` are the seats that must decide now; `entrants` maps each
    festival region of this round to the seats asked there; `everywhere[i]` is
    the skill of the All Regions slot in round `round + i`, or None on the No
    Regions side; `values` are all the numbers the match is played with.
    """

    seat: Seat | None
    seats: int
    edition: str
    round: int
    rounds: int
    phase: str
    order: tuple[Seat, ...]
    asked: tuple[Seat, ...]
    turn: TurnView | None
    entrants: dict[str, tuple[Seat, ...]]
    everywhere: tuple[WheelSkill | None, ...]
    calendar: tuple[RoundView, ...]
    regions: tuple[RegionView, ...]
    collas: tuple[CollaView, ...]
    bag: int
    max_rank: int
    width_limit: int
    wheel_side: str
    assistants: bool
    values: Edition
