"""Stack 2: returning caballeros to the provinces."""

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.events import (
    AnswersOpened,
    DiscsRevealed,
    Placed,
    Returned,
    SpecialDone,
    TurnEnded,
)
from app.rules.el_grande.moves import Special
from app.rules.el_grande.options import refusal as refused_move
from tests.rules.el_grande.stage import (
    A,
    B,
    C,
    D,
    events_of,
    lines,
    pieces_of,
    play,
    refusal,
    specials,
    staged,
)


def on(card: str, *rows: str) -> State:
    return staged(*rows, card=card)


def test_every_opponents_court_is_emptied() -> None:
    state = play(on("2-02", "COURT 4", "SEV 2 COURT 5", "VAL 1"), A, "special; end")

    assert [pieces_of(state, seat) for seat in range(3)] == ["COURT 4", "SEV 2", "VAL 1"]
    assert state.pieces[B][-1] == 28


def test_every_opponents_court_loses_three_or_all() -> None:
    state = play(on("2-03", "COURT 4", "COURT 5", "COURT 2"), A, "special; end")

    assert [pieces_of(state, seat) for seat in range(3)] == ["COURT 4", "COURT 2", ""]


@pytest.mark.parametrize("card", ["2-02", "2-03"])
def test_with_empty_courts_there_is_nothing_but_to_skip(card: str) -> None:
    state = on(card, "COURT 5", "SEV 2", "VAL 2")

    assert specials(state) == []
    assert refusal(state, A, "special").code == "special.no_effect"


@pytest.mark.parametrize("card", ["2-02", "2-03"])
def test_courts_know_no_taboo(card: str) -> None:
    state = play(on(card, "COURT 4", "GAL 2 COURT 1", "GAL 1"), A, "special")

    assert pieces_of(state, B) == "GAL 2"


# 2-04: each opponent returns three of its own choice.

CHOOSERS = ("COURT 5", "ARA 2 SEV 2 COURT 2", "VAL 4 COURT 1")


def chosen(*rows: str) -> State:
    return play(on("2-04", *(rows or CHOOSERS)), A, "place CVI 1; special; end")


def test_opponents_with_a_choice_are_asked_all_at_once() -> None:
    state = chosen()

    assert EL_GRANDE.prompts(state).keys() == {B, C}
    assert EL_GRANDE.prompts(state)[B].simultaneous
    assert not EL_GRANDE.prompts(state)[B].secret
    assert "return COURT 2, ARA 1" in lines(state, B)
    assert lines(state, A) == []


def test_answers_come_about_in_the_order_of_play() -> None:
    state = play(chosen(), C, "return COURT 1, VAL 2")

    assert pieces_of(state, C) == "VAL 4 COURT 1"
    events = events_of(state, B, "return ARA 1, SEV 2")[1:]
    assert events[:3] == [
        Returned(A, ((B, "ARA", 1), (B, "SEV", 2))),
        Returned(A, ((C, "COURT", 1), (C, "VAL", 2))),
        SpecialDone(A, "2-04"),
    ]


def test_the_first_answers_need_not_wait_for_the_last() -> None:
    state = play(chosen(), B, "return COURT 2, SEV 1")

    assert pieces_of(state, B) == "ARA 2 SEV 1"
    assert EL_GRANDE.prompts(state).keys() == {C}
    assert refusal(state, B, "return COURT 1").code == "answer.not_asked"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("return COURT 2", "return.wrong_count"),
        ("return COURT 2, ARA 2", "return.wrong_count"),
        ("return COURT 3", "return.too_many"),
        ("return ARA 3", "return.too_many"),
        ("return CAS 3", "area.castillo"),
        ("return XXX 3", "area.unknown"),
        ("return GAL 3", "king.taboo"),
        ("disc ARA", "answer.not_asked"),
        ("pass", "veto.not_asked"),
    ],
)
def test_a_list_returns_just_what_it_must(line: str, code: str) -> None:
    assert refusal(chosen(), B, line).code == code


