"""Typed values out of nested mappings, refused by their dotted key.

Editions and positions come from files that people edit, so every refusal is an
`EditionError` whose `key` names the value; its code is one of
`edition.missing`, `edition.unknown_key`, `edition.wrong_type`,
`edition.out_of_range`, `edition.bad_text`, `edition.unsupported` and
`edition.contradiction` (with a `reason`).
"""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar, cast

from app.rules.game import EditionError

Name = TypeVar("Name", bound=str)

LARGE = 1000
LONGEST_TEXT = 60


class Table:
    """One table of the mapping: each method returns a value that is what it should be.

    `done` refuses the keys nobody has asked for.
    """

    def __init__(self, values: Any, path: str = "") -> None:
        if not isinstance(values, Mapping):
            raise wrong_type(path, "table")
        self.path = path
        self.values: Mapping[Any, Any] = values
        self.asked: set[str] = set()

    def key(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def get(self, name: str) -> Any:
        self.asked.add(name)
        if name not in self.values:
            raise EditionError("edition.missing", key=self.key(name))
        return self.values[name]

    def table(self, name: str) -> "Table":
        return Table(self.get(name), self.key(name))

    def children(self) -> Iterator[tuple[str, "Table"]]:
        """Yield every table inside this one with its name."""
        return ((str(key), self.table(key)) for key in self.values)

    def optional(self, name: str) -> "Table":
        """Return the table `name`, an empty one if it is not there."""
        return self.table(name) if name in self.values else Table({}, self.key(name))

    def integer(self, name: str, low: int = 0, high: int = LARGE) -> int:
        return as_integer(self.get(name), self.key(name), low, high)

    def integers(self, name: str, low: int = 0, high: int = LARGE) -> tuple[int, ...]:
        return tuple(as_integer(value, self.key(name), low, high) for value in self.list(name))

    def boolean(self, name: str) -> bool:
        value = self.get(name)
        if not isinstance(value, bool):
            raise wrong_type(self.key(name), "boolean")
        return value

    def text(self, name: str) -> str:
        return as_text(self.get(name), self.key(name))

    def list(self, name: str) -> tuple[Any, ...]:
        value = self.get(name)
        if not isinstance(value, list | tuple):
            raise wrong_type(self.key(name), "list")
        return tuple(value)

    def choice(self, name: str, allowed: tuple[Name, ...]) -> Name:
        return as_choice(self.get(name), self.key(name), allowed)

    def picks(self, name: str, allowed: tuple[Name, ...]) -> tuple[Name, ...]:
        """Return a list of allowed values, each as often as it stands there."""
        return tuple(as_choice(value, self.key(name), allowed) for value in self.list(name))

    def choices(self, name: str, allowed: tuple[Name, ...]) -> tuple[Name, ...]:
        """Return a list of allowed values, none of them twice."""
        chosen = self.picks(name, allowed)
        if len(set(chosen)) < len(chosen):
            contradiction(self.key(name), "repeated")
        return chosen

    def counts(self, name: str, keys: tuple[str, ...], high: int = LARGE) -> tuple[int, ...]:
        table = self.table(name)
        counts = tuple(table.integer(key, 0, high) for key in keys)
        table.done()
        return counts

    def done(self) -> None:
        for name in self.values:
            if name not in self.asked:
                raise EditionError("edition.unknown_key", key=self.key(str(name)))


def contradiction(key: str, reason: str, **numbers: Any) -> NoReturn:
    """Refuse a value that does not fit the rest of the edition."""
    raise EditionError("edition.contradiction", key=key, reason=reason, **numbers)


def wrong_type(key: str, expected: str) -> EditionError:
    """Return the refusal of a value that is not an `expected`."""
    return EditionError("edition.wrong_type", key=key, expected=expected)


def as_integer(value: Any, key: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(key, "integer")
    if not low <= value <= high:
        raise EditionError("edition.out_of_range", key=key, value=value, low=low, high=high)
    return value


def as_text(value: Any, key: str, longest: int = LONGEST_TEXT) -> str:
    if not isinstance(value, str):
        raise wrong_type(key, "text")
    if not value.isprintable() or len(value) > longest:
        raise EditionError("edition.bad_text", key=key, limit=longest)
    return value


def as_choice(value: Any, key: str, allowed: tuple[Name, ...]) -> Name:
    if value not in allowed:
        raise EditionError("edition.unsupported", key=key, value=value, allowed=list(allowed))
    return cast("Name", value)
