"""Rule 6.2 read a second time: towers, expected from the words of the rules alone.

Every row names its rule.  A tower that stands gives the skills it uses, one
that does not gives the code of what is wrong with it.
"""

import pytest

from app.rules.castell.notation import parse_tower
from app.rules.castell.solver import best_tower
from app.rules.castell.towers import Hand, check_tower, problems
from app.rules.game import IllegalMoveError
from tests.rules.second_reading import ranks, sizes

ALL = "balance 5 base 5 mix 5 strength 5 width 5"


def hand_of(text: str) -> Hand:
    owned = sizes(text)
    return tuple(owned.count(size) for size in range(1, 11))


def uses_of(text: str, skills: str, owned: str | None = None) -> dict[str, int]:
    hand = None if owned is None else hand_of(owned)
    uses = check_tower(parse_tower(text), ranks(skills), hand)  # type: ignore[arg-type]  # names
    return {skill: count for skill, count in uses.items() if count}


STANDING = [
    # rule, tower, ranks, skills used
    ("T1", "1x10", "", ""),
    ("T1", "3x1", "", ""),
    ("T2", "3x10/2x6/1x1", "", ""),
    ("T4", "3x10/1x9", "", ""),
    ("balance", "2x10/2x9/1x8", "balance 1", "balance 1"),
    ("balance", "1x10/1x8/1x7/1x2", "balance 3", "balance 3"),
    ("balance", "3x10/3x9/2x8/2x7/1x6/1x5", "balance 3", "balance 3"),
    ("balance", "3x10/3x9/2x8/1x7", ALL, "balance 1"),
    ("base", "4x10/3x9/2x8/1x7", "base 1", "base 1"),
    ("base", "15x10/3x9/2x8/1x7", "base 1", "base 1"),
    ("base", "5x10/4x9/3x8/2x7/1x6", "base 2", "base 2"),
    ("base", "9x10/7x9/5x8/3x7", "base 3", "base 3"),
    ("base", "4x10/1x9", "base 1", "base 1"),
    ("width", "4x10/3x9", "width 1", "width 1"),
    ("width", "5x10/4x9/3x8/2x7/1x6", "width 2", "width 2"),
    ("width", "8x10/7x9/6x8/5x7/4x6/3x5/2x4/1x3", "width 5", "width 5"),
    ("width", "5x10/3x9", "width 5", "width 2"),
    ("width", "3x10/2x9", "width 5", ""),
    ("base+width", "5x10/4x9/3x8/2x7/1x6", "base 1 width 1", "base 1 width 1"),
    ("base+width", "6x10/5x9/4x8/3x7", "base 2 width 1", "base 2 width 1"),
    ("base+width", "6x10/5x9/4x8/3x7", "base 1 width 2", "base 1 width 2"),
    ("base+width", "9x10/5x9/3x8", "base 1 width 2", "base 1 width 2"),
    ("mix", "2x10+1x9/2x8/1x7", "mix 1", "mix 1"),
    ("mix", "1x10+2x9/2x8/1x7", "mix 1", "mix 1"),
    ("mix", "3x10/1x9+1x8", "mix 1", "mix 1"),
    ("mix", "2x10+1x9/1x8+1x7/1x6", "mix 2", "mix 2"),
    ("mix", "3x10/2x8/1x7", ALL, ""),
    ("mix+base", "3x10+2x9/2x8/1x7", "mix 1 base 1", "mix 1 base 1"),
    ("mix+base", "14x2+15x1", "mix 1 base 1", "mix 1 base 1"),
    ("mix+width", "2x10+2x9/2x8/1x7", "mix 1 width 1", "mix 1 width 1"),
    ("mix+balance", "1x10+1x9/1x8+1x7", "mix 2 balance 1", "mix 2 balance 1"),
    ("strength", "3x9/2x9", "strength 1", "strength 1"),
    ("strength", "3x9/2x9/1x9", "strength 2", "strength 2"),
    ("strength+balance", "3x9/3x9", "strength 1 balance 1", "strength 1 balance 1"),
    ("base", "5x1", "base 1", "base 1"),
    ("strength+balance", "1x9/1x9/1x9/1x9", "strength 3 balance 3", "strength 3 balance 3"),
    ("strength+mix", "2x9+1x8/2x8/1x7", "strength 1 mix 1", "strength 1 mix 1"),
    ("strength+mix", "3x9/1x9+1x8", "strength 1 mix 1", "strength 1 mix 1"),
    ("strength+mix", "2x10+1x9/1x9+1x8", "strength 1 mix 2", "strength 1 mix 2"),
    (
        "strength+mix",
        "1x10+1x9/1x9+1x8",
        "strength 1 mix 2 balance 1",
        "strength 1 mix 2 balance 1",
    ),
    (
        "all five on few levels",
        "5x10+1x9/4x9/4x8/2x7/1x6",
        "balance 1 base 1 mix 1 strength 1 width 1",
        "balance 1 base 1 mix 1 strength 1 width 1",
    ),
    (
        "base for width",
        "5x10+1x9/4x9/4x8/2x7/1x6",
        "balance 1 base 3 mix 1 strength 1",
        "balance 1 base 3 mix 1 strength 1",
    ),
    ("balance+base", "4x10/4x9/3x8", "balance 1 base 2", "balance 1 base 2"),
    ("balance+width", "4x10/4x9/3x8", "balance 1 width 1", "balance 1 width 1"),
    ("balance+base", "4x10/3x9/3x8", "balance 1 base 1", "balance 1 base 1"),
]


