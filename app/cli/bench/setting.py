"""What every measurement shares: how long to measure, and what stays the same."""

from dataclasses import dataclass
from typing import Final

# One seed for every match: twins play the same turns.
SEED: Final = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    `requests` a round, `turns` committed in a round, `seconds` for each number
    of open `pages`, `matches` played out by chance, `samples` of waiting.
    """

    rounds: int
    requests: int
    turns: int
    seconds: float
    pages: tuple[int, ...]
    matches: int
    samples: int
