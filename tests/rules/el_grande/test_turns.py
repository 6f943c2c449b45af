"""Section 4, R4: the court, the card, placing and the order of the parts."""

from dataclasses import replace
from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.events import (
    CardTaken,
    Placed,
    Refilled,
    SpecialSkipped,
    Took,
    TurnEnded,
)
from app.rules.game import IllegalMoveError
from tests.rules.el_grande.stage import (
    ARA,
    CVI,
    GAL,
    PVA,
    A,
    B,
    events_of,
    lines,
    pieces_of,
    play,
    refusal,
    staged,
)


def at_start(*rows: str, power: int = 9, **fields: Any) -> State:
    """Return the beginning of seat 0's turn: power card 9 brings two caballeros."""
    state = staged(*rows, took=-1, bids=((0, power), (1, 0), (2, 0)), **fields)
    return replace(state, bids=((0, power), (1, 8 if power != 8 else 9), (2, 7)))


POWERS = [(1, 6), (2, 5), (3, 5), (4, 4), (5, 4), (6, 3), (9, 2), (11, 1), (12, 0), (13, 0)]


@pytest.mark.parametrize(("power", "brought"), POWERS)
def test_a_low_power_card_brings_many_caballeros(power: int, brought: int) -> None:
    state = play(at_start("ARA 2 COURT 5", power=power), A, "card 1-01")

    assert pieces_of(state, A) == f"ARA 2 COURT {5 + brought}"


def test_without_a_word_the_maximum_comes() -> None:
    assert events_of(at_start(), A, "card 1-01") == [Took(A, 2, 2), CardTaken(A, "1-01")]


def test_fewer_may_come() -> None:
    state = at_start("COURT 5")

    assert events_of(state, A, "take 1; card 1-01")[0] == Took(A, 1, 2)
    assert pieces_of(play(state, A, "take 0; card 1-01"), A) == "COURT 5"


def test_no_more_come_than_the_province_holds() -> None:
    state = at_start("ARA 9 CVI 10 COURT 10", power=1)

    assert events_of(state, A, "card 1-01")[0] == Took(A, 1, 1)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("take 3", "take.too_many"),
        ("take 1; take 1", "take.already"),
        ("card 1-01; take 1", "take.already"),
        ("card 1-01; refill CVI 1", "refill.too_late"),
        ("refill ARA 1", "refill.no_shortage"),
        ("place CVI 1", "card.first"),
        ("special skip", "card.first"),
        ("disc ARA", "card.first"),
        ("end", "card.first"),
        ("card 1-02", "card.not_on_offer"),
        ("card 9-99", "notation"),
        ("card 1-99", "card.unknown"),
        ("card 1-01; card 2-08", "card.already"),
        ("veto", "answer.not_asked"),
        ("pass", "answer.not_asked"),
        ("return ARA 1", "answer.not_asked"),
    ],
)
def test_the_steps_of_a_turn_have_their_order(line: str, code: str) -> None:
    if code == "notation":
        with pytest.raises(Exception, match="bad_card"):
            EL_GRANDE.parse(line)
    else:
        assert refusal(at_start(), A, line).code == code


def test_a_turn_belongs_to_one_seat() -> None:
    refused = refusal(at_start(), B, "card 1-01")

    assert (refused.code, refused.details) == ("turn.not_yours", {"seat": A})


def test_a_card_is_taken_once_a_round() -> None:
    state = play(at_start(), A, "card 5-01; end")
    refused = refusal(state, B, "card 5-01")

    assert (refused.code, refused.details) == ("card.taken", {"card": "5-01", "seat": A})
    assert "card 5-01" not in lines(state, B)


# Two are lacking: the power card brings four, and the province holds two.
SHORT = "ARA 4 CVI 2 GAL 2 CAS 3 COURT 17"


def short(**fields: Any) -> State:
    return at_start(SHORT, power=5, **fields)


def test_what_the_province_lacks_may_come_from_regions() -> None:
    state = play(short(), A, "refill ARA 1, CVI 1; card 1-01")

    assert events_of(short(), A, "refill ARA 1, CVI 1") == [
        Took(A, 2, 2),
        Refilled(A, (("ARA", 1), ("CVI", 1))),
    ]
    assert pieces_of(state, A) == "ARA 3 CVI 1 GAL 2 CAS 3 COURT 21"


def test_a_refill_is_optional_and_may_be_less() -> None:
    assert pieces_of(play(short(), A, "card 1-01"), A) == "ARA 4 CVI 2 GAL 2 CAS 3 COURT 19"
    assert pieces_of(play(short(), A, "refill ARA 1; card 1-01"), A).startswith("ARA 3")


def test_a_refill_in_steps_is_one_refill() -> None:
    state = play(short(), A, "refill CVI 1; refill ARA 1")

    assert state.refilled == (("ARA", 1), ("CVI", 1))
    assert refusal(state, A, "refill ARA 1").code == "refill.no_shortage"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("refill ARA 3", "refill.too_many"),
        ("refill GAL 1", "king.taboo"),
        ("refill CAS 1", "area.castillo"),
        ("refill VAL 1", "move.not_there"),
        ("refill XXX 1", "area.unknown"),
        ("refill 0", "refill.nobody"),
        ("take 1; refill ARA 1", "refill.no_shortage"),
    ],
)
def test_a_refill_takes_what_it_may(line: str, code: str) -> None:
    assert refusal(short(), A, line).code == code


def test_an_empty_province_can_be_made_up_for_altogether() -> None:
    state = at_start("ARA 9 CVI 10 COURT 11", power=9)

    assert events_of(state, A, "refill ARA 2")[0] == Took(A, 0, 0)
    assert pieces_of(play(state, A, "refill ARA 2"), A) == "ARA 7 CVI 10 COURT 13"


