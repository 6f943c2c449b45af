"""Section 4: bids, the order of turns, what ends a round, and the general scoring (6.1)."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.events import (
    AreaScored,
    CastilloEmptied,
    MatchEnded,
    PowerPlayed,
    RoundEnded,
    RoundStarted,
    ScoringBegan,
    TurnEnded,
)
from app.rules.game import Prompt
from tests.rules.el_grande.stage import (
    CNU,
    A,
    B,
    C,
    begin,
    chance,
    events_of,
    lines,
    pieces_of,
    play,
    refusal,
    scores,
    staged,
)


def bidding(**fields: Any) -> State:
    """Return round 2 before the first bid: seat 1 begins."""
    usual: dict[str, Any] = {
        "phase": "power",
        "first": 1,
        "bids": (),
        "order": (),
        "hands": (tuple(range(1, 14)),) * 3,
        "logs": ((),) * 3,
        "took": -1,
    }
    return staged(**(usual | fields))


def test_seats_bid_clockwise_from_the_first() -> None:
    state = bidding()

    assert list(EL_GRANDE.prompts(state)) == [B]
    state = play(state, B, "power 4")
    assert list(EL_GRANDE.prompts(state)) == [C]
    assert EL_GRANDE.prompts(state)[C] == Prompt("power:2:1", "power")


def test_the_highest_card_acts_first() -> None:
    state = bidding()
    for seat, value in ((B, 4), (C, 13), (A, 9)):
        state = play(state, seat, f"power {value}")

    assert state.order == (C, A, B)
    assert EL_GRANDE.prompts(state) == {C: Prompt("turn:2:0", "turn", finish="end")}


def test_a_value_that_has_been_played_is_closed_to_the_others() -> None:
    state = play(bidding(), B, "power 4")

    assert "power 4" not in lines(state, C)
    assert len(lines(state, C)) == 12
    refused = refusal(state, C, "power 4")
    assert (refused.code, refused.details) == ("power.blocked", {"value": 4, "seat": B})


@pytest.mark.parametrize(
    ("seat", "line", "code"),
    [
        (B, "power 14", "power.not_held"),
        (B, "power 0", "power.not_held"),
        (B, "card 1-01", "power.first"),
        (B, "place 0", "power.first"),
        (B, "end", "power.first"),
        (B, "veto", "answer.not_asked"),
        (A, "power 1", "turn.not_yours"),
    ],
)
def test_bidding_comes_first(seat: int, line: str, code: str) -> None:
    assert refusal(bidding(), seat, line).code == code


def test_a_played_card_leaves_the_hand_and_cannot_be_played_again() -> None:
    state = play(bidding(), B, "power 4")

    assert (len(state.hands[B]), state.logs[B]) == (12, (4,))
    assert refusal(bidding(hands=((1,),) * 3), B, "power 4").code == "power.not_held"


def test_no_bid_is_possible_in_a_turn() -> None:
    assert refusal(staged(), A, "power 1").code == "power.not_now"


def last_turn(round_: int, *rows: str, **fields: Any) -> State:
    """Return the last turn of a round; whoever plays it has taken a card that scores."""
    offer, taken = ("2-08", "3-08", "4-01"), ((0, "5-01"), (1, "1-01"))
    return staged(*rows, round=round_, turn=2, offer=offer, taken=taken, **fields)


def test_the_lowest_card_of_a_round_bids_first_in_the_next() -> None:
    state = last_turn(2)
    state = replace(state, bids=((0, 5), (1, 4), (2, 9)), order=(2, 0, 1), turn=2)
    *_, over, began = events_of(state, B, "card 3-08; end", chance())

    assert over == RoundEnded(2, ("2-08", "4-01"), ())
    assert isinstance(began, RoundStarted)
    assert (began.round, began.first) == (3, B)


def test_a_round_ends_with_its_last_turn() -> None:
    events = events_of(last_turn(1), C, "card 3-08; end", chance())
    state = play(last_turn(1), C, "card 3-08; end", chance())

    assert [type(event) for event in events[-3:]] == [TurnEnded, RoundEnded, RoundStarted]
    assert (state.phase, state.round, state.first) == ("power", 2, C)
    assert [card[0] for card in state.offer] == list("12345")
    assert [len(stack) for stack in state.unseen] == [9] * 4


def test_the_kings_card_is_there_again_every_round() -> None:
    assert play(last_turn(1), C, "card 3-08; end", chance()).offer[-1] == "5-01"


def test_a_veto_lasts_through_the_next_round() -> None:
    state = replace(last_turn(2), vetoes=((0, 1), (1, 2)))
    over = next(
        e for e in events_of(state, C, "card 3-08; end", chance()) if isinstance(e, RoundEnded)
    )

    assert over.expired == (A,)
    assert play(state, C, "card 3-08; end", chance()).vetoes == ((1, 2),)


def test_the_next_round_is_the_next_one_played() -> None:
    state = replace(last_turn(3, length=6), vetoes=((0, 2), (1, 3)))
    after = play(state, C, "card 3-08; end", chance())

    assert (after.round, after.vetoes) == (5, ((1, 3),))


@pytest.mark.parametrize(("round_", "scored"), [(1, False), (2, False), (3, True), (6, True)])
def test_rounds_three_six_and_nine_are_scored(round_: int, scored: bool) -> None:
    events = events_of(last_turn(round_), C, "card 3-08; end", chance())

    assert any(isinstance(event, ScoringBegan) for event in events) == scored


def test_the_match_is_over_after_round_nine() -> None:
    state = play(last_turn(9, "ARA 2", "SEV 2", "VAL 2"), C, "card 3-08; end", chance())

    assert state.phase == "over"
    assert EL_GRANDE.prompts(state) == {}
    assert lines(state, A) == []
    assert refusal(state, A, "power 1").code == "match.over"


CASTILLO = ("ARA 2 CAS 3", "SEV 2", "VAL 1 CAS 2")


def scoring(*rows: str, **fields: Any) -> State:
    return play(last_turn(3, *rows, **fields), C, "card 3-08; end")


def test_only_who_has_caballeros_in_the_castillo_is_asked_for_a_disc() -> None:
    state = scoring(*CASTILLO)

    prompt = Prompt("disc:3", "disc", simultaneous=True)
    assert EL_GRANDE.prompts(state) == {A: prompt, C: prompt}
    assert len(lines(state, A)) == 9
    assert lines(state, B) == []


@pytest.mark.parametrize(
    ("seat", "line", "code"),
    [
        (B, "disc ARA", "answer.not_asked"),
        (A, "disc CAS", "disc.unknown_region"),
        (A, "disc XXX", "disc.unknown_region"),
        (A, "end", "turn.not_running"),
        (A, "return ARA 1", "answer.not_asked"),
        (A, "veto", "veto.not_asked"),
    ],
)
def test_the_disc_names_one_of_the_nine_regions(seat: int, line: str, code: str) -> None:
    assert refusal(scoring(*CASTILLO), seat, line).code == code


def test_the_scoring_goes_through_its_four_steps() -> None:
    state = play(scoring(*CASTILLO), A, "disc CNU")
    events = events_of(state, C, "disc SEV", chance())[1:]

    castillo, emptied, *regions, began = events
    assert isinstance(castillo, AreaScored)
    assert (castillo.area, castillo.counts, castillo.points) == ("CAS", (3, 0, 2), (5, 0, 3))
    assert emptied == CastilloEmptied(3, ((A, "CNU", 3), (C, "SEV", 2)))
    assert len(regions) == 9
    by_area = {event.area: event for event in regions if isinstance(event, AreaScored)}
    assert by_area["CNU"].points == (7, 0, 0)
    assert (by_area["SEV"].counts, by_area["SEV"].points) == ((0, 2, 2), (0, 3, 3))
    assert isinstance(began, RoundStarted)


def test_points_of_a_general_scoring_are_kept_apart_from_special_ones() -> None:
    state = play(play(scoring(*CASTILLO), A, "disc CNU"), C, "disc SEV", chance())

    assert state.tally[A] == (5 + 7 + 5 + 2, 0, 0, 0)
    assert scores(state)[A] == 19


def test_the_kings_region_on_the_disc_sends_them_back_to_the_court() -> None:
    state = play(scoring("ARA 2 CAS 5 COURT 1"), A, "disc GAL", chance())

    assert pieces_of(state, A) == "ARA 2 COURT 6"


def test_two_seats_may_choose_the_same_region() -> None:
    state = play(play(scoring(*CASTILLO), A, "disc CNU"), C, "disc CNU", chance())

    assert (state.pieces[A][CNU], state.pieces[C][CNU]) == (3, 2)


def test_without_anybody_in_the_castillo_nobody_is_asked() -> None:
    state = play(last_turn(3), C, "card 3-08; end", chance())

    assert state.phase == "power"


def test_the_final_scores_are_announced() -> None:
    events = events_of(last_turn(9), C, "card 3-08; end", chance())

    assert events[-1] == MatchEnded((7, 6, 7))


def test_a_bid_says_in_which_round_it_was() -> None:
    assert events_of(bidding(), B, "power 4") == [PowerPlayed(B, 2, 4)]
    assert begin(2).round == 1
