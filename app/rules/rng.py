"""Chance that can be checked afterwards: a stream of numbers from a secret seed.

The seed belongs to a match, the context names the moment within it; together
they determine every number, so a draw needs no state that could be disturbed.
"""

import hmac
from collections.abc import Sequence
from typing import NoReturn, TypeVar

from app.rules.game import Rng, RulesError

Item = TypeVar("Item")


class ChanceRefusedError(RulesError):
    """Something wanted to draw where nothing may be drawn, as in a draft."""


class HmacRng:
    """HMAC-SHA256 of `context` and a counter under `seed`, without modulo bias."""

    def __init__(self, seed: bytes, context: str) -> None:
        self._seed = seed
        self._context = context.encode()
        self._counter = 0
        self._pool = 0
        self._bits = 0

    def below(self, bound: int, /) -> int:
        """Pick one of `0 .. bound - 1`; raises ValueError if there is none."""
        if bound < 1:
            raise ValueError(f"nothing below {bound}")
        wanted = (bound - 1).bit_length()
        while True:
            number = self._take(wanted)
            if number < bound:
                return number

    def _take(self, wanted: int) -> int:
        while self._bits < wanted:
            message = self._counter.to_bytes(8, "big") + self._context
            block = hmac.digest(self._seed, message, "sha256")
            self._pool = self._pool << 256 | int.from_bytes(block, "big")
            self._bits += 256
            self._counter += 1
        self._bits -= wanted
        number = self._pool >> self._bits
        self._pool &= (1 << self._bits) - 1
        return number


class NoRng:
    """Refuses every draw: for drafts and checks, which may not reveal anything."""

    def below(self, bound: int, /) -> NoReturn:
        """Raise ChanceRefusedError."""
        raise ChanceRefusedError("chance.refused", bound=bound)


def shuffled(items: Sequence[Item], rng: Rng) -> tuple[Item, ...]:
    """Return `items` in an order drawn from `rng`, every order as likely as the others."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = rng.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
