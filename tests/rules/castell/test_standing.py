"""What answers for a seat that is not there, and when filed answers are due."""

import pytest

from app.rules.castell import CASTELL
from app.rules.castell.festivals import best_for
from app.rules.castell.moves import DeclineFestival, EndTurn, EnterFestival, Move
from app.rules.castell.state import Festival
from app.rules.game import Decision, IllegalMoveError, NotationError, Seat
from tests.rules.castell.stage import BCN, VAL, staged
from tests.rules.castell.test_festivals import evening

A, B, C = map(Seat, range(3))


def declined(*seats: Seat) -> dict[Seat, Move]:
    return {seat: DeclineFestival("VAL") for seat in seats}


def test_answers_are_due_when_the_last_is_in() -> None:
    state = evening()

    assert CASTELL.due(state, {}) == ()
    assert CASTELL.due(state, declined(C, A)) == ()
    assert CASTELL.due(state, declined(C, A, B)) == (A, B, C)


def test_only_the_seats_that_are_asked_are_waited_for() -> None:
    state = evening(pawns=(VAL, BCN, VAL))

    assert CASTELL.due(state, declined(A, C)) == (A, C)


def test_the_actions_of_a_turn_stay_apart() -> None:
    moves = CASTELL.parse("recruit 9; train mix; end")

    assert CASTELL.joined(moves) == moves


def test_the_standing_order_enters_the_best_tower() -> None:
    state = evening()
    best = next(CASTELL.legal_moves(state, B))

    assert isinstance(best, EnterFestival)
    assert CASTELL.standing(state, B, " Best ") == best


def test_the_best_tower_may_have_to_score_enough() -> None:
    state = evening()
    best = best_for(state, B, state.festivals[0])
    assert best is not None

    entered = CASTELL.standing(state, B, f"best {best.score}")
    assert isinstance(entered, EnterFestival)
    assert CASTELL.standing(state, B, f"best {best.score + 1}") is None


def test_a_standing_order_may_show_no_tower() -> None:
    assert CASTELL.standing(evening(), B, "decline") == DeclineFestival("VAL")


def test_the_standing_order_plays_no_turn() -> None:
    assert CASTELL.standing(staged(), A, "best") is None


def test_orders_are_for_the_next_festivals_or_for_every_one() -> None:
    festivals = (Festival(2, BCN, (6,)), Festival(4, VAL, (6,)), Festival(6, VAL, (7,)))
    turns = staged(round=4, festivals=festivals)
    held = evening(festivals=festivals)

    coming = CASTELL.decisions(turns, B)
    assert coming == (Decision("festival:4", "festival", 4), Decision("festivals", "festival"))
    assert [one.key for one in CASTELL.decisions(held, B)] == ["festival:6", "festivals"]
    assert CASTELL.decisions(evening(), B) == ()


def test_a_festival_is_asked_for_as_itself_and_as_one_of_all() -> None:
    state = evening(pawns=(VAL, BCN, VAL))

    assert CASTELL.asked_for(state, A) == ("festival:4", "festivals")
    assert CASTELL.asked_for(state, B) == ()
    assert CASTELL.asked_for(staged(), A) == ()


@pytest.mark.parametrize(
    ("order", "printed"),
    [(" BEST ", "best"), ("best  12", "best 12"), ("Decline", "decline")],
)
def test_a_standing_order_is_printed_in_one_way(order: str, printed: str) -> None:
    state = staged(festivals=(Festival(4, VAL, (6,)),))

    assert CASTELL.check_standing(state, A, "festivals", order) == printed


@pytest.mark.parametrize("order", ["", "worst", "best worst", "best 0", "best -1", "best 100"])
def test_any_other_standing_order_is_refused(order: str) -> None:
    state = staged(festivals=(Festival(4, VAL, (6,)),))
    with pytest.raises(NotationError) as refused:
        CASTELL.check_standing(state, A, "festivals", order)

    assert refused.value.code == "notation.bad_standing"
    with pytest.raises(NotationError):
        CASTELL.standing(evening(), A, order)


@pytest.mark.parametrize("decision", ["festival:4", "festivals", "turn:4:0", ""])
def test_no_order_is_left_for_what_has_passed_or_is_asked_now(decision: str) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        CASTELL.check_standing(evening(), A, decision, "best")

    assert refused.value.code == "standing.passed"


def test_an_absent_seat_ends_its_turn_and_shows_no_tower() -> None:
    assert CASTELL.safe_default(staged(), A) == (EndTurn(),)
    assert CASTELL.safe_default(evening(), C) == (DeclineFestival("VAL"),)
    assert CASTELL.safe_default(staged(), B) == ()