@pytest.mark.parametrize(("rule", "tower", "skills", "used"), STANDING)
def test_a_tower_stands_with_just_these_uses(rule: str, tower: str, skills: str, used: str) -> None:
    expected = {skill: count for skill, count in ranks(used).items() if count}

    assert uses_of(tower, skills) == expected, rule
    assert problems(parse_tower(tower), ranks(skills)) == ()  # type: ignore[arg-type]  # names


FALLING = [
    # rule, tower, ranks, code
    ("T1", "1x9+1x7/1x5", ALL, "tower.sizes_apart"),
    ("T1", "1x9+1x8+1x7/1x5", ALL, "tower.too_many_sizes"),
    ("T1", "2x9+1x8/1x5", "balance 5 base 5 strength 5 width 5", "tower.rank_too_low"),
    ("T2", "2x9/1x10", ALL, "tower.not_descending"),
    ("T2", "3x9/2x9", "balance 5 base 5 mix 5 width 5", "tower.rank_too_low"),
    ("T3", "4x9/3x8", "balance 5 mix 5 strength 5", "tower.too_wide"),
    ("T3", "9x9", "width 5", "tower.too_wide"),
    ("T4", "2x9/2x8", "base 5 mix 5 strength 5 width 5", "tower.not_narrower"),
    ("T4", "2x9/3x8", ALL, "tower.wider_than_below"),
    ("base", "3x10/4x9", ALL, "tower.wider_than_below"),
    ("base", "5x10/4x9/3x8", "base 1", "tower.too_wide"),
    ("width", "5x10/4x9/3x8", "width 1", "tower.too_wide"),
    ("base+width", "6x10/5x9/3x8", "base 1 width 1", "tower.too_wide"),
    ("base+balance", "4x10/4x9/3x8", "balance 1 base 1", "tower.too_wide"),
    ("balance", "3x9/3x8/3x7", "balance 1", "tower.not_narrower"),
    ("strength", "3x9/2x9/1x9", "strength 1", "tower.rank_too_low"),
    ("strength", "1x9/1x9", "strength 1", "tower.not_narrower"),
    ("strength", "1x9/1x9", "balance 1", "tower.rank_too_low"),
    ("strength+mix", "2x9+1x8/2x9", ALL, "tower.not_descending"),
    ("strength+mix", "2x10+1x9/1x10+1x9", ALL, "tower.not_descending"),
    ("strength+mix", "2x9+1x8/2x8", "mix 1", "tower.rank_too_low"),
    ("strength+mix", "3x9/1x9+1x8", "mix 1", "tower.rank_too_low"),
    ("mix", "2x10+1x9/1x8+1x7", "mix 1", "tower.rank_too_low"),
]


