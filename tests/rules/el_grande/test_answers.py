"""Sections 13 and 14: windows and questions together, and when answers are due."""

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.events import (
    Announced,
    Answered,
    AnswersOpened,
    DiscChosen,
    Returned,
    SpecialDone,
    TurnEnded,
)
from app.rules.el_grande.moves import Move
from app.rules.game import Seat
from tests.rules.el_grande.stage import (
    A,
    B,
    C,
    D,
    events_of,
    holding,
    lines,
    pieces_of,
    play,
    refusal,
    staged,
)
from tests.rules.el_grande.test_sealed import KING, sealed

CHOOSERS = ("ARA 2 SEV 2", "ARA 1 SEV 2", "VAL 2 CAT 1", "SEV 2 CAT 2")


def questioned(*holders: int, card: str = "2-07") -> State:
    return sealed(card, "special; disc ARA", *holders, rows=CHOOSERS)


def moves(**answers: str) -> dict[Seat, Move]:
    seats = dict(zip("abcd", (A, B, C, D), strict=True))
    return {seats[name]: EL_GRANDE.parse(line)[0] for name, line in answers.items()}


def test_the_window_and_the_questions_open_together() -> None:
    state = questioned(C)

    assert EL_GRANDE.prompts(state).keys() == {B, C, D}
    assert len({prompt.key for prompt in EL_GRANDE.prompts(state).values()}) == 1
    assert lines(state, C) == ["veto", "disc CAT", "disc VAL"]
    assert lines(state, B) == ["disc ARA", "disc SEV"]


def test_a_holder_who_chooses_has_passed() -> None:
    state = questioned(C)

    assert events_of(state, C, "disc VAL") == [Answered(C, "pass"), Answered(C, "disc", "VAL")]
    after = play(state, C, "disc VAL")
    assert EL_GRANDE.prompts(after).keys() == {B, D}
    assert not EL_GRANDE.prompts(after)[B].secret
    assert refusal(after, C, "veto").code == "veto.not_asked"


def test_a_holder_may_pass_first_and_choose_later() -> None:
    state = play(questioned(C), C, "pass")

    assert lines(state, C) == ["disc CAT", "disc VAL"]
    assert events_of(state, C, "disc VAL") == [Answered(C, "disc", "VAL")]


def test_after_a_veto_the_answers_vanish_unseen() -> None:
    state = play(play(questioned(C), B, "disc SEV"), C, "veto")

    assert (state.filed, state.questioned, state.holders) == ((), (), ())
    assert [pieces_of(state, seat) for seat in range(4)] == [
        pieces_of(questioned(C), seat) for seat in range(4)
    ]


def test_filed_discs_wait_for_an_open_window() -> None:
    state = questioned(C)
    for seat, line in ((B, "disc SEV"), (D, "disc CAT")):
        assert len(events_of(state, seat, line)) == 1
        state = play(state, seat, line)
    assert [type(e) for e in events_of(state, C, "disc VAL")][2:5] == [
        type(e) for e in events_of(state, C, "disc CAT")
    ][2:5]
    assert play(state, C, "disc VAL").phase == "turn"


@pytest.mark.parametrize(
    ("answers", "due"),
    [
        ({}, ()),
        ({"b": "disc SEV", "d": "disc SEV"}, ()),
        ({"c": "disc VAL"}, ()),
        ({"c": "veto"}, (C,)),
        ({"b": "disc SEV", "c": "veto"}, (C,)),
        ({"c": "pass"}, (C,)),
        ({"b": "disc SEV", "c": "disc VAL"}, ()),
        ({"b": "disc SEV", "c": "disc VAL", "d": "disc SEV"}, (B, C, D)),
        ({"b": "disc SEV", "c": "pass", "d": "disc SEV"}, (C,)),
    ],
)
def test_discs_are_due_when_all_are_in(answers: dict[str, str], due: tuple[Seat, ...]) -> None:
    assert EL_GRANDE.due(questioned(C), moves(**answers)) == due


