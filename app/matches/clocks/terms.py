"""What a table has agreed on about time, read from a form or a program and checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import time, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from app.errors import InvalidError
from app.i18n.times import is_zone

Kind: TypeAlias = Literal["turn", "bank", "daily"]
Timeout: TypeAlias = Literal["wait", "default", "bot", "substitute", "void"]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
TIMEOUTS: Final[tuple[Timeout, ...]] = get_args(Timeout)

# Which of the terms belongs to which kind of clock; all others go with every kind.
_OF_KIND: Final[Mapping[str, Kind]] = {
    "days": "turn",
    "bank_days": "bank",
    "increment_hours": "bank",
    "at": "daily",
}
_BOUNDS: Final = {
    "days": (1, 30),
    "bank_days": (1, 90),
    "increment_hours": (0, 168),
    "absence_days": (0, 90),
}
# Who is asked this shortly before the time of day has until the next day.
NOTICE: Final = timedelta(hours=6)
LONGEST_NIGHT: Final = timedelta(hours=14)
# What a secret prompt allots at most, whatever is in the bank.
SECRET: Final = timedelta(days=1)

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_NIGHT = re.compile(rf"{_TIME.pattern}-{_TIME.pattern}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A clock and what goes with it.

    `turn`: so many `days` for each decision.  `bank`: `bank_days` for the whole
    match, and `increment_hours` back for each decision, never more than the
    bank.  `daily`: until `at` each day, on the wall in `zone`.
    """

    kind: Kind
    days: int = 0
    bank_days: int = 0
    increment_hours: int = 0
    at: time | None = None
    zone: str = "UTC"
    nights_off: tuple[time, time] | None = None
    weekends_off: bool = False
    timeout: Timeout = "default"
    absence_days: int = 14

    @property
    def bank(self) -> timedelta | None:
        """What each seat's bank holds at the start; None: this clock has none."""
        return timedelta(days=self.bank_days) if self.kind == "bank" else None

    @property
    def increment(self) -> timedelta:
        """What a decision brings back into the bank."""
        return timedelta(hours=self.increment_hours)

    def allotted(self, bank: timedelta | None, *, secret: bool) -> timedelta:
        """Return the running time for one decision; of a daily clock, the least notice.

        A secret one has its own time, the same for everybody: what it took from a
        bank would show who was asked.
        """
        if self.kind == "daily":
            return NOTICE
        if self.kind == "turn":
            return timedelta(days=self.days)
        whole = timedelta(days=self.bank_days)
        return min(whole, SECRET) if secret else whole if bank is None else bank

    def mapping(self) -> dict[str, Any]:
        """Return the terms as JSON values: what `terms_from` reads."""
        read = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {
            key: _written(value)
            for key, value in read
            if _OF_KIND.get(key, self.kind) == self.kind and value is not None
        }


def terms_from(given: Mapping[str, Any] | None) -> Terms | None:
    """Return the terms that `given` describes; None without a clock.

    Raises InvalidError, whose details name the `key`: `clock.unknown_term`,
    `clock.bad_value`, `clock.not_of_kind` (the term belongs to another `kind`),
    `clock.missing`, `clock.night_too_long` and `clock.daily_at_night`.
    """
    if given is None or given.get("kind", "none") == "none":
        _check_keys(given or {}, {"kind"})
        return None
    kind = given["kind"]
    if kind not in KINDS:
        raise InvalidError("clock.bad_value", key="kind")
    _check_keys(given, {field.name for field in fields(Terms)})
    for key, belongs in _OF_KIND.items():
        if belongs == kind and key not in given:
            raise InvalidError("clock.missing", key=key)
        if belongs != kind and key in given:
            raise InvalidError("clock.not_of_kind", key=key, kind=kind)
    terms = Terms(**{key: _read(key, value) for key, value in given.items()})
    _check_night(terms)
    return terms


def _check_keys(given: Mapping[str, Any], known: set[str]) -> None:
    for key in given:
        if key not in known:
            raise InvalidError("clock.unknown_term", key=key)


def _check_night(terms: Terms) -> None:
    if terms.nights_off is None:
        return
    begins, ends = terms.nights_off
    length = (_since_midnight(ends) - _since_midnight(begins)) % timedelta(days=1)
    if not timedelta() < length <= LONGEST_NIGHT:
        raise InvalidError("clock.night_too_long", key="nights_off", hours=14)
    if terms.at is not None:
        into = (_since_midnight(terms.at) - _since_midnight(begins)) % timedelta(days=1)
        if timedelta() < into <= length:
            raise InvalidError("clock.daily_at_night", key="at")


def _read(key: str, value: Any) -> Any:
    match key, value:
        case ("kind", str()) | ("weekends_off", bool()):
            return value
        case ("zone", str()) if is_zone(value):
            return value
        case ("timeout", str()) if value in TIMEOUTS:
            return value
        case ("at", str()) if _TIME.fullmatch(value):
            return time.fromisoformat(value)
        case ("nights_off", str()) if _NIGHT.fullmatch(value):
            begins, ends = map(time.fromisoformat, value.split("-"))
            return begins, ends
        case (_, int()) if key in _BOUNDS and not isinstance(value, bool):
            least, most = _BOUNDS[key]
            if least <= value <= most:
                return value
            raise InvalidError("clock.bad_value", key=key, least=least, most=most)
    raise InvalidError("clock.bad_value", key=key)


def _written(value: Any) -> Any:
    match value:
        case time():
            return value.isoformat("minutes")
        case (time() as begins, time() as ends):
            return f"{begins.isoformat('minutes')}-{ends.isoformat('minutes')}"
        case _:
            return value


def _since_midnight(at: time) -> timedelta:
    return timedelta(hours=at.hour, minutes=at.minute)
