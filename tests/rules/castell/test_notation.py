"""Rule 14: one line a turn, read back to the moves it was printed from."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.castell import CASTELL, Move
from app.rules.castell.components import SKILLS
from app.rules.castell.moves import (
    DeclineFestival,
    EndTurn,
    EnterFestival,
    MovePawn,
    Perform,
    Recruit,
    Special,
    Train,
    TrainSpecial,
)
from app.rules.castell.notation import format_tower, parse_tower
from app.rules.game import NotationError

REGION = st.sampled_from(["TAR", "GIR", "BCN"])
SIZE = st.integers(1, 10)
COUNT = st.integers(1, 30)
LEVEL = st.dictionaries(SIZE, COUNT, min_size=1, max_size=3).map(
    lambda counts: tuple((counts[size], size) for size in sorted(counts, reverse=True))
)
TOWER = st.lists(LEVEL, min_size=1, max_size=9).map(tuple)
PERFORM = st.builds(Perform, st.sampled_from(["S01", "E16"]), TOWER)
MOVE = st.builds(MovePawn, REGION)
OPTION = MOVE | PERFORM | st.builds(Recruit, st.tuples(SIZE))
RECRUIT = st.lists(SIZE, min_size=1, max_size=2).map(
    lambda sizes: Recruit(tuple(sorted(sizes, reverse=True)))
)
ACTION = st.one_of(
    MOVE,
    RECRUIT,
    st.builds(Train, st.sampled_from(SKILLS)),
    st.builds(Special, OPTION),
    st.builds(TrainSpecial, OPTION),
    st.just(EndTurn()),
)
ANSWER = st.builds(EnterFestival, REGION, TOWER) | st.builds(DeclineFestival, REGION)


@given(st.lists(ACTION, min_size=1, max_size=5).map(tuple) | st.tuples(ANSWER))
def test_what_is_printed_is_read_again(moves: tuple[Move, ...]) -> None:
    line = CASTELL.format(moves)

    assert CASTELL.parse(line) == moves
    assert CASTELL.parse(line.upper()) == moves
    assert CASTELL.parse(f"  {line.replace(' ', '  ').replace('=', ' = ')} ") == moves


@given(TOWER)
def test_a_tower_that_is_printed_is_read_again(tower: Any) -> None:
    assert parse_tower(format_tower(tower)) == tower


def test_the_example_of_the_rules() -> None:
    line = "move GIR; recruit 7 4; train balance; special perform S04 = 3x9/3x8/2x5/1x1"
    tower = (((3, 9),), ((3, 8),), ((2, 5),), ((1, 1),))

    assert CASTELL.parse(line) == (
        MovePawn("GIR"),
        Recruit((7, 4)),
        Train("balance"),
        Special(Perform("S04", tower)),
    )
    assert CASTELL.format(CASTELL.parse(line)) == line


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("recruit 4 7", "recruit 7 4"),
        ("Festival bcn=DECLINE", "festival BCN = decline"),
        ("festival BCN=1x7+2x8/1X1", "festival BCN = 2x8+1x7/1x1"),
        ("train special perform s04=3 x 9 / 2x8", "train special perform S04 = 3x9/2x8"),
        ("festival BCN = 1x7+2x7", "festival BCN = 3x7"),
    ],
)
def test_what_may_be_written_in_several_ways_is_printed_in_one(text: str, printed: str) -> None:
    assert CASTELL.format(CASTELL.parse(text)) == printed


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        ("", "notation.empty", {}),
        ("   ", "notation.empty", {}),
        ("x" * 2001, "notation.too_long", {"length": 2001, "limit": 2000}),
        ("move GIR;", "notation.no_action", {"action": 2}),
        ("jump GIR", "notation.unknown_action", {"text": "jump GIR", "action": 1}),
        ("move", "notation.bad_move", {"action": 1}),
        ("move GIR TER", "notation.bad_move", {}),
        ("recruit", "notation.bad_recruit", {}),
        ("recruit nine", "notation.bad_recruit", {}),
        ("recruit 123", "notation.bad_recruit", {}),
        ("recruit \u0667", "notation.bad_recruit", {}),
        ("end; train jumping", "notation.bad_skill", {"text": "train jumping", "action": 2}),
        ("train", "notation.bad_skill", {}),
        ("special", "notation.unknown_action", {}),
        ("special train mix", "notation.unknown_action", {}),
        ("special perform S04", "notation.bad_perform", {}),
        ("perform S04 = 1x9", "notation.perform_needs_special", {}),
        ("special perform S04 =", "notation.no_tower", {}),
        ("festival BCN", "notation.bad_festival", {}),
        ("festival = 1x9", "notation.bad_festival", {}),
        ("festival BCN = 1x9; end", "notation.bad_group", {"text": "1x9; end", "level": 1}),
        ("festival BCN = 3x9//1x1", "notation.bad_group", {"text": "", "level": 2}),
        ("festival BCN = 3x9/0x8", "notation.bad_count", {"text": "0x8", "level": 2}),
        ("festival BCN = 3x9/1x11", "notation.bad_size", {"text": "1x11", "level": 2}),
        ("festival BCN = 3x9/1x0", "notation.bad_size", {"level": 2}),
        ("festival BCN = 3y9", "notation.bad_group", {"text": "3y9"}),
        ("move GIR; festival BCN = decline", "notation.unknown_action", {"action": 2}),
    ],
)
def test_what_is_no_move_is_refused_with_its_place(
    text: str, code: str, details: dict[str, Any]
) -> None:
    with pytest.raises(NotationError) as refused:
        CASTELL.parse(text)

    assert refused.value.code == code
    assert refused.value.details.items() >= details.items()
    assert refused.value.rule == "14"


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(NotationError):
        CASTELL.parse(text)


@pytest.mark.parametrize("text", ["", " "])
def test_no_text_is_no_tower(text: str) -> None:
    with pytest.raises(NotationError):
        parse_tower(text)
