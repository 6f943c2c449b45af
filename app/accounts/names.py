"""Names people choose: what is kept of them, and when two are the same."""

import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

from app.errors import InvalidError

MAX_CODE_POINTS: Final = 24
MAX_BYTES: Final = 72
_MAX_MARKS_IN_A_ROW: Final = 2
# Longer input is not worth normalising.
_MAX_INPUT: Final = 500

# Controls, bidi and zero-width characters, surrogates, private and unassigned ones.
_DROPPED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_VISIBLE: Final = ("L", "N", "S")
# Letters, marks and symbols that show nothing.
_INVISIBLE: Final = frozenset(
    map(
        chr,
        (
            0x034F,
            0x115F,
            0x1160,
            0x17B4,
            0x17B5,
            0x2800,
            0x3164,
            0xFFA0,
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)


def clean_name(raw: str) -> str:
    """Return `raw` as it will be shown: NFC, one space between words, nothing invisible.

    Raises InvalidError `name.empty`, `name.too_long` or `name.not_allowed` (marks
    piled up on one letter).
    """
    if len(raw) > _MAX_INPUT:
        raise InvalidError("name.too_long", max=MAX_CODE_POINTS)
    kept = "".join(" " if c.isspace() else c for c in raw if c.isspace() or _is_kept(c))
    name = unicodedata.normalize("NFC", " ".join(kept.split()))
    if not any(unicodedata.category(c).startswith(_VISIBLE) for c in name):
        raise InvalidError("name.empty")
    if len(name) > MAX_CODE_POINTS or len(name.encode()) > MAX_BYTES:
        raise InvalidError("name.too_long", max=MAX_CODE_POINTS)
    if _marks_in_a_row(name) > _MAX_MARKS_IN_A_ROW:
        raise InvalidError("name.not_allowed")
    return name


def name_key(name: str) -> str:
    """Return what two names have in common when people would take one for the other.

    Case, accents, spaces, punctuation and letters that look alike do not tell
    names apart.
    """
    folded = unicodedata.normalize("NFKD", name).casefold()
    folded = unicodedata.normalize("NFKD", folded)
    bare = "".join(c for c in folded if not unicodedata.category(c).startswith("M"))
    alike = bare.translate(_lookalikes())
    told_apart = "".join(c for c in alike if unicodedata.category(c).startswith(_VISIBLE))
    return told_apart or alike


@cache
def _lookalikes() -> dict[int, str]:
    """Return which character stands for which others."""
    lines = files("app.accounts").joinpath("lookalikes.txt").read_text("utf-8").splitlines()
    classes = (line.split(" ") for line in lines if not line.startswith("#"))
    return {ord(member): shown for shown, members in classes for member in members}


def _is_kept(character: str) -> bool:
    return (
        unicodedata.category(character) not in _DROPPED_CATEGORIES and character not in _INVISIBLE
    )


def _marks_in_a_row(name: str) -> int:
    longest = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        longest = max(longest, run)
    return longest
