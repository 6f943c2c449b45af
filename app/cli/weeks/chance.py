"""Chance by name: it depends on the seed and on what it is about, not on what came before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.rules.rng import HmacRng

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chance:
    """Everything of one run that is left to chance."""

    seed: int

    def below(self, bound: int, *about: object) -> int:
        """Return one of `0 .. bound - 1`; always the same one for the same thing."""
        return HmacRng(b"placa weeks %d" % self.seed, " ".join(map(str, about))).below(bound)

    def percent(self, likely: int, *about: object) -> bool:
        """Tell whether something happens that does so in `likely` of a hundred cases."""
        return self.below(100, *about) < likely

    def pick(self, choices: Sequence[T], *about: object) -> T:
        """Return one of `choices`."""
        return choices[self.below(len(choices), *about)]
