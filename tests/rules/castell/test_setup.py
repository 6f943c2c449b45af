"""Rules 2.2 and 3: what is on the table before the first turn."""

from collections import Counter
from typing import Any

import pytest

from app.rules.castell import CASTELL
from app.rules.castell.events import Started, TurnEnded
from app.rules.game import EditionError, Prompt, Seat
from tests.rules.castell.stage import begin, chance, setup, values


@pytest.mark.parametrize(("seats", "each"), [(2, 3), (3, 4), (4, 5)])
def test_regions_and_collas_are_filled_from_the_bag(seats: int, each: int) -> None:
    state = begin(seats)

    assert [sum(counts) for counts in state.castellers] == [each] * 7
    assert [sum(hand) for hand in state.hands] == [7] * seats
    assert sum(state.bag) == 150 - 7 * each - 7 * seats
    assert state.tokens == (7,) * seats
    assert state.pawns == (-1,) * seats
    assert state.ranks == ((0, 0, 0, 0, 0),) * seats


@pytest.mark.parametrize(
    ("seats", "per_round"),
    [
        (2, [1, 1, 1, 1, 1, 1, 1, 1]),
        (3, [1, 1, 2, 2, 1, 1, 2, 2]),
        (4, [1, 2, 2, 2, 1, 2, 2, 2]),
    ],
)
def test_festivals_stand_in_rounds_three_to_ten(seats: int, per_round: list[int]) -> None:
    festivals = begin(seats).festivals
    rounds = Counter(festival.round for festival in festivals)

    assert [rounds[number] for number in range(1, 11)] == [0, 0, *per_round]
    for half in (range(3, 7), range(7, 11)):
        regions = [festival.region for festival in festivals if festival.round in half]
        assert len(set(regions)) == len(regions)
    assert all(len(f.tokens) == (1 if f.round < 7 else 2) for f in festivals)


def test_two_size_tokens_of_a_festival_are_never_equal() -> None:
    pairs = [f.tokens for seed in range(60) for f in begin(4, seed).festivals if f.round > 6]

    assert all(one != other for one, other in pairs)


def test_the_wheel_holds_all_eight_skill_tiles_in_some_order() -> None:
    wheels = {begin(2, seed).wheel for seed in range(20)}

    assert {tuple(sorted(wheel)) for wheel in wheels} == {tuple(sorted(begin().wheel))}
    assert len(wheels) > 15


def test_two_different_local_tiles_lie_in_each_row() -> None:
    tiles = begin(4).tiles

    assert [len(row) for row in tiles] == [2] * 7
    assert len({tile for row in tiles for tile in row}) == 14


def test_any_seat_may_be_drawn_to_begin() -> None:
    assert {begin(3, seed).first for seed in range(30)} == {0, 1, 2}


def test_everything_drawn_stands_in_the_first_event() -> None:
    (event,) = setup(4, "fixed")

    assert isinstance(event, Started)
    assert CASTELL.evolve(None, event) == begin(4, "fixed")
    assert CASTELL.prompts(begin(4, "fixed")) == {
        event.first: Prompt("turn:1:0", "turn", finish="end")
    }


@pytest.mark.parametrize(
    ("seats", "options", "code", "key"),
    [
        (1, {}, "option.unsupported", "seats"),
        (5, {}, "option.unsupported", "seats"),
        (2, {"colour": "red"}, "option.unknown_key", "colour"),
        (2, {"wheel_side": "upside_down"}, "option.unsupported", "wheel_side"),
        (2, {"assistants": "yes"}, "option.wrong_type", "assistants"),
    ],
)
def test_a_bad_option_is_refused_by_its_key(
    seats: int, options: dict[str, Any], code: str, key: str
) -> None:
    with pytest.raises(EditionError) as refused:
        CASTELL.setup(seats, {"edition": values(), **options}, chance())

    assert (refused.value.code, refused.value.details["key"]) == (code, key)


def test_a_match_needs_an_edition() -> None:
    with pytest.raises(EditionError) as refused:
        CASTELL.setup(2, {}, chance())

    assert refused.value.code == "option.missing"


def test_a_match_begins_with_its_start() -> None:
    with pytest.raises(TypeError, match="begins with Started"):
        CASTELL.evolve(None, TurnEnded(Seat(0), 1))
