"""What a game tells about itself to be played: the one entry it has in the registry."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.rules.game import Game, Seat


def _as_it_is(state: Any) -> Any:
    return state


@dataclass(frozen=True, slots=True)
class Record:
    """How a game prints a whole match from its events, and reads it back.

    `known` keeps of a running match's events those that a seat (None: a
    spectator) may know by now; unlike `Game.event_view` it sees what came after.
    """

    to_text: Callable[[Sequence[Any]], str]
    from_text: Callable[[str], tuple[Any, ...]]
    known: Callable[[Sequence[Any], Seat | None], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Listing:
    """A game with all that storing, offering and printing its matches takes.

    `name` is how players know it.  `state` is the class of its states, `event`
    the union of its events.  `edition` is the data file beside the rules that a
    match takes unless it names another; `choices` are the options a table may
    choose, default value first.  `settle` makes a state that was just read as
    quick to work with as one that was played.
    """

    game: Game[Any, Any, Any, Any]
    name: str
    state: Any
    event: Any
    record: Record
    edition: str
    choices: Mapping[str, tuple[Any, ...]]
    settle: Callable[[Any], Any] = _as_it_is

    @property
    def key(self) -> str:
        """The word that stands for the game in addresses, rows and commands."""
        return self.game.key

    @property
    def seats(self) -> range:
        """How many can play it."""
        return self.game.seat_counts
