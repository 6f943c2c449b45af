"""Sections 13 and 14: what each viewer sees, what nobody sees, and a state rebuilt from a view."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.determinising import possible_hands
from app.rules.el_grande.view import OwnAnswer
from app.rules.game import Rng, Seat, replay
from tests.rules.el_grande.stage import (
    CVI,
    GAL,
    A,
    B,
    C,
    begin,
    chance,
    holding,
    play,
    published,
    random_match,
    staged,
    stepped,
)

VIEWERS = (None, A, B, C)


def same_to(viewer: Seat | None, *states: State) -> bool:
    """Tell whether a viewer cannot tell these states apart."""
    views = [EL_GRANDE.view(state, viewer) for state in states]
    return all(view == views[0] for view in views)


def picking() -> State:
    return staged(card="4-07")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_disc_is_seen_by_its_seat_alone(viewer: Seat | None) -> None:
    states = [play(picking(), A, f"place 0; special; disc {r}; end") for r in ("ARA", "GAL")]

    assert same_to(viewer, *states) == (viewer != A)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_answer_is_seen_by_its_seat_alone(viewer: Seat | None) -> None:
    asked = play(picking(), A, "place 0; special; disc ARA; end")
    states = [asked, play(asked, B, "disc ARA"), play(asked, B, "disc CVI")]

    assert same_to(viewer, *states) == (viewer != B)
    assert EL_GRANDE.view(states[0], viewer).asked == (B, C)
    assert EL_GRANDE.view(states[1], B).own == (OwnAnswer("disc", "ARA", ()),)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_who_has_passed_is_seen_by_nobody_else(viewer: Seat | None) -> None:
    state = play(holding(staged(card="5-01"), B, C), A, "special king PVA; end")

    assert same_to(viewer, state, play(state, B, "pass")) == (viewer != B)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_plan_is_seen_by_its_seat_alone(viewer: Seat | None) -> None:
    state = play(holding(staged(card="5-01"), B), A, "special king PVA")
    states = [play(state, A, line) for line in ("end", "place 0; end", "place CVI 2; end")]

    assert same_to(viewer, *states) == (viewer != A)
    vetoed = [play(state, B, "veto") for state in states]
    assert same_to(viewer, *vetoed) == (viewer != A)


def recalled(value: int, **options: Any) -> State:
    logs = ((3, 5, 12, 9), (8,), (7,))
    hands = (tuple(v for v in range(1, 14) if v not in logs[0]), tuple(range(1, 8)), (1, 2))
    state = staged(card="4-06", logs=logs, hands=(hands[0], *begin(3).hands[1:]), options=options)
    state = replace(state, logs=(logs[0], (), ()))
    return play(state, A, f"special recall {value}")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_which_card_was_taken_back_is_seen_by_its_seat_alone(viewer: Seat | None) -> None:
    assert same_to(viewer, recalled(3), recalled(5), recalled(9)) == (viewer != A)


def test_the_highest_card_of_a_pile_lies_open() -> None:
    assert [EL_GRANDE.view(recalled(v), B).players[A].highest for v in (3, 12)] == [12, 9]
    assert EL_GRANDE.view(recalled(3), B).players[A].pile == 3
    assert EL_GRANDE.view(recalled(3), B).players[A].log == (3, 5, 12, 9, 0)
    assert EL_GRANDE.view(begin(3), None).players[A].highest == 0


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_card_being_taken_back_is_announced_without_its_value(viewer: Seat | None) -> None:
    state = holding(staged(card="4-06", logs=((3, 9), (8,), (7,))), B)
    state = replace(state, hands=((1, 2), *state.hands[1:]))
    states = [play(state, A, f"special recall {value}; end") for value in (3, 9)]

    assert same_to(viewer, *states) == (viewer != A)


def test_hands_are_seen_by_their_seat_alone() -> None:
    view = EL_GRANDE.view(begin(3), B)

    assert [player.hand is not None for player in view.players] == [False, True, False]
    assert all(player.hand is None for player in EL_GRANDE.view(begin(3), None).players)


def test_a_hidden_castillo_shows_a_viewer_its_own_caballeros() -> None:
    state = staged("CAS 3", "CAS 2", "CAS 0")
    seen = EL_GRANDE.view(state, B)

    assert [player.castillo for player in seen.players] == [None, 2, None]
    assert seen.castillo_total == 5
    shown = EL_GRANDE.view(replace(state, castillo="open"), B)
    assert [player.castillo for player in shown.players] == [3, 2, 0]


def test_the_order_of_the_stacks_exists_for_nobody() -> None:
    state = begin(4)

    assert EL_GRANDE.view(state, A).unseen == state.unseen
    assert all(list(stack) == sorted(stack) for stack in state.unseen)


def test_a_view_shows_the_board() -> None:
    state = staged("CVI 2 COURT 5", "CVI 1 GAL 3", boards=(CVI, -1), grandes=(CVI, CVI, GAL))
    view = EL_GRANDE.view(state, None)
    old, galicia = view.regions[CVI], view.regions[GAL]

    assert (old.id, old.printed, old.values, old.board) == ("CVI", (6, 4, 2), (8, 4, 0), "A")
    assert (old.caballeros, old.grandes, old.king, old.open) == ((2, 1, 0), (A, B), False, True)
    assert (galicia.king, galicia.open, galicia.grandes) == (True, False, (C,))
    assert (view.king, view.boards) == ("GAL", {"A": "CVI", "B": None})
    assert (view.order, view.bids) == ((A, B, C), ((A, 9), (B, 8), (C, 7)))


def test_a_view_shows_the_running_turn() -> None:
    state = play(staged("ARA 2 COURT 5", card="5-01"), A, "place CVI 1; special king PVA")
    turn = EL_GRANDE.view(state, B).turn

    assert turn is not None
    assert (turn.seat, turn.power, turn.took, turn.card) == (A, 2, 0, "5-01")
    assert (turn.parts, turn.placed, turn.sealed) == ("ps", (("CVI", 1),), False)
    assert EL_GRANDE.view(begin(3), A).turn is None


@settings(max_examples=4, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10**6), st.sampled_from(["hidden", "open"]))
def test_a_state_rebuilt_from_a_view_looks_the_same(seats: int, seed: int, castillo: str) -> None:
    rng = chance(f"rebuilt {seed}")
    for state in stepped(seats, seed, castillo=castillo, length=6):
        for viewer in (None, *map(Seat, range(seats))):
            seen = EL_GRANDE.view(state, viewer)
            assert EL_GRANDE.view(EL_GRANDE.determinise(seen, rng), viewer) == seen


def finished(state: State, rng: Rng) -> State:
    """Return the end of a match that chance plays on."""
    while prompts := EL_GRANDE.prompts(state):
        seat = next(iter(prompts))
        moves = list(EL_GRANDE.legal_moves(state, seat))
        move = moves[rng.below(len(moves))]
        state = replay(EL_GRANDE, EL_GRANDE.decide(state, seat, move, rng), state)
    return state


@settings(max_examples=4, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10**6))
def test_a_match_can_be_played_on_from_what_a_viewer_sees(seats: int, seed: int) -> None:
    rng = chance(f"on {seed}")
    for number, state in enumerate(published(seats, seed)):
        if number % 20 == 0:
            seen = EL_GRANDE.view(state, Seat(number % seats))
            end = finished(EL_GRANDE.determinise(seen, rng), rng)
            assert EL_GRANDE.outcome(end) is not None


def variants(state: State, viewer: Seat | None) -> Iterator[State]:
    """Yield states that differ from `state` only in what `viewer` may not know."""
    seen = EL_GRANDE.view(state, viewer)
    yield from (EL_GRANDE.determinise(seen, chance(number)) for number in range(2))
    yield replace(state, filed=tuple(filed for filed in state.filed if filed.seat == viewer))
    if state.current() != viewer:
        parts = "s" if state.parts == "sp" and state.sealed else state.parts
        yield replace(state, plan=None, parts=parts, disc="")
        yield replace(state, plan=(("CAS", 1),) if state.phase == "answers" else state.plan)


@settings(max_examples=6, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10**6))
def test_states_that_differ_in_secrets_give_equal_views(seats: int, seed: int) -> None:
    for state in published(seats, seed, length=6):
        if state.phase != "turn":
            for viewer in (None, *map(Seat, range(seats))):
                seen = EL_GRANDE.view(state, viewer)
                assert all(EL_GRANDE.view(s, viewer) == seen for s in variants(state, viewer))


@pytest.mark.parametrize(
    ("log", "highest", "hands"),
    [
        ((), 0, [(1, 2, 3, 4)]),
        ((2, 4), 4, [(1, 3)]),
        ((2, 4, 0), 4, [(1, 2, 3)]),
        ((2, 4, 0), 2, [(1, 3, 4)]),
        ((2, 3, 4, 0), 4, [(1, 2), (1, 3)]),
        ((2, 3, 4, 0, 2), 4, [(1,)]),
        ((2, 3, 0, 4), 4, [(1, 2), (1, 3)]),
        ((2, 3, 0, 4, 0), 3, [(1, 2, 4)]),
    ],
)
def test_a_log_of_plays_leaves_these_hands(
    log: tuple[int, ...], highest: int, hands: list[tuple[int, ...]]
) -> None:
    assert list(possible_hands(4, log, highest)) == hands


def test_a_hidden_hand_is_drawn_among_those_that_fit() -> None:
    seen = EL_GRANDE.view(recalled(3), B)
    hands = {EL_GRANDE.determinise(seen, chance(n)).hands[A] for n in range(40)}

    assert len(hands) == 3
    assert all(12 not in hand for hand in hands)


def test_a_hidden_disc_is_drawn_among_those_that_fit() -> None:
    state = play(staged("ARA 3 VAL 2", "SEV 2 CAT 1", card="2-07"), A, "special; disc ARA; end")
    seen = EL_GRANDE.view(state, B)

    assert {EL_GRANDE.determinise(seen, chance(n)).disc for n in range(20)} == {"ARA", "VAL"}
    assert EL_GRANDE.determinise(EL_GRANDE.view(state, A), chance()).disc == "ARA"


def test_events_are_seen_as_they_may_be() -> None:
    for _, event, _ in random_match(4, "events"):
        for viewer in VIEWERS:
            seen = EL_GRANDE.event_view(event, viewer)
            own = getattr(event, "seat", None) == viewer
            secret = type(event).__name__ in {"DiscChosen", "Planned", "Answered"}
            assert (seen is None) == (secret and not own)
