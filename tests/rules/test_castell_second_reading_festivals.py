"""Rule 8 read a second time: prizes, size tokens, the score marker."""

import pytest

from app.rules.castell import State
from app.rules.castell.events import FestivalHeld
from tests.rules.second_reading import (
    TOWERS,
    answer,
    chance,
    colla,
    dusk,
    evening,
    look,
    lot,
    refused,
    told,
)


def prizes(state: State, seats: int, place: str = "VAL") -> str:
    """Return one letter a seat: T, M, R, or - for nothing."""
    won = [lot(state, seat, place).get("prizes", []) for seat in range(seats)]
    return "".join("".join(prize[0].upper() for prize in mine) or "-" for mine in won)


CHART = [
    # rule, tower score of each seat (0 declines), prizes by seat
    ("8 one", [5], "T"),
    ("8 two", [5, 6], "MT"),
    ("8 two", [9, 5], "TM"),
    ("8 three", [6, 7, 5], "MTR"),
    ("8 four: the last goes without", [6, 8, 5, 7], "RT-M"),
    ("8 who declines takes no part", [6, 0], "T-"),
    ("8 who declines takes no part", [0, 6, 5], "-TM"),
    ("8 who declines takes no part", [6, 0, 5, 7], "M-RT"),
    ("8 who declines takes no part", [0, 0, 0, 5], "---T"),
    ("8 all decline", [0, 0, 0], "---"),
    ("8 tie of two", [6, 6], "TT"),
    ("8 tie for 1st of three", [7, 6, 7], "TRT"),
    ("8 tie for 2nd of three", [6, 7, 6], "MTM"),
    ("8 tie of three", [5, 5, 5], "TTT"),
    ("8 tie for 1st of two, one declines", [7, 0, 7], "T-T"),
    ("8 tie for 1st of four", [8, 8, 7, 6], "TTR-"),
    ("8 tie for 2nd of four", [7, 8, 7, 6], "MTM-"),
    ("8 tie for 3rd of four", [6, 7, 8, 6], "RMTR"),
    ("8 three tied for 1st", [8, 8, 5, 8], "TT-T"),
    ("8 three tied for 2nd", [6, 9, 6, 6], "MTMM"),
    ("8 two ties", [8, 6, 8, 6], "TRTR"),
    ("8 tie of four", [9, 9, 9, 9], "TTTT"),
    ("8 tie for 2nd of three, one declines", [6, 0, 8, 6], "M-TM"),
]


@pytest.mark.parametrize(("rule", "scores", "expected"), CHART)
def test_the_prizes_are_these(rule: str, scores: list[int], expected: str) -> None:
    seats = max(2, len(scores))
    pawns = ["VAL"] * len(scores) + ["GIR"] * (seats - len(scores))
    state = dusk(evening(seats, pawns=pawns))
    state = answer(state, {s: TOWERS.get(score, "decline") for s, score in enumerate(scores)})

    assert prizes(state, len(scores)) == expected, rule
    assert [colla(state, seat).best_tower for seat in range(len(scores))] == scores, rule


ALTERNATIVE = [["medal"], ["trophy", "ribbon"], *[["trophy", "medal", "ribbon"]] * 2]


@pytest.mark.parametrize(
    ("rule", "scores", "expected"),
    [
        ("8 alone", [5], "M"),
        ("8 two", [5, 6], "RT"),
        ("8 two tie", [6, 6], "TT"),
        ("8 alone, as all others decline", [0, 5, 0], "-M-"),
        ("8 three", [5, 6, 7], "RMT"),
        ("8 four", [5, 6, 7, 8], "-RMT"),
    ],
)
def test_the_alternative_chart_goes_by_participants(
    rule: str, scores: list[int], expected: str
) -> None:
    seats = max(2, len(scores))
    pawns = ["VAL"] * len(scores)
    state = dusk(evening(seats, pawns=pawns, changes={"festivals.prize_chart": ALTERNATIVE}))
    state = answer(state, {s: TOWERS.get(score, "decline") for s, score in enumerate(scores)})

    assert prizes(state, len(scores)) == expected, rule


