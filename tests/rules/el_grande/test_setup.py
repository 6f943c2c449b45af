"""Section 3: what a match begins with, and which options there are."""

from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.events import RoundStarted, Started, TurnEnded
from app.rules.el_grande.fold import evolve
from app.rules.game import EditionError, Seat, replay
from tests.rules.el_grande.stage import A, begin, chance, setup, values


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_seat_has_a_home_two_caballeros_there_and_seven_at_court(seats: int) -> None:
    state = begin(seats)

    assert len({*state.grandes, state.king}) == seats + 1
    for grande, row in zip(state.grandes, state.pieces, strict=True):
        assert (row[grande], row[10], row[11], sum(row)) == (2, 7, 21, 30)
    assert state.hands == (tuple(range(1, 14)),) * seats


def test_one_card_of_each_stack_is_revealed_beside_the_kings() -> None:
    state = begin()

    assert [card[0] for card in state.offer] == list("12345")
    assert [len(stack) for stack in state.unseen] == [10] * 4


def test_there_are_forty_five_cards_eleven_in_each_stack_but_the_kings() -> None:
    edition = begin().edition

    assert [len(edition.stack(number, "simple")) for number in range(1, 6)] == [11, 11, 11, 11, 1]


def test_without_vetoes_their_cards_stay_in_the_box() -> None:
    edition = begin().edition

    assert edition.stack(2, "simple").count("2-01") == 2
    assert "2-01" not in edition.stack(2, "off")
    assert len(edition.stack(2, "off")) == 9


@pytest.mark.parametrize(("length", "first"), [(9, 1), (6, 2)])
def test_a_short_match_leaves_out_rounds_one_four_and_seven(length: int, first: int) -> None:
    state = begin(length=length)

    assert state.round == first
    assert state.edition.played(6) == (2, 3, 5, 6, 8, 9)


def test_a_match_is_its_first_two_events() -> None:
    started, began = setup(4, "deal")

    assert isinstance(started, Started)
    assert isinstance(began, RoundStarted)
    assert (began.round, began.first) == (1, started.first)
    assert (started.length, started.veto, started.castillo) == (9, "simple", "hidden")


def test_chance_decides_who_begins_and_where_everybody_lives() -> None:
    starts = {setup(5, seed) for seed in range(60)}
    dealt = [started for started, _ in starts if isinstance(started, Started)]

    assert {started.first for started in dealt} == set(range(5))
    assert len({started.king for started in dealt}) == 9


@pytest.mark.parametrize(
    ("seats", "options", "code", "key"),
    [
        (1, {}, "option.unsupported", "seats"),
        (6, {}, "option.unsupported", "seats"),
        (3, {"length": 7}, "option.unsupported", "length"),
        (3, {"length": True}, "option.unsupported", "length"),
        (3, {"veto": "full"}, "option.unsupported", "veto"),
        (3, {"castillo": "glass"}, "option.unsupported", "castillo"),
        (3, {"wheel_side": "x"}, "option.unknown_key", "wheel_side"),
    ],
)
def test_an_unknown_option_is_refused(
    seats: int, options: dict[str, Any], code: str, key: str
) -> None:
    with pytest.raises(EditionError) as refused:
        setup(seats, **options)

    assert (refused.value.code, refused.value.details["key"]) == (code, key)


def test_a_match_needs_an_edition() -> None:
    with pytest.raises(EditionError) as refused:
        EL_GRANDE.setup(3, {}, chance())

    assert refused.value.code == "option.missing"


def test_a_match_begins_with_its_deal() -> None:
    with pytest.raises(TypeError, match="begins with Started"):
        evolve(None, TurnEnded(A, 1))


def test_equal_editions_become_one() -> None:
    one, other = begin(), begin()

    assert one.edition is other.edition
    assert EL_GRANDE.seat_counts == range(2, 6)
    assert (EL_GRANDE.key, EL_GRANDE.rules_version) == ("el_grande", 1)


def bid(state: State) -> dict[Seat, str]:
    return {seat: prompt.key for seat, prompt in EL_GRANDE.prompts(state).items()}


def test_the_first_to_act_bids() -> None:
    state = replay(EL_GRANDE, setup(3))

    assert bid(state) == {Seat(state.first): "power:1:0"}
    assert values()["name"] == "el-grande-1"