@pytest.mark.parametrize(("rule", "tower", "skills", "code"), FALLING)
def test_a_tower_falls_for_this_reason(rule: str, tower: str, skills: str, code: str) -> None:
    found = problems(parse_tower(tower), ranks(skills))  # type: ignore[arg-type]  # names

    assert [problem.code for problem in found] == [code], rule
    with pytest.raises(IllegalMoveError) as refusal:
        uses_of(tower, skills)
    assert refusal.value.code == code, rule


OWNED = [
    # rule, tower, owned, stands
    ("6.2", "3x9/2x8", "3x9 2x8", True),
    ("6.2", "3x9/2x8", "2x9 3x8", False),
    ("6.2", "3x9/2x9", "4x9", False),
    ("6.2", "3x9/2x9", "5x9", True),
    ("6.2", "2x9+1x8/2x8", "2x9 2x8", False),
    ("6.2", "2x9+1x8/2x8", "2x9 3x8", True),
]


@pytest.mark.parametrize(("rule", "tower", "owned", "stands"), OWNED)
def test_nobody_stands_on_two_levels(rule: str, tower: str, owned: str, stands: bool) -> None:
    skills = "strength 1 mix 1"
    found = problems(parse_tower(tower), ranks(skills), hand_of(owned))  # type: ignore[arg-type]  # names

    assert [problem.code for problem in found] == ([] if stands else ["tower.not_owned"]), rule


BEST = [
    # rule, owned, ranks, tokens, the best tower (None: there is none), its score
    ("8: at least 4 levels", "3x9 2x8 1x7", "", [7], None, 0),
    ("8: one a level", "3x9 2x8 1x7", ALL, [7], "1x9/1x9/1x9/1x8/1x8/1x7", 7),
    ("8: 1 on 1", "3x9 1x8 1x7", "balance 2 strength 1", [7], "2x9/1x9/1x8/1x7", 5),
    ("8: a fourth level by Balance", "1x10 1x9 1x8 1x7", "balance 3", [7], "1x10/1x9/1x8/1x7", 5),
    ("8: one Balance too few", "1x10 1x9 1x8 1x7", "balance 2", [7], None, 0),
    ("8: a fourth level by Base", "4x10 3x9 2x8 1x7", "base 1", [9], "4x10/3x9/2x8/1x7", 7),
    ("8: a fourth level by Width", "4x10 3x9 2x8 1x7", "width 1", [9], "4x10/3x9/2x8/1x7", 7),
    ("8: Mix and Strength widen nothing", "4x10 3x9 2x8 1x7", "mix 5 strength 5", [9], None, 0),
    ("8: every token", "1x10 1x9 1x8 1x7", "balance 3", [9, 6], None, 0),
    ("8: both tokens", "1x10 1x9 1x8 1x7", "balance 3", [9, 7], "1x10/1x9/1x8/1x7", 6),
    ("8: matches", "3x10 3x9 2x8 1x7", "balance 1", [9], "3x10/3x9/2x8/1x7", 7),
    ("13: fewest castellers", "3x10 3x9 2x8 1x5", "balance 1", [5], "3x10/2x9/1x8/1x5", 5),
    ("13: fewest castellers", "3x10 3x9 2x8 1x5", "balance 3", [5], "1x10/1x9/1x8/1x5", 5),
    (
        "13: fewest castellers",
        "3x10 2x9 2x8 1x7 1x6",
        "balance 1",
        [8, 6],
        "3x10/2x8/1x7/1x6",
        7,
    ),
    (
        "13: the rarest token first",
        "3x10 2x9 3x8 1x7 2x6",
        "balance 2",
        [8, 6],
        "3x10/2x9/2x8/2x6",
        8,
    ),
]


@pytest.mark.parametrize(("rule", "owned", "skills", "tokens", "tower", "score"), BEST)
def test_the_best_tower_is_the_one_worked_out_by_hand(
    *, rule: str, owned: str, skills: str, tokens: list[int], tower: str | None, score: int
) -> None:
    best = best_tower(hand_of(owned), ranks(skills), tuple(tokens))  # type: ignore[arg-type]  # names

    assert (best and best.tower) == (tower and parse_tower(tower)), rule
    assert (best.score if best else 0) == score, rule