SIZE_TOKENS = [
    # rule, size tokens, tower of each seat, sizes taken by each seat
    ("8 alone", [6], ["3x9/2x8/1x7/1x6"], [[6]]),
    ("8 alone, both", [8, 6], ["3x9/2x8/1x7/1x6"], [[8, 6]]),
    ("8 the most", [6], ["3x9/2x8/2x6/1x5", "3x9/2x8/1x7/1x6"], [[6], []]),
    (
        "8 the most, not the best tower",
        [6],
        ["3x9/3x8/2x7/2x6/1x5/1x4", "3x9/3x6/2x5/1x4"],
        [[], [6]],
    ),
    ("8 tie: the higher tower", [6], ["3x9/2x8/2x6/1x5", "3x9/3x8/2x6/1x5/1x4"], [[], [6]]),
    ("8 tie and tie: nobody", [6], ["3x9/2x8/2x6/1x5", "3x9/2x7/2x6/1x4"], [[], []]),
    (
        "8 tie below the most does not matter",
        [6],
        ["3x9/2x8/1x7/1x6", "3x9/2x8/2x6/1x5", "3x9/2x8/1x7/1x6"],
        [[], [6], []],
    ),
    (
        "8 a third with fewer, though higher, does not break the tie",
        [6],
        ["3x9/2x8/2x6/1x5", "3x9/2x7/2x6/1x4", "3x9/3x8/2x7/1x6/1x5/1x4"],
        [[], [], []],
    ),
    (
        "8 two tie for the most, one of them higher",
        [6],
        ["3x9/2x8/2x6/1x5", "3x9/2x8/2x6/1x5/1x4", "3x9/3x8/2x7/1x6/1x5/1x4"],
        [[], [6], []],
    ),
    (
        "8 each token by itself",
        [8, 6],
        ["3x9/3x8/1x7/1x6", "3x9/1x8/1x7/1x6/1x5", "3x9/2x8/2x6/1x5"],
        [[8], [], [6]],
    ),
    (
        "8 one tied and given to the higher, one not",
        [8, 6],
        ["3x9/2x8/2x6/1x5", "3x9/2x8/1x7/1x6/1x5/1x4"],
        [[6], [8]],
    ),
    (
        "8 one for nobody, one for the more",
        [9, 6],
        ["3x9/2x8/2x6/1x5", "3x9/3x8/1x6/1x5/1x4"],
        [[6], []],
    ),
    ("8 both for nobody", [8, 6], ["3x9/2x8/2x6/1x5", "3x9/2x8/2x6/1x4"], [[], []]),
    (
        "8 who declines has none",
        [6],
        ["decline", "3x9/2x8/1x7/1x6", "decline"],
        [[], [6], []],
    ),
    ("8 no participants", [6], ["decline", "decline"], [[], []]),
]


@pytest.mark.parametrize(("rule", "tokens", "towers", "taken"), SIZE_TOKENS)
def test_the_size_tokens_go_here(
    rule: str, tokens: list[int], towers: list[str], taken: list[list[int]]
) -> None:
    seats = max(2, len(towers))
    pawns = ["VAL"] * len(towers) + ["GIR"] * (seats - len(towers))
    hands = ["3x9 3x8 2x7 3x6 2x5 2x4"] * seats
    state = evening(
        seats,
        pawns=pawns,
        hands=hands,
        skills=["balance 4"] * seats,
        festivals=[(4, "VAL", tokens)],
    )
    state = answer(dusk(state), dict(enumerate(towers)))
    got = [lot(state, seat, "VAL").get("sizes", []) for seat in range(len(towers))]

    assert [sorted(sizes) for sizes in got] == [sorted(sizes) for sizes in taken], rule


SCORES = [
    # rule, size tokens, tower, score
    ("8 the rulebook's example", [6], "3x9/3x8/3x6/2x5/1x4", 8),
    ("8 levels alone do not do, one match", [4], "3x9/3x8/3x6/2x5/1x4", 6),
    ("8 each token counts", [9, 6], "3x9/3x8/3x6/2x5/1x4", 11),
    ("8 part of a mixed level", [6], "3x9/2x7+1x6/2x5/1x4", 5),
    ("8 both parts of a mixed level", [7, 6], "3x9/2x7+1x6/2x5/1x4", 7),
    ("8 over several levels", [6], "3x9/3x6/2x6/1x6", 10),
    ("8 at the bottom", [9], "3x9/2x8/2x7/1x6", 7),
]


@pytest.mark.parametrize(("rule", "tokens", "tower", "score"), SCORES)
def test_a_tower_scores_this(rule: str, tokens: list[int], tower: str, score: int) -> None:
    state = evening(
        hands=["3x9 3x8 2x7 6x6 2x5 1x4"] * 2,
        pawns=["VAL"],
        skills=["balance 5 strength 5 mix 5"],
        festivals=[(4, "VAL", tokens)],
    )
    state = answer(dusk(state), {0: tower})

    assert colla(state, 0).best_tower == score, rule


@pytest.mark.parametrize(
    ("rule", "before", "score", "marker"),
    [("8 better", 4, 5, 5), ("8 equal", 6, 6, 6), ("8 worse", 9, 5, 9), ("8 first", 0, 8, 8)],
)
def test_the_score_marker_moves_up_only(rule: str, before: int, score: int, marker: int) -> None:
    state = answer(dusk(evening(2, pawns=["VAL", "GIR"], best=[before])), {0: TOWERS[score]})

    assert colla(state, 0).best_tower == marker, rule
    assert prizes(state, 1) == "T"


def test_two_festivals_of_a_round_are_asked_at_once_and_held_in_calendar_order() -> None:
    state = evening(
        4,
        pawns=["TAR", "VAL", "TAR", "GIR"],
        festivals=[(4, "VAL", [6]), (4, "TAR", [9])],
    )
    state = dusk(state)

    assert set(look(state).asked) == {0, 1, 2}
    assert refused(state, 1, f"festival TAR = {TOWERS[6]}") is not None
    state = answer(state, {0: TOWERS[6]}, "TAR")
    state = answer(state, {1: TOWERS[8]}, "VAL")
    events = told(state, 2, "festival TAR = 3x9/3x8/2x6/2x5/1x4", chance())
    held = [event.region for event in events if isinstance(event, FestivalHeld)]
    state = answer(state, {2: "3x9/3x8/2x6/2x5/1x4"}, "TAR")

    assert held == ["VAL", "TAR"]
    assert [prizes(state, 4, place) for place in ("TAR", "VAL")] == ["M-T-", "-T--"]
    assert lot(state, 1, "VAL")["sizes"] == [6]
    # At Tarragona both show three nines; the tower of 5 levels scores more.
    assert lot(state, 2, "TAR")["sizes"] == [9]
    assert lot(state, 1, "TAR") == {}
    assert look(state).round == 5