def test_who_has_no_choice_is_not_asked_but_returns_in_turn() -> None:
    state = chosen("COURT 5", "SEV 2", "ARA 2 VAL 4", "COURT 7")

    assert pieces_of(state, B) == ""
    assert EL_GRANDE.prompts(state).keys() == {C}
    events = events_of(state, C, "return ARA 2, VAL 1")
    returned = [event for event in events if isinstance(event, Returned)]
    assert returned == [
        Returned(A, ((C, "ARA", 2), (C, "VAL", 1))),
        Returned(A, ((D, "COURT", 3),)),
    ]


def test_who_has_no_choice_and_comes_first_does_not_wait() -> None:
    state = on("2-04", "COURT 5", "SEV 2", "ARA 2 VAL 4", "COURT 7")
    *_, opened, returned = events_of(state, A, "special; end")

    assert isinstance(opened, AnswersOpened)
    assert opened.questioned == (B, C, D)
    assert EL_GRANDE.view(play(state, A, "special; end"), A).asked == (C,)
    assert returned == Returned(A, ((B, "SEV", 2),))


def test_without_any_choice_it_happens_at_once() -> None:
    state = on("2-04", "COURT 5", "SEV 2 GAL 9 CAS 4", "VAL 1 COURT 1")
    events = events_of(state, A, "special")

    assert events[1:] == [
        Returned(A, ((B, "SEV", 2),)),
        Returned(A, ((C, "COURT", 1), (C, "VAL", 1))),
    ]


def test_who_has_nothing_to_return_is_left_out() -> None:
    events = events_of(on("2-04", "COURT 5", "GAL 3", "VAL 2"), A, "special")

    assert events[1:] == [Returned(A, ((C, "VAL", 2),))]


def test_the_kings_region_and_the_castillo_give_nobody_back() -> None:
    state = on("2-04", "COURT 5", "GAL 5 CAS 5", "CAS 2")

    assert specials(state) == []
    assert refusal(state, A, "special").code == "special.no_effect"


# 2-05: one of each opponent, from regions.


def test_one_caballero_of_every_opponent_goes() -> None:
    state = play(on("2-05", "COURT 5", "SEV 2", "VAL 2 ARA 1"), A, "special return p2 SEV, p3 ARA")

    assert [pieces_of(state, seat) for seat in (1, 2)] == ["SEV 1", "VAL 2"]


def test_it_may_be_chosen_one_by_one_but_is_complete_only_with_all() -> None:
    state = play(on("2-05"), A, "special return p2 SEV")

    for line in ("end", "place CVI 1"):
        refused = refusal(state, A, line)
        assert (refused.code, refused.details) == ("special.return_missing", {"seats": [C]})
    assert specials(state) == ["special return p3 VAL"]
    assert "end" in lines(play(state, A, "special return p3 VAL"), A)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("p2 GAL", "king.taboo"),
        ("p2 CAS", "area.castillo"),
        ("p2 ARA", "return.not_there"),
        ("p1 ARA", "return.own"),
        ("p4 ARA", "seat.unknown"),
        ("p2 XXX", "area.unknown"),
    ],
)
def test_only_opponents_in_open_regions_can_be_returned(line: str, code: str) -> None:
    state = on("2-05", "ARA 2", "SEV 2 GAL 1 CAS 1", "VAL 2")

    assert refusal(state, A, f"special return {line}").code == code


def test_nobody_returns_two_of_one_opponent() -> None:
    state = play(on("2-05", "ARA 2", "SEV 2 VAL 1", "VAL 2"), A, "special return p2 SEV")

    assert refusal(state, A, "special return p2 VAL").code == "return.twice"


def test_an_opponent_out_of_reach_is_left_out() -> None:
    state = on("2-05", "ARA 2", "GAL 2 COURT 5", "VAL 2")

    assert "end" in lines(play(state, A, "special return p3 VAL"), A)
    assert specials(on("2-05", "ARA 2", "GAL 2", "CAS 2")) == []


