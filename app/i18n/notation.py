"""Refusals of notation that every game shares: lines, positions and matches as text."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _

Details: TypeAlias = Mapping[str, Any]


def where(details: Details) -> str:
    """Return where in the text it is, as far as it is known."""
    if "line" in details:
        return _("Line %(line)s: ", line=details["line"])
    if "action" in details:
        return _("Action %(action)s: ", action=details["action"])
    return ""


def text_of(details: Details) -> str:
    return str(details.get("text", ""))


COMMON: Final[Mapping[str, Callable[[Details], str]]] = {
    "notation.too_long": lambda d: _(
        "That is too long: at most %(limit)s characters.", limit=d["limit"]
    ),
    "notation.empty": lambda _d: _("Nothing is written."),
    "notation.no_action": lambda d: where(d) + _("an action is missing between two semicolons."),
    "notation.unknown_action": lambda d: where(d) + _("“%(text)s” is no action.", text=text_of(d)),
    "notation.bad_line": lambda d: (
        where(d) + _("“%(text)s” cannot be understood.", text=text_of(d))
    ),
    "notation.illegal_move": lambda d: (
        where(d) + _("the rules do not allow this move (%(reason)s).", reason=d["reason"])
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
    "notation.bad_value": lambda d: where(d) + _("“%(text)s” is no value.", text=text_of(d)),
    "notation.repeated_key": lambda d: (
        where(d) + _("%(key)s is given twice.", key=d.get("key", "?"))
    ),
}
