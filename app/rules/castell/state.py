"""The state of a match, flat and cheap to copy.

A published state is never changed: `evolve` fills in a private `copy()`.
Inside the state regions are indices into `edition.regions`; moves, events and
views name them.  Counts of castellers are tuples with size `s` at `s - 1`.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from app.rules.castell.components import SKILLS, Prize, Skill, Tower, WheelSkill
from app.rules.castell.edition import Edition, tables

Counts: TypeAlias = tuple[int, ...]
Phase: TypeAlias = Literal["turns", "festivals", "over"]
# What lies at one region of a player board: prizes, size tokens, tiles and the
# owners of collected special action tokens, each in the order it was earned.
Holding: TypeAlias = tuple[tuple[Prize, ...], tuple[int, ...], tuple[str, ...], tuple[int, ...]]

NOTHING: Final[Holding] = ((), (), (), ())
NOWHERE: Final = -1

# The bits of `State.used`: the actions this turn has spent (rule 5).
MOVED: Final = 1
RECRUITED: Final = 2
TRAINED: Final = 4
SPECIAL: Final = 8


@dataclass(frozen=True, slots=True)
class FestivalResult:
    """How a festival ended: towers with their scores, best first, and who took what."""

    towers: tuple[tuple[int, Tower, int], ...]
    prizes: tuple[tuple[int, Prize], ...]
    token_winners: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Festival:
    """One festival of the calendar (rule 2.2); `result` is None until it is held."""

    round: int
    region: int
    tokens: tuple[int, ...]
    result: FestivalResult | None = None


@dataclass(slots=True)
class State:
    """All there is to know about a match between two moves.

    `turn` counts the seats that have had their turn this round; `used` holds
    the spent actions of the running turn; `entrants` are the seats asked at
    this round's festivals and `entries` what some of them have answered;
    `box` counts the size tokens that never came onto the calendar.
    """

    edition: Edition
    seats: int
    wheel_side: str
    assistants: bool
    phase: Phase
    round: int
    first: int
    turn: int
    used: int
    wheel: tuple[WheelSkill, ...]
    bag: Counts
    box: Counts
    castellers: tuple[Counts, ...]
    tiles: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[int, ...], ...]
    festivals: tuple[Festival, ...]
    entrants: tuple[int, ...]
    entries: tuple[tuple[int, Tower | None], ...]
    pawns: tuple[int, ...]
    hands: tuple[Counts, ...]
    ranks: tuple[tuple[int, ...], ...]
    tokens: tuple[int, ...]
    best: tuple[int, ...]
    best_towers: tuple[Tower, ...]
    earned: tuple[tuple[Holding, ...], ...]

    def copy(self) -> "State":
        """Return a shallow copy; everything inside is shared and immutable."""
        return State(
            self.edition,
            self.seats,
            self.wheel_side,
            self.assistants,
            self.phase,
            self.round,
            self.first,
            self.turn,
            self.used,
            self.wheel,
            self.bag,
            self.box,
            self.castellers,
            self.tiles,
            self.rows,
            self.festivals,
            self.entrants,
            self.entries,
            self.pawns,
            self.hands,
            self.ranks,
            self.tokens,
            self.best,
            self.best_towers,
            self.earned,
        )

    def order(self) -> tuple[int, ...]:
        """Return the seats in this round's order of turns."""
        return tuple((self.first + step) % self.seats for step in range(self.seats))

    def current(self) -> int | None:
        """Return the seat whose turn it is, None outside turns."""
        if self.phase != "turns" or self.turn >= self.seats:
            return None
        return (self.first + self.turn) % self.seats

    def rank_map(self, seat: int) -> dict[Skill, int]:
        """Return the ranks of a seat by skill."""
        return dict(zip(SKILLS, self.ranks[seat], strict=True))

    def skill_at(self, region: int, round_: int) -> WheelSkill:
        """Return the skill on offer at a region's own wheel slot (rule 6.1)."""
        return self.wheel[tables(self.edition).slots[round_ - 1][region]]

    def skill_everywhere(self, round_: int) -> WheelSkill | None:
        """Return the skill on offer in all regions, None on the No Regions side (rule 6.1)."""
        if self.wheel_side == "no_regions":
            return None
        return self.wheel[tables(self.edition).slots[round_ - 1][-1]]

    def held_now(self) -> tuple[int, ...]:
        """Return the indices of this round's festivals, in calendar order."""
        return tuple(n for n, fest in enumerate(self.festivals) if fest.round == self.round)
