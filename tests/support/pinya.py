"""A tiny real game that has everything the match service must cope with.

Each round every seat in turn takes 1, 2 or 3, at most twice, `leap` only after
a 3; then all guess at once, in secret; then a die is drawn and the right
guesses earn what their seat took.  `peek` draws within a turn.  The lucky
number is hidden until the end.  With the option `toss`, seat 0 first tosses a
coin: one move, no finish.  With `hush`, nobody knows who has guessed: guesses are
decided as they come in seat order, and a turn begins with `take 1` drafted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, TypeAlias

from app.rules.game import (
    Decision,
    EditionError,
    IllegalMoveError,
    NotationError,
    Outcome,
    Prompt,
    Rng,
    Seat,
)


@dataclass(frozen=True, slots=True)
class Take:
    number: int


@dataclass(frozen=True, slots=True)
class Leap:
    number: int = 10


@dataclass(frozen=True, slots=True)
class Peek:
    pass


@dataclass(frozen=True, slots=True)
class End:
    pass


@dataclass(frozen=True, slots=True)
class Guess:
    number: int


@dataclass(frozen=True, slots=True)
class Toss:
    number: int


Move: TypeAlias = Toss | Take | Leap | Peek | End | Guess


@dataclass(frozen=True, slots=True)
class Begun:
    seats: int
    rounds: int
    lucky: int | None
    toss: bool
    hush: bool = False


@dataclass(frozen=True, slots=True)
class Tossed:
    number: int


@dataclass(frozen=True, slots=True)
class Taken:
    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Peeked:
    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class TurnOver:
    pass


@dataclass(frozen=True, slots=True)
class Guessed:
    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Revealed:
    guesses: tuple[int, ...]
    die: int


Event: TypeAlias = Begun | Tossed | Taken | Peeked | TurnOver | Guessed | Revealed


@dataclass(frozen=True, slots=True)
class State:
    seats: int
    rounds: int
    lucky: int
    round: int = 1
    turn: int = 0
    taken: tuple[int, ...] = ()
    guesses: tuple[tuple[Seat, int], ...] = ()
    totals: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    toss: bool = False
    hush: bool = False


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None
    round: int
    turn: int
    taken: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Options:
    moves: tuple[str, ...]


class Pinya:
    """The game."""

    key: Final = "pinya"
    rules_version: int = 2
    seat_counts: Final = range(1, 6)

    def setup(self, seats: int, options: Mapping[str, Any], rng: Rng) -> tuple[Event, ...]:
        rounds = options.get("rounds", 2)
        if not isinstance(rounds, int) or rounds < 1:
            raise EditionError("option.unsupported", key="rounds", value=rounds)
        return (
            Begun(
                seats,
                rounds,
                rng.below(1000),
                options.get("toss", False),
                options.get("hush", False),
            ),
        )

    def prompts(self, state: State) -> Mapping[Seat, Prompt]:
        if state.round > state.rounds:
            return {}
        if state.toss:
            return {Seat(0): Prompt("toss", "toss")}
        if state.turn < state.seats:
            key, draft = f"turn:{state.round}:{state.turn}", ("take 1",) if state.hush else ()
            return {Seat(state.turn): Prompt(key, "turn", finish="end", draft=draft)}
        waiting = {Seat(n) for n in range(state.seats)} - {seat for seat, _ in state.guesses}
        return {
            seat: Prompt(f"guess:{state.round}", "guess", simultaneous=True, secret=state.hush)
            for seat in waiting
        }

    def legal_moves(self, state: State, seat: Seat) -> Iterator[Move]:
        candidates: tuple[Move, ...] = (
            *map(Toss, range(2)),
            *map(Take, range(1, 4)),
            Leap(),
            Peek(),
            End(),
            *map(Guess, range(6)),
        )
        for move in candidates:
            try:
                self.check(state, seat, move)
            except IllegalMoveError:
                continue
            yield move

    def check(self, state: State, seat: Seat, move: Move) -> None:
        prompt = self.prompts(state).get(seat)
        if prompt is None:
            raise IllegalMoveError("pinya.not_asked")
        fitting = {"toss": Toss, "guess": Guess, "turn": Take | Leap | Peek | End}[prompt.kind]
        if not isinstance(move, fitting):
            raise IllegalMoveError("pinya.wrong_moment", rule="1")
        if isinstance(move, Take) and len(state.taken) > 1:
            raise IllegalMoveError("pinya.taken_twice", rule="2", taken=len(state.taken))
        if isinstance(move, Leap) and 3 not in state.taken:
            raise IllegalMoveError("pinya.no_run_up", rule="3")

    def decide(self, state: State, seat: Seat, move: Move, rng: Rng) -> tuple[Event, ...]:
        self.check(state, seat, move)
        match move:
            case Toss(number):
                return (Tossed(number),)
            case Take(number) | Leap(number):
                return (Taken(seat, number),)
            case Peek():
                return (Peeked(seat, rng.below(6)),)
            case End():
                return (TurnOver(),)
            case Guess(number):
                said = dict(state.guesses) | {seat: number}
                if len(said) < state.seats:
                    return (Guessed(seat, number),)
                guesses = tuple(said[Seat(n)] for n in range(state.seats))
                return (Guessed(seat, number), Revealed(guesses, rng.below(6)))

    def evolve(self, state: State | None, event: Event) -> State:
        if isinstance(event, Begun):
            assert event.lucky is not None
            nothing = (0,) * event.seats
            return State(
                event.seats,
                event.rounds,
                event.lucky,
                totals=nothing,
                points=nothing,
                toss=event.toss,
                hush=event.hush,
            )
        assert state is not None
        match event:
            case Tossed() | Peeked():
                return replace(state, toss=False)
            case Taken(seat, number):
                totals = list(state.totals)
                totals[seat] += number
                return replace(state, taken=(*state.taken, number), totals=tuple(totals))
            case TurnOver():
                return replace(state, turn=state.turn + 1, taken=())
            case Guessed(seat, number):
                return replace(state, guesses=(*state.guesses, (seat, number)))
            case Revealed(guesses, die):
                points = tuple(
                    old + (total if guess == die else 0)
                    for old, total, guess in zip(state.points, state.totals, guesses, strict=True)
                )
                return replace(state, round=state.round + 1, turn=0, guesses=(), points=points)

    def due(self, state: State, answers: Mapping[Seat, Move]) -> tuple[Seat, ...]:
        asked = sorted(self.prompts(state))
        if not state.hush:
            return tuple(asked) if set(asked) <= set(answers) else ()
        # Those that come first may be decided before the others are in.
        return tuple(takewhile(answers.__contains__, asked))

    def joined(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Two ones are a two."""
        joined: list[Move] = []
        for move in moves:
            if move == Take(1) and joined[-1:] == [Take(1)]:
                joined[-1] = Take(2)
            else:
                joined.append(move)
        return tuple(joined)

    def decisions(self, state: State, seat: Seat) -> tuple[Decision, ...]:
        if state.round > state.rounds:
            return ()
        coming = [Decision("guesses", "guess")]
        if state.turn < state.seats:
            coming.insert(0, Decision(f"guess:{state.round}", "guess", state.round))
        if state.turn < seat:
            coming.insert(0, Decision(f"turn:{state.round}", "turn", state.round))
        return tuple(coming)

    def asked_for(self, state: State, seat: Seat) -> tuple[str, ...]:
        prompt = self.prompts(state).get(seat)
        if prompt is None or prompt.kind == "toss":
            return ()
        if prompt.kind == "turn":
            return (f"turn:{state.round}",)
        return prompt.key, "guesses"

    def standing(self, state: State, seat: Seat, order: str) -> Move | None:
        return None if order == "ask" else self._word(order)

    def check_standing(self, state: State, seat: Seat, decision: str, order: str) -> str:
        if decision not in {one.key for one in self.decisions(state, seat)}:
            raise IllegalMoveError("standing.passed", decision=decision)
        fitting = Take | Leap if decision.startswith("turn") else Guess
        if order != "ask" and not isinstance(self._word(order), fitting):
            raise NotationError("notation.bad_standing", text=order)
        return order

    def safe_default(self, state: State, seat: Seat) -> tuple[Move, ...]:
        return (next(self.legal_moves(state, seat)),)

    def outcome(self, state: State) -> Outcome | None:
        if state.round <= state.rounds:
            return None
        scores = {Seat(n): points for n, points in enumerate(state.points)}
        levels = sorted(set(scores.values()), reverse=True)
        ranking = tuple(tuple(s for s in scores if scores[s] == level) for level in levels)
        return Outcome(scores, {s: {"guesses": scores[s]} for s in scores}, ranking, "score")

    def view(self, state: State, seat: Seat | None) -> View:
        return View(seat, state.round, state.turn, state.taken, state.points)

    def determinise(self, view: View, rng: Rng) -> State:
        nothing = (0,) * len(view.points)
        return State(len(view.points), 2, rng.below(1000), totals=nothing, points=nothing)

    def options(self, state: State, seat: Seat) -> Options:
        return Options(tuple(self.format((move,)) for move in self.legal_moves(state, seat)))

    def event_view(self, event: Event, seat: Seat | None) -> Event | None:
        match event:
            case Begun():
                return replace(event, lucky=None)
            case Guessed(who):
                return event if who == seat else None
            case _:
                return event

    def parse(self, text: str) -> tuple[Move, ...]:
        return tuple(self._word(part.strip()) for part in text.split(";") if part.strip())

    def format(self, moves: Sequence[Move]) -> str:
        return "; ".join(
            f"{type(move).__name__.lower()} {move.number}"
            if isinstance(move, Take | Guess | Toss)
            else type(move).__name__.lower()
            for move in moves
        )

    def _word(self, text: str) -> Move:
        plain: dict[str, Move] = {"leap": Leap(), "peek": Peek(), "end": End()}
        match text.lower().split():
            case [word] if word in plain:
                return plain[word]
            case ["take", number] if number in {"1", "2", "3"}:
                return Take(int(number))
            case ["toss", number] if number in {"0", "1"}:
                return Toss(int(number))
            case ["guess", number] if number in set("012345"):
                return Guess(int(number))
        raise NotationError("notation.unknown", text=text)


PINYA: Final = Pinya()
