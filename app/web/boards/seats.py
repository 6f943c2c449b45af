"""Who sits where, as a board shows it: name, kit and the letter on the pawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

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


def letters(names: Iterable[str], bots: Iterable[object] = ()) -> tuple[str, ...]:
    """Return one letter for each name: its first one that nobody has taken.

    People take theirs before the seats whose entry in `bots` is true, and before
    those whoever stands earlier.
    """
    entries = tuple(zip_longest(names, bots))
    given: dict[int, str] = {}
    for place, (name, _bot) in sorted(enumerate(entries), key=lambda one: bool(one[1][1])):
        own = [letter for letter in name.upper() if letter.isalnum()]
        free = [letter for letter in own if letter not in given.values()]
        given[place] = (free or own or ["?"])[0]
    return tuple(given[place] for place in range(len(entries)))


def who_is_who(seats: Iterable[SeatInfo]) -> dict[Seat, Who]:
    """Return the players by seat, each with a letter nobody else has, if one is left."""
    infos = tuple(seats)
    signs = letters((info.name for info in infos), (info.bot for info in infos))
    return {
        info.seat: Who(info.seat, info.name, info.kit, sign, info.bot is not None, info.resigned)
        for info, sign in zip(infos, signs, strict=True)
    }