def test_refill_steps_come_in_one_order() -> None:
    assert [line for line in lines(short(), A) if "refill" in line] == [
        "refill ARA 1",
        "refill CVI 1",
    ]
    after = play(short(), A, "refill CVI 1")
    assert [line for line in lines(after, A) if "refill" in line] == ["refill CVI 1"]


def test_all_that_may_be_done_first_is_listed() -> None:
    assert lines(at_start(), A) == [
        "card 1-01", "card 2-08", "card 3-08", "card 4-01", "card 5-01", "take 0", "take 1",
    ]  # fmt: skip


@pytest.mark.parametrize(("card", "limit"), [("1-01", 1), ("2-08", 2), ("3-08", 3), ("5-01", 5)])
def test_a_card_places_as_many_as_its_stack_says(card: str, limit: int) -> None:
    state = staged("COURT 9", card=card)

    assert pieces_of(play(state, A, f"place CVI {limit}"), A).startswith(f"CVI {limit} ")
    assert refusal(state, A, f"place CVI {limit}, PVA 1").code == "place.too_many"


def test_caballeros_are_placed_next_to_the_king_or_in_the_castillo() -> None:
    state = play(staged("COURT 9", card="5-01"), A, "place CAS 1, PVA 2, CVI 1")

    assert pieces_of(state, A) == "CVI 1 PVA 2 CAS 1 COURT 5"


@pytest.mark.parametrize(
    ("area", "code"),
    [
        ("GAL", "king.taboo"),
        ("ARA", "place.not_adjacent"),
        ("XXX", "area.unknown"),
        ("COURT", "area.unknown"),
    ],
)
def test_nobody_is_placed_anywhere_else(area: str, code: str) -> None:
    assert refusal(staged("COURT 9", card="5-01"), A, f"place {area} 1").code == code


def test_the_refusal_names_where_one_can_place() -> None:
    refused = refusal(staged("COURT 9", card="5-01"), A, "place SEV 1")

    assert refused.details == {"region": "SEV", "king": "GAL", "adjacent": ["CVI", "PVA"]}


def test_nobody_is_placed_who_is_not_at_court() -> None:
    refused = refusal(staged("COURT 2", card="5-01"), A, "place CVI 3")

    assert (refused.code, refused.details) == ("place.court_short", {"count": 3, "court": 2})


def test_placing_nobody_is_allowed() -> None:
    assert events_of(staged("COURT 9", card="5-01"), A, "place 0") == [Placed(A, ())]


def test_the_end_leaves_out_what_has_not_been_done() -> None:
    assert events_of(staged(card="5-01"), A, "end") == [
        Placed(A, ()),
        SpecialSkipped(A, "5-01"),
        TurnEnded(A, 2),
    ]
    assert EL_GRANDE.prompts(play(staged(card="5-01"), A, "end")).keys() == {B}


def test_placing_in_steps_is_one_part() -> None:
    state = play(staged("COURT 9", card="5-01"), A, "place PVA 1; place CVI 1; place PVA 1")

    assert state.placed == (("CVI", 1), ("PVA", 2))
    assert state.parts == "p"


def test_king_then_place_and_place_then_king_differ() -> None:
    state = staged("COURT 9", card="5-01")

    first = play(state, A, "special king PVA; place ARA 1; end")
    later = play(state, A, "place PVA 1; special king ARA; end")
    assert (first.pieces[A][ARA], first.king) == (1, PVA)
    assert (later.pieces[A][PVA], later.king) == (1, ARA)
    assert refusal(state, A, "special king PVA; place PVA 1").code == "king.taboo"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("place CVI 1; special king CVI; place PVA 1", "place.already"),
        ("special king CVI; place GAL 1; special king PVA", "special.already"),
        ("special king CVI; special king PVA", "special.already"),
        ("special skip; special king PVA", "special.already"),
        ("special skip; special skip", "special.already"),
        ("special score ARA", "special.wrong_kind"),
        ("disc ARA", "disc.not_asked"),
    ],
)
def test_the_parts_of_a_turn_never_split(line: str, code: str) -> None:
    assert refusal(staged("COURT 9", card="5-01"), A, line).code == code


def test_a_skipped_special_may_come_before_placing() -> None:
    state = play(staged("COURT 9", card="5-01"), A, "special skip; place CVI 1")

    assert (state.parts, state.placed) == ("sp", (("CVI", 1),))


def test_place_steps_come_in_one_order_until_nobody_is_left() -> None:
    state = staged("COURT 9", card="2-08")

    assert lines(state, A)[:3] == ["place CVI 1", "place PVA 1", "place CAS 1"]
    assert lines(play(state, A, "place PVA 1"), A)[:2] == ["place PVA 1", "place CAS 1"]
    assert not any("place" in line for line in lines(play(state, A, "place PVA 2"), A))
    assert not any("place" in line for line in lines(staged("ARA 1", card="2-08"), A))


def test_the_seats_act_in_the_order_of_their_cards() -> None:
    state = play(staged(), A, "card 5-01; end")
    state = play(replace(state, took=-1), B, "card 1-01; end")

    assert EL_GRANDE.prompts(state).keys() == {2}
    assert (state.turn, state.card, state.parts, state.took) == (2, "", "", -1)


def test_a_refused_move_changes_nothing() -> None:
    state = staged("COURT 9", card="5-01")
    before = replace(state)

    with pytest.raises(IllegalMoveError):
        events_of(state, A, "place GAL 1")
    assert state == before
    assert state.pieces[A][CVI] == 0
    assert state.king == GAL
