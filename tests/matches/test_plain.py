from dataclasses import dataclass

import pytest

from app.matches.plain import plain, plain_event
from app.rules.game import IllegalMoveError, Seat
from tests.support import pinya


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that may be refused."""

    seats: dict[Seat, int]
    refused: IllegalMoveError | None


def test_a_view_becomes_dicts_lists_and_numbers() -> None:
    view = pinya.View(None, 1, 0, (2, 3), (0, 0))

    assert plain(view) == {
        "seat": None,
        "round": 1,
        "turn": 0,
        "taken": (2, 3),
        "points": (0, 0),
    }


def test_a_refusal_becomes_its_code_rule_and_details() -> None:
    choice = Choice({Seat(0): 5}, IllegalMoveError("pinya.no_run_up", rule="3", taken=1))

    assert plain(choice) == {
        "seats": {"0": 5},
        "refused": {"code": "pinya.no_run_up", "rule": "3", "details": {"taken": 1}},
    }


def test_an_event_names_its_type() -> None:
    assert plain_event(pinya.Taken(Seat(1), 3)) == {"type": "Taken", "seat": 1, "number": 3}


def test_what_is_no_value_has_no_json() -> None:
    with pytest.raises(NotImplementedError):
        plain(object())
