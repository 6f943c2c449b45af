"""Rule 7: local performances of both kinds, and the tokens of the row."""

import pytest

from app.rules.castell.events import LocalPerformed, SpecialTokenPlaced
from app.rules.castell.notation import parse_tower
from app.rules.castell.state import NOTHING
from app.rules.game import Seat
from tests.rules.castell.stage import (
    TAR,
    VAL,
    events_of,
    hand,
    lines,
    play,
    refusal,
    staged,
    with_ranks,
)

SHAPE = "perform S04 = 3x9/3x8/2x5/1x1"


def test_a_shape_is_claimed_with_exactly_its_widths() -> None:
    state = with_ranks(staged(), 0, balance=1)
    after = play(state, 0, f"special {SHAPE}")

    assert after.tiles[VAL] == ("E01",)
    assert after.earned[0][VAL] == ((), (), ("S04",), ())
    assert after.hands == state.hands


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("special perform S04 = 3x9/2x8/1x5", "tower.wrong_shape"),
        ("special perform S04 = 3x9/3x8/2x5", "tower.wrong_height"),
        ("special perform S04 = 3x10/3x8/2x5/1x1", "tower.not_owned"),
        ("special perform S99 = 1x9", "perform.unknown_tile"),
        ("special perform S01 = 1x9/1x8/1x5/1x1", "perform.tile_not_here"),
        ("train special perform S01 = 1x9/1x8/1x5/1x1", "perform.tile_not_here"),
    ],
)
def test_a_performance_the_rules_forbid_is_refused(line: str, code: str) -> None:
    assert refusal(with_ranks(staged(), 0, balance=1), 0, line).code == code


def test_a_shape_needs_its_skills() -> None:
    refused = refusal(staged(), 0, f"special {SHAPE}")

    assert refused.code == "tower.not_narrower"


def test_an_exhibition_needs_its_height_and_every_skill_used() -> None:
    state = with_ranks(
        staged(hands=(hand(9, 9, 9, 8, 8, 7, 6, 5, 4, 1), *staged().hands[1:])), 0, balance=3, mix=1
    )

    assert refusal(state, 0, "special perform E01 = 3x9/2x8/1x5").code == "tower.too_low"
    assert (
        refusal(state, 0, "special perform E01 = 2x9/2x8/1x7/1x5/1x1").code == "tower.skill_unused"
    )
    tall = "3x9/2x8/1x7+1x6/1x5/1x1"
    assert play(state, 0, f"special perform E01 = {tall}").tiles[VAL] == ("S04",)


def test_an_edition_may_ask_for_the_exact_height() -> None:
    six = "1x9/1x8/1x7/1x6/1x5/1x4"
    hands = (hand(9, 8, 7, 6, 5, 4, 3), *staged().hands[1:])
    tiles = {"performances.exhibitions.E01.skills": ["balance"]}
    exact = {**tiles, "performances.exhibition_levels": "exact"}
    loose = with_ranks(staged(tiles, hands=hands), 0, balance=5)
    strict = with_ranks(staged(exact, hands=hands), 0, balance=5)

    assert play(loose, 0, f"special perform E01 = {six}").earned[0][VAL] != NOTHING
    assert refusal(strict, 0, f"special perform E01 = {six}").code == "tower.wrong_height"


def test_all_tokens_of_the_row_come_along_but_not_one_s_own_payment() -> None:
    state = with_ranks(staged(rows=((2,), (1, 0, 1), *((),) * 5)), 0, balance=1)
    after = play(state, 0, f"special {SHAPE}")

    assert after.earned[0][VAL] == ((), (), ("S04",), (1, 0, 1))
    assert (after.rows[VAL], after.rows[TAR]) == ((0,), (2,))
    assert after.tokens[0] == 6


def test_an_edition_may_let_the_payment_be_collected() -> None:
    state = with_ranks(
        staged({"performances.collect_own_payment": True}, rows=((), (1,), *((),) * 5)),
        0,
        balance=1,
    )
    tower = parse_tower("3x9/3x8/2x5/1x1")

    assert events_of(state, 0, f"special {SHAPE}") == [
        SpecialTokenPlaced(Seat(0), "VAL"),
        LocalPerformed(Seat(0), "VAL", "S04", tower, (Seat(1), Seat(0)), "token"),
    ]
    assert play(state, 0, f"special {SHAPE}").rows[VAL] == ()


def test_the_wheel_performs_without_a_token() -> None:
    state = with_ranks(staged(), 0, balance=1)
    after = play(state, 0, f"train special {SHAPE}")

    assert (after.tokens[0], after.rows[VAL], after.used) == (7, (), 4)


def test_two_tiles_can_be_claimed_in_one_turn() -> None:
    hands = (hand(9, 9, 9, 8, 8, 8, 7, 7, 6, 5, 5, 4, 1), *staged().hands[1:])
    state = with_ranks(staged(hands=hands), 0, balance=2, mix=1)
    after = play(state, 0, f"special {SHAPE}; train special perform E01 = 3x9/3x8/2x7/1x6+1x5/1x1")

    assert after.tiles[VAL] == ()
    assert after.earned[0][VAL] == ((), (), ("S04", "E01"), (0,))


def test_recruits_and_ranks_of_the_same_turn_count() -> None:
    hands = (hand(9, 9, 9, 8, 8, 8, 5, 1), *staged().hands[1:])
    state = with_ranks(staged(hands=hands, castellers=(hand(5),) * 7), 0, balance=1)

    assert refusal(state, 0, f"special {SHAPE}").code == "tower.not_owned"
    assert play(state, 0, f"recruit 5; special {SHAPE}").tiles[VAL] == ("E01",)


def test_a_performance_needs_a_special_action() -> None:
    state = with_ranks(staged(), 0, balance=1)

    assert f"special {SHAPE}" in lines(state, 0)
    assert f"train special {SHAPE}" in lines(state, 0)
    assert not any("perform" in line for line in lines(staged(), 0))
    assert refusal(state, 0, f"special recruit 9; special {SHAPE}").code == "special.already"


def test_a_tile_is_not_replaced_and_its_tower_does_not_count_as_best() -> None:
    after = play(with_ranks(staged(), 0, balance=1), 0, f"special {SHAPE}; end")

    assert after.tiles[VAL] == ("E01",)
    assert after.best == (0, 0, 0)


def test_special_actions_go_on_where_no_tile_is_left() -> None:
    state = staged(tiles=((),) * 7)

    assert play(state, 0, "special recruit 9").rows[VAL] == (0,)
    assert not any("perform" in line for line in lines(state, 0))
