"""Rule 8 read a second time: who is asked, prizes, size tokens, the score marker."""

from typing import Any

import pytest

from app.rules.castell import CASTELL, State
from app.rules.castell.events import FestivalHeld
from app.rules.game import Seat
from tests.rules.second_reading import (
    after,
    chance,
    colla,
    look,
    lot,
    position,
    refused,
    region,
    told,
)

# Towers by what they score with token 6: levels and castellers of size 6.
TOWERS = {
    5: "3x9/2x8/1x7/1x6",
    6: "3x9/2x8/2x6/1x5",
    7: "3x9/3x8/2x6/1x5/1x4",
    8: "3x9/3x6/2x5/1x4/1x3",
    9: "3x9/3x6/2x5/2x4/1x3/1x2",
}
RICH = "3x9 3x8 7 3x6 2x5 2x4 3 2"


def evening(seats: int = 3, **changes: Any) -> State:
    """Return round 4 before the last seat's turn ends; all stand in Valls and can build."""
    usual: dict[str, Any] = {
        "moment": {"round": 4, "turn": seats - 1},
        "pawns": ["VAL"] * seats,
        "hands": [RICH] * seats,
        "skills": ["balance 3"] * seats,
        "festivals": [(4, "VAL", [6])],
    }
    return position(seats, **(usual | changes))


def dusk(state: State) -> State:
    """Let the last seat of the round end its turn."""
    (seat,) = look(state).asked
    return after(state, seat, "end", chance())


def answer(state: State, towers: dict[int, str], place: str = "VAL") -> State:
    for seat, tower in towers.items():
        state = after(state, seat, f"festival {place} = {tower}", chance())
    return state


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


ENTRIES = [
    # rule, answer, may seat 0 give it (token 6)
    ("8 four levels", "festival VAL = 3x9/2x8/1x7/1x6", True),
    ("8 three levels", "festival VAL = 3x9/2x8/1x6", False),
    ("8 no casteller of the token", "festival VAL = 3x9/3x8/1x7/1x5", False),
    ("6.2 own castellers only", "festival VAL = 3x10/2x8/1x7/1x6", False),
    ("6.2 too wide", "festival VAL = 5x9/2x8/1x7/1x6", False),
    ("6.2 too often Balance", "festival VAL = 2x9/2x8/1x7/1x6/1x5/1x4", False),
    ("8 where the pawn stands", "festival TAR = 3x9/2x8/1x7/1x6", False),
    ("8 the festival one stands at", "festival TAR = decline", False),
    ("13 decline", "festival VAL = decline", True),
    ("4 no more turns", "move TAR", False),
]


@pytest.mark.parametrize(("rule", "line", "legal"), ENTRIES)
def test_an_answer_may_or_may_not_be_given(rule: str, line: str, legal: bool) -> None:
    state = evening(
        2,
        pawns=["VAL", "TAR"],
        festivals=[(4, "VAL", [6]), (4, "TAR", [6])],
        hands=["5x9 3x8 7 6 5 4"] * 2,
    )
    error = refused(dusk(state), 0, line)

    assert (error and error.rule) == (None if legal else rule.split(maxsplit=1)[0]), (rule, error)


ASKED = [
    # rule, pawns, hands, ranks, tokens, seats asked
    ("8 all there", ["VAL"] * 3, [RICH] * 3, ["balance 1"] * 3, [6], (0, 1, 2)),
    ("8 there", ["VAL", "TAR", "VAL"], [RICH] * 3, ["balance 1"] * 3, [6], (0, 2)),
    ("8 off the board", ["VAL", "", ""], [RICH] * 3, ["balance 1"] * 3, [6], (0,)),
    ("8 has every token", ["VAL"] * 3, [RICH, "3x9 3x8 2x7 6"], ["balance 1"] * 2, [8, 6], (0, 1)),
    ("8 lacks one token", ["VAL"] * 2, [RICH, "3x9 3x8 2x7 6"], ["balance 1"] * 2, [6, 5], (0,)),
    ("13 four levels by skill", ["VAL"] * 3, [RICH] * 3, ["", "balance 1", "base 1"], [6], (1,)),
    (
        "13 a wide bottom instead",
        ["VAL"] * 3,
        ["4x9 3x8 2x7 6"] * 3,
        ["base 1", "width 1", "mix 5 strength 5"],
        [6],
        (0, 1),
    ),
    ("13 nobody can", ["VAL"] * 3, [RICH] * 3, [], [6], None),
    ("8 nobody there", ["TAR"] * 3, [RICH] * 3, ["balance 1"] * 3, [6], None),
]


