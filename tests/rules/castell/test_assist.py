"""Rule 15: what the building assistants know is exact."""

from hypothesis import given
from hypothesis import strategies as st

from app.rules.castell import State
from app.rules.castell.assist import Unlocks, performable_tiles, unlocks
from app.rules.castell.components import SIZES, SKILLS, Skill, Tower
from app.rules.castell.goals import ExhibitionGoal, FestivalGoal, Goal, ShapeGoal
from app.rules.castell.solver import tower_for
from app.rules.castell.towers import problems
from app.rules.game import Seat
from tests.rules.castell.stage import hand, staged, with_ranks

ME = Seat(0)
FESTIVAL = FestivalGoal((8, 9))


def unlocked(state: State, goal: Goal) -> Unlocks:
    return unlocks(state.hands[ME], state.rank_map(ME), goal, max_rank=state.edition.max_rank)


def test_one_more_rank_or_casteller_that_would_reach_a_tile_is_named() -> None:
    found = unlocked(staged(), ShapeGoal((3, 3, 2, 1)))

    assert found.skills == {"balance": 1}
    assert not found.sizes
    missing = unlocked(with_ranks(staged(), 0, balance=1), ShapeGoal((3, 3, 3)))
    assert missing.skills == {}
    assert missing.sizes == {}
    third = unlocked(with_ranks(staged(), 0, balance=2), ShapeGoal((3, 3, 3)))
    assert third.sizes == {5: 1}


def test_what_would_lift_a_festival_tower_comes_with_its_new_score() -> None:
    state = staged(hands=(hand(9, 9, 9, 8, 8, 8, 6, 6, 5, 5, 4, 3, 1),) * 3)
    found = unlocked(with_ranks(state, 0, balance=1), FESTIVAL)

    assert found.skills == {"balance": 11}
    assert found.sizes == {}
    assert unlocked(state, FESTIVAL).skills == {"balance": 10}


def test_a_full_skill_is_not_one_rank_away() -> None:
    state = with_ranks(staged({"towers.max_rank": 1}), 0, balance=1)

    assert "balance" not in unlocked(state, ShapeGoal((3, 3, 3))).skills


def test_performable_tiles_are_found_on_the_whole_board() -> None:
    state = with_ranks(staged(), 0, balance=1, width=1)
    found = performable_tiles(state, ME)

    assert set(found) >= {"S04"}
    assert all(not problems(tower, state.rank_map(0), state.hands[0]) for tower in found.values())
    assert performable_tiles(staged(), Seat(2)) == {}


def test_one_more_casteller_that_would_make_a_festival_tower_is_named() -> None:
    ranks = {**dict.fromkeys(SKILLS, 0), "balance": 1}
    found = unlocks(hand(9, 9, 9, 8, 8, 7), ranks, FestivalGoal((8,)), max_rank=5)

    # 3x9/2x8/1x7 wants somebody small on top: four levels and two of size 8.
    assert found.sizes == dict.fromkeys(range(1, 7), 6)


GOALS = [
    FestivalGoal((8,)),
    FestivalGoal((3, 9)),
    ShapeGoal((3, 2, 1)),
    ExhibitionGoal(("mix",), 4),
]


@given(
    owned=st.lists(st.integers(1, 10), max_size=9),
    ranks=st.fixed_dictionaries({skill: st.integers(0, 2) for skill in SKILLS}),
    goal=st.sampled_from(GOALS),
)
def test_what_is_unlocked_is_just_what_one_more_would_do(
    owned: list[int], ranks: dict[Skill, int], goal: Goal
) -> None:
    found = unlocks(hand(*owned), ranks, goal, max_rank=2)

    for size in SIZES:
        after = tower_for(hand(*owned, size), ranks, goal)
        before = tower_for(hand(*owned), ranks, goal)
        if isinstance(goal, FestivalGoal):
            lifted = _score(after, goal) > _score(before, goal)
        else:
            lifted = before is None and after is not None
        assert (size in found.sizes) == lifted
        assert size not in found.sizes or found.sizes[size] == (_score(after, goal) or 1)
    assert not any(ranks[skill] == 2 for skill in found.skills)


def _score(tower: Tower | None, goal: Goal) -> int:
    """Count by the words of rule 8; 0 for a tile and for no tower."""
    if tower is None or not isinstance(goal, FestivalGoal):
        return 0
    people = [size for level in tower for count, size in level for _ in range(count)]
    return len(tower) + sum(size in goal.tokens for size in people)
