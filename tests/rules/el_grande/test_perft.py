"""Counted lines of play from named positions, and the engine against a naive list."""

import pytest

from app.rules.el_grande import EL_GRANDE, Move, State
from app.rules.el_grande.moves import END
from app.rules.game import Seat, replay
from app.rules.rng import NoRng
from tests.rules.el_grande.naive import naive_steps
from tests.rules.el_grande.stage import A, B, holding, lines, play, staged, stepped


def after(state: State, move: Move) -> State:
    return replay(EL_GRANDE, EL_GRANDE.decide(state, A, move, NoRng()), state)


def lines_of_play(state: State, depth: int) -> int:
    """Count the ways to take `depth` steps of a turn; one that can end counts on."""
    if depth == 0:
        return 1
    return sum(
        lines_of_play(
            replay(EL_GRANDE, EL_GRANDE.decide(state, A, move, NoRng()), state), depth - 1
        )
        for move in EL_GRANDE.legal_moves(state, A)
        if move != END
    )


ROWS = ("ARA 2 CVI 1 COURT 5", "ARA 1 SEV 2 GAL 1 CAS 2", "VAL 2 ARA 1")
NAMED = {
    "power": staged(phase="power", bids=(), order=()),
    "start": staged(*ROWS, took=-1),
    "refill": staged("ARA 4 CVI 2 GAL 2 CAS 3 COURT 18", took=-1, bids=((0, 5), (1, 4), (2, 3))),
    **{
        f"card {card}": staged(*ROWS, card=card)
        for card in ("1-01", "1-02", "1-05", "1-06", "1-07", "1-08", "1-09", "2-05", "2-07", "3-08")
    },
    **{
        f"card {card}": staged(*ROWS, card=card)
        for card in ("4-01", "4-02", "4-03", "4-04", "4-06", "4-07", "5-01")
    },
    "sealed 1-01": holding(staged(*ROWS, card="1-01"), B),
    "sealed 5-01": holding(staged(*ROWS, card="5-01"), B),
    "after a veto": play(
        play(holding(staged(*ROWS, card="5-01"), B), A, "special king CVI; place CNU 1; end"),
        B,
        "veto",
    ),
}
COUNTS = {
    "start": (7, 117, 1878),
    "refill": (8, 109, 1319),
    "card 1-01": (51, 1364, 21388),
    "card 1-02": (19, 204, 1052),
    "card 1-05": (51, 1364, 17324),
    "card 1-06": (51, 596, 2924),
    "card 1-07": (19, 116, 252),
    "card 1-08": (12, 99, 270),
    "card 1-09": (28, 215, 522),
    "card 2-05": (5, 16, 36),
    "card 2-07": (4, 11, 19),
    "card 3-08": (13, 66, 130),
    "card 4-01": (19, 102, 202),
    "card 4-02": (5, 21, 47),
    "card 4-03": (6, 24, 46),
    "card 4-04": (10, 48, 94),
    "card 4-06": (4, 12, 22),
    "card 4-07": (4, 18, 70),
    "card 5-01": (11, 66, 162),
    "sealed 1-01": (51, 1364, 21388),
    "sealed 5-01": (11, 66, 162),
    "after a veto": (3, 6, 10),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_lines_of_play_are_as_many_as_they_were(name: str) -> None:
    counts = tuple(lines_of_play(NAMED[name], depth) for depth in (1, 2, 3))

    assert counts == COUNTS[name]


def agree(state: State, seat: Seat) -> None:
    listed = lines(state, seat)

    assert len(listed) == len(set(listed))
    # Whether a scoring pays is the scoring's own affair: it is only ever one step.
    bare = {"special"} & set(listed)
    assert set(listed) - bare == naive_steps(EL_GRANDE.view(state, seat)) - {"special"}


@pytest.mark.parametrize("name", NAMED)
def test_the_engine_lists_what_the_naive_generator_lists(name: str) -> None:
    state = NAMED[name]
    agree(state, A)
    for move in EL_GRANDE.legal_moves(state, A):
        further = after(state, move)
        if further.phase in ("turn", "place") and further.current() == A:
            agree(further, A)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("veto", ["simple", "off"])
def test_both_agree_all_through_a_match(seats: int, veto: str) -> None:
    for seed in range(3):
        for state in stepped(seats, f"naive {seed}", veto=veto):
            seat = state.current()
            if seat is not None and state.phase != "answers":
                agree(state, Seat(seat))
