"""Rule 9 read a second time: final scoring, category by category, and every tie-break."""

from typing import Any

import pytest

from app.rules.castell import CASTELL
from tests.rules.second_reading import REGIONS, colla, look, position, refused, result


def over(seats: int, **changes: Any) -> Any:
    """Return the end of a match; nobody owns anything but what is given."""
    return position(seats, moment={"round": 10, "turn": seats, "phase": "over"}, **changes)


def ribbons(count: int) -> dict[str, dict[str, list[Any]]]:
    """Return one ribbon in each of so many regions."""
    return {name: {"prizes": ["ribbon"]} for name in REGIONS[:count]}


RULEBOOK = {
    "BCN": {"prizes": ["trophy", "trophy"], "sizes": [6]},
    "TAR": {"prizes": ["medal"], "sizes": [3]},
    "VAL": {"sizes": [6]},
    "GIR": {"tiles": ["S05"], "tokens": [0, 1]},
    "TER": {"tiles": ["S09"]},
}

SCORES = [
    # rule, best tower, earned, best tower points, regions, prizes, size tokens, local
    ("9 nothing at all", 0, {}, (0, 0, 0, 0, 0)),
    ("9.1 the marker", 17, {}, (17, 0, 0, 0, 0)),
    *(
        (f"9.2 {count} regions", 0, ribbons(count), (0, points, count, 0, 0))
        for count, points in enumerate((0, 0, 1, 3, 5, 7, 10, 14))
    ),
    (
        "9.2 any of the four kinds counts",
        0,
        {
            "TAR": {"prizes": ["ribbon"]},
            "VAL": {"sizes": [1]},
            "BCN": {"tiles": ["S01"]},
            "GIR": {"tokens": [1]},
        },
        (0, 5, 1, 2, 4),
    ),
    (
        "9.2 a region counts once",
        0,
        {"TAR": {"prizes": ["ribbon", "ribbon"], "sizes": [1, 2], "tiles": ["S01"], "tokens": [1]}},
        (0, 0, 2, 4, 4),
    ),
    ("9.3 a trophy", 0, {"VAL": {"prizes": ["trophy"]}}, (0, 0, 5, 0, 0)),
    ("9.3 a medal", 0, {"VAL": {"prizes": ["medal"]}}, (0, 0, 3, 0, 0)),
    (
        "9.3 one of each",
        0,
        {"VAL": {"prizes": ["ribbon", "trophy", "medal"]}},
        (0, 0, 9, 0, 0),
    ),
    ("9.4 one", 0, {"VAL": {"sizes": [7]}}, (0, 0, 0, 2, 0)),
    ("9.4 two of a size", 0, {"VAL": {"sizes": [7, 7]}}, (0, 0, 0, 3, 0)),
    ("9.4 three of a size", 0, {"VAL": {"sizes": [7, 7, 7]}}, (0, 0, 0, 4, 0)),
    ("9.4 two sizes", 0, {"VAL": {"sizes": [7, 10]}}, (0, 0, 0, 4, 0)),
    (
        "9.4 a size counts first once, wherever it lies",
        0,
        {"VAL": {"sizes": [7, 1]}, "BCN": {"sizes": [7]}, "GIR": {"sizes": [7, 1]}},
        (0, 3, 0, 7, 0),
    ),
    ("9.5 a tile", 0, {"VAL": {"tiles": ["S16"]}}, (0, 0, 0, 0, 7)),
    ("9.5 an exhibition", 0, {"VAL": {"tiles": ["E11"]}}, (0, 0, 0, 0, 6)),
    ("9.5 tokens of anybody", 0, {"VAL": {"tokens": [0, 0, 1]}}, (0, 0, 0, 0, 3)),
    ("9 the rulebook's example", 9, RULEBOOK, (9, 7, 13, 5, 11)),
]


@pytest.mark.parametrize(("rule", "best", "earned", "points"), SCORES)
def test_a_player_board_is_worth_this(
    rule: str, best: int, earned: dict[str, Any], points: tuple[int, ...]
) -> None:
    state = over(2, best=[best], earned={0: earned})
    categories = dict(
        zip(("best_tower", "regions", "prizes", "size_tokens", "local"), points, strict=True)
    )

    assert result(state).categories[look(state).collas[0].seat] == categories, rule
    assert result(state).scores[look(state).collas[0].seat] == sum(points), rule
    assert colla(state, 0).points == sum(points), rule


