"""The numbered choices of a decision: what a mail lists and what a reply names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.matches.games import codec_for
from app.matches.pages import MatchPage
from app.rules.rng import HmacRng

# Says what each line of notation does on a match page.
Say: TypeAlias = Callable[[MatchPage, Sequence[str]], Sequence[str]]

_SEED = b"choices of a letter"


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal move: `line` in notation, `words` for people."""

    number: int
    line: str
    words: str


def notation(page: MatchPage, lines: Sequence[str]) -> Sequence[str]:
    """Say the lines themselves."""
    return lines


def choices(page: MatchPage, say: Say = notation) -> tuple[Choice, ...]:
    """Return what the viewer may do after its draft, numbered from 1; nothing if not asked.

    It is worked out from the viewer's own view alone: what that does not show
    cannot have a say in it.  Towers are represented by one that serves.
    """
    seat = page.seat
    if seat is None or page.prompt is None or page.status != "running":
        return ()
    game = codec_for(page.game).game
    state: Any = game.determinise(page.view, HmacRng(_SEED, str(page.id)))
    lines = dict.fromkeys(game.format((move,)) for move in game.legal_moves(state, seat))
    finish = page.prompt.finish
    if finish in lines:
        # Last, where nobody ends a turn for want of reading on.
        del lines[finish]
        lines[finish] = None
    told = say(page, tuple(lines))
    return tuple(
        Choice(number, line, words)
        for number, (line, words) in enumerate(zip(lines, told, strict=True), 1)
    )