@pytest.mark.parametrize(("rule", "pawns", "hands", "skills", "tokens", "asked"), ASKED)
def test_those_are_asked_who_stand_there_and_can(
    *,
    rule: str,
    pawns: list[str],
    hands: list[str],
    skills: list[str],
    tokens: list[int],
    asked: tuple[int, ...] | None,
) -> None:
    state = dusk(
        evening(3, pawns=pawns, hands=hands, skills=skills, festivals=[(4, "VAL", tokens)])
    )

    if asked is None:
        assert look(state).round == 5, rule
        assert look(state).phase == "turns", rule
        assert not any(lot(state, seat, "VAL") for seat in range(3))
        return
    assert tuple(sorted(look(state).asked)) == asked, rule
    assert {prompt.key for prompt in CASTELL.prompts(state).values()} == {"festival:4"}
    assert all(prompt.simultaneous for prompt in CASTELL.prompts(state).values())


def test_a_festival_asks_with_what_the_last_turn_brought() -> None:
    state = evening(
        2,
        pawns=["GIR", "TAR"],
        hands=["", "3x9 2x8 7"],
        skills=["", ""],
        waiting={"VAL": "6 6"},
    )
    # Round 4: Balance lies at the slots 0 and 6, which show Barcelona and Vilafranca.
    untrained = after(state, 1, "move VAL; recruit 6; end", chance())
    trained = position(
        2,
        moment={"round": 4, "turn": 1},
        pawns=["GIR", "VFR"],
        hands=["", "3x9 2x8 7"],
        waiting={"VAL": "6 6"},
        festivals=[(4, "VAL", [6])],
    )
    trained = after(trained, 1, "train balance; move VAL; recruit 6; end", chance())

    assert look(untrained).phase == "turns"
    assert look(trained).asked == (1,)


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


def test_an_answer_stays_secret_until_the_last_is_in() -> None:
    state = dusk(evening(3))
    (event,) = told(state, 0, f"festival VAL = {TOWERS[9]}")
    state = answer(state, {0: TOWERS[9]})

    assert CASTELL.event_view(event, Seat(1)) is None
    assert CASTELL.event_view(event, None) is None
    assert CASTELL.event_view(event, Seat(0)) == event
    assert colla(state, 0).best_tower == 0
    assert lot(state, 0, "VAL") == {}
    assert set(look(state).asked) == {1, 2}
    assert refused(state, 0, "festival VAL = decline") is not None


def test_a_festival_costs_neither_castellers_nor_special_tokens() -> None:
    state = dusk(evening(2))
    before = colla(state, 0)
    state = answer(state, {0: TOWERS[9], 1: TOWERS[5]})

    assert colla(state, 0).castellers == before.castellers
    assert colla(state, 0).ranks == before.ranks
    assert colla(state, 0).special_tokens == 7
    assert region(state, "VAL").tokens == ()


def test_a_festival_of_an_earlier_round_is_not_held_again() -> None:
    state = dusk(evening(2, festivals=[(3, "VAL", [6]), (5, "VAL", [7])]))

    assert look(state).round == 5
    assert look(state).phase == "turns"


@pytest.mark.parametrize(
    ("rule", "tower", "least", "legal"),
    [
        ("12 three levels do", "3x9/2x8/1x6", 3, True),
        ("12 four do not", "3x9/2x8/1x7/1x6", 5, False),
        ("12 five do", "3x9/2x8/1x7/1x6/1x5", 5, True),
    ],
)
def test_an_edition_may_ask_for_other_heights(
    rule: str, tower: str, least: int, legal: bool
) -> None:
    state = dusk(evening(2, changes={"festivals.min_levels": least}))

    assert (refused(state, 0, f"festival VAL = {tower}") is None) == legal, rule
