"""Rule 15: what the building assistants know is exact."""

from app.rules.castell.assist import performable_tiles, unlocks
from app.rules.castell.goals import FestivalGoal, ShapeGoal
from app.rules.castell.towers import problems
from app.rules.game import Seat
from tests.rules.castell.stage import hand, staged, with_ranks

ME = Seat(0)
FESTIVAL = FestivalGoal((8, 9))


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


def test_performable_tiles_are_found_on_the_whole_board() -> None:
    state = with_ranks(staged(), 0, balance=1, width=1)
    found = performable_tiles(state, ME)

    assert set(found) >= {"S04"}
    assert all(not problems(tower, state.rank_map(0), state.hands[0]) for tower in found.values())
    assert performable_tiles(staged(), Seat(2)) == {}
