"""Stack 1: moving caballeros, and placing more of them."""

import pytest

from app.rules.el_grande import State
from app.rules.el_grande.events import Added, Announced, Moved
from tests.rules.el_grande.stage import (
    A,
    B,
    C,
    events_of,
    lines,
    pieces_of,
    play,
    refusal,
    specials,
    staged,
)

ROWS = ("ARA 2 CVI 1 COURT 5", "ARA 1 SEV 2 GAL 1 CAS 2", "VAL 2 ARA 1")


def on(card: str, *rows: str) -> State:
    return staged(*(rows or ROWS), card=card)


def where(state: State) -> tuple[str, ...]:
    return tuple(pieces_of(state, seat) for seat in range(3))


@pytest.mark.parametrize(
    ("card", "line", "after"),
    [
        (
            "1-01",
            "p1 ARA>SEV 1, p2 ARA>CAS 1, p3 ARA>SEV 1, p3 VAL>CAT 1",
            (
                "ARA 1 CVI 1 SEV 1 COURT 5",
                "GAL 1 SEV 2 CAS 3",
                "CAT 1 SEV 1 VAL 1",
            ),
        ),
        ("1-02", "p1 ARA>SEV 2, p1 CVI>CAS 1", ("SEV 2 CAS 1 COURT 5", *(None,) * 2)),
        (
            "1-03",
            "p1 ARA>SEV 1, p2 SEV>VAL 2",
            ("ARA 1 CVI 1 SEV 1 COURT 5", "ARA 1 GAL 1 VAL 2 CAS 2", None),
        ),
        (
            "1-04",
            "p2 SEV>VAL 2, p3 VAL>CAS 1",
            (None, "ARA 1 GAL 1 VAL 2 CAS 2", "ARA 1 VAL 1 CAS 1"),
        ),
        (
            "1-05",
            "p1 ARA>SEV 2, p2 ARA>CAT 1, p3 ARA>CAT 1",
            ("CVI 1 SEV 2 COURT 5", "CAT 1 GAL 1 SEV 2 CAS 2", "CAT 1 VAL 2"),
        ),
        (
            "1-06",
            "p1 ARA>SEV 2, p2 ARA>CAS 1, p3 ARA>VAL 1",
            ("CVI 1 SEV 2 COURT 5", "GAL 1 SEV 2 CAS 3", "VAL 3"),
        ),
        ("1-07", "p1 ARA>SEV 1, p1 ARA>CAS 1", ("CVI 1 SEV 1 CAS 1 COURT 5", *(None,) * 2)),
        ("1-09", "p1 ARA>SEV 1, p1 ARA>CAS 1", ("CVI 1 SEV 1 CAS 1 COURT 5", *(None,) * 2)),
    ],
)
def test_caballeros_move_anywhere_but_to_the_king(
    card: str, line: str, after: tuple[str | None, ...]
) -> None:
    before = where(on(card))
    state = play(on(card), A, f"special move {line}; end")

    assert where(state) == tuple(new or old for new, old in zip(after, before, strict=True))


MOVERS = ("1-01", "1-02", "1-03", "1-04", "1-05", "1-06", "1-07", "1-09")


@pytest.mark.parametrize("card", MOVERS)
def test_a_move_is_clipped_by_the_taboo_and_by_the_castillo(card: str) -> None:
    opponents = card == "1-04"
    mover, origin = ("p2", "SEV") if opponents else ("p1", "ARA")
    state = on(card, "ARA 2 GAL 2 CAS 2", "SEV 2 GAL 1 CAS 2")

    assert refusal(state, A, f"special move {mover} {origin}>GAL 1").code == "king.taboo"
    assert refusal(state, A, f"special move {mover} GAL>ARA 1").code == "king.taboo"
    assert refusal(state, A, f"special move {mover} CAS>VAL 1").code == "area.castillo"
    assert not any(">GAL" in line or "GAL>" in line or "CAS>" in line for line in specials(state))


