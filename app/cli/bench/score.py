"""A match written down beforehand, so that whoever measures need not think while measuring."""

from dataclasses import dataclass
from time import process_time
from typing import Any

from app.bots.registry import ITERATIONS, POLICIES
from app.cli.bench.setting import SEED
from app.matches.editions import with_edition
from app.matches.games import codec_for
from app.matches.seeds import rng_for
from app.rules.game import Prompt, Rng, Seat, replay

GAME = "castell"
SEATS = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: who, at which version, with which line, and whether it ends a turn."""

    seat: Seat
    version: int
    line: str
    turn: bool


@dataclass(slots=True)
class Score:
    """A whole match by four `steady` bots; `seconds` of processor time for each of their turns."""

    steps: list[Step]
    states: list[Any]
    log: list[list[Any]]
    moves: list[tuple[int, Seat, Any]]
    seconds: list[float]


class Composer:
    """Plays a match as the service would with the same seed."""

    def __init__(self) -> None:
        self.game = codec_for(GAME).game
        events = list(self.game.setup(SEATS, with_edition(GAME, {}), rng_for(SEED, 1)))
        self.state = replay(self.game, events)
        self.version = 1
        self.score = Score([], [self.state], [events], [], [])

    def compose(self, most: int) -> Score:
        """Return the match to its end, or its first `most` commits."""
        while len(self.score.steps) < most and (prompts := self.game.prompts(self.state)):
            seats = sorted(prompts)
            chosen = [(seat, self._choose(seat)) for seat in seats]
            for seat, moves in chosen:
                self._note(seat, prompts[seat], self.game.format(moves))
            rng = rng_for(SEED, self.version)
            events = [event for seat, moves in chosen for event in self._decide(seat, moves, rng)]
            self.score.log.append(events)
            self.score.states.append(self.state)
        return self.score

    def _choose(self, seat: Seat) -> Any:
        began = process_time()
        moves = POLICIES[GAME]["steady"].choose(
            self.game.view(self.state, seat), seat, seed=SEED, iterations=ITERATIONS
        )
        self.score.seconds.append(process_time() - began)
        return moves

    def _note(self, seat: Seat, prompt: Prompt, line: str) -> None:
        step = Step(seat, self.version, line, turn=not prompt.simultaneous)
        self.score.steps.append(step)
        self.version += 1

    def _decide(self, seat: Seat, moves: Any, rng: Rng) -> list[Any]:
        found: list[Any] = []
        for move in moves:
            self.score.moves.append((self.version, seat, move))
            new = self.game.decide(self.state, seat, move, rng)
            self.state = replay(self.game, new, self.state)
            found.extend(new)
        return found
