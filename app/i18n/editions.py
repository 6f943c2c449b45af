"""Refusals of an edition or of a match option: what is wrong, by its key."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from app.i18n import gettext as _

_Details: TypeAlias = Mapping[str, Any]


def _key(details: _Details) -> str:
    return str(details.get("key", "?"))


def _shown(details: _Details, name: str) -> str:
    value = details.get(name, "?")
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


EDITIONS: Final[Mapping[str, Callable[[_Details], str]]] = {
    "edition.missing": lambda d: _("The edition lacks the value %(key)s.", key=_key(d)),
    "edition.unknown_key": lambda d: _("An edition has no value %(key)s.", key=_key(d)),
    "edition.wrong_type": lambda d: _(
        "%(key)s should be: %(expected)s.", key=_key(d), expected=_shown(d, "expected")
    ),
    "edition.out_of_range": lambda d: _(
        "%(key)s is out of range: %(value)s.", key=_key(d), value=_shown(d, "value")
    ),
    "edition.bad_text": lambda d: _("%(key)s is no usable text.", key=_key(d)),
    "edition.bad_id": lambda d: _(
        "%(key)s is no usable id: %(value)s.", key=_key(d), value=_shown(d, "value")
    ),
    "edition.unsupported": lambda d: _(
        "%(key)s cannot be %(value)s; it can be %(allowed)s.",
        key=_key(d),
        value=_shown(d, "value"),
        allowed=_shown(d, "allowed"),
    ),
    "edition.contradiction": lambda d: _(
        "%(key)s contradicts the rest of the edition (%(reason)s).",
        key=_key(d),
        reason=_shown(d, "reason"),
    ),
    "option.missing": lambda d: _("The option %(key)s is missing.", key=_key(d)),
    "option.unknown_key": lambda d: _("There is no option %(key)s.", key=_key(d)),
    "option.wrong_type": lambda d: _(
        "The option %(key)s should be: %(expected)s.", key=_key(d), expected=_shown(d, "expected")
    ),
    "option.unsupported": lambda d: _(
        "The option %(key)s cannot be %(value)s; it can be %(allowed)s.",
        key=_key(d),
        value=_shown(d, "value"),
        allowed=_shown(d, "allowed"),
    ),
}