@pytest.mark.parametrize(
    ("answers", "due"),
    [
        ({"d": "veto"}, ()),
        ({"b": "pass"}, ()),
        ({"b": "veto"}, (B,)),
        ({"b": "pass", "d": "veto"}, (D,)),
        ({"b": "veto", "d": "veto"}, (B,)),
        ({"b": "pass", "d": "pass"}, (B, D)),
    ],
)
def test_the_nearest_holder_who_vetoes_pays_once_that_is_certain(
    answers: dict[str, str], due: tuple[Seat, ...]
) -> None:
    state = sealed("5-01", KING, B, D, rows=CHOOSERS)

    assert EL_GRANDE.due(state, moves(**answers)) == due


RETURNERS = ("COURT 3", "ARA 2 SEV 2 COURT 2", "VAL 4 COURT 1", "CAT 4 COURT 1")


@pytest.mark.parametrize(
    ("holders", "answers", "due"),
    [
        ((), {"c": "return VAL 3"}, ()),
        ((), {"b": "return ARA 2, SEV 1"}, (B,)),
        ((), {"b": "return ARA 2, SEV 1", "d": "return CAT 3"}, (B,)),
        ((), {"b": "return ARA 2, SEV 1", "c": "return VAL 3"}, (B, C)),
        ((), {"b": "return COURT 2, SEV 1", "c": "return VAL 3", "d": "return CAT 3"}, (B, C, D)),
        ((C,), {"b": "return ARA 2, SEV 1"}, ()),
        ((C,), {"b": "return ARA 2, SEV 1", "c": "pass"}, (C, B)),
        ((C,), {"b": "return ARA 2, SEV 1", "c": "return VAL 3"}, (B, C)),
        ((C,), {"c": "return VAL 3"}, ()),
        ((C,), {"c": "pass"}, (C,)),
        ((C,), {"c": "veto", "b": "return ARA 2, SEV 1"}, (C,)),
    ],
)
def test_lists_are_due_in_the_order_of_play(
    holders: tuple[int, ...], answers: dict[str, str], due: tuple[Seat, ...]
) -> None:
    rows = staged(*RETURNERS, card="2-04")
    state = play(holding(rows, *holders), A, "special; end")

    assert EL_GRANDE.due(state, moves(**answers)) == due


def test_discs_of_a_general_scoring_are_due_in_seat_order() -> None:
    state = staged("CAS 1", "CAS 1", "CAS 2", round=3, turn=2, taken=((0, "5-01"), (1, "1-01")))
    state = play(state, C, "card 3-08; end")

    assert EL_GRANDE.due(state, moves(c="disc ARA", b="disc ARA")) == ()
    assert EL_GRANDE.due(state, moves(c="disc ARA", b="disc ARA", a="disc GAL")) == (A, B, C)


def test_a_question_of_2_04_waits_for_the_window_then_goes_in_order() -> None:
    state = play(holding(staged(*RETURNERS, card="2-04"), C), A, "special; end")
    state = play(state, B, "return COURT 2, SEV 1")

    assert pieces_of(state, B) == "ARA 2 SEV 2 COURT 2"
    events = events_of(state, C, "return VAL 3")
    assert [type(event) for event in events] == [Answered, Answered, Returned, Returned]
    assert EL_GRANDE.prompts(play(state, C, "return VAL 3")).keys() == {D}


def test_forced_returns_wait_for_the_window_too() -> None:
    state = holding(staged("COURT 5", "SEV 2", "VAL 1", card="2-04"), C)
    state = play(state, A, "place 0; special; end")

    assert EL_GRANDE.prompts(state).keys() == {C}
    assert [type(event) for event in events_of(state, C, "pass")] == [
        Answered,
        Returned,
        Returned,
        SpecialDone,
        TurnEnded,
    ]


def test_the_own_disc_belongs_to_the_line() -> None:
    state = holding(staged(*CHOOSERS, card="2-07"), C)

    events = events_of(state, A, "special; disc SEV; end")
    assert [type(event) for event in events] == [Announced, DiscChosen, AnswersOpened]
    assert refusal(state, A, "special; end").code == "special.disc_missing"


def test_only_public_facts_decide_whether_a_special_is_sealed() -> None:
    nobody_chooses = staged("ARA 2 VAL 1", "SEV 2", "CAT 2", card="2-07")
    somebody_chooses = staged("ARA 2 VAL 1", "SEV 2", "CAT 2 VAL 1", card="2-07")

    assert not play(nobody_chooses, A, "special").sealed
    assert play(somebody_chooses, A, "special").sealed
