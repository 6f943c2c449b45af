"""The workshop's address: every tap is the next one, and undo leads back."""

from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import InvalidError
from app.rules.castell.notation import format_tower, parse_tower
from app.web.boards.castell_steps import (
    REMEMBERED,
    Building,
    add,
    read_back,
    read_tower,
    remove,
    used,
)

GOAL = "festival:BCN"


def read(query: str) -> Building:
    fields = parse_qs(query, keep_blank_values=True)
    return Building(
        goal=fields["goal"][0],
        tower=read_tower(fields.get("tower", [""])[0]),
        level=int(fields["level"][0]) if "level" in fields else None,
        back=read_back(fields.get("back", [""])[0]),
        seat=int(fields["seat"][0]) if "seat" in fields else None,
    )


@pytest.mark.parametrize(
    ("before", "level", "size", "after"),
    [
        ("", 1, 9, "1x9"),
        ("2x9", 1, 9, "3x9"),
        ("2x9", 2, 7, "2x9/1x7"),
        ("2x8", 1, 9, "1x9+2x8"),
        ("1x9+2x8", 1, 8, "1x9+3x8"),
        ("3x9/2x7", 1, 4, "3x9+1x4/2x7"),
    ],
)
def test_one_more_joins_a_level_or_begins_one(
    before: str, level: int, size: int, after: str
) -> None:
    assert format_tower(add(read_tower(before), level, size)) == after


@pytest.mark.parametrize(
    ("before", "level", "size", "after"),
    [
        ("3x9", 1, 9, "2x9"),
        ("1x9+2x8", 1, 9, "2x8"),
        ("3x9/1x7/1x2", 2, 7, "3x9/1x2"),
    ],
)
def test_one_fewer_leaves_a_level_or_closes_the_gap(
    before: str, level: int, size: int, after: str
) -> None:
    assert format_tower(remove(read_tower(before), level, size)) == after


@given(
    taps=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 10)), max_size=20),
    seat=st.none() | st.integers(0, 3),
)
def test_an_address_gives_back_the_state_it_was_made_from(
    taps: list[tuple[int, int]], seat: int | None
) -> None:
    building = Building(GOAL, seat=seat)
    for level, size in taps:
        at = min(level, len(building.tower) + 1)
        building = building.become(add(building.tower, at, size), at)

    assert read(building.query()) == building


def test_undo_walks_back_through_every_step() -> None:
    building = Building(GOAL)
    for size in (9, 9, 7):
        building = building.become(add(building.tower, 1, size), None)

    seen = []
    while building.back:
        building = building.undone(read_tower(building.back[-1]))
        seen.append(building.text)

    assert seen == ["2x9", "1x9", ""]


def test_only_so_many_steps_are_remembered() -> None:
    building = Building(GOAL)
    for _ in range(REMEMBERED + 5):
        building = building.become(add(building.tower, 1, 3), None)

    assert len(building.back) == REMEMBERED
    assert building.back[0] == "5x3"


@pytest.mark.parametrize(
    ("level", "at"), [(None, 2), (1, 1), (3, 3), (99, 3)], ids=["the top", "1", "a new one", "99"]
)
def test_a_tap_goes_to_the_chosen_level_or_to_the_top(level: int | None, at: int) -> None:
    assert Building(GOAL, parse_tower("3x9/2x7"), level).at == at


def test_used_counts_everybody_up() -> None:
    assert used(parse_tower("1x9+2x8/1x8")) == {9: 1, 8: 3}


@pytest.mark.parametrize(
    "text",
    [
        "3x",
        "nonsense",
        "3x9//2x8",
        "3x11",
        "0x4",
        "151x9",
        "50x9/51x8/50x7",
        "75x9+76x8",
        "/".join(["1x1"] * 31),
    ],
)
def test_nonsense_in_the_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidError):
        read_tower(text)


def test_a_tower_may_take_everybody_there_is() -> None:
    assert used(read_tower("50x9/50x8/50x7")) == {9: 50, 8: 50, 7: 50}
