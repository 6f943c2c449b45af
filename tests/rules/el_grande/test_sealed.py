"""Sections 13 and 14: what waits for others, Vetoes, plans, and when answers are due."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.effects import projected
from app.rules.el_grande.events import (
    Announced,
    Answered,
    AnswersOpened,
    KingMoved,
    Placed,
    Planned,
    SpecialDone,
    SpecialSkipped,
    TurnEnded,
    Vetoed,
)
from app.rules.game import Prompt
from tests.rules.el_grande.stage import (
    ARA,
    CVI,
    GAL,
    PVA,
    A,
    B,
    C,
    chance,
    events_of,
    holding,
    lines,
    pieces_of,
    play,
    refusal,
    specials,
    staged,
)


def sealed(card: str, line: str, *holders: int, rows: tuple[str, ...] = (), **fields: Any) -> State:
    """Return the state after seat 0 has committed `line` while `holders` hold a Veto."""
    state = holding(staged(*rows, **fields), *(holders or (B,)))
    offer = (card, *(other for other in state.offer if other[0] != card[0]))
    return play(replace(state, offer=tuple(sorted(offer))), A, f"card {card}; {line}; end")


KING = "special king PVA"


def test_a_special_that_can_be_vetoed_is_announced_and_not_done() -> None:
    state = holding(staged(card="5-01"), B)
    (announced,) = events_of(state, A, KING)

    assert isinstance(announced, Announced)
    assert announced.sealed
    assert play(state, A, KING).king == GAL
    assert events_of(play(state, A, KING), A, "end") == [AnswersOpened(A, "5-01", (B,), ())]


def test_what_was_placed_before_is_public_at_once() -> None:
    state = sealed("5-01", f"place CVI 1; {KING}")

    assert state.pieces[A][CVI] == 1
    assert (state.phase, state.king) == ("answers", GAL)


def test_the_holder_is_asked_in_secret() -> None:
    state = sealed("5-01", KING)

    prompt = Prompt("answers:2:0", "answers", simultaneous=True, secret=True)
    assert EL_GRANDE.prompts(state) == {B: prompt}
    assert lines(state, B) == ["veto", "pass"]


@pytest.mark.parametrize(
    ("seat", "line", "code"),
    [
        (A, "pass", "veto.not_asked"),
        (C, "pass", "veto.not_asked"),
        (C, "veto", "veto.not_asked"),
        (B, "disc ARA", "answer.not_asked"),
        (B, "return ARA 1", "answer.not_asked"),
        (B, "end", "turn.not_running"),
        (A, "place CVI 1", "turn.not_running"),
    ],
)
def test_nobody_else_answers(seat: int, line: str, code: str) -> None:
    assert refusal(sealed("5-01", KING), seat, line).code == code


def test_it_happens_once_all_holders_have_passed() -> None:
    state = sealed("5-01", f"place CVI 1; {KING}")

    assert events_of(state, B, "pass") == [
        Answered(B, "pass"),
        KingMoved(A, "GAL", "PVA"),
        SpecialDone(A, "5-01"),
        TurnEnded(A, 2),
    ]


def test_a_veto_stops_all_of_it_and_is_spent() -> None:
    state = sealed("5-01", f"place CVI 1; {KING}")

    assert events_of(state, B, "veto") == [Vetoed(B, "5-01"), TurnEnded(A, 2)]
    after = play(state, B, "veto")
    assert (after.king, after.vetoes) == (GAL, ())


def test_a_veto_stops_the_extra_placement_of_1_08_too() -> None:
    state = play(sealed("1-08", "place CVI 1; special add VAL 2"), B, "veto")

    assert pieces_of(state, A) == "ARA 2 CVI 1 COURT 4"


def test_a_vetoed_card_still_counts_as_taken_and_still_places() -> None:
    state = play(sealed("5-01", KING), B, "veto")

    assert state.taken == ((A, "5-01"),)
    assert EL_GRANDE.prompts(state) == {A: Prompt("place:2:0", "place", finish="end")}
    assert pieces_of(play(state, A, "place CVI 3; end"), A) == "ARA 2 CVI 3 COURT 2"
    assert refusal(state, A, "place ARA 1").code == "place.not_adjacent"


def test_the_older_of_two_vetoes_goes_first() -> None:
    state = replace(sealed("5-01", KING), vetoes=((B, 1), (C, 2), (B, 2)), holders=(B, C))

    assert play(state, B, "veto").vetoes == ((C, 2), (B, 2))


def test_the_owner_cannot_veto_its_own_special() -> None:
    state = holding(staged(card="5-01"), A)

    assert play(state, A, KING).king == PVA


@pytest.mark.parametrize(
    ("card", "line"),
    [("5-01", "special skip"), ("5-01", "place CVI 1"), ("3-08", "special score PVA")],
)
def test_there_is_no_window_for_what_cannot_change_anything(card: str, line: str) -> None:
    assert sealed(card, line).phase == "turn"


def test_there_is_no_window_for_a_veto_that_is_taken() -> None:
    state = sealed("2-01", "place CVI 1")

    assert state.phase == "turn"
    assert state.vetoes == ((B, 2), (A, 2))


def test_a_special_in_steps_is_announced_as_a_whole() -> None:
    line = "special move p1 ARA>SEV 1; special move p2 SEV>ARA 1; special move p1 ARA>SEV 1"
    state = sealed("1-01", line)

    assert state.special is not None
    assert state.special.moves == ((A, "ARA", "SEV", 2), (B, "SEV", "ARA", 1))
    assert pieces_of(state, A) == "ARA 2 COURT 5"
    assert pieces_of(play(state, B, "pass"), A) == "SEV 2 COURT 5"


@pytest.mark.parametrize(
    ("card", "line", "code"),
    [
        ("1-07", "special move p1 ARA>SEV 1; end", "special.not_all_moved"),
        ("2-05", "special return p2 SEV; end", "special.return_missing"),
        ("1-01", "special move p1 ARA>SEV 3", "move.not_there"),
        ("1-01", "special move p1 ARA>SEV 2; special move p1 ARA>CAT 1", "move.not_there"),
        ("1-08", "special add VAL 2; special add VAL 1", "add.too_many"),
        ("1-08", "special add VAL 2; place CVI 1; special add CAT 1", "special.already"),
    ],
)
def test_a_sealed_special_is_checked_like_any_other(card: str, line: str, code: str) -> None:
    assert refusal(holding(staged(card=card), B), A, line).code == code


# Plans.


def test_what_is_drafted_after_a_sealed_special_is_a_plan() -> None:
    state = holding(staged(card="5-01"), B)

    assert events_of(state, A, f"{KING}; place ARA 2; end")[1:] == [
        Planned(A, (("ARA", 2),)),
        AnswersOpened(A, "5-01", (B,), ()),
    ]
    assert refusal(state, A, f"{KING}; place PVA 1").code == "king.taboo"
    assert refusal(state, A, f"{KING}; place SEV 1").code == "place.not_adjacent"


def test_a_plan_is_carried_out_unless_vetoed() -> None:
    state = sealed("5-01", f"{KING}; place ARA 2, CVI 1")

    assert events_of(state, B, "pass")[2:] == [
        SpecialDone(A, "5-01"),
        Placed(A, (("ARA", 2), ("CVI", 1)), "plan"),
        TurnEnded(A, 2),
    ]


def test_a_veto_turns_the_plan_back_into_a_draft() -> None:
    state = play(sealed("5-01", f"{KING}; place ARA 1, CVI 2"), B, "veto")

    draft = ("place ARA 1", "place CVI 1", "place CVI 1")
    assert EL_GRANDE.prompts(state) == {A: Prompt("place:2:0", "place", finish="end", draft=draft)}
    assert refusal(state, A, "place ARA 1").code == "place.not_adjacent"
    assert pieces_of(play(state, A, "place CVI 5; end"), A) == "ARA 2 CVI 5"


def test_a_plan_of_nobody_is_a_plan_too() -> None:
    state = sealed("5-01", f"{KING}; place 0")

    assert events_of(state, B, "pass")[3:] == [Placed(A, (), "plan"), TurnEnded(A, 2)]
    assert EL_GRANDE.prompts(play(state, B, "veto"))[A].draft == ("place 0",)


def test_without_a_plan_the_seat_is_asked_afterwards() -> None:
    state = play(sealed("5-01", KING), B, "pass")

    assert EL_GRANDE.prompts(state) == {A: Prompt("place:2:0", "place", finish="end")}
    assert events_of(state, A, "place ARA 1; end") == [
        Placed(A, (("ARA", 1),)),
        TurnEnded(A, 2),
    ]
    assert events_of(state, A, "end") == [Placed(A, ()), TurnEnded(A, 2)]
    assert "place ARA 1" in lines(state, A)


@pytest.mark.parametrize("answer", ["pass", "veto"])
def test_an_empty_court_places_nobody_and_is_not_asked(answer: str) -> None:
    state = sealed("5-01", KING, rows=("ARA 2",))

    assert events_of(state, B, answer)[-2:] == [Placed(A, (), "rules"), TurnEnded(A, 2)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("card 1-01", "turn.only_placing"),
        ("take 0", "turn.only_placing"),
        ("special skip", "turn.only_placing"),
        ("disc ARA", "turn.only_placing"),
        ("power 3", "power.not_now"),
        ("pass", "answer.not_asked"),
    ],
)
def test_only_placing_is_left_then(line: str, code: str) -> None:
    state = play(sealed("5-01", KING), B, "veto")

    assert refusal(state, A, line).code == code


def test_a_plan_reckons_with_what_the_special_will_change() -> None:
    more = holding(staged("ARA 2", card="4-05"), B)
    assert refusal(more, A, "place CVI 1").code == "place.court_short"
    assert play(more, A, "special court; place CVI 2").plan == (("CVI", 2),)
    assert refusal(more, A, "special court; place CVI 3").code == "place.court_short"

    less = holding(staged("ARA 2 COURT 2", card="1-08"), B)
    assert refusal(less, A, "special add VAL 2; place CVI 1").code == "place.court_short"


def test_a_court_filled_from_regions_in_steps_can_be_vetoed() -> None:
    state = holding(staged("ARA 9 CVI 10 COURT 11", card="4-05"), B)
    state = play(state, A, "special court ARA 1")

    assert specials(state) == ["special court ARA 1", "special court CVI 1"]
    state = play(state, A, "special court CVI 1")
    assert specials(state) == []
    assert refusal(state, A, "special court CVI 1").code == "refill.too_many"
    after = play(play(state, A, "end"), B, "pass")
    assert pieces_of(after, A) == "ARA 8 CVI 9 COURT 13"
    scarce = holding(staged("ARA 1 CVI 10 COURT 19", card="4-05"), B)
    scarce = play(scarce, A, "special court ARA 1")
    assert specials(scarce) == ["special court CVI 1"]
    assert refusal(scarce, A, "special court ARA 1").code == "move.not_there"


def test_a_plan_in_steps_is_one_plan_within_the_cards_limit() -> None:
    state = holding(staged("COURT 9", card="2-08"), B)
    state = play(state, A, "special score ARA; place PVA 1")

    assert [line for line in lines(state, A) if "place" in line] == ["place PVA 1", "place CAS 1"]
    assert refusal(play(state, A, "place CVI 1"), A, "place CVI 1").code == "place.too_many"


# What a draft would bring.


def test_the_projection_shows_a_draft_as_if_nobody_vetoed() -> None:
    state = play(holding(staged(card="5-01"), B), A, KING)
    assert (state.king, projected(state).king) == (GAL, PVA)

    state = play(holding(staged(card="1-02"), B), A, "special move p1 ARA>SEV 2")
    assert pieces_of(projected(state), A) == "SEV 2 COURT 5"
    assert projected(staged(card="5-01")) == staged(card="5-01")


def test_the_projection_leaves_out_what_depends_on_others() -> None:
    state = play(staged("ARA 2 SEV 2", "ARA 1 SEV 2", card="2-07"), A, "special; disc ARA")

    assert projected(state) is state
    assert state.pieces[A][ARA] == 2


def test_a_skipped_special_has_no_window() -> None:
    events = events_of(holding(staged(card="5-01"), B), A, "end")

    assert [type(event) for event in events] == [Placed, SpecialSkipped, TurnEnded]


def test_the_last_turn_of_a_round_may_end_with_an_answer() -> None:
    state = holding(staged(turn=2, taken=((0, "1-01"), (1, "2-08")), offer=("5-01",)), B)
    state = play(state, C, "card 5-01; place 0; special king PVA; end")

    assert play(state, B, "pass", chance()).phase == "power"
    assert play(state, B, "pass", chance()).king == PVA
