"""What a seat may wish to do.  `notation` reads and prints these."""

from dataclasses import dataclass
from typing import TypeAlias

from app.rules.castell.components import Skill, Tower


@dataclass(frozen=True, slots=True)
class MovePawn:
    """Go to an adjacent region, or, the first time, to any region (rule 5)."""

    region: str


@dataclass(frozen=True, slots=True)
class Recruit:
    """Take castellers of these sizes, largest first, from the pawn's region (rule 5)."""

    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Train:
    """Raise the rank of a skill on offer here or everywhere (rule 5)."""

    skill: Skill


@dataclass(frozen=True, slots=True)
class Perform:
    """Take local tile `tile` by building `tower` (rule 7); only inside a special action."""

    tile: str
    tower: Tower


SpecialOption: TypeAlias = MovePawn | Recruit | Perform


@dataclass(frozen=True, slots=True)
class Special:
    """Spend a special action token on one option (rule 5)."""

    option: SpecialOption


@dataclass(frozen=True, slots=True)
class TrainSpecial:
    """Choose the Special wheel tile: one option at once, no token (rule 6.1)."""

    option: SpecialOption


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Leave the turn's remaining actions unused."""


@dataclass(frozen=True, slots=True)
class EnterFestival:
    """Submit `tower` to the festival in `region` (rule 8)."""

    region: str
    tower: Tower


@dataclass(frozen=True, slots=True)
class DeclineFestival:
    """Take no part in the festival in `region` (rule 8)."""

    region: str


TurnMove: TypeAlias = MovePawn | Recruit | Train | Special | TrainSpecial | EndTurn
Move: TypeAlias = TurnMove | EnterFestival | DeclineFestival
