"""Short codes to say over the telephone: a word and four digits, PINYA-4207.

A code is no secret for long: it works only while the table gathers, wrong tries
are limited, and it opens a seat that the host can free again.
"""

import re
import secrets
from functools import cache
from importlib.resources import files
from typing import Final

_DIGITS: Final = 10_000
_SHAPE: Final = re.compile(r"([A-Z]{3,8})[\s-]*([0-9]{4})", re.ASCII)


@cache
def words() -> tuple[str, ...]:
    """Return the words codes begin with."""
    return tuple(files("app.lobby").joinpath("words.txt").read_text("utf-8").split())


def new_code() -> str:
    """Return one of some two million codes."""
    return f"{secrets.choice(words())}-{secrets.randbelow(_DIGITS):04}"


def read_code(typed: str) -> str | None:
    """Return the code a person meant, whatever the case and the hyphen; None if it is none."""
    found = _SHAPE.fullmatch(typed.strip().upper()) if len(typed) <= 40 else None
    return f"{found[1]}-{found[2]}" if found else None
