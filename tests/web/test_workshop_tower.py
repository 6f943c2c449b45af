"""The drawing of a tower: people, and where they stand."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.castell.components import Tower
from app.rules.castell.notation import parse_tower
from app.web.boards.castell_tower import (
    SHOULDERS,
    TowerDrawing,
    draw_tower,
    people,
    side_by_side,
    tower_in_words,
)

SEVEN = parse_tower("3x7+1x8/3x6/2x4/1x3/1x2/1x1")

single = st.tuples(st.integers(1, 8), st.integers(1, 10)).map(lambda group: (group,))
mixed = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(2, 10)).map(
    lambda level: ((level[0], level[2]), (level[1], level[2] - 1))
)
towers = st.lists(single | mixed, min_size=1, max_size=10).map(tuple)


def sizes_of(drawing: TowerDrawing) -> list[list[int]]:
    return [[person.size for person in level] for level in drawing.levels]


def test_levels_come_from_the_top_down_with_the_number_on_every_shirt() -> None:
    drawing = draw_tower(SEVEN)

    assert sizes_of(drawing) == [[1], [2], [3], [4, 4], [6, 6, 6], [7, 8, 7, 7]]
    assert drawing.castellers == 12


def test_only_a_single_casteller_on_top_raises_a_hand() -> None:
    alone, pair = draw_tower(SEVEN), draw_tower(parse_tower("3x9/2x8"))

    assert [person.symbol for person in alone.levels[0]] == ["enxaneta"]
    assert {person.symbol for level in alone.levels[1:] for person in level} == {"casteller-tower"}
    assert {person.symbol for level in pair.levels for person in level} == {"casteller-tower"}


@pytest.mark.parametrize(
    ("level", "row"),
    [
        (((3, 9),), (9, 9, 9)),
        (((1, 8), (3, 7)), (7, 8, 7, 7)),
        (((2, 9), (2, 8)), (8, 9, 9, 8)),
    ],
)
def test_the_larger_of_two_sizes_stands_in_the_middle(
    level: tuple[tuple[int, int], ...], row: tuple[int, ...]
) -> None:
    assert people(level) == row


@given(tower=towers)
def test_feet_stand_on_the_lowest_shoulders_below(tower: Tower) -> None:
    levels = draw_tower(tower).levels[::-1]

    for below, above in pairwise(levels):
        shoulders = max(person.y + person.height * SHOULDERS for person in below)
        for person in above:
            assert person.y + person.height == pytest.approx(shoulders, abs=0.4)


@given(tower=towers)
def test_nobody_is_cut_off(tower: Tower) -> None:
    drawing = draw_tower(tower)

    for person in (person for level in drawing.levels for person in level):
        assert 0 <= person.x <= drawing.width - person.width + 3
        assert 0 <= person.y <= drawing.height - person.height


@given(several=st.lists(towers, min_size=1, max_size=4))
def test_side_by_side_a_casteller_is_as_tall_in_every_tower(several: list[Tower]) -> None:
    drawings = side_by_side(several)

    assert len({(drawing.width, drawing.height) for drawing in drawings}) == 1
    grounds = {
        round(person.y + person.height) for drawing in drawings for person in drawing.levels[-1]
    }
    assert max(grounds) - min(grounds) <= 1


def test_no_tower_is_an_empty_drawing() -> None:
    drawing = draw_tower(())

    assert drawing.levels == ()
    assert drawing.words == "No tower"


def test_a_tower_is_said_from_the_ground_up() -> None:
    assert tower_in_words(parse_tower("1x8+3x7/1x2")) == (
        "2 levels, from the ground up: 1 of size 8 and 3 of size 7; 1 of size 2"
    )
