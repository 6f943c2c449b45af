"""What a bot is."""

from collections.abc import Sequence
from typing import Any, Protocol

from app.rules.game import Seat


class Policy(Protocol):
    """A way to play a game.

    A policy is fed the view of its seat and nothing else: where it needs a
    state it makes one with `Game.determinise`, which draws what the seat may
    not know.  It keeps no memory between choices.
    """

    def choose(self, view: Any, seat: Seat, *, seed: bytes, iterations: int) -> Sequence[Any]:
        """Return the moves with which `seat` answers its prompt, the last one included.

        The same view, seed and iterations give the same moves, on any machine
        that is not so slow that the clock has to end the search.
        """
        ...
