"""The guide for hosts says what the program says."""

import re
from pathlib import Path

from app.config import Settings, names_of

PAGE = Path(__file__).parents[2] / "docs" / "self-hosting.md"


def row(name: str) -> str:
    """Return the row of the settings table for `name`."""
    field = Settings.model_fields[name]
    default = field.default
    shown = ",".join(default) if isinstance(default, tuple) else str(default)
    cell = "" if default in {None, ()} else f"`{shown}`"
    return f"| `{names_of(name)[-1]}` | {cell} | {field.description} |"


def test_the_table_of_settings_is_that_of_the_program() -> None:
    page = PAGE.read_text(encoding="utf-8")
    listed = re.findall(r"^\| `[A-Z_]+` \|.*\|$", page, re.MULTILINE)

    assert listed == [row(name) for name in Settings.model_fields]
