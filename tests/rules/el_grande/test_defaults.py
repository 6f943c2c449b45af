"""Safe defaults (section 14)."""

import pytest

from app.rules.el_grande import EL_GRANDE, State
from tests.rules.el_grande.stage import (
    A,
    B,
    C,
    begin,
    chance,
    holding,
    play,
    published,
    staged,
)


def announced(*rows: str, card: str = "5-01", line: str = "special king PVA") -> State:
    return play(holding(staged(*rows, card=card), B), A, f"{line}; end")


def default(state: State, seat: int) -> str:
    return EL_GRANDE.format(EL_GRANDE.safe_default(state, (A, B, C)[seat]))


def test_the_lowest_legal_power_card_is_played() -> None:
    state = staged(phase="power", first=1, bids=((1, 1),), order=(), hands=((1, 4), (2,), (1, 3)))

    assert default(state, C) == "power 3"
    assert default(state, A) == ""


def test_the_card_of_the_lowest_stack_is_taken_and_nothing_done() -> None:
    assert default(staged(offer=("2-08", "3-08", "5-01")), A) == "card 2-08; end"


def test_a_turn_that_has_begun_is_ended_as_soon_as_it_can_be() -> None:
    assert default(staged(card="5-01"), A) == "end"
    state = play(staged("ARA 2 CVI 1", card="1-07"), A, "special move p1 ARA>SEV 1")
    assert default(state, A) == "special move p1 ARA>SEV 1; end"
    assert default(play(staged("ARA 1 VAL 1", card="2-07"), A, "special"), A) == "disc ARA; end"


def test_placing_after_the_answers_is_left_out() -> None:
    assert default(play(announced(), B, "veto"), A) == "end"


def test_a_veto_is_not_spent() -> None:
    assert default(announced(), B) == "pass"


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        ("ARA 2 SEV 2 COURT 2", "return COURT 2, ARA 1"),
        ("ARA 1 SEV 3 COURT 1", "return COURT 1, SEV 2"),
        ("ARA 2 SEV 4", "return ARA 1, SEV 2"),
        ("SEV 4 COURT 5", "return COURT 3"),
    ],
)
def test_the_court_gives_first_then_the_largest_region(row: str, answer: str) -> None:
    assert default(play(staged("COURT 5", row, card="2-04"), A, "special; end"), B) == answer


@pytest.mark.parametrize(
    ("card", "row", "answer"),
    [
        ("2-06", "ARA 2 SEV 3", "disc ARA"),
        ("2-07", "ARA 2 SEV 1 VAL 1", "disc SEV"),
    ],
)
def test_the_disc_loses_as_few_as_it_can(card: str, row: str, answer: str) -> None:
    state = play(staged("ARA 2", row, card=card), A, "special; end")

    assert default(state, B) == answer


def test_other_discs_show_the_first_legal_region() -> None:
    state = play(staged("ARA 2", "SEV 2", king=0, card="4-03"), A, "special expel SEV; end")
    assert default(state, B) == "disc CAT"

    state = play(staged(card="4-07"), A, "special; disc GAL; end")
    assert default(state, B) == "disc ARA"


def test_a_holder_who_has_to_choose_gives_its_choice() -> None:
    state = announced("ARA 2 VAL 1", "SEV 2 CAT 1", card="2-07", line="special; disc ARA")

    assert default(state, B) == "disc CAT"


def test_the_castillo_disc_shows_the_kings_region() -> None:
    state = staged("CAS 1", round=3, turn=2, taken=((0, "5-01"), (1, "1-01")))

    assert default(play(state, C, "card 3-08; end"), A) == "disc GAL"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_prompt_has_a_safe_default_and_a_legal_answer(seats: int) -> None:
    for state in published(seats, "defaults"):
        for seat, prompt in EL_GRANDE.prompts(state).items():
            moves = EL_GRANDE.safe_default(state, seat)
            assert moves
            EL_GRANDE.check(state, seat, moves[0])
            assert prompt.finish is None or moves[-1] == EL_GRANDE.parse(prompt.finish)[0]
            assert EL_GRANDE.parse(EL_GRANDE.format(moves)) == moves


def test_a_match_of_absent_seats_ends() -> None:
    state, rng = begin(3, "absent"), chance("absent")
    while prompts := EL_GRANDE.prompts(state):
        for seat in prompts:
            for move in EL_GRANDE.safe_default(state, seat):
                for event in EL_GRANDE.decide(state, seat, move, rng):
                    state = EL_GRANDE.evolve(state, event)

    assert state.phase == "over"
