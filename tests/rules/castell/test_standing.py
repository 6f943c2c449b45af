"""What answers for a seat that is not there, and when filed answers are due."""

import pytest

from app.rules.castell import CASTELL
from app.rules.castell.moves import DeclineFestival, EndTurn, EnterFestival, Move
from app.rules.game import NotationError, Seat
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


def test_the_standing_order_plays_no_turn() -> None:
    assert CASTELL.standing(staged(), A, "best") is None


@pytest.mark.parametrize("order", ["", "worst", "best worst"])
def test_any_other_standing_order_is_refused(order: str) -> None:
    with pytest.raises(NotationError) as refused:
        CASTELL.check_standing(order)

    assert refused.value.code == "notation.bad_standing"
    with pytest.raises(NotationError):
        CASTELL.standing(evening(), A, order)


def test_an_absent_seat_ends_its_turn_and_shows_no_tower() -> None:
    assert CASTELL.safe_default(staged(), A) == (EndTurn(),)
    assert CASTELL.safe_default(evening(), C) == (DeclineFestival("VAL"),)
    assert CASTELL.safe_default(staged(), B) == ()
