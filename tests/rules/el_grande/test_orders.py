"""Standing orders (section 13): the Veto, and lists of power cards."""

from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.moves import PASS, VETO, Move, PlayPower
from app.rules.game import Decision, IllegalMoveError, NotationError
from tests.rules.el_grande.stage import A, B, C, holding, play, staged

HANDS = ((1, 4, 12), (2, 7, 13), (3, 9))


def announced(*rows: str, card: str = "5-01", line: str = "special king PVA") -> State:
    return play(holding(staged(*rows, card=card), B), A, f"{line}; end")


def bidding(*bids: tuple[int, int], first: int = 0, **changes: Any) -> State:
    """Return a round in which `bids` have been made; after two it is the third seat's turn."""
    return staged(phase="power", first=first, bids=bids, order=(), hands=HANDS, **changes)


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("ask", None),
        ("pass", PASS),
        (" PASS ", PASS),
        ("veto 5-01", VETO),
        ("veto 3-01 , 5-01", VETO),
        ("veto 3-01,4-02", None),
    ],
)
def test_a_standing_order_answers_for_a_holder(order: str, answer: Move | None) -> None:
    EL_GRANDE.check_standing(staged(), B, "veto", order)

    assert EL_GRANDE.standing(announced(), B, order) == answer


def test_a_standing_order_answers_nothing_else() -> None:
    assert EL_GRANDE.standing(announced(), C, "pass") is None
    assert EL_GRANDE.standing(staged(), A, "pass") is None


def test_a_holder_who_has_to_choose_too_is_asked() -> None:
    state = announced("ARA 2 VAL 1", "SEV 2 CAT 1", card="2-07", line="special; disc ARA")

    assert EL_GRANDE.standing(state, B, "pass") is None
    assert EL_GRANDE.standing(state, B, "veto 2-07") == VETO


@pytest.mark.parametrize("order", ["", "veto", "veto all", "pass 1-01", "ask me", "veto 1-01,"])
def test_any_other_standing_order_is_refused(order: str) -> None:
    with pytest.raises(NotationError) as refused:
        EL_GRANDE.check_standing(staged(), B, "veto", order)

    assert refused.value.code == "notation.bad_standing"
    with pytest.raises(NotationError):
        EL_GRANDE.standing(announced(), B, order)


@pytest.mark.parametrize(
    ("order", "card"),
    [
        ("9", 9),
        ("9, 3", 9),
        ("12, 4, 3", 3),
        ("lowest", 3),
        ("Highest", 9),
        ("9 if none > 10, 3", 3),
        ("9 if none>12, 3", 9),
        ("3 if none<4, 9", 3),
        ("3 if none<5, 9", 9),
        ("lowest if none>11, highest if none<4", 9),
        ("12, ask", None),
        ("12", None),
        ("9 if none>10, ask", None),
        ("ask", None),
    ],
)
def test_of_a_list_of_power_cards_the_first_that_fits_is_played(
    order: str, card: int | None
) -> None:
    state = bidding((0, 12), (1, 4))

    assert EL_GRANDE.standing(state, C, order) == (None if card is None else PlayPower(card))


def test_whoever_bids_first_finds_no_card_beyond_a_limit() -> None:
    assert EL_GRANDE.standing(bidding(), A, "12 if none>1, 1") == PlayPower(12)
    assert EL_GRANDE.standing(bidding(), A, "12 if none<13, 1") == PlayPower(12)


def test_no_list_plays_for_a_seat_whose_turn_it_is_not() -> None:
    assert EL_GRANDE.standing(bidding((0, 12)), C, "lowest") is None


@pytest.mark.parametrize(
    ("order", "printed"),
    [
        ("13  IF none > 10,7,lowest", "13 if none>10, 7, lowest"),
        ("7 if none<3 , ask", "7 if none<3, ask"),
    ],
)
def test_a_list_is_printed_in_one_way(order: str, printed: str) -> None:
    assert EL_GRANDE.check_standing(bidding((0, 12)), B, "power:3", order) == printed


@pytest.mark.parametrize(
    "order",
    [
        "",
        "pass",
        "veto 1-01",
        "0",
        "7,",
        "7 if",
        "7 if none=3",
        "ask, 7",
        "lowest, 7",
        "lowest if none>1 if none>2",
        "7 if all>3",
        ", ".join(["7"] * 9),
    ],
)
def test_what_is_no_list_is_refused(order: str) -> None:
    with pytest.raises(NotationError) as refused:
        EL_GRANDE.check_standing(bidding((0, 12)), B, "power:3", order)

    assert refused.value.code == "notation.bad_standing"


def test_a_card_that_is_not_held_is_refused_when_the_order_is_left() -> None:
    with pytest.raises(IllegalMoveError) as refused:
        EL_GRANDE.check_standing(bidding((0, 12)), C, "power:3", "9, 13")

    assert (refused.value.code, refused.value.details) == ("power.not_held", {"value": 13})


def test_orders_are_for_what_the_seat_has_yet_to_play() -> None:
    state = bidding((0, 12))
    now, then = Decision("power:2", "power", 2), Decision("power:3", "power", 3)
    veto = Decision("veto", "veto")

    assert EL_GRANDE.decisions(state, C) == (now, then, veto)
    assert EL_GRANDE.decisions(state, B) == (then, veto)
    assert EL_GRANDE.decisions(state, A) == (then, veto)
    assert EL_GRANDE.decisions(staged(veto="off", round=9), A) == ()
    assert EL_GRANDE.decisions(staged(phase="over"), A) == ()


def test_no_order_is_left_for_what_is_asked_now() -> None:
    with pytest.raises(IllegalMoveError) as refused:
        EL_GRANDE.check_standing(bidding(), A, "power:2", "1")

    assert refused.value.code == "standing.passed"


def test_what_a_seat_is_asked_has_a_name() -> None:
    assert EL_GRANDE.asked_for(bidding((0, 12)), B) == ("power:2",)
    assert EL_GRANDE.asked_for(bidding((0, 12)), C) == ()
    assert EL_GRANDE.asked_for(announced(), B) == ("answers:2:0", "veto")
    assert EL_GRANDE.asked_for(staged(), A) == ()
