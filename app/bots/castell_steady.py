"""`steady`: searches its whole turn and plays the end that is worth most."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.bots.castell_turns import endings
from app.bots.castell_worth import Weights, Worth
from app.rules.castell import CASTELL, CastellView, State
from app.rules.castell.moves import DeclineFestival, EndTurn, EnterFestival, Move
from app.rules.game import Seat
from app.rules.rng import HmacRng

# The clock only guards: iterations end a search long before.
LONGEST_SECONDS = 2.0
# How many ends of the turn are valued exactly, the best by estimate first.
EXACT = 40


@dataclass(frozen=True, slots=True)
class SteadyCastell:
    """Complete search of the own turn with exact towers; opponents stand still."""

    weights: Weights = field(default_factory=Weights)
    clock: Callable[[], float] = time.monotonic

    def choose(
        self, view: CastellView, seat: Seat, *, seed: bytes, iterations: int
    ) -> Sequence[Move]:
        """Return a whole turn, or the best tower for a festival.

        Looks at no more than `iterations` ends of the turn, the shortest first.
        """
        rng = HmacRng(seed, "steady")
        state = CASTELL.determinise(view, rng)
        if state.phase == "festivals":
            return self._answer(state, seat)
        until = self.clock() + LONGEST_SECONDS
        worth = Worth(state, seat, self.weights)
        found = list(endings(state, seat, iterations, lambda: self.clock() > until))
        promising: list[tuple[float, int]] = []
        for number, ending in enumerate(found):
            promising.append((worth.estimate(ending.state), -number))
            if self.clock() > until:
                break
        promising.sort(reverse=True)
        best: list[tuple[Move, ...]] = []
        most = float("-inf")
        for _, number in promising[:EXACT]:
            ending = found[-number]
            value = worth.exact(ending.state)
            if value > most + 1e-9:
                most, best = value, []
            if value > most - 1e-9:
                best.append(ending.moves)
            if self.clock() > until:
                break
        return (*best[rng.below(len(best))], EndTurn())

    def _answer(self, state: State, seat: Seat) -> Sequence[Move]:
        answers = list(CASTELL.legal_moves(state, seat))
        towers = [answer for answer in answers if isinstance(answer, EnterFestival)]
        declined = [answer for answer in answers if isinstance(answer, DeclineFestival)]
        return (towers or declined)[:1]
