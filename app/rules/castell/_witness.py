"""Placeholder until the solver offers towers for tiles."""

from app.rules.castell.components import Tower
from app.rules.castell.goals import Goal
from app.rules.castell.towers import Hand, Ranks


def witness(hand: Hand, ranks: Ranks, goal: Goal, *, width_limit: int) -> Tower | None:
    return None
