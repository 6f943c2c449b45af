"""The solver is exact: it agrees with brute force and with an independent checker."""

import json
import random
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest

from app.rules.castell.components import SKILLS, Skill, Tower
from app.rules.castell.goals import ExhibitionGoal, FestivalGoal, Goal, ShapeGoal, check_goal
from app.rules.castell.solver import best_tower, exhibition_tower, shape_tower, tower_for
from app.rules.castell.towers import Hand, castellers_in, hand_of, widths
from tests.rules.castell.oracle import Built, every_tower, ranks_of
from tests.rules.castell.tower_text import levels_of, stands, tower_of

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "castell_best_towers.json").read_text("utf-8")
)
PLENTY = ranks_of(2, 2, 2, 2, 2)
EXHIBITIONS: list[tuple[Skill, ...]] = [
    *((first, second) for first in SKILLS for second in SKILLS if first < second),
    ("balance", "mix", "strength"),
    ("base", "mix", "width"),
    ("balance", "strength", "width"),
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["hand"]))
def test_every_vector_has_its_best_score(vector: dict[str, Any]) -> None:
    hand, tokens = hand_of(vector["hand"]), tuple(vector["tokens"])
    best = best_tower(hand, vector["ranks"], tokens)

    assert (best.score if best else None) == vector["best_score"]
    if best:
        assert_serves(best.tower, hand, vector["ranks"])
        assert best.uses == check_goal(best.tower, FestivalGoal(tokens), vector["ranks"], hand)


def test_the_example_of_the_command_line_scores_nine() -> None:
    best = best_tower(hand_of([9, 9, 9, 8, 8, 7, 5]), {"balance": 1, "mix": 1}, (8, 9))

    assert best is not None
    assert best.score == 9


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        (FestivalGoal((9, 9, 8)), "3x9/2x9/2x8/1x7"),
        (ShapeGoal((3, 2)), "3x9/2x8"),
        (ExhibitionGoal(("strength",), 2, exact=True), "1x8/1x8"),
    ],
)
def test_any_purpose_finds_its_tower(goal: Goal, wanted: str) -> None:
    hand, ranks = hand_of([9, 9, 9, 9, 9, 8, 8, 7]), ranks_of(1, 0, 0, 1, 0)
    tower = tower_for(hand, ranks, goal)

    assert tower == tower_of(wanted)
    assert check_goal(tower, goal, ranks, hand)


def test_fewest_castellers_settle_what_score_and_rarest_token_leave_open() -> None:
    best = best_tower(hand_of([9] * 5 + [8, 8, 7, 6, 5]), {"balance": 1}, (8, 5))

    assert best is not None
    assert best.tower == tower_of("3x9/2x8/1x6/1x5")


def test_the_rarest_token_goes_before_fewer_castellers() -> None:
    hand = hand_of([9, 9, 9, 8, 8, 7, 7, 7])
    best = best_tower(hand, {"balance": 1}, (7, 8), min_levels=1)

    assert best is not None
    assert best.tower == tower_of("3x9/2x8/2x7")


def test_it_equals_brute_force_on_all_small_hands() -> None:
    """All hands of up to four castellers of three adjacent sizes, all ranks up to two."""
    cases = 0
    for count in range(1, 5):
        for sizes in combinations_with_replacement((4, 5, 6), count):
            hand = hand_of(sizes)
            towers = list(every_tower(hand, PLENTY))
            for values in product(range(3), repeat=5):
                ranks = ranks_of(*values)
                standing = [built for built in towers if built.fits(ranks)]
                number = sum(
                    place * value for place, value in zip((1, 3, 9, 27, 81), values, strict=True)
                )
                check_best(hand, ranks, standing, ((), (4,), (5, 6))[number % 3], 1 + number % 4)
                check_exhibition(
                    hand, ranks, standing, EXHIBITIONS[number % len(EXHIBITIONS)], number % 5
                )
                check_shapes(hand, ranks, standing, number)
                cases += 3

    assert cases == 3 * 34 * 3**5


