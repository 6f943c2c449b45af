"""`random`: any legal move, for every game alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.rules.game import Game, Prompt, Seat, replay
from app.rules.rng import HmacRng


@dataclass(frozen=True, slots=True)
class RandomPolicy:
    """Choose among the legal moves, each as likely as the others."""

    game: Game[Any, Any, Any, Any]

    def choose(self, view: Any, seat: Seat, *, seed: bytes, iterations: int) -> Sequence[Any]:
        """Return random legal moves up to the one that finishes the prompt."""
        rng = HmacRng(seed, "random")
        state = self.game.determinise(view, rng)
        prompt = self.game.prompts(state)[seat]
        finish = self._finish(prompt)
        moves: list[Any] = []
        while True:
            legal = list(self.game.legal_moves(state, seat))
            move = legal[rng.below(len(legal))]
            moves.append(move)
            if finish is None or move == finish:
                return moves
            state = replay(self.game, self.game.decide(state, seat, move, rng), state)
            if self.game.prompts(state).get(seat) != prompt:
                return moves

    def _finish(self, prompt: Prompt) -> Any:
        """Return the move that ends the prompt; None: the first move answers it."""
        return None if prompt.finish is None else self.game.parse(prompt.finish)[-1]
