"""The games there are, by key.  Each is independent of the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.rules.castell import CASTELL, match_from_text, match_to_text
from app.rules.game import Game


@dataclass(frozen=True, slots=True)
class Record:
    """How a game prints a whole match from its events, and reads it back."""

    to_text: Callable[[Sequence[Any]], str]
    from_text: Callable[[str], tuple[Any, ...]]


GAMES: Final[Mapping[str, Game[Any, Any, Any, Any]]] = {CASTELL.key: CASTELL}
RECORDS: Final[Mapping[str, Record]] = {CASTELL.key: Record(match_to_text, match_from_text)}