def test_it_equals_brute_force_on_random_hands() -> None:
    chance = random.Random(20_260)
    cases = 0
    for _ in range(120):
        hand = random_hand(chance)
        towers = list(every_tower(hand, PLENTY))
        for _ in range(20):
            ranks = ranks_of(*(chance.choice((0, 0, 1, 1, 2)) for _ in SKILLS))
            standing = [built for built in towers if built.fits(ranks)]
            tokens = tuple(chance.sample(range(1, 11), chance.randint(0, 3)))
            check_best(hand, ranks, standing, tokens, chance.randint(1, 5))
            check_exhibition(
                hand, ranks, standing, chance.choice(EXHIBITIONS), chance.randint(1, 6)
            )
            check_shapes(hand, ranks, standing, chance.randint(1, 50))
            cases += 3

    assert cases == 7_200


def random_hand(chance: random.Random) -> Hand:
    low = chance.randint(1, 7)
    sizes = range(low, low + 4) if chance.random() < 0.6 else range(1, 11)
    return hand_of([chance.choice(sizes) for _ in range(chance.randint(4, 9))])


def check_best(
    hand: Hand, ranks: dict[Skill, int], standing: list[Built], tokens: tuple[int, ...], low: int
) -> None:
    rarest = min(sorted(tokens), key=lambda size: hand[size - 1], default=0)
    worth = [
        (
            len(built.levels) + built.matching(tokens),
            built.matching((rarest,)),
            -sum(built.widths),
        )
        for built in standing
        if len(built.levels) >= low and all(built.matching((size,)) for size in tokens)
    ]
    best = best_tower(hand, ranks, tokens, min_levels=low)
    case = (hand, ranks, tokens, low, best)

    assert (best is None) == (not worth), case
    if best:
        assert_serves(best.tower, hand, ranks)
        shape, sizes = widths(best.tower), castellers_in(best.tower)
        rare = sizes[rarest - 1] if rarest else 0
        assert (best.score, rare, -sum(shape)) == max(worth), case


def check_exhibition(
    hand: Hand,
    ranks: dict[Skill, int],
    standing: list[Built],
    skills: tuple[Skill, ...],
    levels: int,
) -> None:
    shown = [
        len(built.levels)
        for built in standing
        if any(all(uses[skill] for skill in skills) for uses in built.reckonings(ranks))
    ]
    for exact in (False, True):
        goal = ExhibitionGoal(skills, levels, exact)
        tower = exhibition_tower(hand, ranks, goal)
        possible = levels in shown if exact else max(shown, default=-1) >= levels

        assert (tower is not None) == possible, (hand, ranks, goal, tower)
        if tower is not None:
            assert_serves(tower, hand, ranks)
            check_goal(tower, goal, ranks, hand)


def check_shapes(hand: Hand, ranks: dict[Skill, int], standing: list[Built], every: int) -> None:
    """Some of the shapes that stand, and some that may not."""
    possible = {built.widths for built in standing}
    others = {(*shape, count) for shape in sorted(possible)[:: every + 1] for count in (1, 2)}
    for shape in [*sorted(possible)[:: every + 1], *sorted(others)]:
        tower = shape_tower(hand, ranks, shape)

        assert (tower is not None) == (shape in possible), (hand, ranks, shape, tower)
        if tower is not None:
            assert widths(tower) == shape
            assert_serves(tower, hand, ranks)


def assert_serves(tower: Tower, hand: Hand, ranks: dict[Skill, int]) -> None:
    assert stands(levels_of(tower), {**ranks_of(0, 0, 0, 0, 0), **ranks}), (tower, ranks)
    used = castellers_in(tower)
    assert all(count <= owned for count, owned in zip(used, hand, strict=True)), (tower, hand)
    assert all(len(level) == 1 or level[0][1] == level[1][1] + 1 for level in tower), tower
