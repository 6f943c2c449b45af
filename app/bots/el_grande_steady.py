"""`steady` for El Grande: good turns on drawn states, valued in points."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.bots.el_grande_turns import Builder, answered, folded
from app.bots.el_grande_worth import Weights, Worth
from app.rules.el_grande import EL_GRANDE, ElGrandeView, State
from app.rules.el_grande.events import RoundStarted
from app.rules.el_grande.moves import Move, PlayPower, TakeCard
from app.rules.game import Seat
from app.rules.rng import HmacRng

# The clock only guards: iterations end a search long before.
LONGEST_SECONDS: Final = 1.5
# An iteration of a turn is this many positions looked at.
POSITIONS: Final = 10
# In how many drawn states a secret answer is tried.
SAMPLES: Final = 8


@dataclass(frozen=True, slots=True)
class SteadyElGrande:
    """Climbs to good turns; opponents are taken to answer safely and not to veto."""

    weights: Weights = field(default_factory=Weights)
    clock: Callable[[], float] = time.monotonic

    def choose(
        self, view: ElGrandeView, seat: Seat, *, seed: bytes, iterations: int
    ) -> Sequence[Move]:
        """Return a power card, a whole turn, or an answer; looks at about `iterations` turns."""
        rng = HmacRng(seed, "steady")
        state = EL_GRANDE.determinise(view, rng)
        worth = Worth(state, seat, self.weights)
        until = self.clock() + LONGEST_SECONDS
        builder = Builder(seat, worth, rng, iterations // POSITIONS, lambda: self.clock() > until)
        if state.phase == "power":
            return (self._power(state, seat, builder),)
        if state.phase in ("turn", "place"):
            return max(builder.turns(state), key=lambda turn: turn.worth).moves
        drawn = [state, *(EL_GRANDE.determinise(view, rng) for _ in range(SAMPLES - 1))]
        return (self._answer(drawn, seat, worth, rng),)

    def _answer(self, drawn: Sequence[State], seat: Seat, worth: Worth, rng: HmacRng) -> Move:
        """Return the answer that is worth most on average, whatever the others answer."""
        best, most = None, float("-inf")
        for move in EL_GRANDE.legal_moves(drawn[0], seat):
            value = sum(worth.of(_after_answer(state, seat, move, rng)) for state in drawn)
            if value > most:
                best, most = move, value
        if best is None:
            raise ValueError("the seat is not asked")
        return best

    def _power(self, state: State, seat: Seat, builder: Builder) -> Move:
        """Weigh an early choice of the cards against caballeros, and high cards kept."""
        gains = sorted(_gains(state, seat, builder), reverse=True)
        held = state.hands[seat]
        best, most = None, float("-inf")
        for move in EL_GRANDE.legal_moves(state, seat):
            if not isinstance(move, PlayPower):
                continue
            brings = min(state.edition.powers[move.value - 1], state.pieces[seat][-1])
            # A high card is not there again; a low one is never missed.
            cost = self.weights.card * sum(value < move.value for value in held)
            value = _expected(state, seat, move.value, gains) + self.weights.bring * brings - cost
            if value > most:
                best, most = move, value
        if best is None:
            raise ValueError("the seat is not asked")
        return best


def _gains(state: State, seat: Seat, builder: Builder) -> Iterator[float]:
    """Yield what each card on offer would be worth to `seat`, were it its turn now."""
    now = builder.worth.of(state)
    mine = state.copy()
    mine.phase = "turn"
    # The highest value: it brings nobody to the court, and comes first.
    mine.bids = ((seat, len(state.edition.powers)),)
    mine.order = (seat, *state.clockwise(seat))
    best: dict[str, float] = {}
    for turn in builder.turns(mine):
        card = next(move.card for move in turn.moves if isinstance(move, TakeCard))
        best[card] = max(best.get(card, float("-inf")), turn.worth - now)
    yield from best.values()


def _expected(state: State, seat: Seat, value: int, gains: Sequence[float]) -> float:
    """Return what is left to gain when those who bid higher have taken their cards.

    They want much the same: each takes the best card that is left.
    """
    ahead = float(sum(played > value for _, played in state.bids))
    bidding = {who for who, _ in state.bids} | {seat}
    for other in range(state.seats):
        if other not in bidding:
            hand = state.hands[other]
            ahead += sum(theirs > value for theirs in hand) / len(hand)
    place = min(int(ahead), len(gains) - 1)
    further = min(place + 1, len(gains) - 1)
    share = min(ahead - place, 1.0)
    return gains[place] * (1 - share) + gains[further] * share


def _after_answer(state: State, seat: Seat, move: Move, rng: HmacRng) -> State:
    """Return the position once `move` and what the others may answer have come about."""
    scoring = state.phase == "disc"
    state = _scored(state, seat, move, rng)
    if not scoring:
        return answered(state, rng)
    while others := EL_GRANDE.prompts(state):
        asked = min(others)
        moves = list(EL_GRANDE.legal_moves(state, asked))
        state = _scored(state, asked, moves[rng.below(len(moves))], rng)
    return state


def _scored(state: State, seat: Seat, move: Move, rng: HmacRng) -> State:
    """Return the state after an answer, before a new round begins."""
    events = [
        event
        for event in EL_GRANDE.decide(state, seat, move, rng)
        if not isinstance(event, RoundStarted)
    ]
    return folded(state, events)
