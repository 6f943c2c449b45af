"""Stacks 4 and 5: scoreboards, the King, Grandes, courts, discs."""

from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.events import (
    AreaScored,
    BoardMoved,
    Courted,
    DiscsRevealed,
    GrandeMoved,
    KingMoved,
    Moved,
    Recalled,
    SpecialDone,
)
from app.rules.el_grande.moves import Special
from app.rules.el_grande.options import refusal as refused_move
from tests.rules.el_grande.stage import (
    CAT,
    GAL,
    SEV,
    VAL,
    A,
    B,
    C,
    events_of,
    lines,
    pieces_of,
    play,
    refusal,
    specials,
    staged,
)


def on(card: str, *rows: str, **fields: Any) -> State:
    return staged(*rows, card=card, **fields)


# 4-01: mobile scoreboards.


def test_a_scoreboard_comes_into_play() -> None:
    state = on("4-01")

    assert events_of(state, A, "special board A SEV")[1] == BoardMoved(A, "A", None, "SEV")
    assert play(state, A, "special board A SEV").values_of(SEV) == (8, 4, 0)
    assert len(specials(state)) == 16


def test_a_scoreboard_goes_to_another_region() -> None:
    state = on("4-01", boards=(SEV, CAT))

    assert events_of(state, A, "special board B VAL")[1] == BoardMoved(A, "B", "CAT", "VAL")
    after = play(state, A, "special board B VAL")
    assert (after.boards, after.values_of(CAT)) == ((SEV, VAL), (4, 2, 1))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("board A GAL", "king.taboo"),
        ("board B VAL", "king.taboo"),
        ("board A SEV", "board.same_region"),
        ("board A CAS", "area.castillo"),
        ("board A XXX", "area.unknown"),
    ],
)
def test_a_scoreboard_keeps_away_from_the_king(line: str, code: str) -> None:
    state = on("4-01", boards=(SEV, GAL))

    assert refusal(state, A, f"special {line}").code == code


def test_no_region_bears_two_scoreboards() -> None:
    assert refusal(on("4-01", boards=(SEV, -1)), A, "special board B SEV").code == "board.occupied"


def test_there_are_two_scoreboards() -> None:
    refused = refused_move(on("4-01"), A, Special("board", area="SEV"))

    assert refused is not None
    assert refused.code == "board.unknown"


# 4-02 and 5-01: the King.


def test_the_king_goes_next_door() -> None:
    state = on("4-02")

    assert events_of(state, A, "special king PVA")[1] == KingMoved(A, "GAL", "PVA")
    assert specials(state) == ["special king CVI", "special king PVA"]
    refused = refusal(state, A, "special king SEV")
    assert refused.code == "king.not_adjacent"
    assert refused.details == {"region": "SEV", "king": "GAL", "adjacent": ["CVI", "PVA"]}


def test_the_king_goes_anywhere_whoever_is_there() -> None:
    state = on("5-01", "SEV 9", "SEV 9")

    assert play(state, A, "special king SEV").king == SEV
    assert len(specials(state)) == 8


@pytest.mark.parametrize("card", ["4-02", "5-01"])
@pytest.mark.parametrize(
    ("region", "code"),
    [("GAL", "king.same_region"), ("CAS", "area.castillo"), ("XXX", "area.unknown")],
)
def test_the_king_has_to_go_somewhere_else(card: str, region: str, code: str) -> None:
    assert refusal(on(card), A, f"special king {region}").code == code


# 4-03: driving opponents out of a region.


def expelling() -> State:
    state = on("4-03", "ARA 2 SEV 1", "SEV 2 CVI 1", "SEV 1 VAL 2")
    return play(state, A, "place 0; special expel SEV; end")


def test_opponents_in_the_region_choose_where_to_go() -> None:
    state = expelling()

    assert EL_GRANDE.prompts(state).keys() == {B, C}
    assert len(lines(state, B)) == 7
    state = play(state, B, "disc ARA")
    events = events_of(state, C, "disc ARA")[1:]
    assert events[:3] == [
        DiscsRevealed("4-03", ((B, "ARA"), (C, "ARA"))),
        Moved(A, ((B, "SEV", "ARA", 2), (C, "SEV", "ARA", 1))),
        SpecialDone(A, "4-03"),
    ]
    after = play(state, C, "disc ARA")
    assert [pieces_of(after, seat) for seat in range(3)] == [
        "ARA 2 SEV 1",
        "ARA 2 CVI 1",
        "ARA 1 VAL 2",
    ]


@pytest.mark.parametrize(
    ("region", "code"),
    [
        ("SEV", "disc.not_allowed"),
        ("GAL", "king.taboo"),
        ("CAS", "disc.unknown_region"),
    ],
)
def test_they_go_neither_back_nor_to_the_king_nor_into_the_castillo(region: str, code: str) -> None:
    assert refusal(expelling(), B, f"disc {region}").code == code


@pytest.mark.parametrize(
    ("region", "code"),
    [
        ("GAL", "king.taboo"),
        ("CAT", "expel.nobody"),
        ("ARA", "expel.nobody"),
        ("CAS", "area.castillo"),
    ],
)
def test_somebody_has_to_be_there_to_be_driven_out(region: str, code: str) -> None:
    state = on("4-03", "ARA 2", "SEV 2 GAL 1 CAS 1")

    assert refusal(state, A, f"special expel {region}").code == code
    assert specials(state) == ["special expel SEV", "special expel VAL"]


def test_with_no_opponent_within_reach_there_is_nothing_but_to_skip() -> None:
    assert specials(on("4-03", "ARA 2", "GAL 2", "CAS 2")) == []


# 4-04: Grandes.


