"""Nested values as dotted lines, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.dotted import from_lines, to_lines
from app.rules.game import NotationError

TEXTS = st.text(" aZ9.=#[],\"'\\/çò··", max_size=6)
LEAVES = st.booleans() | st.integers() | TEXTS | st.lists(st.integers() | TEXTS, max_size=3)
NAMES = st.text("abcXYZ019_", min_size=1, max_size=3)
TABLES = st.dictionaries(NAMES, LEAVES, min_size=1, max_size=3)


@given(st.dictionaries(NAMES, LEAVES | TABLES, max_size=3))
def test_what_is_printed_is_read_again(data: dict[str, object]) -> None:
    assert from_lines(to_lines(data)) == data


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (["a = 1", "nonsense"], "notation.bad_line", 2),
        (["a = " + "1" * 3000], "notation.bad_line", 1),
        (["a = 1", "a = 2"], "notation.repeated_key", 2),
        (["a = 1", "a.b = 2"], "notation.repeated_key", 2),
        (["a.b = 1", "a = 2"], "notation.repeated_key", 2),
        (["a = [1, "], "notation.bad_value", 1),
        (["a = open('x')"], "notation.bad_value", 1),
        (["a = " + "[" * 1500], "notation.bad_value", 1),
        (["a = {[]: 1}"], "notation.bad_value", 1),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_by_number(
    lines: list[str], code: str, line: int
) -> None:
    with pytest.raises(NotationError) as refused:
        from_lines(lines)

    assert refused.value.code == code
    assert refused.value.details["line"] == line
