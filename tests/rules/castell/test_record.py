"""A whole match goes to text and back: byte for byte, event for event."""

import re
from collections.abc import Callable

import pytest

from app.rules.castell import match_from_text, match_to_text
from app.rules.castell.events import RoundStarted, TurnEnded
from app.rules.game import NotationError, Seat
from tests.rules.castell.stage import begin, events_of, random_events, setup


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("side", ["all_regions", "no_regions"])
def test_a_match_is_read_again_from_its_text(seats: int, side: str) -> None:
    events = random_events(seats, "record", wheel_side=side)
    text = match_to_text(events)

    assert list(match_from_text(text)) == events
    assert match_to_text(match_from_text(text)) == text


def test_a_running_turn_is_marked_as_unfinished() -> None:
    state = begin(2, "running")
    events = [
        *setup(2, "running"),
        *events_of(state, state.first, "move GIR"),
    ]
    text = match_to_text(events)

    assert text.endswith(f"\n1 seat {state.first}: move GIR; ...\n")
    assert list(match_from_text(text)) == events


def test_a_turn_without_actions_is_an_end() -> None:
    state = begin(2, "idle")
    text = match_to_text([*setup(2, "idle"), *events_of(state, state.first, "end")])

    assert text.endswith(f"\n1 seat {state.first}: end\n")


FEW = {
    "components.castellers_per_size": 6,
    "components.castellers_at_start": 9,
    "refill.castellers": {"2": 5, "3": 3, "4": 2},
}


def test_a_refill_from_an_empty_bag_leaves_no_line() -> None:
    events = random_events(2, "few", changes=FEW)
    refills = [e.refill for e in events if isinstance(e, RoundStarted)]

    assert () in refills[1::2]
    assert list(match_from_text(match_to_text(events))) == events


def test_a_refill_cannot_draw_what_the_bag_does_not_hold() -> None:
    lines = match_to_text(random_events(2, "few", changes=FEW)).splitlines()
    number = next(n for n, text in enumerate(lines) if " refill: " in text)
    head, drawn = lines[number].split(": ")
    lines[number] = f"{head}: {re.sub('[0-9]+', '10', drawn)}"

    with pytest.raises(NotationError) as refused:
        match_from_text("\n".join(lines))

    assert refused.value.code == "notation.refill_impossible"


def test_only_a_whole_match_can_be_printed() -> None:
    with pytest.raises(TypeError, match="begins with Started"):
        match_to_text([TurnEnded(Seat(0), 1)])


TEXT = match_to_text(random_events(2, "broken"))
LINES = TEXT.splitlines()
FIRST = LINES.index("") + 1
REFILL = next(n for n, line in enumerate(LINES) if " refill: " in line)


def line(number: int, change: Callable[[str], str]) -> str:
    return "\n".join((*LINES[:number], change(LINES[number]), *LINES[number + 1 :]))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "notation.not_a_match"),
        ("castell position\n", "notation.not_a_match"),
        ("castell match\n", "notation.not_a_match"),
        (TEXT.replace("seats = 2", "seats = 9"), "notation.bad_match"),
        (TEXT.replace("start.first", "start.second"), "notation.bad_match"),
        (TEXT.replace("start.hands.0 = [", "start.hands.0 = [1, "), "notation.bad_start"),
        (TEXT.replace("start.tiles.TAR = [", 'start.tiles.TAR = ["S01", '), "notation.bad_start"),
        (
            TEXT.replace("start.castellers.TAR = [", "start.castellers.TAR = [1, "),
            "notation.bad_start",
        ),
        (
            TEXT.replace("start.festivals.0.round = 3", "start.festivals.0.round = 4"),
            "notation.bad_start",
        ),
        (TEXT.replace("start.wheel = [", 'start.wheel = ["mix", '), "position.wheel"),
        (line(FIRST, lambda text: f"{text}; jump"), "notation.unknown_action"),
        (line(FIRST, lambda _: "hello"), "notation.bad_line"),
        (line(FIRST, lambda text: text.replace("1 seat", "2 seat")), "notation.bad_line"),
        (line(FIRST, lambda _: "1 seat 7: end"), "notation.bad_seat"),
        (line(FIRST, lambda _: "1 seat 0: jump"), "notation.unknown_action"),
        (line(FIRST, lambda _: "1 festival seat 0: end"), "notation.bad_line"),
        (line(FIRST, lambda _: "1 seat 0: festival TAR = decline"), "notation.bad_line"),
        (line(FIRST, lambda text: f"{text[:8]}: recruit 1"), "notation.illegal_move"),
        (line(REFILL, lambda _: "3 seat 0: end"), "notation.refill_expected"),
        (line(REFILL, lambda text: text.replace("3", "4", 1)), "notation.refill_expected"),
        (line(REFILL, lambda text: f"{text} 1"), "notation.refill_impossible"),
        (line(REFILL, lambda text: f"{text[:-1]}x"), "notation.bad_refill"),
        ("\n".join(LINES[:REFILL]), "notation.refill_expected"),
    ],
)
def test_what_is_no_match_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        match_from_text(text)

    assert refused.value.code == code


def test_a_refusal_names_the_line_and_the_rules_reason() -> None:
    with pytest.raises(NotationError) as refused:
        match_from_text(line(FIRST, lambda _: f"1 seat {begin(2, 'broken').first}: recruit 1"))

    assert refused.value.details["line"] == FIRST + 1
    assert refused.value.details["reason"] == "turn.pawn_not_placed"
