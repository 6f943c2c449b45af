"""Rule 6.2: what stands, what does not, why, and what would repair it."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from app.rules.castell.components import SKILLS, Skill, Tower
from app.rules.castell.goals import (
    ExhibitionGoal,
    FestivalGoal,
    Goal,
    ShapeGoal,
    check_goal,
)
from app.rules.castell.towers import (
    TowerProblem,
    castellers_in,
    check_tower,
    hand_of,
    possible_uses,
    problems,
    tower_score,
    widths,
)
from app.rules.game import IllegalMoveError
from tests.rules.castell.tower_text import levels_of, stands, tower_of

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "castell_towers.json").read_text(encoding="utf-8")
)
# The independent checker's words, and the codes that say the same.
WHY = {
    "ranks too low": {"tower.rank_too_low", "tower.not_narrower", "tower.too_wide"},
    "bigger than level below": {"tower.not_descending"},
    "wider than level below": {"tower.wider_than_below"},
    "sizes differ by more than 1": {"tower.sizes_apart", "tower.too_many_sizes"},
}
# The table of rule 6.2: tower, ranks, the uses if it stands.
TABLE: list[tuple[str, dict[Skill, int], dict[Skill, int] | None]] = [
    ("3x9/2x7/1x4", {}, {}),
    ("3x9/1x2", {}, {}),
    ("3x9/3x8/2x5/1x1", {"balance": 1}, {"balance": 1}),
    ("3x9/3x8/3x7", {"balance": 1}, None),
    ("3x9/3x8/3x7", {"balance": 2}, {"balance": 2}),
    ("3x6/2x6/1x5", {"strength": 1}, {"strength": 1}),
    ("3x6/2x6/1x6", {"strength": 1}, None),
    ("3x6/2x6/1x6", {"strength": 2}, {"strength": 2}),
    ("3x6/2x7", dict.fromkeys(SKILLS, 5), None),
    ("2x8+1x7/2x6/1x5", {"mix": 1}, {"mix": 1}),
    ("2x8+1x6/2x5", dict.fromkeys(SKILLS, 5), None),
    ("2x8+1x7/2x7/1x5", {"mix": 1}, None),
    ("2x8+1x7/2x7/1x5", {"mix": 1, "strength": 1}, {"mix": 1, "strength": 1}),
    ("2x6/2x6/1x5", {"balance": 1, "strength": 1}, {"balance": 1, "strength": 1}),
    ("6x9/3x8/2x7/1x6", {"base": 1}, {"base": 1}),
    ("6x9/4x8/2x7/1x6", {"base": 1}, None),
    ("6x9/4x8/2x7/1x6", {"base": 1, "width": 1}, {"base": 1, "width": 1}),
    ("4x9/3x8/2x7/1x6", {"base": 1, "width": 1}, {"base": 1}),
    ("5x9/4x8/3x7/2x6/1x5", {"width": 2}, {"width": 2}),
    ("5x9/4x8/3x7/2x6/1x5", {"base": 1, "width": 1}, {"base": 1, "width": 1}),
    ("1x9/1x7/1x5/1x1", {"balance": 3}, {"balance": 3}),
]


def uses_of(**uses: int) -> dict[Skill, int]:
    return {skill: uses.get(skill, 0) for skill in SKILLS}


def refusal(text: str, ranks: dict[Skill, int], **more: Any) -> tuple[str, dict[str, Any]]:
    with pytest.raises(IllegalMoveError) as caught:
        check_tower(tower_of(text), ranks, **more)
    return caught.value.code, caught.value.details


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["tower"])
def test_every_vector_of_the_independent_checker_agrees(vector: dict[str, Any]) -> None:
    tower = tower_of(vector["tower"])
    found = problems(tower, vector["ranks"])

    assert (not found) == vector["legal"]
    if vector["legal"]:
        assert check_tower(tower, vector["ranks"]) == vector["uses"]
    else:
        assert found[0].code in next(
            codes for words, codes in WHY.items() if words in vector["why"]
        )


@pytest.mark.parametrize(("text", "ranks", "uses"), TABLE)
def test_every_row_of_the_table_holds(
    text: str, ranks: dict[Skill, int], uses: dict[str, int] | None
) -> None:
    if uses is not None:
        assert check_tower(tower_of(text), ranks) == uses_of(**uses)
    else:
        assert problems(tower_of(text), ranks)


@pytest.mark.parametrize(
    ("text", "ranks", "code", "details"),
    [
        ("3x6/2x7", {}, "tower.not_descending",
         {"level": 2, "size": 7, "below": 6, "fix": "smaller"}),
        ("2x9/3x8", {}, "tower.wider_than_below",
         {"level": 2, "count": 3, "below": 2, "fix": "fewer"}),
        ("3x9/2x8/2x7", {}, "tower.not_narrower",
         {"level": 3, "count": 2, "below": 2, "needed": 1, "rank": 0, "fix": "balance"}),
        ("3x6/2x6", {}, "tower.rank_too_low",
         {"level": 2, "skill": "strength", "needed": 1, "rank": 0, "sizes": [6],
          "fix": "strength"}),
        ("2x8+1x7", {}, "tower.rank_too_low",
         {"level": 1, "skill": "mix", "needed": 1, "rank": 0, "sizes": [8, 7], "fix": "mix"}),
        ("2x8+1x6", {"mix": 5}, "tower.sizes_apart",
         {"level": 1, "sizes": [8, 6], "fix": "one_size"}),
        ("1x8+1x7+1x6", {"mix": 5}, "tower.too_many_sizes",
         {"level": 1, "sizes": [8, 7, 6], "fix": "one_size"}),
        ("4x9", {}, "tower.too_wide",
         {"level": 1, "count": 4, "limit": 3, "needed": 1, "rank": 0, "fix": "width"}),
        ("6x9", {"width": 1}, "tower.too_wide",
         {"level": 1, "count": 6, "limit": 4, "needed": 1, "rank": 0, "fix": "base"}),
        ("6x9/4x8", {"base": 1}, "tower.too_wide",
         {"level": 2, "count": 4, "limit": 3, "needed": 2, "rank": 1, "fix": "width"}),
        ("0x9", {}, "tower.bad_level", {"level": 1}),
        ("1x11", {}, "tower.bad_level", {"level": 1}),
        ("1x0", {}, "tower.bad_level", {"level": 1}),
        ("1x7+2x8", {"mix": 1}, "tower.bad_level", {"level": 1}),
        ("1x8+2x8", {"mix": 1}, "tower.bad_level", {"level": 1}),
    ],
)  # fmt: skip
def test_a_refusal_names_the_level_the_numbers_and_the_repair(
    text: str, ranks: dict[Skill, int], code: str, details: dict[str, Any]
) -> None:
    assert refusal(text, ranks) == (code, details)


def test_every_refusal_cites_the_tower_rule() -> None:
    assert {problem.rule for problem in problems(tower_of("2x8+1x6/5x9/5x9"), {})} == {"6.2"}


def test_an_empty_tower_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match=r"tower\.empty fix=more_levels \[6\.2\]"):
        check_tower((), {})


def test_a_level_of_nobody_is_no_level() -> None:
    assert [problem.code for problem in problems(((), ((1, 3),)), {})] == ["tower.bad_level"]


def test_a_level_on_nonsense_is_judged_by_itself() -> None:
    found = problems(tower_of("0x1/4x8/4x8"), {})

    assert [(problem.level, problem.code) for problem in found] == [
        (1, "tower.bad_level"),
        (2, "tower.too_wide"),
        (3, "tower.not_narrower"),
        (3, "tower.too_wide"),
        (3, "tower.rank_too_low"),
    ]


def test_ranks_cover_the_lowest_levels_first_and_only_the_next_use_is_one_rank_away() -> None:
    found = problems(tower_of("1x9/1x8/1x7/1x6"), {"balance": 1})

    assert [(problem.level, problem.details["needed"], problem.fix) for problem in found] == [
        (3, 2, "balance"),
        (4, 3, "fewer"),
    ]


def test_the_second_missing_use_of_a_skill_is_not_one_rank_away() -> None:
    mixed = problems(tower_of("2x9+1x8/1x7+1x6"), {})
    strong = problems(tower_of("3x9/2x9/1x9"), {})
    wide = problems(tower_of("7x9/6x8/5x7"), {})

    assert [problem.fix for problem in mixed] == ["mix", "one_size"]
    assert [problem.fix for problem in strong] == ["strength", "smaller"]
    assert [problem.fix for problem in wide] == ["base", "fewer", "fewer"]


def test_one_more_width_repairs_a_level_whose_base_use_it_sets_free() -> None:
    found = problems(tower_of("4x9/6x8"), {"base": 1})

    assert [(problem.level, problem.code, problem.fix) for problem in found] == [
        (2, "tower.wider_than_below", "fewer"),
        (2, "tower.too_wide", "width"),
    ]


def test_castellers_must_be_owned_and_the_shortage_shows_where_they_run_out() -> None:
    hand = hand_of([9, 9, 8])
    found = problems(tower_of("2x9/1x9/1x8/1x8"), {"balance": 2, "strength": 5}, hand)

    assert [(problem.code, problem.level, problem.fix) for problem in found] == [
        ("tower.not_owned", 2, "recruit"),
        ("tower.not_owned", 4, "recruit"),
    ]
    assert refusal("3x8", {}, hand=hand) == (
        "tower.not_owned",
        {"level": 1, "size": 8, "used": 3, "owned": 1, "fix": "fewer"},
    )


def test_a_shortage_is_reported_once_a_size() -> None:
    found = problems(tower_of("3x9/2x9"), {"strength": 1}, hand_of([9]))

    assert [problem.level for problem in found] == [1]


def test_a_wide_level_may_be_reckoned_as_base_or_as_width() -> None:
    tower = tower_of("4x9/3x8/2x7/1x6")

    assert list(possible_uses(tower, {"base": 1, "width": 2})) == [
        uses_of(base=1),
        uses_of(width=1),
    ]


def test_an_edition_may_set_another_limit() -> None:
    assert check_tower(tower_of("4x9/3x8"), {}, width_limit=4) == uses_of()


def test_each_repair_by_a_skill_removes_just_that_problem() -> None:
    for tower, ranks in _some_towers():
        found = problems(tower, ranks)
        for problem in found:
            if problem.fix in SKILLS:
                more = {**ranks, problem.fix: ranks[problem.fix] + 1}
                after = {_identity(again) for again in problems(tower, more)}

                assert _identity(problem) not in after, (tower, ranks, problem)


def test_no_problem_means_just_what_the_rule_says() -> None:
    for tower, ranks in _some_towers():
        legal = stands(levels_of(tower), ranks)

        assert (not problems(tower, ranks)) == legal, (tower, ranks)


def _identity(problem: TowerProblem) -> tuple[str, int | None, Skill | None]:
    return problem.code, problem.level, problem.details.get("skill")


def _some_towers() -> list[tuple[Tower, dict[Skill, int]]]:
    """All towers of up to three levels out of a few awkward ones, with few ranks."""
    levels = [tower_of(text)[0] for text in ("5x6", "4x6", "1x6+3x5", "2x5", "1x5+1x4", "1x4")]
    towers = [choice for height in (1, 2, 3) for choice in product(levels, repeat=height)]
    ranks: list[dict[Skill, int]] = [
        dict(zip(SKILLS, values, strict=True))
        for values in product(range(3), range(2), range(2), range(2), range(2))
    ]
    return list(product(towers, ranks))


@pytest.mark.parametrize(
    ("text", "goal", "ranks", "code", "details"),
    [
        ("3x9/2x8/1x7", FestivalGoal((9,)), {}, "tower.too_low",
         {"levels": 3, "needed": 4, "fix": "more_levels"}),
        ("2x9/2x8/1x7/1x6", FestivalGoal((9, 5)), {"balance": 2}, "tower.token_missing",
         {"size": 5, "fix": "token"}),
        ("3x9/2x8", ShapeGoal((3, 1)), {}, "tower.wrong_shape",
         {"level": 2, "count": 2, "wanted": 1, "fix": "width"}),
        ("3x9/2x8", ShapeGoal((3, 2, 1)), {}, "tower.wrong_height",
         {"levels": 2, "wanted": 3, "fix": "more_levels"}),
        ("3x9/2x8/1x7", ShapeGoal((3, 2)), {}, "tower.wrong_height",
         {"levels": 3, "wanted": 2, "fix": "fewer_levels"}),
        ("3x9/2x8", ExhibitionGoal(("mix",), 3), {}, "tower.too_low",
         {"levels": 2, "needed": 3, "fix": "more_levels"}),
        ("3x9/2x9/1x8", ExhibitionGoal(("strength",), 2, exact=True), {"strength": 1},
         "tower.wrong_height", {"levels": 3, "wanted": 2, "fix": "fewer_levels"}),
        ("4x9/3x8", ExhibitionGoal(("base", "width"), 2), {"base": 1, "width": 1},
         "tower.skill_unused", {"skill": "width", "fix": "use_skill"}),
        ("3x9/3x8", FestivalGoal((9,), 1), {}, "tower.not_narrower",
         {"level": 2, "count": 3, "below": 3, "needed": 1, "rank": 0, "fix": "balance"}),
    ],
)  # fmt: skip
def test_a_tower_must_serve_its_purpose(
    text: str, goal: Goal, ranks: dict[Skill, int], code: str, details: dict[str, Any]
) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        check_goal(tower_of(text), goal, ranks)

    assert (caught.value.code, caught.value.details) == (code, details)


@pytest.mark.parametrize(
    ("text", "goal", "ranks", "uses"),
    [
        ("2x9/2x8/1x7/1x6", FestivalGoal((9, 6)), {"balance": 2}, uses_of(balance=2)),
        ("4x9/3x8", ShapeGoal((4, 3)), {"width": 1}, uses_of(width=1)),
        ("4x9/3x8", ExhibitionGoal(("base",), 2), {"base": 1, "width": 1}, uses_of(base=1)),
        ("4x9/3x8", ExhibitionGoal(("width",), 2), {"base": 1, "width": 1}, uses_of(width=1)),
        ("6x9/4x8", ExhibitionGoal(("width", "base"), 2, exact=True), {"base": 1, "width": 1},
         uses_of(base=1, width=1)),
    ],
)  # fmt: skip
def test_a_tower_that_serves_is_reckoned_in_its_favour(
    text: str, goal: Goal, ranks: dict[Skill, int], uses: dict[Skill, int]
) -> None:
    assert check_goal(tower_of(text), goal, ranks) == uses


def test_the_score_counts_each_level_and_each_matching_casteller_once() -> None:
    tower = tower_of("3x9+1x8/2x8/1x6")

    assert tower_score(tower, (8,)) == 3 + 3
    assert tower_score(tower, (8, 8, 6)) == 3 + 3 + 1
    assert widths(tower) == (4, 2, 1)
    assert castellers_in(tower) == (0, 0, 0, 0, 0, 1, 0, 3, 3, 0)
