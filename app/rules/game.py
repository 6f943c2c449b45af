"""The one interface every game implements.

A game is a handful of pure functions over immutable values.  `decide` turns a
move into *events*; `evolve` folds one event into the next state.  Chance is
settled in `decide` and written into the event, so replaying a match needs no
random generator.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NewType, Protocol, TypeVar

Seat = NewType("Seat", int)

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")
View = TypeVar("View")


class Rng(Protocol):
    """The only source of chance a game may use."""

    def below(self, bound: int, /) -> int:
        """Pick one of `0 .. bound - 1`, each as likely as the others."""
        ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """A decision one seat has to take.

    `key` names this decision within the match and is the same for every seat
    asked at once (`turn:6:2`, `festival:6`).  Answers to a `simultaneous`
    prompt are kept secret until they are due (`Game.due`).
    `finish` is the move, in notation, that a commit adds to the seat's draft
    (`end`), or None when the draft itself is the answer.  Of a `secret` prompt
    the other seats may know neither who is asked nor who has answered.  `draft`
    holds the lines with which the seat's draft of this prompt begins.
    """

    key: str
    kind: str
    simultaneous: bool = False
    finish: str | None = None
    secret: bool = False
    draft: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat may be asked yet, so that a standing order can answer it.

    `key` names it within the match (`power:5`), `kind` says how orders for it are
    written.  It comes in `round`; None: again and again until the match ends.
    """

    key: str
    kind: str
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished match.

    `scores[seat]` is the total; `categories[seat]` splits it, in the order in
    which the game reckons; `reason` names what settled first place
    (`score`, a tie-break, or `shared`).
    """

    scores: Mapping[Seat, int]
    categories: Mapping[Seat, Mapping[str, int]]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str

    @property
    def winners(self) -> frozenset[Seat]:
        """The seats that share first place."""
        return frozenset(self.ranking[0])


class RulesError(Exception):
    """Base class of everything `app.rules` raises.

    * RulesError
      + IllegalMoveError    the move breaks a rule in this state
      + NotationError       the text is not a move, a turn, a position or a match
      + EditionError        the edition or the options contradict themselves
    """

    def __init__(self, code: str, /, *, rule: str = "", **details: Any) -> None:
        super().__init__(code, details)
        self.code = code
        self.rule = rule
        self.details: dict[str, Any] = details

    def __str__(self) -> str:
        shown = " ".join(f"{name}={value}" for name, value in self.details.items())
        cited = f" [{self.rule}]" if self.rule else ""
        return f"{self.code} {shown}".rstrip() + cited


class IllegalMoveError(RulesError):
    """The move breaks rule `rule` in this state.

    `code` is stable (`tower.not_narrower`) and is what gets translated;
    `details` holds the numbers involved as JSON values, `rule` the paragraph.
    """


class NotationError(RulesError):
    """The text is not what the notation allows; `details` says where."""


class EditionError(RulesError):
    """A value of an edition or a match option is unknown or contradictory."""


class Game(Protocol[State, Move, Event, View]):
    """All that the rest of the application knows about a game."""

    @property
    def key(self) -> str: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def seat_counts(self) -> range: ...

    def setup(self, seats: int, options: Mapping[str, Any], rng: Rng) -> tuple[Event, ...]:
        """Return the first events of a match.

        `options` are the match's own choices plus the edition's values; what
        is unknown or contradictory raises EditionError naming the key.
        """
        ...

    def prompts(self, state: State) -> Mapping[Seat, Prompt]:
        """Who must decide what; several at once when simultaneous; empty at the end."""
        ...

    def legal_moves(self, state: State, seat: Seat) -> Iterator[Move]:
        """Every finite choice of `seat`; described spaces (towers) give one witness each."""
        ...

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raise IllegalMoveError if `seat` may not make `move` now; draws nothing."""
        ...

    def decide(self, state: State, seat: Seat, move: Move, rng: Rng) -> tuple[Event, ...]:
        """Return what `move` brings about, chance included; raises IllegalMoveError."""
        ...

    def evolve(self, state: State | None, event: Event) -> State:
        """Return the state after `event`; never changes `state`."""
        ...

    def due(self, state: State, answers: Mapping[Seat, Move]) -> tuple[Seat, ...]:
        """Return whose filed `answers` to the open simultaneous prompt are decided now.

        They are decided in this order; empty while more answers must come.
        """
        ...

    def joined(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return the same turn with the steps that belong together made one move."""
        ...

    def decisions(self, state: State, seat: Seat) -> tuple[Decision, ...]:
        """Return what may still come to `seat` and can be answered ahead, soonest first.

        Only what the seat may know decides it; what is open for it now is not among them.
        """
        ...

    def asked_for(self, state: State, seat: Seat) -> tuple[str, ...]:
        """Return the keys of the decisions that `seat` takes now, the narrowest first."""
        ...

    def standing(self, state: State, seat: Seat, order: str) -> Move | None:
        """Return what the standing `order` answers to the prompt open for `seat`.

        None: the order does not apply, the seat is asked.  Raises NotationError
        for what is no order.
        """
        ...

    def check_standing(self, state: State, seat: Seat, decision: str, order: str) -> str:
        """Return the `order` of `seat` for `decision` as it is printed.

        Raises NotationError for what is no order for it, IllegalMoveError where
        the decision is not among `decisions` or the order can never be carried out.
        """
        ...

    def safe_default(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Return the moves that answer the prompt of an absent `seat` with the least harm."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the match is over."""
        ...

    def view(self, state: State, seat: Seat | None) -> View:
        """Return what `seat` (None: a spectator) may know, built by copying in."""
        ...

    def determinise(self, view: View, rng: Rng) -> State:
        """Return a state in which the viewer would see just `view`.

        What the viewer may not know is drawn from `rng`.  Bots and assistants
        work on this, never on the true state.
        """
        ...

    def options(self, state: State, seat: Seat) -> Any:
        """Return, as the game's own value, what `seat` may do now and why not.

        This is what boards draw: each choice with its targets, or with the
        IllegalMoveError that forbids it.
        """
        ...

    def event_view(self, event: Event, seat: Seat | None) -> Event | None:
        """Return `event` as `seat` may see it while the match runs, or None."""
        ...

    def parse(self, text: str) -> tuple[Move, ...]:
        """Read one line of notation: a turn or an answer; raises NotationError."""
        ...

    def format(self, moves: Sequence[Move]) -> str:
        """Print moves as one line of notation; `parse` gives them back."""
        ...


def replay(
    game: Game[State, Move, Event, View], events: Iterable[Event], state: State | None = None
) -> State:
    """Fold `events` into a state: the whole log, or what came after `state`."""
    for event in events:
        state = game.evolve(state, event)
    if state is None:
        raise ValueError("a match begins with at least one event")
    return state
