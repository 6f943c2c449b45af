"""Castell as the application sees it: the `Game` interface over this package."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from app.rules.castell import fold, legal, notation, observe, play, standing
from app.rules.castell.edition import SEAT_COUNTS
from app.rules.castell.events import Event, FestivalAnswered
from app.rules.castell.moves import Move
from app.rules.castell.options import Options, options_of
from app.rules.castell.scoring import reckon
from app.rules.castell.setup import draw_refill, set_up
from app.rules.castell.state import State
from app.rules.castell.view import CastellView
from app.rules.game import Decision, Outcome, Prompt, Rng, Seat


class Castell:
    """The rules of Castell; holds no state of its own."""

    key: Final = "castell"
    rules_version: Final = 1
    seat_counts: Final = SEAT_COUNTS

    def setup(self, seats: int, options: Mapping[str, Any], rng: Rng) -> tuple[Event, ...]:
        """Return the first event; `options`: edition, wheel_side, assistants (rule 3)."""
        return (set_up(seats, options, rng),)

    def prompts(self, state: State) -> Mapping[Seat, Prompt]:
        """Return whom the match waits for: one seat in a turn, several at festivals."""
        current = state.current()
        if current is not None:
            return {Seat(current): _turn_prompt(state.round, state.turn)}
        if state.phase == "festivals":
            prompt = _festival_prompt(state.round)
            return {Seat(seat): prompt for seat in legal.waiting(state)}
        return {}

    def legal_moves(self, state: State, seat: Seat) -> Iterator[Move]:
        """Return every choice of `seat`; towers are represented by one witness each."""
        return legal.legal_moves(state, seat)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raise IllegalMoveError if `seat` may not make `move` now."""
        legal.check(state, seat, move)

    def decide(self, state: State, seat: Seat, move: Move, rng: Rng) -> tuple[Event, ...]:
        """Return the events of `move`; only a refill of the regions draws."""
        return play.decide(state, seat, move, lambda now: draw_refill(now, rng))

    def evolve(self, state: State | None, event: Event) -> State:
        """Return the state after `event`."""
        return fold.evolve(state, event)

    def due(self, state: State, answers: Mapping[Seat, Move]) -> tuple[Seat, ...]:
        """Return all seats with a festival once each has answered, in seat order (rule 8)."""
        asked = legal.waiting(state)
        return tuple(map(Seat, asked)) if all(seat in answers for seat in asked) else ()

    def joined(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return `moves` as they are: every action of a turn is one move already."""
        return tuple(moves)

    def decisions(self, state: State, seat: Seat) -> tuple[Decision, ...]:
        """Return the festivals that are still to come."""
        return standing.decisions(state, seat)

    def asked_for(self, state: State, seat: Seat) -> tuple[str, ...]:
        """Return which of those `seat` takes now, the narrowest first."""
        return standing.asked_for(state, seat)

    def standing(self, state: State, seat: Seat, order: str) -> Move | None:
        """Return what `best`, `best N` or `decline` answers to what `seat` is asked."""
        return standing.standing(state, seat, order)

    def check_standing(self, state: State, seat: Seat, decision: str, order: str) -> str:
        """Return `order` as it is printed; raises NotationError or IllegalMoveError."""
        return standing.check_standing(state, seat, decision, order)

    def safe_default(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Return the end of a turn, or the refusal to take part in a festival."""
        return standing.safe_default(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the last round is over (rule 9)."""
        return reckon(state) if state.phase == "over" else None

    def view(self, state: State, seat: Seat | None) -> CastellView:
        """Return what `seat` may know: all but the towers not yet revealed."""
        return observe.view(state, seat)

    def determinise(self, view: CastellView, rng: Rng) -> State:
        """Return a state that fits `view`; answers not yet revealed are drawn."""
        return observe.determinise(view, rng)

    def options(self, state: State, seat: Seat) -> Options:
        """Return what `seat` may do now and why not the rest."""
        return options_of(state, seat)

    def event_view(self, event: Event, seat: Seat | None) -> Event | None:
        """Return `event`, or None for a festival answer of another seat: `hold` reveals it."""
        if isinstance(event, FestivalAnswered) and event.seat != seat:
            return None
        return event

    def parse(self, text: str) -> tuple[Move, ...]:
        """Read a turn or an answer (rule 14)."""
        return notation.parse(text)

    def format(self, moves: Sequence[Move]) -> str:
        """Print a turn or an answer (rule 14)."""
        return notation.format_moves(moves)


@lru_cache(maxsize=1024)
def _turn_prompt(number: int, turn: int) -> Prompt:
    return Prompt(f"turn:{number}:{turn}", "turn", finish="end")


@lru_cache(maxsize=1024)
def _festival_prompt(number: int) -> Prompt:
    return Prompt(f"festival:{number}", "festival", simultaneous=True)


CASTELL: Final = Castell()
