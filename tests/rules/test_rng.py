"""Chance: the same for the same seed, even, and never where it is refused."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.rng import ChanceRefusedError, HmacRng, NoRng, shuffled


def test_the_same_seed_and_context_draw_the_same_numbers() -> None:
    draws = [[HmacRng(b"seed", "turn 1").below(1000) for _ in range(3)] for _ in range(2)]

    assert draws[0] == draws[1]


def test_the_numbers_of_a_seed_never_change() -> None:
    rng = HmacRng(b"seed", "turn 1")

    assert [rng.below(100) for _ in range(8)] == [15, 63, 87, 46, 75, 50, 88, 23]


@pytest.mark.parametrize(("seed", "context"), [(b"seed", "turn 2"), (b"other", "turn 1")])
def test_another_seed_or_context_draws_other_numbers(seed: bytes, context: str) -> None:
    one, other = HmacRng(b"seed", "turn 1"), HmacRng(seed, context)

    assert [one.below(1000) for _ in range(9)] != [other.below(1000) for _ in range(9)]


@given(st.integers(1, 10**40), st.binary(max_size=8))
def test_every_number_is_below_the_bound(bound: int, seed: bytes) -> None:
    rng = HmacRng(seed, "")

    assert all(0 <= rng.below(bound) < bound for _ in range(5))


def test_every_number_comes_up_about_equally_often() -> None:
    rng = HmacRng(b"even", "")
    counts = Counter(rng.below(6) for _ in range(6000))

    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.parametrize("bound", [0, -1])
def test_nothing_can_be_drawn_below_one(bound: int) -> None:
    with pytest.raises(ValueError, match="nothing below"):
        HmacRng(b"", "").below(bound)


def test_no_chance_is_left_to_a_draft() -> None:
    with pytest.raises(ChanceRefusedError) as refused:
        NoRng().below(6)

    assert refused.value.code == "chance.refused"


@given(st.lists(st.integers()), st.binary(max_size=8))
def test_shuffling_keeps_every_item(items: list[int], seed: bytes) -> None:
    assert sorted(shuffled(items, HmacRng(seed, ""))) == sorted(items)


def test_every_order_comes_up_about_equally_often() -> None:
    rng = HmacRng(b"orders", "")
    counts = Counter(shuffled("abc", rng) for _ in range(3000))

    assert len(counts) == 6
    assert all(400 < count < 600 for count in counts.values())
