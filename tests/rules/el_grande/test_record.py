"""A whole match goes to text and back: byte for byte, event for event."""

from collections.abc import Callable
from typing import Any

import pytest

from app.rules.el_grande import EL_GRANDE, known_events, match_from_text, match_to_text
from app.rules.el_grande.events import (
    Answered,
    DiscChosen,
    Event,
    Planned,
    Recalled,
    SpecialDone,
    TurnEnded,
)
from app.rules.game import NotationError, Seat, replay
from tests.rules.el_grande.stage import (
    A,
    B,
    C,
    begin,
    events_of,
    holding,
    random_events,
    setup,
    staged,
)

OPTIONS = [{}, {"length": 6}, {"veto": "off"}, {"castillo": "open"}]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_match_is_read_again_from_its_text(seats: int, options: dict[str, Any]) -> None:
    events = random_events(seats, "record", **options)
    text = match_to_text(events)

    assert list(match_from_text(text)) == events
    assert match_to_text(match_from_text(text)) == text


def test_a_running_turn_is_marked_as_unfinished() -> None:
    state = begin(2, "running")
    events = list(setup(2, "running"))
    for seat in (state.first, 1 - state.first):
        new = events_of(state, seat, f"power {5 + seat}")
        state = replay(EL_GRANDE, new, state)
        events += new
    new = events_of(state, state.order[0], f"take 1; card {state.offer[0]}; place CAS 1")
    text = match_to_text([*events, *new])

    assert text.endswith(f": take 1; card {state.offer[0]}; place CAS 1; ...\n")
    assert list(match_from_text(text)) == [*events, *new]


def test_a_refill_is_part_of_the_turn() -> None:
    state = staged("ARA 9 CVI 9 COURT 12", took=-1)
    events = events_of(state, A, "refill ARA 1, CVI 1; card 5-01; end")

    assert "p1: refill ARA 1, CVI 1; card 5-01; place 0; special skip" in match_to_text(
        [*setup(3), *events]
    )


def test_only_a_whole_match_can_be_printed() -> None:
    with pytest.raises(TypeError, match="begins with Started"):
        match_to_text([TurnEnded(A, 1)])


TEXT = match_to_text(random_events(3, "broken"))
LINES = TEXT.splitlines()
DEAL = LINES.index("") + 1
REVEAL, FIRST = DEAL + 1, DEAL + 2


def line(number: int, change: Callable[[str], str]) -> str:
    return "\n".join((*LINES[:number], change(LINES[number]), *LINES[number + 1 :]))


def swapped(text: str) -> str:
    _, one, two, *rest = text.split()
    return " ".join(("reveal", two, one, *rest))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "notation.not_a_match"),
        ("el_grande position\n", "notation.not_a_match"),
        ("el_grande match\n", "notation.not_a_match"),
        (TEXT.replace("seats = 3", "seats = 9"), "notation.bad_match"),
        (TEXT.replace("options.length = 9", "options.length = 8"), "notation.bad_match"),
        (TEXT.replace("options.veto", "options.vetoes"), "notation.bad_match"),
        (line(DEAL, lambda _: "p1: power 3"), "notation.deal_expected"),
        (line(DEAL, lambda text: text.replace("; home", ", p9; home")), "notation.bad_entry"),
        (line(DEAL, lambda text: text.replace(text[10:13], "XXX")), "notation.deal_impossible"),
        (line(DEAL, lambda text: f"{text[:-1]}4"), "notation.deal_impossible"),
        (line(DEAL, lambda text: f"{text[:-2]}p8"), "notation.deal_impossible"),
        (line(DEAL, lambda _: "deal king GAL; home p1 GAL; first p1"), "notation.deal_impossible"),
        (line(REVEAL, lambda _: "p1: power 3"), "notation.reveal_expected"),
        (line(REVEAL, swapped), "notation.reveal_impossible"),
        (line(REVEAL, lambda text: text[:-5]), "notation.reveal_impossible"),
        (line(FIRST, lambda _: "hello"), "notation.bad_entry"),
        (line(FIRST, lambda _: LINES[REVEAL]), "notation.line_expected"),
        (line(FIRST, lambda _: "p5: power 1"), "notation.bad_seat_name"),
        (line(FIRST, lambda _: "p1: jump"), "notation.unknown_action"),
        (line(FIRST, lambda text: f"{text[:3]} card 1-01"), "notation.illegal_move"),
        ("\n".join(LINES[:REVEAL]), "notation.bad_entry"),
    ],
)
def test_what_is_no_match_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        match_from_text(text)

    assert refused.value.code == code


