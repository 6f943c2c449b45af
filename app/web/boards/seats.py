"""Who sits where, as a board shows it: name, kit and the letter on the pawn."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.matches.pages import SeatInfo
from app.rules.game import Seat


@dataclass(frozen=True, slots=True)
class Who:
    """One seat's player; `letter` is the same on every page of a match."""

    seat: Seat
    name: str
    kit: int
    letter: str
    bot: bool = False
    resigned: bool = False


def who_is_who(seats: Iterable[SeatInfo]) -> dict[Seat, Who]:
    """Return the players by seat, each with a letter nobody else has, if one is left.

    A player's letter is the first of the name that no seat before has taken.
    """
    taken: set[str] = set()
    known: dict[Seat, Who] = {}
    for info in seats:
        letters = [letter for letter in info.name.upper() if letter.isalnum()]
        free = [letter for letter in letters if letter not in taken]
        letter = (free or letters or ["?"])[0]
        taken.add(letter)
        known[info.seat] = Who(
            info.seat, info.name, info.kit, letter, info.bot is not None, info.resigned
        )
    return known
