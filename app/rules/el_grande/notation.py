"""Moves as text (section 15): one line a turn, the same in logs, files and replies.

    entry   = SEAT ":" line | chance
    line    = "power" N | turn | "place" list | "disc" R | "return" list | "veto" | "pass"
    turn    = ["take" N ";"] ["refill" list ";"] "card" ID
              {";" ("place" list | special [";" "disc" R])}
    special = "special" ["skip" | "move" move {"," move} | "add" list
              | "return" SEAT R {"," SEAT R} | "score" A | "board" ("A"|"B") R | "king" R
              | "expel" R | "grande" R | "court" [list] | "recall" (N|"?")]
    move    = SEAT R ">" A N          list = "0" | A N {"," A N}
    chance  = "deal king" R "; home" SEAT R {"," SEAT R} "; first" SEAT
              | "reveal" ID ID ID ID

A draft is a turn in steps, each of them a line; `end` completes it.  Case does
not matter and spaces are free.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from app.rules.el_grande.components import Board, Counts
from app.rules.el_grande.joining import joined_counts, joined_moves
from app.rules.el_grande.moves import (
    DO,
    END,
    PASS,
    SKIP,
    VETO,
    Disc,
    End,
    Move,
    Pass,
    Place,
    PlayPower,
    Refill,
    Return,
    Shift,
    Special,
    Take,
    TakeCard,
    Veto,
)
from app.rules.game import NotationError, Seat

MAX_LENGTH: Final = 2000

_NUMBER: Final = re.compile(r"[0-9]{1,2}")
_AREA: Final = re.compile(r"[A-Z]{3}|COURT")
_CARD: Final = re.compile(r"([1-5]) ?- ?([0-9]{2})")
_SEAT: Final = re.compile(r"P ?([1-9])")
_COUNT: Final = re.compile(r"([A-Z]{3}|COURT) ?([1-9][0-9]?)")
_SHIFT: Final = re.compile(r"P ?([1-9]) ?([A-Z]{3}) ?> ?([A-Z]{3}) ?([1-9][0-9]?)")
_OWNER: Final = re.compile(r"P ?([1-9]) ?([A-Z]{3})")
_BOARD: Final = re.compile(r"([AB]) ([A-Z]{3})")
_BOARDS: Final[Mapping[str, Board]] = {"A": "A", "B": "B"}


def parse(text: str) -> tuple[Move, ...]:
    """Read a turn, a step of one, or an answer.

    Raises NotationError: `details` holds the text that is wrong and the number
    of its part.
    """
    if len(text) > MAX_LENGTH:
        raise NotationError("notation.too_long", rule="15", length=len(text), limit=MAX_LENGTH)
    if not text.strip():
        raise NotationError("notation.empty", rule="15")
    moves: list[Move] = []
    for number, part in enumerate(text.split(";"), 1):
        try:
            moves.append(_part(part))
        except NotationError as error:
            error.details["action"] = number
            raise
    return tuple(moves)


def _refuse(code: str, text: str) -> NoReturn:
    raise NotationError(f"notation.{code}", rule="15", text=text.strip()[:80])


def _part(text: str) -> Move:
    words = " ".join(text.upper().split())
    if not words:
        _refuse("no_action", text)
    found = re.match(r"[A-Z]+", words)
    word = found[0] if found else ""
    if word not in _PARTS:
        _refuse("unknown_action", text)
    return _PARTS[word](words.removeprefix(word).strip(), text)


def number_of(rest: str, text: str) -> int:
    """Read a number of at most two digits; raises NotationError."""
    if not _NUMBER.fullmatch(rest):
        _refuse("bad_number", text)
    return int(rest)


def area_of(rest: str, text: str) -> str:
    """Read the id of an area; raises NotationError."""
    if not _AREA.fullmatch(rest):
        _refuse("bad_area", text)
    return rest


def card_of(rest: str, text: str) -> str:
    """Read the id of a card; raises NotationError."""
    found = _CARD.fullmatch(rest)
    if found is None:
        _refuse("bad_card", text)
    return f"{found[1]}-{found[2]}"


def seat_of(rest: str, text: str) -> Seat:
    """Read a seat; raises NotationError."""
    found = _SEAT.fullmatch(rest)
    if found is None:
        _refuse("bad_seat_name", text)
    return Seat(int(found[1]) - 1)


def _bare(move: Move) -> Callable[[str, str], Move]:
    def read(rest: str, text: str) -> Move:
        if rest:
            _refuse("unknown_action", text)
        return move

    return read


def _listed(rest: str, text: str) -> Counts:
    if rest == "0":
        return ()
    counts: list[tuple[str, int]] = []
    for item in rest.split(","):
        found = _COUNT.fullmatch(item.strip())
        if found is None:
            _refuse("bad_list", text)
        counts.append((found[1], int(found[2])))
    _once([area for area, _ in counts], text)
    return joined_counts(tuple(counts))


def _once(items: Sequence[Any], text: str) -> None:
    if len(set(items)) < len(items):
        _refuse("repeated", text)


def _special(rest: str, text: str) -> Move:
    if not rest:
        return DO
    word, _, more = rest.partition(" ")
    if word not in _SPECIALS:
        _refuse("bad_special", text)
    return _SPECIALS[word](more.strip(), text)


def _skip(rest: str, text: str) -> Special:
    if rest:
        _refuse("bad_special", text)
    return SKIP


def _shifts(rest: str, text: str) -> Special:
    moves: list[Shift] = []
    for item in rest.split(","):
        found = _SHIFT.fullmatch(item.strip())
        if found is None:
            _refuse("bad_moves", text)
        moves.append((Seat(int(found[1]) - 1), found[2], found[3], int(found[4])))
    _once([move[:3] for move in moves], text)
    return Special("move", moves=joined_moves(moves))


def owners_of(rest: str, text: str) -> tuple[tuple[Seat, str], ...]:
    """Read seats, each with a region; raises NotationError."""
    owners: list[tuple[Seat, str]] = []
    for item in rest.split(","):
        found = _OWNER.fullmatch(item.strip())
        if found is None:
            _refuse("bad_owners", text)
        owners.append((Seat(int(found[1]) - 1), found[2]))
    _once([owner for owner, _ in owners], text)
    return tuple(sorted(owners))


def _board(rest: str, text: str) -> Special:
    found = _BOARD.fullmatch(rest)
    if found is None:
        _refuse("bad_board", text)
    return Special("board", area=found[2], board=_BOARDS[found[1]])


def _recall(rest: str, text: str) -> Special:
    return Special("recall", value=None if rest == "?" else number_of(rest, text))


_SPECIALS: Final[Mapping[str, Callable[[str, str], Special]]] = {
    "SKIP": _skip,
    "MOVE": _shifts,
    "ADD": lambda rest, text: Special("add", areas=_listed(rest, text)),
    "RETURN": lambda rest, text: Special("return", owners=owners_of(rest, text)),
    "SCORE": lambda rest, text: Special("score", area=area_of(rest, text)),
    "BOARD": _board,
    "KING": lambda rest, text: Special("king", area=area_of(rest, text)),
    "EXPEL": lambda rest, text: Special("expel", area=area_of(rest, text)),
    "GRANDE": lambda rest, text: Special("grande", area=area_of(rest, text)),
    "COURT": lambda rest, text: Special("court", areas=_listed(rest, text) if rest else ()),
    "RECALL": _recall,
}
_PARTS: Final[Mapping[str, Callable[[str, str], Move]]] = {
    "POWER": lambda rest, text: PlayPower(number_of(rest, text)),
    "TAKE": lambda rest, text: Take(number_of(rest, text)),
    "REFILL": lambda rest, text: Refill(_listed(rest, text)),
    "CARD": lambda rest, text: TakeCard(card_of(rest, text)),
    "PLACE": lambda rest, text: Place(_listed(rest, text)),
    "SPECIAL": _special,
    "DISC": lambda rest, text: Disc(area_of(rest, text)),
    "RETURN": lambda rest, text: Return(_listed(rest, text)),
    "VETO": _bare(VETO),
    "PASS": _bare(PASS),
    "END": _bare(END),
}


def format_moves(moves: Sequence[Move]) -> str:
    """Print moves so that `parse` gives them back."""
    return "; ".join(map(format_move, moves))


def format_move(move: Move) -> str:
    """Print one move.

    >>> format_move(Special("move", moves=((Seat(1), "ARA", "CAT", 2),)))
    'special move p2 ARA>CAT 2'
    """
    return _FORMATS[type(move)](move)


def format_seat(seat: int) -> str:
    """Print a seat: p1 to p5, clockwise."""
    return f"p{seat + 1}"


def format_list(counts: Counts) -> str:
    """Print a list of areas with counts."""
    return ", ".join(f"{area} {count}" for area, count in counts) or "0"


def format_owners(owners: Sequence[tuple[Seat, str]]) -> str:
    """Print seats, each with a region."""
    return ", ".join(f"{format_seat(seat)} {region}" for seat, region in owners)


def _format_special(special: Special) -> str:
    word = "" if special.kind == "do" else special.kind
    details = _DETAILS[special.kind](special) if special.kind in _DETAILS else special.area
    return " ".join(part for part in ("special", word, details) if part)


def _format_shifts(special: Special) -> str:
    return ", ".join(
        f"{format_seat(owner)} {origin}>{target} {count}"
        for owner, origin, target, count in special.moves
    )


_DETAILS: Final[Mapping[str, Callable[[Special], str]]] = {
    "move": _format_shifts,
    "add": lambda special: format_list(special.areas),
    "return": lambda special: format_owners(special.owners),
    "board": lambda special: f"{special.board} {special.area}",
    "court": lambda special: format_list(special.areas) if special.areas else "",
    "recall": lambda special: "?" if special.value is None else str(special.value),
}
_FORMATS: Final[Mapping[type, Callable[[Any], str]]] = {
    PlayPower: lambda move: f"power {move.value}",
    Take: lambda move: f"take {move.count}",
    Refill: lambda move: f"refill {format_list(move.sources)}",
    TakeCard: lambda move: f"card {move.card}",
    Place: lambda move: f"place {format_list(move.to)}",
    Special: _format_special,
    Disc: lambda move: f"disc {move.region}",
    Return: lambda move: f"return {format_list(move.sources)}",
    Veto: lambda _move: "veto",
    Pass: lambda _move: "pass",
    End: lambda _move: "end",
}