def test_a_refusal_names_the_line_and_the_rules_reason() -> None:
    with pytest.raises(NotationError) as refused:
        match_from_text(line(FIRST, lambda text: f"{text[:3]} card 1-01"))

    assert refused.value.details["line"] == FIRST + 1
    assert refused.value.details["reason"] == "power.first"


def test_a_bad_line_is_counted_from_one() -> None:
    with pytest.raises(NotationError) as refused:
        match_from_text(line(FIRST, lambda _: "hello"))

    assert refused.value.details["line"] == FIRST + 1


# What a viewer knows of a running match.


def known(events: list[Event], seat: Seat | None) -> list[str]:
    return [type(event).__name__ for event in known_events(events, seat)]


ASKED = holding(staged("ARA 2 VAL 1", "SEV 2 CAT 1", card="2-07"), C)


def announced() -> list[Event]:
    return events_of(ASKED, A, "special; disc ARA; place 0; end")


def test_own_secrets_are_known_and_those_of_others_are_not() -> None:
    assert known(announced(), A) == ["Announced", "DiscChosen", "Planned", "AnswersOpened"]
    assert known(announced(), B) == ["Announced", "AnswersOpened"]
    assert known(announced(), None) == ["Announced", "AnswersOpened"]


def answered(c: str) -> list[Event]:
    events = announced()
    for seat, text in ((B, "disc SEV"), (C, c)):
        events += events_of(replay(EL_GRANDE, events, ASKED), seat, text)
    return events


def test_answers_become_public_with_what_they_bring_about() -> None:
    assert known(answered("pass"), None)[:6] == [
        "Announced", "DiscChosen", "Planned", "AnswersOpened", "Answered", "Answered",
    ]  # fmt: skip


def test_after_a_veto_they_stay_secret() -> None:
    assert known(answered("veto"), None)[:3] == ["Announced", "AnswersOpened", "Vetoed"]
    later = [*answered("veto"), SpecialDone(B, "3-04")]
    assert not {"Answered", "DiscChosen", "Planned"} & set(known(later, None))
    assert "Planned" in known(answered("veto"), A)


def test_a_list_becomes_public_when_its_turn_has_come() -> None:
    state = holding(
        staged("COURT 3", "ARA 4 COURT 2", "VAL 4 COURT 1", "SEV 9 COURT 1", card="2-04"), 3
    )
    events = events_of(state, A, "special; end")
    for seat, text in ((3, "pass"), (2, "return VAL 3"), (1, "return ARA 3")):
        events += events_of(replay(EL_GRANDE, events, state), seat, text)
        if seat == 2:
            assert known(events, None) == ["Announced", "AnswersOpened"]
    assert known(events, None)[2:] == ["Answered"] * 3 + ["Returned"] * 2
    assert not any(isinstance(event, SpecialDone) for event in events)


def test_a_recalled_value_is_told_to_its_seat_alone() -> None:
    events = events_of(staged(card="4-06"), A, "special recall 9")

    assert known_events(events, A) == tuple(events)
    assert known_events(events, B)[1] == Recalled(A, None)
    assert "special recall ?" in match_to_text([*setup(3), *known_events(events, B)])


def test_only_who_knows_the_value_can_fold_a_recall() -> None:
    with pytest.raises(TypeError, match="may know the value"):
        EL_GRANDE.evolve(staged(card="4-06"), Recalled(A, None))


@pytest.mark.parametrize("seat", [None, A, B])
def test_what_is_known_of_a_running_match_can_be_printed(seat: Seat | None) -> None:
    events = random_events(3, "known")
    for end in range(len(events) // 2, len(events), 7):
        text = match_to_text(known_events(events[:end], seat))
        assert text.startswith("el_grande match\n")


def test_secret_events_have_a_seat_of_their_own() -> None:
    secret = DiscChosen(A, "ARA"), Planned(A, ()), Answered(A, "pass")

    for event in secret:
        assert EL_GRANDE.event_view(event, A) == event
        assert EL_GRANDE.event_view(event, B) is None
        assert EL_GRANDE.event_view(event, None) is None
