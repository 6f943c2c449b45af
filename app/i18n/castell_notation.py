"""Refusals of Castell's notation: turns, towers, positions and whole matches as text."""

from collections.abc import Callable, Mapping
from typing import Final

from app.i18n import gettext as _
from app.i18n.notation import COMMON, Details, text_of, where

NOTATION: Final[Mapping[str, Callable[[Details], str]]] = {
    **COMMON,
    "notation.no_tower": lambda d: where(d) + _("a tower is missing; write it like 3x9/2x8/1x1."),
    "notation.bad_group": lambda d: (
        where(d)
        + _(
            "“%(text)s” in level %(level)s is no group of castellers; write it like 3x9.",
            text=text_of(d),
            level=d["level"],
        )
    ),
    "notation.bad_count": lambda d: (
        where(d) + _("level %(level)s has a group of nobody.", level=d["level"])
    ),
    "notation.bad_size": lambda d: (
        where(d)
        + _(
            "“%(text)s” in level %(level)s has no size from 1 to 10.",
            text=text_of(d),
            level=d["level"],
        )
    ),
    "notation.bad_festival": lambda d: (
        where(d)
        + _(
            "“%(text)s” is no answer; write it like festival BCN = 3x9/2x8/1x7/1x1,"
            " or festival BCN = decline.",
            text=text_of(d),
        )
    ),
    "notation.bad_skill": lambda d: (
        where(d) + _("“%(text)s” names no skill; write it like train balance.", text=text_of(d))
    ),
    "notation.perform_needs_special": lambda d: (
        where(d) + _("a tile is performed by a special action; write special perform …")
    ),
    "notation.bad_perform": lambda d: (
        where(d)
        + _(
            "“%(text)s” is no performance; write it like special perform S04 = 3x9/3x8/2x5/1x1.",
            text=text_of(d),
        )
    ),
    "notation.bad_move": lambda d: (
        where(d) + _("“%(text)s” names no region; write it like move BCN.", text=text_of(d))
    ),
    "notation.bad_recruit": lambda d: (
        where(d) + _("“%(text)s” names no sizes; write it like recruit 8 2.", text=text_of(d))
    ),
    "notation.bad_standing": lambda d: _(
        "“%(text)s” is no standing order; there are: best, best 12 and decline.", text=text_of(d)
    ),
    "notation.bad_seat": lambda d: where(d) + _("there is no seat %(seat)s.", seat=d["seat"]),
    "notation.bad_refill": lambda d: (
        where(d) + _("“%(text)s” is no refill of a region.", text=text_of(d))
    ),
    "notation.refill_expected": lambda d: (
        where(d) + _("a refill should stand here, not “%(text)s”.", text=text_of(d))
    ),
    "notation.refill_impossible": lambda d: (
        where(d) + _("this refill cannot have been drawn: “%(text)s”.", text=text_of(d))
    ),
    "notation.bad_start": lambda d: _(
        "No match can have begun like this: see %(key)s.", key=d["key"]
    ),
    "position.not_ten_sizes": lambda _d: _("The position does not count all ten sizes."),
    "position.castellers": lambda d: _(
        "The position holds %(there)s castellers of size %(size)s instead of %(needed)s.",
        there=d["there"],
        size=d["size"],
        needed=d["needed"],
    ),
    "position.size_tokens": lambda d: _(
        "The position holds %(there)s size tokens %(size)s instead of %(needed)s.",
        there=d["there"],
        size=d["size"],
        needed=d["needed"],
    ),
    "position.won_size_tokens": lambda _d: _(
        "The size tokens on the player boards are not the ones that were won."
    ),
    "position.special_tokens": lambda d: _(
        "Seat %(seat)s has %(there)s special action tokens instead of %(needed)s.",
        seat=d["seat"],
        there=d["there"],
        needed=d["needed"],
    ),
    "position.tiles": lambda d: _("Tile %(tile)s is in the position twice.", tile=d["tile"]),
    "position.wheel": lambda _d: _("The wheel does not carry the edition's skill tiles."),
    "position.moment": lambda d: _(
        "The position cannot be in the phase %(phase)s.", phase=d["phase"]
    ),
}