def test_what_is_left_over_scores_nothing() -> None:
    rich = over(
        2,
        hands=["9x9 9x8 9x10"],
        skills=["balance 5 base 5 mix 5 strength 5 width 5"],
        pawns=["BCN"],
        spent={1: 7},
    )

    assert set(result(rich).scores.values()) == {0}


RANKINGS = [
    # rule, best tower of each seat, earned, ranking, what settled it
    ("9 most points", [7, 5], {}, [[0], [1]], "score"),
    ("9 most points", [5, 7, 6], {}, [[1], [2], [0]], "score"),
    (
        "9 most points, not the best tower",
        [7, 5],
        {1: {"VAL": {"prizes": ["medal"]}}},
        [[1], [0]],
        "score",
    ),
    (
        "9 tie: best tower",
        [8, 9],
        {0: {"VAL": {"prizes": ["ribbon"]}}},
        [[1], [0]],
        "best_tower",
    ),
    (
        "9 tie: best tower before regions",
        [8, 9],
        {0: {"VAL": {"tokens": [1]}}},
        [[1], [0]],
        "best_tower",
    ),
    (
        "9 tie: regions",
        [5, 5],
        {0: {"VAL": {"prizes": ["medal"]}}, 1: ribbons(2)},
        [[1], [0]],
        "regions",
    ),
    (
        "9 tie: three regions against one",
        [5, 5, 5],
        {
            0: {"VAL": {"prizes": ["trophy"], "tokens": [1]}},
            1: ribbons(3),
            2: {"BCN": {"prizes": ["trophy"]}, "GIR": {}},
        },
        [[1], [0], [2]],
        "regions",
    ),
    ("9 shared", [5, 5], {}, [[0, 1]], "shared"),
    ("9 shared by three", [5, 5, 5], {}, [[0, 1, 2]], "shared"),
    ("9 shared by two of three", [5, 6, 6], {}, [[1, 2], [0]], "shared"),
    (
        "9 shared with different boards",
        [5, 5],
        {0: {"VAL": {"prizes": ["medal"]}}, 1: {"BCN": {"tiles": ["S01"]}}},
        [[0, 1]],
        "shared",
    ),
    (
        "9 three tie, the best tower of two, one region more",
        [9, 9, 12],
        {
            0: {"VAL": {"prizes": ["medal"]}},
            1: {"TAR": {"prizes": ["ribbon"]}, "GIR": {"prizes": ["ribbon"]}},
        },
        [[2], [1], [0]],
        "best_tower",
    ),
    (
        "9 ties below first place",
        [20, 8, 9, 3],
        {1: {"VAL": {"prizes": ["ribbon"]}}},
        [[0], [2], [1], [3]],
        "score",
    ),
    ("9 shared last place", [20, 8, 9, 8], {}, [[0], [2], [1, 3]], "score"),
]


@pytest.mark.parametrize(("rule", "best", "earned", "ranking", "reason"), RANKINGS)
def test_the_seats_rank_like_this(
    rule: str, best: list[int], earned: dict[int, Any], ranking: list[list[int]], reason: str
) -> None:
    outcome = result(over(len(best), best=best, earned=earned))

    assert [sorted(place) for place in outcome.ranking] == ranking, rule
    assert outcome.reason == reason, rule
    assert sorted(outcome.winners) == ranking[0]


def test_an_edition_may_break_ties_otherwise() -> None:
    state = over(
        2,
        best=[8, 9],
        earned={0: {"VAL": {"prizes": ["ribbon"]}}},
        changes={"scoring.tie_break": ["regions", "best_tower", "shared"]},
    )

    assert [sorted(place) for place in result(state).ranking] == [[0], [1]]
    assert result(state).reason == "regions"


def test_after_the_end_nobody_is_asked() -> None:
    state = over(3, pawns=["BCN"] * 3)

    assert CASTELL.prompts(state) == {}
    assert refused(state, 0, "end") is not None
    assert refused(state, 0, "move TER") is not None
