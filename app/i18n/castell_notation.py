"""Refusals of Castell's notation: turns, towers, positions and whole matches as text."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _

_Details: TypeAlias = Mapping[str, Any]


def _where(details: _Details) -> str:
    """Return where in the text it is, as far as it is known."""
    if "line" in details:
        return _("Line %(line)s: ", line=details["line"])
    if "action" in details:
        return _("Action %(action)s: ", action=details["action"])
    return ""


def _text(details: _Details) -> str:
    return str(details.get("text", ""))


NOTATION: Final[Mapping[str, Callable[[_Details], str]]] = {
    "notation.too_long": lambda d: _(
        "That is too long: at most %(limit)s characters.", limit=d["limit"]
    ),
    "notation.empty": lambda _d: _("Nothing is written."),
    "notation.no_action": lambda d: _where(d) + _("an action is missing between two semicolons."),
    "notation.no_tower": lambda d: _where(d) + _("a tower is missing; write it like 3x9/2x8/1x1."),
    "notation.bad_group": lambda d: (
        _where(d)
        + _(
            "“%(text)s” in level %(level)s is no group of castellers; write it like 3x9.",
            text=_text(d),
            level=d["level"],
        )
    ),
    "notation.bad_count": lambda d: (
        _where(d) + _("level %(level)s has a group of nobody.", level=d["level"])
    ),
    "notation.bad_size": lambda d: (
        _where(d)
        + _(
            "“%(text)s” in level %(level)s has no size from 1 to 10.",
            text=_text(d),
            level=d["level"],
        )
    ),
    "notation.bad_festival": lambda d: (
        _where(d)
        + _(
            "“%(text)s” is no answer; write it like festival BCN = 3x9/2x8/1x7/1x1,"
            " or festival BCN = decline.",
            text=_text(d),
        )
    ),
    "notation.bad_skill": lambda d: (
        _where(d) + _("“%(text)s” names no skill; write it like train balance.", text=_text(d))
    ),
    "notation.perform_needs_special": lambda d: (
        _where(d) + _("a tile is performed by a special action; write special perform …")
    ),
    "notation.bad_perform": lambda d: (
        _where(d)
        + _(
            "“%(text)s” is no performance; write it like special perform S04 = 3x9/3x8/2x5/1x1.",
            text=_text(d),
        )
    ),
    "notation.bad_move": lambda d: (
        _where(d) + _("“%(text)s” names no region; write it like move BCN.", text=_text(d))
    ),
    "notation.bad_recruit": lambda d: (
        _where(d) + _("“%(text)s” names no sizes; write it like recruit 8 2.", text=_text(d))
    ),
    "notation.unknown_action": lambda d: _where(d) + _("“%(text)s” is no action.", text=_text(d)),
    "notation.bad_standing": lambda d: _(
        "“%(text)s” is no standing order; there is: best.", text=_text(d)
    ),
    "notation.bad_line": lambda d: _where(d) + _("“%(text)s” cannot be understood.", text=_text(d)),
    "notation.bad_seat": lambda d: _where(d) + _("there is no seat %(seat)s.", seat=d["seat"]),
    "notation.bad_refill": lambda d: (
        _where(d) + _("“%(text)s” is no refill of a region.", text=_text(d))
    ),
    "notation.refill_expected": lambda d: (
        _where(d) + _("a refill should stand here, not “%(text)s”.", text=_text(d))
    ),
    "notation.refill_impossible": lambda d: (
        _where(d) + _("this refill cannot have been drawn: “%(text)s”.", text=_text(d))
    ),
    "notation.illegal_move": lambda d: (
        _where(d) + _("the rules do not allow this move (%(reason)s).", reason=d["reason"])
    ),
    "notation.bad_start": lambda d: _(
        "No match can have begun like this: see %(key)s.", key=d["key"]
    ),
    "notation.not_a_match": lambda d: _(
        "This is no match; it should begin with “%(expected)s”.", expected=d["expected"]
    ),
    "notation.bad_match": lambda d: _(
        "The head of the match is wrong at %(key)s.", key=d.get("key", "?")
    ),
    "notation.not_a_position": lambda d: _(
        "This is no position; it should begin with “%(expected)s”.", expected=d["expected"]
    ),
    "notation.bad_position": lambda d: _(
        "The position is wrong at %(key)s.", key=d.get("key", "?")
    ),
    "notation.bad_value": lambda d: _where(d) + _("“%(text)s” is no value.", text=_text(d)),
    "notation.repeated_key": lambda d: (
        _where(d) + _("%(key)s is given twice.", key=d.get("key", "?"))
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