@pytest.mark.parametrize("card", MOVERS)
def test_with_nobody_to_move_there_is_nothing_but_to_skip(card: str) -> None:
    state = on(card, "GAL 2 CAS 3", "GAL 1 COURT 4", "CAS 2")

    assert specials(state) == []
    assert "end" in lines(state, A)


@pytest.mark.parametrize(
    ("card", "line", "code"),
    [
        ("1-01", "p1 ARA>SEV 2, p2 SEV>ARA 2, p3 VAL>ARA 1", "move.too_many"),
        ("1-03", "p1 ARA>SEV 2, p2 SEV>ARA 2", "move.too_many"),
        ("1-02", "p2 SEV>ARA 1", "move.own_only"),
        ("1-04", "p1 ARA>SEV 1", "move.opponents_only"),
        ("1-04", "p2 SEV>ARA 2, p3 VAL>ARA 2", "move.too_many"),
        ("1-05", "p1 ARA>SEV 2, p1 CVI>SEV 1", "move.too_many"),
        ("1-05", "p2 SEV>ARA 2, p3 VAL>ARA 1", "move.too_many"),
        ("1-06", "p1 ARA>SEV 1, p1 CVI>SEV 1", "move.one_region"),
        ("1-07", "p1 ARA>SEV 1, p1 CVI>SEV 1", "move.one_region"),
        ("1-07", "p2 SEV>ARA 1", "move.own_only"),
        ("1-01", "p1 ARA>SEV 3", "move.not_there"),
        ("1-01", "p1 VAL>SEV 1", "move.not_there"),
        ("1-01", "p1 ARA>ARA 1", "move.same_region"),
        ("1-01", "p4 ARA>SEV 1", "seat.unknown"),
        ("1-01", "p1 ARA>XXX 1", "area.unknown"),
        ("1-01", "p1 XXX>ARA 1", "area.unknown"),
    ],
)
def test_a_card_moves_no_more_than_it_says(card: str, line: str, code: str) -> None:
    assert refusal(on(card), A, f"special move {line}").code == code


@pytest.mark.parametrize(
    ("card", "line", "details"),
    [
        ("1-03", "p1 ARA>SEV 2, p2 SEV>ARA 2", {"whose": "any", "count": 4, "limit": 3}),
        ("1-05", "p1 ARA>SEV 2, p1 CVI>SEV 1", {"whose": "own", "count": 3, "limit": 2}),
        ("1-04", "p2 SEV>ARA 2, p3 VAL>ARA 2", {"whose": "opponents", "count": 4, "limit": 3}),
    ],
)
def test_the_refusal_says_whose_are_too_many(
    card: str, line: str, details: dict[str, object]
) -> None:
    assert refusal(on(card), A, f"special move {line}").details == details


def test_six_of_five_out_of_one_region_are_too_many() -> None:
    state = on("1-06", "ARA 4", "ARA 4")

    assert refusal(state, A, "special move p1 ARA>SEV 4, p2 ARA>SEV 2").code == "move.too_many"


def test_moves_count_against_the_position_before_the_special() -> None:
    state = on("1-01", "ARA 1", "SEV 2")

    refused = refusal(state, A, "special move p1 ARA>SEV 1; special move p1 SEV>VAL 1")
    assert (refused.code, refused.details["there"]) == ("move.not_there", 0)
    assert pieces_of(play(state, A, "special move p1 ARA>SEV 1"), A) == "SEV 1"


def test_a_move_in_steps_is_one_special_action() -> None:
    steps = "special move p2 SEV>ARA 1; special move p1 ARA>SEV 1; special move p1 ARA>SEV 1"
    state = play(on("1-01"), A, steps)

    assert state.special is not None
    assert state.special.moves == ((A, "ARA", "SEV", 2), (B, "SEV", "ARA", 1))
    events = events_of(on("1-01"), A, "special move p3 VAL>CAT 1, p1 ARA>SEV 1")
    assert [type(event) for event in events] == [Announced, Moved]
    assert events[1] == Moved(A, ((A, "ARA", "SEV", 1), (C, "VAL", "CAT", 1)))


