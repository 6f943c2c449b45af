"""Nested mappings as text, one `dotted.key = value` a line, and back.

The text is TOML of the plainest kind.  Values are integers, `true` and
`false`, texts in double quotes, and lists of integers, texts and lists.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from app.rules.game import NotationError

LONGEST_LINE: Final = 2000


def to_lines(data: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield the lines of `data`; empty tables leave none."""
    for name, value in data.items():
        key = f"{prefix}.{name}" if prefix else name
        if isinstance(value, Mapping):
            yield from to_lines(value, key)
        else:
            yield f"{key} = {_print(value)}"


def from_lines(lines: Iterable[str], first: int = 1) -> dict[str, Any]:
    """Return the mapping that `lines` spell; raises NotationError with the line number."""
    data: dict[str, Any] = {}
    for number, line in enumerate(lines, first):
        key, equals, value = line.partition(" = ")
        if not equals or len(line) > LONGEST_LINE:
            raise NotationError("notation.bad_line", line=number, text=line[:80])
        *path, name = key.split(".")
        table = data
        for step in path:
            table = table.setdefault(step, {})
            if not isinstance(table, dict):
                raise NotationError("notation.repeated_key", line=number, key=key)
        if name in table:
            raise NotationError("notation.repeated_key", line=number, key=key)
        table[name] = _read(value, number)
    return data


def _print(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, int):
        return str(value)
    return f"[{', '.join(map(_print, value))}]"


def _read(text: str, line: int) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise NotationError("notation.bad_value", line=line, text=text[:80]) from None
