"""Moves as text (rule 14): one line a turn, the same in logs, files and replies.

    turn     = action { ";" action }
    action   = "move" REGION | "recruit" SIZE [SIZE] | "train" SKILL | "end"
             | "special" option | "train special" option
    option   = "move" REGION | "recruit" SIZE | "perform" TILE "=" TOWER
    festival = "festival" REGION "=" ( TOWER | "decline" )
    TOWER    = LEVEL { "/" LEVEL }        bottom level first
    LEVEL    = GROUP { "+" GROUP }        GROUP = COUNT "x" SIZE

Case does not matter and spaces are free.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

from app.rules.castell.components import SIZES, SKILLS, Level, Skill, Tower
from app.rules.castell.moves import (
    DeclineFestival,
    EndTurn,
    EnterFestival,
    Move,
    MovePawn,
    Perform,
    Recruit,
    Special,
    SpecialOption,
    Train,
    TrainSpecial,
)
from app.rules.game import NotationError

MAX_LENGTH: Final = 2000

_GROUP: Final = re.compile(r"\s*([0-9]{1,3})\s*x\s*([0-9]{1,2})\s*", re.IGNORECASE)
_SIZE: Final = re.compile(r"[0-9]{1,2}")
_SKILLS: Final[dict[str, Skill]] = {skill: skill for skill in SKILLS}


def parse(text: str) -> tuple[Move, ...]:
    """Read a turn or a festival answer.

    Raises NotationError: `details` holds the text that is wrong and, within a
    turn, the number of its action.
    """
    if len(text) > MAX_LENGTH:
        raise NotationError("notation.too_long", rule="14", length=len(text), limit=MAX_LENGTH)
    if not text.strip():
        raise NotationError("notation.empty", rule="14")
    if _words(text)[0] == "festival":
        return (_festival(text),)
    moves: list[Move] = []
    for number, part in enumerate(text.split(";"), 1):
        try:
            moves.append(_action(part))
        except NotationError as error:
            error.details["action"] = number
            raise
    return tuple(moves)


def format_moves(moves: Sequence[Move]) -> str:
    """Print moves so that `parse` gives them back."""
    return "; ".join(map(format_move, moves))


def format_move(move: Move) -> str:
    """Print one move."""
    match move:
        case Train(skill):
            return f"train {skill}"
        case Special(option):
            return f"special {_format_option(option)}"
        case TrainSpecial(option):
            return f"train special {_format_option(option)}"
        case EnterFestival(region, tower):
            return f"festival {region} = {format_tower(tower)}"
        case DeclineFestival(region):
            return f"festival {region} = decline"
    return "end" if isinstance(move, EndTurn) else _format_option(move)


def _format_option(option: SpecialOption) -> str:
    match option:
        case MovePawn(region):
            return f"move {region}"
        case Recruit(sizes):
            return f"recruit {' '.join(map(str, sizes))}"
    return f"perform {option.tile} = {format_tower(option.tower)}"


def format_tower(tower: Iterable[Level]) -> str:
    """Print a tower, bottom level first.

    >>> format_tower((((3, 9),), ((2, 8), (1, 7)), ((1, 1),)))
    '3x9/2x8+1x7/1x1'
    """
    return "/".join("+".join(f"{count}x{size}" for count, size in level) for level in tower)


def parse_tower(text: str) -> Tower:
    """Read a tower; within a level the larger size comes first, however it was written.

    Raises NotationError with the number of the level that is wrong.
    """
    if not text.strip():
        raise NotationError("notation.no_tower", rule="14")
    return tuple(_level(part, number) for number, part in enumerate(text.split("/"), 1))


def _level(text: str, number: int) -> Level:
    counts: dict[int, int] = {}
    for part in text.split("+"):
        match = _GROUP.fullmatch(part)
        if match is None:
            _refuse("bad_group", part, level=number)
        count, size = int(match[1]), int(match[2])
        if count < 1:
            _refuse("bad_count", part, level=number)
        if size not in SIZES:
            _refuse("bad_size", part, level=number)
        counts[size] = counts.get(size, 0) + count
    return tuple((counts[size], size) for size in sorted(counts, reverse=True))


def _refuse(code: str, text: str, **details: int) -> NoReturn:
    raise NotationError(f"notation.{code}", rule="14", text=text.strip(), **details)


def _words(text: str) -> list[str]:
    # "=" may touch its neighbours: spaces are free.
    return text.lower().replace("=", " = ").split()


def _festival(text: str) -> Move:
    match _words(text):
        case ["festival", region, "=", "decline"]:
            return DeclineFestival(region.upper())
        case ["festival", region, "=", *tower]:
            return EnterFestival(region.upper(), parse_tower(" ".join(tower)))
    _refuse("bad_festival", text)


def _action(text: str) -> Move:
    match _words(text):
        case []:
            _refuse("no_action", text)
        case ["end"]:
            return EndTurn()
        case ["train", "special", *option]:
            return TrainSpecial(_option(option, text))
        case ["train", skill] if skill in _SKILLS:
            return Train(_SKILLS[skill])
        case ["train", *_]:
            _refuse("bad_skill", text)
        case ["special", *option]:
            return Special(_option(option, text))
        case ["perform", *_]:
            _refuse("perform_needs_special", text)
        case words:
            return _step(words, text)


def _option(words: list[str], text: str) -> SpecialOption:
    match words:
        case ["perform", tile, "=", *tower]:
            return Perform(tile.upper(), parse_tower(" ".join(tower)))
        case ["perform", *_]:
            _refuse("bad_perform", text)
    return _step(words, text)


def _step(words: list[str], text: str) -> MovePawn | Recruit:
    match words:
        case ["move", region]:
            return MovePawn(region.upper())
        case ["move", *_]:
            _refuse("bad_move", text)
        case ["recruit", *sizes] if sizes and all(map(_SIZE.fullmatch, sizes)):
            return Recruit(tuple(sorted(map(int, sizes), reverse=True)))
        case ["recruit", *_]:
            _refuse("bad_recruit", text)
    _refuse("unknown_action", text)
