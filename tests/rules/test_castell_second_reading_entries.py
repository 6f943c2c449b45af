"""Rule 8 read a second time: who is asked, which answers are taken, what stays secret."""

import pytest

from app.rules.castell import CASTELL
from app.rules.castell.moves import DeclineFestival, EndTurn
from app.rules.game import Seat
from tests.rules.second_reading import (
    RICH,
    TOWERS,
    after,
    answer,
    chance,
    colla,
    dusk,
    evening,
    look,
    lot,
    morning,
    position,
    refused,
    region,
    told,
)

ENTRIES = [
    # rule, answer, may seat 0 give it (token 6)
    ("8 four levels", "festival VAL = 3x9/2x8/1x7/1x6", True),
    ("8 three levels", "festival VAL = 3x9/2x8/1x6", False),
    ("8 no casteller of the token", "festival VAL = 3x9/3x8/1x7/1x5", False),
    ("6.2 own castellers only", "festival VAL = 3x10/2x8/1x7/1x6", False),
    ("6.2 too wide", "festival VAL = 5x9/2x8/1x7/1x6", False),
    ("6.2 too often Balance", "festival VAL = 2x9/2x8/1x7/1x6/1x5/1x4", False),
    ("8 where the pawn stands", "festival TAR = 3x9/2x8/1x7/1x6", False),
    ("8 the festival one stands at", "festival TAR = decline", False),
    ("13 decline", "festival VAL = decline", True),
    ("4 no more turns", "move TAR", False),
]


@pytest.mark.parametrize(("rule", "line", "legal"), ENTRIES)
def test_an_answer_may_or_may_not_be_given(rule: str, line: str, legal: bool) -> None:
    state = evening(
        2,
        pawns=["VAL", "TAR"],
        festivals=[(4, "VAL", [6]), (4, "TAR", [6])],
        hands=["5x9 3x8 7 6 5 4"] * 2,
    )
    error = refused(dusk(state), 0, line)

    assert (error and error.rule) == (None if legal else rule.split(maxsplit=1)[0]), (rule, error)


ASKED = [
    # rule, pawns, hands, ranks, tokens, seats asked
    ("8 all there", ["VAL"] * 3, [RICH] * 3, ["balance 1"] * 3, [6], (0, 1, 2)),
    ("8 there", ["VAL", "TAR", "VAL"], [RICH] * 3, ["balance 1"] * 3, [6], (0, 2)),
    ("8 off the board", ["VAL", "", ""], [RICH] * 3, ["balance 1"] * 3, [6], (0,)),
    ("8 has every token", ["VAL"] * 3, [RICH, "3x9 3x8 2x7 6"], ["balance 1"] * 2, [8, 6], (0, 1)),
    ("8 lacks one token", ["VAL"] * 2, [RICH, "3x9 3x8 2x7 6"], ["balance 1"] * 2, [6, 5], (0,)),
    ("13 four levels by skill", ["VAL"] * 3, [RICH] * 3, ["", "balance 1", "base 1"], [6], (1,)),
    (
        "13 a wide bottom instead",
        ["VAL"] * 3,
        ["4x9 3x8 2x7 6"] * 3,
        ["base 1", "width 1", "mix 5 strength 5"],
        [6],
        (0, 1),
    ),
    ("13 nobody can", ["VAL"] * 3, [RICH] * 3, [], [6], None),
    ("8 nobody there", ["TAR"] * 3, [RICH] * 3, ["balance 1"] * 3, [6], None),
]


@pytest.mark.parametrize(("rule", "pawns", "hands", "skills", "tokens", "asked"), ASKED)
def test_those_are_asked_who_stand_there_and_can(
    *,
    rule: str,
    pawns: list[str],
    hands: list[str],
    skills: list[str],
    tokens: list[int],
    asked: tuple[int, ...] | None,
) -> None:
    state = dusk(
        evening(3, pawns=pawns, hands=hands, skills=skills, festivals=[(4, "VAL", tokens)])
    )

    if asked is None:
        assert look(state).round == 5, rule
        assert look(state).phase == "turns", rule
        assert not any(lot(state, seat, "VAL") for seat in range(3))
        return
    assert tuple(sorted(look(state).asked)) == asked, rule
    assert {prompt.key for prompt in CASTELL.prompts(state).values()} == {"festival:4"}
    assert all(prompt.simultaneous for prompt in CASTELL.prompts(state).values())


def test_a_festival_asks_with_what_the_last_turn_brought() -> None:
    state = evening(
        2,
        pawns=["GIR", "TAR"],
        hands=["", "3x9 2x8 7"],
        skills=["", ""],
        waiting={"VAL": "6 6"},
    )
    # Round 4: Balance lies at the slots 0 and 6, which show Barcelona and Vilafranca.
    untrained = after(state, 1, "move VAL; recruit 6; end", chance())
    trained = position(
        2,
        moment={"round": 4, "turn": 1},
        pawns=["GIR", "VFR"],
        hands=["", "3x9 2x8 7"],
        waiting={"VAL": "6 6"},
        festivals=[(4, "VAL", [6])],
    )
    trained = after(trained, 1, "train balance; move VAL; recruit 6; end", chance())

    assert look(untrained).phase == "turns"
    assert look(trained).asked == (1,)


def test_an_answer_stays_secret_until_the_last_is_in() -> None:
    state = dusk(evening(3))
    (event,) = told(state, 0, f"festival VAL = {TOWERS[9]}")
    state = answer(state, {0: TOWERS[9]})

    assert CASTELL.event_view(event, Seat(1)) is None
    assert CASTELL.event_view(event, None) is None
    assert CASTELL.event_view(event, Seat(0)) == event
    assert colla(state, 0).best_tower == 0
    assert lot(state, 0, "VAL") == {}
    assert set(look(state).asked) == {1, 2}
    assert refused(state, 0, "festival VAL = decline") is not None


def test_a_festival_costs_neither_castellers_nor_special_tokens() -> None:
    state = dusk(evening(2))
    before = colla(state, 0)
    state = answer(state, {0: TOWERS[9], 1: TOWERS[5]})

    assert colla(state, 0).castellers == before.castellers
    assert colla(state, 0).ranks == before.ranks
    assert colla(state, 0).special_tokens == 7
    assert region(state, "VAL").tokens == ()


def test_a_festival_of_an_earlier_round_is_not_held_again() -> None:
    state = dusk(evening(2, festivals=[(3, "VAL", [6]), (5, "VAL", [7])]))

    assert look(state).round == 5
    assert look(state).phase == "turns"


@pytest.mark.parametrize(
    ("rule", "tower", "least", "legal"),
    [
        ("12 three levels do", "3x9/2x8/1x6", 3, True),
        ("12 four do not", "3x9/2x8/1x7/1x6", 5, False),
        ("12 five do", "3x9/2x8/1x7/1x6/1x5", 5, True),
    ],
)
def test_an_edition_may_ask_for_other_heights(
    rule: str, tower: str, least: int, legal: bool
) -> None:
    state = dusk(evening(2, changes={"festivals.min_levels": least}))

    assert (refused(state, 0, f"festival VAL = {tower}") is None) == legal, rule


def test_a_seat_that_is_asked_can_always_end_or_decline() -> None:
    assert EndTurn() in CASTELL.legal_moves(morning(pawns=[]), Seat(0))
    assert EndTurn() in CASTELL.legal_moves(morning(spent={0: 7}, waiting={}), Seat(0))
    assert DeclineFestival("VAL") in CASTELL.legal_moves(dusk(evening()), Seat(2))
