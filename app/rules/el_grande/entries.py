"""Entries of a match's record (section 15): a seat's line, or what chance dealt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias

from app.rules.el_grande.moves import Move
from app.rules.el_grande.notation import (
    area_of,
    card_of,
    format_moves,
    format_owners,
    format_seat,
    owners_of,
    parse,
    seat_of,
)
from app.rules.game import NotationError, Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """What setup dealt (section 3): the King, the homes by seat, the first to bid."""

    king: str
    homes: tuple[str, ...]
    first: Seat


@dataclass(frozen=True, slots=True)
class Reveal:
    """The cards a round began with, of the stacks 1 to 4 (R2)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A turn or an answer of a seat."""

    seat: Seat
    moves: tuple[Move, ...]


Entry: TypeAlias = Deal | Reveal | Line

_DEAL: Final = re.compile(r"DEAL KING (\w+) ?; ?HOME (.+?) ?; ?FIRST (P ?\d)")
_REVEAL: Final = re.compile(r"REVEAL (.+)")
_LINE: Final = re.compile(r"\s*(P\s*\d+)\s*:(.*)", re.IGNORECASE)


def format_entry(entry: Entry) -> str:
    """Print an entry; `parse_entry` gives it back."""
    if isinstance(entry, Deal):
        homes = format_owners([(Seat(seat), home) for seat, home in enumerate(entry.homes)])
        return f"deal king {entry.king}; home {homes}; first {format_seat(entry.first)}"
    if isinstance(entry, Reveal):
        return f"reveal {' '.join(entry.cards)}"
    return f"{format_seat(entry.seat)}: {format_moves(entry.moves)}"


def parse_entry(text: str) -> Entry:
    """Read an entry; raises NotationError."""
    line = _LINE.fullmatch(text)
    if line is not None:
        seat = seat_of(" ".join(line[1].upper().split()), text)
        return Line(seat, parse(line[2]))
    words = " ".join(text.upper().split())
    revealed = _REVEAL.fullmatch(words)
    if revealed is not None:
        return Reveal(tuple(card_of(card, text) for card in revealed[1].split()))
    dealt = _DEAL.fullmatch(words)
    return _unreadable(text) if dealt is None else _deal(dealt, text)


def _deal(dealt: re.Match[str], text: str) -> Deal:
    owners = owners_of(dealt[2], text)
    if [seat for seat, _ in owners] != list(range(len(owners))):
        _unreadable(text)
    return Deal(area_of(dealt[1], text), tuple(home for _, home in owners), seat_of(dealt[3], text))


def _unreadable(text: str) -> NoReturn:
    raise NotationError("notation.bad_entry", rule="15", text=text.strip()[:80])


def of_seat(seat: Seat, moves: Sequence[Move]) -> str:
    """Print the line of a seat."""
    return format_entry(Line(seat, tuple(moves)))
