"""Rule 15: what the building assistants know is exact."""

from dataclasses import replace

import pytest

from app.rules.castell.assist import (
    TowerReport,
    best_for_festival,
    examine_tower,
    performable_tiles,
    rivals_reach,
    training_ahead,
    unlocks,
)
from app.rules.castell.components import SKILLS
from app.rules.castell.goals import ExhibitionGoal, FestivalGoal, ShapeGoal
from app.rules.castell.state import Festival, FestivalResult
from app.rules.castell.towers import problems
from app.rules.game import Seat
from tests.rules.castell.stage import BCN, VAL, begin, hand, staged, with_ranks
from tests.rules.castell.tower_text import tower_of

ME = Seat(0)
FESTIVAL = FestivalGoal((8, 9))


def examine(text: str, level: int | None = None, **ranks: int) -> TowerReport:
    return examine_tower(with_ranks(staged(), 0, **ranks), ME, FESTIVAL, tower_of(text), level)


def test_one_more_rank_or_casteller_that_would_reach_a_tile_is_named() -> None:
    found = unlocks(staged(), ME, ShapeGoal((3, 3, 2, 1)))

    assert found.skills == {"balance": 1}
    assert not found.sizes
    missing = unlocks(with_ranks(staged(), 0, balance=1), ME, ShapeGoal((3, 3, 3)))
    assert missing.skills == {}
    assert missing.sizes == {}
    third = unlocks(with_ranks(staged(), 0, balance=2), ME, ShapeGoal((3, 3, 3)))
    assert third.sizes == {5: 1}


def test_what_would_lift_a_festival_tower_comes_with_its_new_score() -> None:
    state = staged(hands=(hand(9, 9, 9, 8, 8, 8, 6, 6, 5, 5, 4, 3, 1),) * 3)
    found = unlocks(with_ranks(state, 0, balance=1), ME, FESTIVAL)

    assert found.skills == {"balance": 11}
    assert found.sizes == {}
    assert unlocks(state, ME, FESTIVAL).skills == {"balance": 10}


def test_a_full_skill_is_not_one_rank_away() -> None:
    state = with_ranks(staged({"towers.max_rank": 1}), 0, balance=1)

    assert "balance" not in unlocks(state, ME, ShapeGoal((3, 3, 3))).skills


def test_the_next_festival_of_a_region_has_a_best_tower() -> None:
    held = FestivalResult((), (), ())
    festivals = (Festival(3, VAL, (5,), held), Festival(8, VAL, (8, 9)), Festival(9, VAL, (1,)))
    state = with_ranks(staged(festivals=festivals), 0, balance=1)
    best = best_for_festival(state, ME, "VAL")

    assert best is not None
    assert best.score == 10
    assert best_for_festival(state, ME, "BCN") is None


def test_rivals_are_known_by_the_most_they_can_reach() -> None:
    state = staged(festivals=(Festival(3, BCN, (7,)),))
    rich = replace(state, hands=(hand(), hand(9, 9, 9, 8, 8, 7, 1), hand(2)))

    assert rivals_reach(with_ranks(rich, 1, balance=1), ME, "BCN") == {1: 5, 2: None}
    assert rivals_reach(rich, ME, "VAL") == {1: None, 2: None}


def test_performable_tiles_are_found_on_the_whole_board() -> None:
    state = with_ranks(staged(), 0, balance=1, width=1)
    found = performable_tiles(state, ME)

    assert set(found) >= {"S04"}
    assert all(not problems(tower, state.rank_map(0), state.hands[0]) for tower in found.values())
    assert performable_tiles(staged(), Seat(2)) == {}


def test_training_ahead_follows_the_wheel_to_the_last_round() -> None:
    state = staged()
    ahead = training_ahead(state, "VAL")

    assert len(ahead) == 10
    assert ahead[:3] == (("mix", "special"), ("strength", "balance"), ("base", "mix"))
    later = training_ahead(replace(state, round=3), "VAL")
    assert later == ahead[2:]


def test_on_the_other_side_only_the_own_slot_trains() -> None:
    assert all(len(skills) == 1 for skills in training_ahead(begin(wheel_side="no_regions"), "VAL"))


def test_a_standing_tower_is_reported_with_uses_and_score() -> None:
    report = examine("3x9/3x8/2x5/1x1", balance=1)

    assert report.legal
    assert report.uses == {**dict.fromkeys(SKILLS, 0), "balance": 1}
    assert report.score == 10
    assert report.left == hand()
    assert report.repaired == tower_of("3x9/3x8/2x5/1x1")
    assert set(report.fits.values()) == {"all_up"}


def test_a_tower_that_stands_may_still_lack_something() -> None:
    report = examine("3x9/2x5/1x1")

    assert not report.problems
    assert [problem.code for problem in report.lacking] == ["tower.too_low", "tower.token_missing"]
    assert not report.legal
    assert report.left == hand(8, 8, 8)


def test_an_exhibition_is_reckoned_in_its_favour() -> None:
    goal = ExhibitionGoal(("width",), 1)
    state = replace(staged(), hands=(hand(9, 9, 9, 9),) * 3)
    report = examine_tower(with_ranks(state, 0, base=1, width=1), ME, goal, tower_of("4x9"))

    assert report.legal
    assert report.uses == {**dict.fromkeys(SKILLS, 0), "width": 1}
    assert report.score == 1


@pytest.mark.parametrize(
    ("text", "level", "fits"),
    [
        ("3x9", None, {9: "all_up", 8: "fits", 5: "fits", 1: "fits", 7: "all_up"}),
        ("3x9/1x5", 2, {8: "too_big", 5: "fits", 1: "too_small"}),
        ("2x9/1x8", 2, {8: "full", 9: "full"}),
        ("2x9/1x8", 1, {9: "fits"}),
        ("3x8", 1, {8: "all_up", 9: "full"}),
    ],
)
def test_every_size_says_whether_it_fits(
    text: str, level: int | None, fits: dict[int, str]
) -> None:
    report = examine(text, level=level)

    assert {size: report.fits[size] for size in fits} == fits


@pytest.mark.parametrize(
    ("text", "ranks", "repaired"),
    [
        ("3x9/3x8/1x5", {}, "3x9/2x8/1x5"),
        ("3x9/1x8/1x5", {}, "3x9/1x8"),
        ("3x9/2x8+1x5/1x1", {"balance": 1}, "3x9/2x8/1x1"),
        ("3x9/1x10/1x8", {}, "3x9/1x8"),
        ("3x5/1x1", {}, "2x5/1x1"),
        ("3x8/3x9/3x9", {}, "3x8"),
        ("4x8", {}, "3x8"),
    ],
)
def test_the_repair_is_small_and_stands(text: str, ranks: dict[str, int], repaired: str) -> None:
    report = examine(text, None, **ranks)

    assert report.repaired == tower_of(repaired)
    assert not problems(
        report.repaired,
        with_ranks(staged(), 0, **ranks).rank_map(0),
        hand(9, 9, 9, 8, 8, 8, 5, 5, 1),
    )


def test_nothing_at_all_is_the_last_repair() -> None:
    assert examine("3x2").repaired == ()
    empty = examine_tower(staged(), ME, FESTIVAL, ())
    assert empty.repaired == ()
    assert [problem.code for problem in empty.problems] == ["tower.empty"]
    assert empty.uses is None
