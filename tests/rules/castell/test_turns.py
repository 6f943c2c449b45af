"""Rules 5 and 6.1: the four actions of a turn and the Special wheel tile."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.castell import CASTELL
from app.rules.castell.events import PawnMoved, Recruited, SpecialTokenPlaced, Trained
from app.rules.castell.moves import EndTurn, MovePawn, Recruit, Train
from app.rules.game import IllegalMoveError, Seat
from tests.rules.castell.stage import (
    BCN,
    TAR,
    TER,
    VAL,
    VFR,
    events_of,
    hand,
    lines,
    play,
    refusal,
    staged,
    with_ranks,
)


def test_the_actions_come_in_any_order_each_once() -> None:
    for line in (
        "move TAR; recruit 9 7; train balance; special recruit 7",
        "special recruit 7; train mix; recruit 9 4; move TER",
    ):
        after = play(staged(), 0, line)
        assert after.used == 15
        assert lines(after, 0) == ["end"]


def test_a_turn_may_be_left_unused() -> None:
    assert play(staged(), 0, "end").current() == 1


@pytest.mark.parametrize(
    ("line", "code", "details"),
    [
        ("move VAL", "move.not_adjacent", {"region": "VAL", "here": "VAL"}),
        ("move GIR", "move.not_adjacent", {"adjacent": ["TAR", "VFR", "TER"]}),
        ("move REU", "move.unknown_region", {"region": "REU"}),
        ("move TAR; move VAL", "move.already", {}),
        ("recruit 8", "recruit.not_there", {"size": 8, "there": 0, "wanted": 1, "region": "VAL"}),
        ("recruit 9 9", "recruit.not_there", {"size": 9, "there": 1, "wanted": 2}),
        ("recruit 9 7 4", "recruit.too_many", {"count": 3, "limit": 2}),
        ("recruit 99", "recruit.not_there", {"size": 99, "there": 0}),
        ("recruit 9; recruit 7", "recruit.already", {}),
        ("train balance", "train.not_on_offer", {"offered": ["mix", "special"], "region": "VAL"}),
        ("train mix; train mix", "train.already", {}),
        ("train mix; train special recruit 9", "train.already", {}),
        ("train special recruit 9; train mix", "train.already", {}),
        ("special recruit 9; special recruit 7", "special.already", {}),
        ("special recruit 9 7", "recruit.too_many", {"count": 2, "limit": 1}),
        ("special move GIR", "move.not_adjacent", {"here": "VAL"}),
        ("train special recruit 7 7", "recruit.too_many", {"count": 2, "limit": 1}),
        ("festival VAL = decline", "festival.not_running", {"rule": "8"}),
    ],
)
def test_what_the_rules_forbid_is_refused_with_the_numbers(
    line: str, code: str, details: dict[str, Any]
) -> None:
    refused = refusal(staged(), 0, line)

    assert refused.code == code
    assert {"rule": refused.rule, **refused.details}.items() >= details.items()
    assert refused.rule


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Recruit(()), "recruit.nobody"),
        (Train("jump"), "train.unknown_skill"),  # type: ignore[arg-type]  # not from the parser
    ],
)
def test_what_no_line_can_say_is_refused_too(move: Recruit | Train, code: str) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        CASTELL.check(staged(), Seat(0), move)

    assert refused.value.code == code


class TestThePawn:
    """The first move places it; until then nothing else is possible."""

    start = staged(pawns=(-1, VAL, VAL))

    def test_it_may_be_placed_in_any_region_or_not_at_all(self) -> None:
        assert list(CASTELL.legal_moves(self.start, Seat(0))) == [
            EndTurn(),
            *map(MovePawn, ("TAR", "VAL", "VFR", "VNO", "BCN", "TER", "GIR")),
        ]

    @pytest.mark.parametrize(
        "line", ["recruit 9", "train mix", "special recruit 9", "train special recruit 9"]
    )
    def test_nothing_else_comes_before_it(self, line: str) -> None:
        assert refusal(self.start, 0, line).code == "turn.pawn_not_placed"

    def test_placing_it_is_the_turn_s_move(self) -> None:
        assert refusal(self.start, 0, "move BCN; move GIR").code == "move.already"

    def test_all_else_may_follow(self) -> None:
        after = play(self.start, 0, "move BCN; recruit 9 7; train width; special move GIR")

        assert after.ranks[0] == (0, 0, 0, 0, 1)

    def test_it_goes_to_an_adjacent_region_afterwards(self) -> None:
        assert play(staged(), 0, "move TER").pawns == (TER, VAL, VAL)


def test_recruits_leave_the_region_and_join_the_colla() -> None:
    after = play(staged(), 0, "recruit 7 7")

    assert after.castellers[VAL] == hand(9, 4)
    assert after.castellers[TAR] == hand(9, 7, 7, 4)
    assert after.hands[0] == hand(9, 9, 9, 8, 8, 8, 7, 7, 5, 5, 1)


def test_training_raises_one_rank_for_good() -> None:
    assert events_of(staged(), 0, "train mix") == [Trained(Seat(0), "mix", 1)]
    assert play(with_ranks(staged(), 0, mix=2), 0, "train mix").ranks[0] == (0, 0, 3, 0, 0)


def test_a_rank_has_its_maximum() -> None:
    full = with_ranks(staged(), 0, mix=5)

    assert refusal(full, 0, "train mix").details == {"skill": "mix", "rank": 5}
    assert "train mix" not in lines(full, 0)
    assert "train mix" in lines(with_ranks(staged({"towers.max_rank": 6}), 0, mix=5), 0)


def test_training_comes_before_or_after_moving_but_from_one_region() -> None:
    assert play(staged(), 0, "move TAR; train balance").ranks[0][0] == 1
    assert refusal(staged(), 0, "move TAR; train mix").code == "train.not_on_offer"


def test_the_skill_everywhere_can_be_trained_anywhere() -> None:
    state = staged(round=2)  # balance everywhere, strength in Valls

    assert play(state, 0, "train balance").ranks[0] == (1, 0, 0, 0, 0)
    assert play(state, 0, "train strength").ranks[0] == (0, 0, 0, 1, 0)


def test_a_skill_offered_twice_is_listed_once() -> None:
    state = staged(wheel=("mix", "balance", "mix", *("base",) * 5))

    assert lines(state, 0).count("train mix") == 1


def test_the_advanced_wheel_offers_only_the_region_s_own_skill() -> None:
    advanced = staged(options={"wheel_side": "no_regions"})

    assert [line for line in lines(advanced, 0) if line.startswith("train")] == ["train mix"]
    assert refusal(advanced, 0, "train special recruit 9").details["offered"] == ["mix"]


class TestSpecialActions:
    """One token a turn, one option a token, put down where the pawn ends."""

    def test_a_token_recruits_one_and_goes_to_the_row(self) -> None:
        assert events_of(staged(), 0, "special recruit 9") == [
            Recruited(Seat(0), "VAL", (9,), "token"),
            SpecialTokenPlaced(Seat(0), "VAL"),
        ]
        after = play(staged(), 0, "special recruit 9")
        assert (after.tokens, after.rows[VAL]) == ((6, 7, 7), (0,))

    def test_a_token_that_moves_the_pawn_lands_at_its_destination(self) -> None:
        assert events_of(staged(), 0, "special move VFR") == [
            PawnMoved(Seat(0), "VFR", "token"),
            SpecialTokenPlaced(Seat(0), "VFR"),
        ]
        after = play(staged(), 0, "special move VFR")
        assert (after.rows[VFR], after.rows[VAL]) == ((0,), ())

    def test_it_comes_on_top_of_the_ordinary_actions(self) -> None:
        after = play(staged(), 0, "move VFR; special move BCN; recruit 9 7")

        assert after.pawns[0] == BCN
        assert after.castellers[BCN] == hand(7, 4)

    def test_without_a_token_there_is_none(self) -> None:
        spent = staged(tokens=(0, 7, 7))

        assert refusal(spent, 0, "special recruit 9").code == "special.no_token"
        assert not any(line.startswith("special") for line in lines(spent, 0))

    def test_the_next_turn_allows_another(self) -> None:
        after = play(staged(), 0, "special recruit 9; end")
        after = replace(after, turn=0)

        assert play(after, 0, "special recruit 7").rows[VAL] == (0, 0)


class TestTheSpecialWheelTile:
    """It raises no rank and gives one special action at once, without a token."""

    def test_it_costs_no_token_and_is_the_turn_s_training(self) -> None:
        after = play(staged(), 0, "train special recruit 9")

        assert (after.tokens, after.rows[VAL]) == ((7, 7, 7), ())
        assert after.ranks[0] == (0, 0, 0, 0, 0)
        assert after.used == 4

    def test_it_works_without_any_token(self) -> None:
        assert play(staged(tokens=(0, 0, 0)), 0, "train special move TAR").pawns[0] == TAR

    @pytest.mark.parametrize(
        "line",
        [
            "special recruit 9; train special recruit 7",
            "train special recruit 7; special recruit 9",
        ],
    )
    def test_a_turn_holds_a_paid_and_a_free_one_in_either_order(self, line: str) -> None:
        assert play(staged(), 0, line).hands[0] == hand(9, 9, 9, 9, 8, 8, 8, 7, 5, 5, 1)

    def test_its_option_uses_the_region_of_that_moment(self) -> None:
        after = play(staged(), 0, "train special move TAR; recruit 9")

        assert after.castellers[TAR] == hand(7, 7, 4)

    def test_it_is_refused_where_it_is_not_on_offer(self) -> None:
        state = staged(round=2)

        assert refusal(state, 0, "train special recruit 9").code == "train.not_on_offer"

    def test_it_may_lie_at_the_region_s_own_slot(self) -> None:
        state = staged(wheel=("mix", "balance", "special", *("base",) * 5))

        assert play(state, 0, "train special recruit 9").used == 4


def test_the_listed_moves_are_all_there_are() -> None:
    state = staged(castellers=(hand(9, 7, 7),) * 7)

    assert lines(state, 0) == [
        "end",
        "move TAR",
        "move VFR",
        "move TER",
        "recruit 9",
        "recruit 7",
        "recruit 9 7",
        "recruit 7 7",
        "train mix",
        "special move TAR",
        "special move VFR",
        "special move TER",
        "special recruit 9",
        "special recruit 7",
        "train special move TAR",
        "train special move VFR",
        "train special move TER",
        "train special recruit 9",
        "train special recruit 7",
    ]


def test_an_empty_region_recruits_nobody() -> None:
    assert not any("recruit" in line for line in lines(staged(castellers=(hand(),) * 7), 0))