def test_a_grande_finds_a_new_home() -> None:
    state = on("4-04")

    assert events_of(state, A, "special grande VAL")[1] == GrandeMoved(A, "ARA", "VAL")
    assert play(state, A, "special grande VAL").grandes == (VAL, SEV, VAL)
    assert len(specials(state)) == 7


@pytest.mark.parametrize(
    ("region", "code"),
    [("GAL", "king.taboo"), ("ARA", "grande.same_region"), ("CAS", "area.castillo")],
)
def test_a_grande_keeps_away_from_the_king(region: str, code: str) -> None:
    assert refusal(on("4-04"), A, f"special grande {region}").code == code


def test_a_grande_in_the_kings_region_is_locked() -> None:
    state = on("4-04", grandes=(GAL, SEV, VAL))

    assert refusal(state, A, "special grande ARA").code == "grande.locked"
    assert specials(state) == []


# 4-05: filling the court.


def test_two_more_come_to_the_court() -> None:
    state = on("4-05", "ARA 2 COURT 5")

    assert events_of(state, A, "special court")[1] == Courted(A, 2, ())
    assert pieces_of(play(state, A, "special court"), A) == "ARA 2 COURT 7"
    assert specials(state) == ["special court"]


def test_what_the_province_lacks_may_come_from_regions() -> None:
    state = on("4-05", "ARA 9 CVI 10 COURT 10")

    assert events_of(state, A, "special court CVI 1")[1] == Courted(A, 1, (("CVI", 1),))
    assert pieces_of(play(state, A, "special court"), A) == "ARA 9 CVI 10 COURT 11"
    after = play(state, A, "special court; special court CVI 1")
    assert pieces_of(after, A) == "ARA 9 CVI 9 COURT 12"
    assert specials(after) == []
    assert specials(play(state, A, "special court")) == [
        "special court ARA 1",
        "special court CVI 1",
    ]


def test_an_empty_province_is_made_up_for_altogether() -> None:
    state = on("4-05", "ARA 9 CVI 10 COURT 11")

    assert specials(state) == ["special court ARA 1", "special court CVI 1"]
    assert refusal(state, A, "special court").code == "special.no_effect"
    state = play(state, A, "special court CVI 1")
    assert specials(state) == ["special court CVI 1"]
    assert pieces_of(play(state, A, "special court ARA 1"), A) == "ARA 8 CVI 9 COURT 13"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("court CVI 2", "refill.too_many"),
        ("court GAL 1", "king.taboo"),
        ("court CAS 1", "area.castillo"),
        ("court VAL 1", "move.not_there"),
        ("court CVI 1; special court CVI 1", "refill.too_many"),
        ("court; special court", "special.no_effect"),
    ],
)
def test_no_more_come_than_are_lacking(line: str, code: str) -> None:
    state = on("4-05", "CVI 10 GAL 4 CAS 5 COURT 10")

    assert refusal(state, A, f"special {line}").code == code


def test_with_nobody_anywhere_there_is_nothing_but_to_skip() -> None:
    assert specials(on("4-05", "GAL 10 CAS 10 COURT 10")) == []


# 4-06: taking a power card back.


def test_a_played_power_card_goes_back_to_the_hand() -> None:
    state = on("4-06", logs=((4, 9), (8,), (7,)), hands=((1, 2, 3), (1,), (1,)))

    assert events_of(state, A, "special recall 4")[1] == Recalled(A, 4)
    after = play(state, A, "special recall 4")
    assert (after.hands[A], after.logs[A]) == ((1, 2, 3, 4), (4, 9, 0))
    assert specials(state) == ["special recall 4", "special recall 9"]


def test_this_rounds_card_may_go_back_and_the_order_stays() -> None:
    state = on("4-06")
    after = play(state, A, "special recall 9")

    assert 9 in after.hands[A]
    assert (after.order, after.bids) == (state.order, state.bids)


@pytest.mark.parametrize(
    ("value", "code"),
    [("5", "recall.not_played"), ("?", "recall.unnamed"), ("0", "recall.not_played")],
)
def test_only_what_lies_in_the_pile_goes_back(value: str, code: str) -> None:
    assert refusal(on("4-06"), A, f"special recall {value}").code == code


def test_what_is_in_the_hand_cannot_be_taken_back() -> None:
    state = on("4-06", logs=((4, 9, 0), (8,), (7,)), hands=((1, 4), (1,), (1,)))

    assert refusal(state, A, "special recall 4").code == "recall.not_played"
    assert specials(state) == ["special recall 9"]


# 4-07: everybody's disc scores.


def picking(*rows: str) -> State:
    return play(on("4-07", *rows), A, "place 0; special; disc GAL; end")


def test_regions_picked_by_exactly_one_are_scored() -> None:
    state = picking("GAL 2", "ARA 1", "ARA 2")

    assert len(lines(state, B)) == 9
    state = play(state, B, "disc ARA")
    events = events_of(state, C, "disc CVI")
    assert [e.area for e in events if isinstance(e, AreaScored)] == [
        "ARA",
        "CVI",
        "GAL",
    ]
    events = events_of(state, C, "disc ARA")
    assert [e.area for e in events if isinstance(e, AreaScored)] == ["GAL"]


def test_the_kings_region_may_be_picked_but_not_the_castillo() -> None:
    state = picking("GAL 2", "ARA 1")

    assert "disc GAL" in lines(state, B)
    assert refusal(state, B, "disc CAS").code == "disc.unknown_region"


def test_with_nobody_in_any_region_there_is_nothing_to_score() -> None:
    assert specials(on("4-07", "CAS 2", "COURT 3", "CAS 2")) == []
