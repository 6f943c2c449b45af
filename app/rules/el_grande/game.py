"""El Grande as the application sees it: the `Game` interface over this package."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from app.rules.el_grande import (
    answers,
    defaults,
    fold,
    joining,
    legal,
    notation,
    observe,
    orders,
    play,
)
from app.rules.el_grande.determinising import determinise
from app.rules.el_grande.edition import SEAT_COUNTS
from app.rules.el_grande.events import Event
from app.rules.el_grande.moves import Move, Place
from app.rules.el_grande.options import Options, options_of
from app.rules.el_grande.scoring import reckon
from app.rules.el_grande.setup import reveal, set_up
from app.rules.el_grande.state import State
from app.rules.el_grande.steps import legal_moves
from app.rules.el_grande.view import ElGrandeView
from app.rules.game import Decision, Outcome, Prompt, Rng, Seat


class ElGrande:
    """The rules of El Grande; holds no state of its own."""

    key: Final = "el_grande"
    rules_version: Final = 1
    seat_counts: Final = SEAT_COUNTS

    def setup(self, seats: int, options: Mapping[str, Any], rng: Rng) -> tuple[Event, ...]:
        """Return the first events; `options`: edition, length, veto, castillo (sections 3, 13)."""
        return set_up(seats, options, rng)

    def prompts(self, state: State) -> Mapping[Seat, Prompt]:
        """Return whom the match waits for (section 14)."""
        if state.phase in ("answers", "disc"):
            prompt = _question(state)
            return {Seat(seat): prompt for seat in legal.waiting(state)}
        current = state.current()
        if current is None:
            return {}
        if state.phase == "power":
            return {Seat(current): _power_prompt(state.round, len(state.bids))}
        if state.phase == "turn":
            return {Seat(current): _turn_prompt(state.round, state.turn)}
        return {Seat(current): _place_prompt(state.round, state.turn, _plan_lines(state))}

    def legal_moves(self, state: State, seat: Seat) -> Iterator[Move]:
        """Return every choice of `seat`, as steps of one caballero in canonical order."""
        return legal_moves(state, seat)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raise IllegalMoveError if `seat` may not make `move` now."""
        legal.check(state, seat, move)

    def decide(self, state: State, seat: Seat, move: Move, rng: Rng) -> tuple[Event, ...]:
        """Return the events of `move`; only the end of a round draws, the next cards."""
        return play.decide(state, seat, move, lambda stacks: reveal(stacks, rng))

    def evolve(self, state: State | None, event: Event) -> State:
        """Return the state after `event`."""
        return fold.evolve(state, event)

    def due(self, state: State, answers_: Mapping[Seat, Move]) -> tuple[Seat, ...]:
        """Return whose filed answers are decided now (section 14)."""
        return answers.due(state, answers_)

    def joined(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return the turn with the steps of each part made one, its lists in order."""
        return joining.joined(moves)

    def decisions(self, state: State, seat: Seat) -> tuple[Decision, ...]:
        """Return the power cards of this round and the next, and the Veto."""
        return orders.decisions(state, seat)

    def asked_for(self, state: State, seat: Seat) -> tuple[str, ...]:
        """Return which of those `seat` takes now, the narrowest first."""
        return orders.asked_for(state, seat)

    def standing(self, state: State, seat: Seat, order: str) -> Move | None:
        """Return what a list of power cards, or an order about the Veto, answers for `seat`."""
        return orders.standing(state, seat, order)

    def check_standing(self, state: State, seat: Seat, decision: str, order: str) -> str:
        """Return `order` as it is printed; raises NotationError or IllegalMoveError."""
        return orders.check_standing(state, seat, decision, order)

    def safe_default(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Return what does an absent seat the least harm (section 14)."""
        return defaults.safe_default(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the last round is over (6.5)."""
        return reckon(state) if state.phase == "over" else None

    def view(self, state: State, seat: Seat | None) -> ElGrandeView:
        """Return what `seat` may know."""
        return observe.view(state, seat)

    def determinise(self, view: ElGrandeView, rng: Rng) -> State:
        """Return a state that fits `view`; what is hidden is drawn."""
        return determinise(view, rng)

    def options(self, state: State, seat: Seat) -> Options:
        """Return what `seat` may do now and why not the rest."""
        return options_of(state, seat)

    def event_view(self, event: Event, seat: Seat | None) -> Event | None:
        """Return `event` as `seat` may see it while the match runs."""
        return observe.event_view(event, seat)

    def parse(self, text: str) -> tuple[Move, ...]:
        """Read a turn, a step or an answer (section 15)."""
        return notation.parse(text)

    def format(self, moves: Sequence[Move]) -> str:
        """Print a turn, a step or an answer (section 15)."""
        return notation.format_moves(moves)


@lru_cache(maxsize=1024)
def _power_prompt(number: int, bid: int) -> Prompt:
    return Prompt(f"power:{number}:{bid}", "power")


@lru_cache(maxsize=1024)
def _turn_prompt(number: int, turn: int) -> Prompt:
    return Prompt(f"turn:{number}:{turn}", "turn", finish="end")


@lru_cache(maxsize=1024)
def _place_prompt(number: int, turn: int, draft: tuple[str, ...]) -> Prompt:
    return Prompt(f"place:{number}:{turn}", "place", finish="end", draft=draft)


def _plan_lines(state: State) -> tuple[str, ...]:
    """Return a vetoed turn's plan, caballero by caballero, as a draft to go on from."""
    if state.plan is None or not state.vetoed:
        return ()
    steps = [Place(((area, 1),)) for area, count in state.plan for _ in range(count)]
    return tuple(map(notation.format_move, steps or [Place(())]))


def _question(state: State) -> Prompt:
    if state.phase == "disc":
        return Prompt(f"disc:{state.round}", "disc", simultaneous=True)
    key = f"answers:{state.round}:{state.turn}"
    return Prompt(key, "answers", simultaneous=True, secret=state.window_open())


EL_GRANDE: Final = ElGrande()
