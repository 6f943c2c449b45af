"""Towers as the tests write them, read and checked without any help from the program."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from app.rules.castell.components import Skill, Tower


def tower_of(text: str) -> Tower:
    """Read `2x8+1x7/1x5` literally: no order is repaired, no sense is made."""
    return tuple(
        tuple((int(group.split("x")[0]), int(group.split("x")[1])) for group in level.split("+"))
        for level in text.split("/")
    )


def stands(levels: Sequence[Sequence[int]], ranks: Mapping[Skill, int], limit: int = 3) -> bool:
    """Say whether a tower stands, by the words of rule 6.2 and nothing else.

    Each level is the plain list of its castellers' sizes.
    """
    balance = strength = mix = 0
    for level in levels:
        kinds = set(level)
        if len(kinds) > 2 or max(kinds) - min(kinds) > 1:
            return False
        mix += len(kinds) == 2
    for below, level in pairwise(levels):
        if len(level) > len(below) or max(level) > min(below):
            return False
        balance += len(level) == len(below)
        strength += max(level) == min(below)
    if balance > ranks["balance"] or strength > ranks["strength"] or mix > ranks["mix"]:
        return False
    return any(
        sum(len(level) > limit + extra for level in levels) <= ranks["base"]
        for extra in range(ranks["width"] + 1)
    )


def levels_of(tower: Tower) -> list[list[int]]:
    """List the castellers of each level one by one."""
    return [[size for count, size in level for _ in range(count)] for level in tower]
