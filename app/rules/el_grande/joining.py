"""Lists in their one order, and steps that belong together made one (sections 14, 15)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from app.rules.el_grande.components import CAS, COURT, Counts
from app.rules.el_grande.moves import Move, Place, Refill, Shift, Special
from app.rules.game import Seat

# The special actions that are done caballero by caballero.
STEPPED: Final = ("move", "add", "return", "court")


def area_rank(area: str) -> tuple[int, str]:
    """Return where an area stands in a list: the court, the regions, the Castillo."""
    return (0 if area == COURT else 2 if area == CAS else 1), area


@lru_cache(maxsize=8192)
def joined_counts(*lists: Counts) -> Counts:
    """Return lists as one, each area once, in order."""
    total: dict[str, int] = {}
    for counts in lists:
        for area, count in counts:
            total[area] = total.get(area, 0) + count
    return tuple((area, total[area]) for area in sorted(total, key=area_rank))


def joined_moves(moves: Iterable[Shift]) -> tuple[Shift, ...]:
    """Return moves with each owner, origin and target once, in order."""
    total: dict[tuple[Seat, str, str], int] = {}
    for owner, origin, target, count in moves:
        key = (owner, origin, target)
        total[key] = total.get(key, 0) + count
    ordered = sorted(total, key=lambda key: (key[0], area_rank(key[1]), area_rank(key[2])))
    return tuple((*key, total[key]) for key in ordered)


def joined_specials(one: Special, other: Special) -> Special:
    """Return two steps of one special action as one."""
    return Special(
        one.kind,
        moves=joined_moves((*one.moves, *other.moves)),
        areas=joined_counts(one.areas, other.areas),
        owners=tuple(sorted((*one.owners, *other.owners))),
        area=one.area,
        board=one.board,
        value=one.value,
    )


def joined(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return a turn in which the steps of one part, one after the other, are one move."""
    parts: list[Move] = []
    for move in moves:
        last = parts[-1] if parts else None
        if isinstance(move, Place) and isinstance(last, Place):
            parts[-1] = Place(joined_counts(last.to, move.to))
        elif isinstance(move, Refill) and isinstance(last, Refill):
            parts[-1] = Refill(joined_counts(last.sources, move.sources))
        elif (
            isinstance(move, Special)
            and isinstance(last, Special)
            and move.kind == last.kind
            and move.kind in STEPPED
        ):
            parts[-1] = joined_specials(last, move)
        else:
            parts.append(move)
    return tuple(parts)
