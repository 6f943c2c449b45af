"""Rule 13: what each viewer sees, what nobody sees, and a state rebuilt from a view."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.castell import CASTELL, State, known_events
from app.rules.castell.events import FestivalAnswered, FestivalHeld
from app.rules.castell.moves import EnterFestival
from app.rules.castell.state import Festival
from app.rules.castell.view import EarnedView, FestivalView, TurnView
from app.rules.game import Seat
from tests.rules.castell.stage import (
    BCN,
    VAL,
    begin,
    chance,
    end_round,
    hand,
    play,
    random_match,
    staged,
    with_ranks,
)

VIEWERS = (None, Seat(0), Seat(1), Seat(2))
LOW, HIGH = "3x9/2x8/1x7/1x6", "3x9/2x8/2x6/1x5/1x1"


def evening() -> State:
    """Return a state in which all three seats are asked to a festival."""
    owned = hand(9, 9, 9, 8, 8, 7, 6, 6, 6, 5, 5, 1)
    state = replace(
        begin(3),
        round=4,
        first=0,
        festivals=(Festival(4, VAL, (6,)), Festival(8, BCN, (1, 2))),
        hands=(owned,) * 3,
        castellers=(hand(),) * 7,
        bag=tuple(15 - 3 * count for count in owned),
        pawns=(VAL,) * 3,
        ranks=((2, 0, 0, 0, 0),) * 3,
    )
    return end_round(state)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_submitted_tower_is_seen_by_nobody_before_the_reveal(viewer: Seat | None) -> None:
    states = [play(evening(), 1, f"festival VAL = {answer}") for answer in (LOW, HIGH, "decline")]
    views = [CASTELL.view(state, viewer) for state in states]

    assert views[0] == views[1] == views[2]
    assert views[0].asked == (0, 2)
    assert views[0].entrants == {"VAL": (0, 1, 2)}


def test_a_revealed_tower_is_seen_by_everyone() -> None:
    state = evening()
    for seat, answer in enumerate((LOW, "decline", HIGH)):
        state = play(state, seat, f"festival VAL = {answer}", chance())
    held = CASTELL.view(state, None).calendar[3].festivals[0]
    (high,), (low,) = (CASTELL.parse(f"festival VAL = {tower}") for tower in (HIGH, LOW))

    assert isinstance(high, EnterFestival)
    assert isinstance(low, EnterFestival)
    assert held == FestivalView(
        region="VAL",
        tokens=(6,),
        resolved=True,
        towers=((Seat(2), high.tower, 7), (Seat(0), low.tower, 5)),
        prizes=((Seat(2), "trophy"), (Seat(0), "medal")),
        token_winners=((6, Seat(2)),),
    )
    assert CASTELL.view(state, None).calendar[7].festivals == (
        FestivalView("BCN", (1, 2), resolved=False, towers=(), prizes=(), token_winners=()),
    )


def test_the_answer_s_event_is_seen_by_its_seat_alone() -> None:
    tower = CASTELL.parse(f"festival VAL = {LOW}")
    answer, *_ = CASTELL.decide(evening(), Seat(1), tower[0], chance())

    assert isinstance(answer, FestivalAnswered)
    assert CASTELL.event_view(answer, Seat(1)) == answer
    assert [CASTELL.event_view(answer, viewer) for viewer in (None, Seat(0), Seat(2))] == [None] * 3


def test_an_answer_in_the_log_is_known_to_all_once_its_festival_is_held() -> None:
    tower = CASTELL.parse(f"festival VAL = {LOW}")
    secret = CASTELL.decide(evening(), Seat(1), tower[0], chance())
    log = [event for _, event, _ in random_match(3, "events")]
    held = [n for n, event in enumerate(log) if isinstance(event, FestivalHeld)]
    answers = [event for event in log[: held[-1]] if isinstance(event, FestivalAnswered)]

    assert answers
    for viewer in (None, Seat(0), Seat(2)):
        known = known_events((*log, *secret), viewer)
        assert [event for event in known if isinstance(event, FestivalAnswered)] == answers
    assert known_events((*log, *secret), Seat(1)) == (*log, *secret)
    assert known_events(secret, Seat(0)) == ()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_other_event_is_seen_by_everyone(viewer: Seat | None) -> None:
    for _, event, _ in random_match(3, "events"):
        if not isinstance(event, FestivalAnswered):
            assert CASTELL.event_view(event, viewer) is event


def test_the_view_tells_what_lies_where() -> None:
    state = with_ranks(staged(rows=((), (2, 1), *((),) * 5)), 0, balance=1)
    state = play(state, 0, "special perform S04 = 3x9/3x8/2x5/1x1; recruit 9")
    view = CASTELL.view(state, Seat(1))
    valls = view.regions[VAL]
    colla = view.collas[0]

    assert (valls.id, valls.name, valls.neighbours) == ("VAL", "Valls", ("TAR", "VFR", "TER"))
    assert valls.castellers == (4, 7, 7)
    assert valls.pawns == (0, 1, 2)
    assert valls.skills[:3] == ("mix", "strength", "base")
    assert len(valls.skills) == 10
    assert [tile.id for tile in valls.tiles] == ["E01"]
    assert valls.tokens == (0,)
    assert view.everywhere[:2] == ("special", "balance")
    assert view.turn == TurnView(Seat(0), moved=False, recruited=True, trained=False, special=True)
    assert (view.seat, view.asked, view.order, view.phase) == (1, (0,), (0, 1, 2), "turns")
    assert (view.edition, view.max_rank, view.width_limit) == ("castell-1", 5, 3)
    assert colla.special_tokens == 6
    assert colla.ranks == {"balance": 1, "base": 0, "mix": 0, "strength": 0, "width": 0}
    assert [(e.region, e.tokens) for e in colla.earned] == [("VAL", (2, 1))]
    assert isinstance(colla.earned[0], EarnedView)
    assert (colla.points, colla.categories["local"]) == (5, 5)


def test_a_pawn_that_is_not_placed_is_nowhere() -> None:
    assert [colla.region for colla in CASTELL.view(begin(), None).collas] == [None] * 3


def test_the_refill_rounds_are_marked_on_the_track() -> None:
    calendar = CASTELL.view(begin(), None).calendar

    assert [number.number for number in calendar if number.refill] == [3, 5, 7, 9]


def test_what_will_be_drawn_is_nowhere_in_a_view() -> None:
    """Two matches that have come to the same table differ in nothing but chance to come."""
    state = end_round(begin(2, seed="same"))
    one, other = (end_round(state, chance(seed)) for seed in ("one", "other"))

    assert one.castellers != other.castellers or one.bag == other.bag
    assert CASTELL.view(state, None) == CASTELL.view(replace(state), None)


@settings(max_examples=6, deadline=None)
@given(st.integers(2, 4), st.integers(), st.sampled_from(["all_regions", "no_regions"]))
def test_a_state_rebuilt_from_a_view_looks_the_same(seats: int, seed: int, side: str) -> None:
    for _, _, state in random_match(seats, seed, wheel_side=side):
        if CASTELL.prompts(state) or state.phase == "over":
            viewer = (None, *map(Seat, range(seats)))[state.turn % (seats + 1)]
            view = CASTELL.view(state, viewer)
            rebuilt = CASTELL.determinise(view, chance(seed))
            assert CASTELL.view(rebuilt, viewer) == view
            assert state.entries or rebuilt == state


def test_a_hidden_answer_is_drawn_when_a_state_is_rebuilt() -> None:
    state = play(evening(), 1, "festival VAL = decline")
    view = CASTELL.view(state, Seat(0))
    drawn = {CASTELL.determinise(view, chance(seed)).entries for seed in range(12)}

    assert len(drawn) == 2
    assert all(seat == 1 for entries in drawn for seat, _ in entries)
    assert all(
        CASTELL.view(CASTELL.determinise(view, chance(seed)), Seat(0)) == view for seed in range(12)
    )