def test_a_return_names_somebody() -> None:
    refused = refused_move(on("2-05"), A, Special("return"))

    assert refused is not None
    assert refused.code == "special.no_target"


# 2-06 and 2-07: everybody's disc.


def test_everybody_returns_two_from_the_region_on_the_disc() -> None:
    state = on("2-06", "ARA 3 VAL 2", "SEV 2 CVI 2", "VAL 4 CAT 3")
    state = play(state, A, "place 0; special; disc ARA; end")

    assert EL_GRANDE.prompts(state).keys() == {B, C}
    assert lines(state, C) == ["disc CAT", "disc VAL"]
    state = play(state, C, "disc VAL")
    events = events_of(state, B, "disc SEV")[1:]
    assert events[:2] == [
        DiscsRevealed("2-06", ((A, "ARA"), (B, "SEV"), (C, "VAL"))),
        Returned(A, ((A, "ARA", 2), (B, "SEV", 2), (C, "VAL", 2))),
    ]


def test_everybody_returns_all_from_the_region_on_the_disc() -> None:
    state = on("2-07", "ARA 3 VAL 2", "SEV 2 CVI 1", "VAL 4")
    state = play(play(state, A, "special; disc VAL; end"), B, "disc CVI")

    assert [pieces_of(state, seat) for seat in range(3)] == ["ARA 3", "SEV 2", ""]


def test_a_lone_caballero_is_safe_from_2_06() -> None:
    state = on("2-06", "ARA 1", "SEV 1", "VAL 2")
    events = events_of(state, A, "special")

    assert events[1:] == [DiscsRevealed("2-06", ((C, "VAL"),)), Returned(A, ((C, "VAL", 2),))]


@pytest.mark.parametrize("card", ["2-06", "2-07"])
def test_with_nobody_to_return_there_is_nothing_but_to_skip(card: str) -> None:
    state = on(card, "GAL 3 CAS 2 COURT 3", "GAL 2", "CAS 2")

    assert specials(state) == []
    assert refusal(state, A, "special").code == "special.no_effect"


def test_the_disc_cannot_name_the_kings_region_or_an_empty_one() -> None:
    state = play(on("2-07", "ARA 3 VAL 2 GAL 3"), A, "special")

    assert lines(state, A) == ["disc ARA", "disc VAL"]
    assert refusal(state, A, "disc GAL").code == "king.taboo"
    refused = refusal(state, A, "disc SEV")
    assert refused.code == "disc.not_allowed"
    assert refused.details == {"region": "SEV", "card": "2-07", "allowed": ["ARA", "VAL"]}
    assert refusal(state, A, "disc CAS").code == "disc.unknown_region"


def test_an_own_disc_with_one_choice_is_not_asked_for() -> None:
    state = play(on("2-07", "ARA 3", "SEV 2", "VAL 2"), A, "special")

    assert pieces_of(state, A) == ""
    assert refusal(state, A, "disc ARA").code == "disc.not_asked"


def test_an_own_disc_is_asked_for_even_if_nobody_else_chooses() -> None:
    state = play(on("2-07", "ARA 3 VAL 1 COURT 2", "SEV 2", "VAL 2"), A, "special")

    assert refusal(state, A, "end").code == "special.disc_missing"
    assert refusal(state, A, "place CVI 1").code == "special.disc_missing"
    assert refusal(state, A, "special").code == "special.already"
    events = events_of(state, A, "disc VAL; place CVI 1; end")
    assert [type(event) for event in events[1:]] == [DiscsRevealed, Returned, Placed, TurnEnded]


def test_a_veto_is_kept_and_has_no_special_action() -> None:
    state = on("2-01")

    assert state.vetoes == ((A, 2),)
    assert specials(state) == []
    assert refusal(state, A, "special skip").code == "special.none"
    assert refusal(state, A, "special").code == "special.none"
    assert [type(event) for event in events_of(state, A, "end")] == [Placed, TurnEnded]
