"""Counted lines of play from named positions, and the engine against a naive list."""

from dataclasses import replace

import pytest

from app.rules.castell import CASTELL, State
from app.rules.game import Seat, replay
from app.rules.rng import NoRng
from tests.rules.castell.naive import naive_moves
from tests.rules.castell.stage import (
    BCN,
    begin,
    hand,
    random_match,
    staged,
    with_ranks,
)


def lines_of_play(state: State, seat: int, depth: int) -> int:
    """Count the ways to make `depth` moves of a turn; a turn that has ended counts once."""
    if depth == 0 or state.current() != seat:
        return 1
    return sum(
        lines_of_play(
            replay(CASTELL, CASTELL.decide(state, Seat(seat), move, NoRng()), state),
            seat,
            depth - 1,
        )
        for move in CASTELL.legal_moves(state, Seat(seat))
    )


NAMED = {
    "first turn": replace(begin(4, "perft"), first=0),
    "in Valls": staged(),
    "advanced wheel": staged(options={"wheel_side": "no_regions"}),
    "no tokens left": staged(tokens=(0, 0, 0)),
    "at the top of a skill": with_ranks(staged(), 0, mix=5, balance=1),
    "two tiles in reach": with_ranks(
        staged(
            hands=(hand(9, 9, 9, 8, 8, 8, 7, 7, 6, 5, 5, 4, 1), hand(), hand()),
            castellers=(hand(9),) * 7,
        ),
        0,
        balance=2,
        mix=1,
    ),
    "nobody to recruit": staged(castellers=(hand(),) * 7),
    "the corner": staged(pawns=(BCN, BCN, BCN), round=5),
}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("first turn", (8, 145, 1565)),
        ("in Valls", (24, 384, 4080)),
        ("advanced wheel", (18, 200, 1364)),
        ("no tokens left", (18, 188, 1028)),
        ("at the top of a skill", (25, 411, 4371)),
        ("two tiles in reach", (18, 184, 1093)),
        ("nobody to recruit", (11, 83, 341)),
        ("the corner", (21, 293, 2636)),
    ],
)
def test_the_lines_of_play_are_as_many_as_they_were(name: str, counts: tuple[int, ...]) -> None:
    assert tuple(lines_of_play(NAMED[name], 0, depth) for depth in (1, 2, 3)) == counts


@pytest.mark.parametrize("name", NAMED)
def test_the_engine_lists_what_the_naive_generator_lists(name: str) -> None:
    state = NAMED[name]
    for move in CASTELL.legal_moves(state, Seat(0)):
        after = replay(CASTELL, CASTELL.decide(state, Seat(0), move, NoRng()), state)
        if after.current() == 0:
            assert set(CASTELL.legal_moves(after, Seat(0))) == set(
                naive_moves(CASTELL.view(after, None))
            )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_both_agree_all_through_a_match(seats: int) -> None:
    for side in ("all_regions", "no_regions"):
        for _, _, state in random_match(seats, "naive", wheel_side=side):
            seat = state.current()
            if seat is not None:
                engine = list(CASTELL.legal_moves(state, Seat(seat)))
                naive = list(naive_moves(CASTELL.view(state, None)))
                assert sorted(map(repr, engine)) == sorted(map(repr, naive))