@pytest.mark.parametrize("card", ["1-07", "1-09"])
def test_all_own_caballeros_have_to_leave(card: str) -> None:
    state = play(on(card), A, "special move p1 ARA>SEV 1")

    assert "end" not in lines(state, A)
    for line in ("end", "place CVI 1"):
        refused = refusal(state, A, line)
        assert (refused.code, refused.details) == (
            "special.not_all_moved",
            {"region": "ARA", "left": 1},
        )
    assert "end" in lines(play(state, A, "special move p1 ARA>CAS 1"), A)


def test_placing_into_the_region_that_was_left_does_not_count() -> None:
    state = on("1-07", "CVI 2 COURT 3")

    assert pieces_of(play(state, A, "special move p1 CVI>SEV 2; place CVI 1; end"), A) == (
        "CVI 1 SEV 2 COURT 2"
    )
    after = play(state, A, "place CVI 1; special move p1 CVI>SEV 2")
    assert refusal(after, A, "end").code == "special.not_all_moved"


@pytest.mark.parametrize("card", ["1-08", "1-09"])
def test_two_more_are_placed_anywhere_but_with_the_king(card: str) -> None:
    state = play(on(card), A, "special add VAL 1, CAS 1; place CVI 1; end")

    assert pieces_of(state, A) == "ARA 2 CVI 2 VAL 1 CAS 1 COURT 2"
    assert events_of(on(card), A, "special add VAL 2")[1] == Added(A, (("VAL", 2),))


@pytest.mark.parametrize("card", ["1-08", "1-09"])
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("special add VAL 3", "add.too_many"),
        ("special add VAL 2; special add CAT 1", "add.too_many"),
        ("special add GAL 1", "king.taboo"),
        ("special add XXX 1", "area.unknown"),
        ("special add 0", "special.no_target"),
        ("special add VAL 1; special move p1 ARA>SEV 2", "special.already"),
    ],
)
def test_an_addition_is_clipped(card: str, line: str, code: str) -> None:
    assert refusal(on(card), A, line).code == code


def test_both_placements_share_one_court() -> None:
    state = on("1-08", "ARA 2 COURT 2")

    assert refusal(state, A, "special add VAL 2; place CVI 1").code == "place.court_short"
    assert refusal(state, A, "place CVI 1; special add VAL 2").code == "place.court_short"


def test_with_an_empty_court_there_is_nothing_to_add() -> None:
    assert specials(on("1-08", "ARA 2 COURT 0")) == []
    assert specials(on("1-09", "GAL 2 COURT 0")) == []


def test_the_steps_of_an_addition_come_in_one_order() -> None:
    state = on("1-08")

    assert specials(state)[:2] == ["special add ARA 1", "special add CAT 1"]
    assert specials(play(state, A, "special add VAL 1")) == [
        "special add VAL 1",
        "special add CAS 1",
    ]
    assert specials(play(state, A, "special add VAL 1; special add VAL 1")) == []


def test_the_steps_of_a_move_come_in_one_order() -> None:
    state = play(on("1-02"), A, "special move p1 CVI>SEV 1")
    assert specials(state) == []

    state = play(on("1-01"), A, "special move p1 ARA>VAL 1")
    steps = specials(state)
    assert steps[:2] == ["special move p1 ARA>VAL 1", "special move p1 ARA>CAS 1"]
    assert "special move p1 CVI>ARA 1" in steps
    assert "special move p2 SEV>ARA 1" in steps

    state = play(on("1-06"), A, "special move p2 ARA>VAL 1")
    assert {step.split(">")[0] for step in specials(state)} == {"special move p3 ARA"}


def test_an_empty_move_is_no_move() -> None:
    from app.rules.el_grande.moves import Special  # noqa: PLC0415 - cannot be written as text
    from app.rules.el_grande.options import refusal as refused  # noqa: PLC0415 - as above

    error = refused(on("1-01"), A, Special("move"))
    assert error is not None
    assert error.code == "special.no_target"
