"""The games there are, by key.  Each is independent of the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.rules.castell import CASTELL, known_events, match_from_text, match_to_text
from app.rules.game import Game, Seat


@dataclass(frozen=True, slots=True)
class Record:
    """How a game prints a whole match from its events, and reads it back.

    `known` keeps of a running match's events those that a seat (None: a
    spectator) may know by now; unlike `Game.event_view` it sees what came after.
    """

    to_text: Callable[[Sequence[Any]], str]
    from_text: Callable[[str], tuple[Any, ...]]
    known: Callable[[Sequence[Any], Seat | None], tuple[Any, ...]]


GAMES: Final[Mapping[str, Game[Any, Any, Any, Any]]] = {CASTELL.key: CASTELL}
RECORDS: Final[Mapping[str, Record]] = {
    CASTELL.key: Record(match_to_text, match_from_text, known_events)
}
