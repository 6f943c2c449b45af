"""Rules 2.3, 4 and 6.1: refills, the turning wheel, the order of turns, the end."""

from dataclasses import replace
from itertools import pairwise

import pytest

from app.rules.castell import CASTELL
from app.rules.castell.events import MatchEnded, RoundStarted, TurnEnded
from app.rules.castell.setup import shortage
from app.rules.game import Seat
from app.rules.rng import ChanceRefusedError, NoRng
from tests.rules.castell.stage import (
    GIR,
    REGIONS,
    TAR,
    VAL,
    WHEEL,
    begin,
    chance,
    end_round,
    events_of,
    hand,
    random_events,
    refusal,
    staged,
)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_regions_are_refilled_at_the_start_of_rounds_3_5_7_and_9(seats: int) -> None:
    started = [e for e in random_events(seats, "refill") if isinstance(e, RoundStarted)]

    assert [event.round for event in started] == list(range(2, 11))
    assert {event.round for event in started if event.refill} == {3, 5, 7, 9}


def test_a_refill_tops_up_and_leaves_what_is_there() -> None:
    state = staged(round=2, castellers=(hand(9), hand(), *(hand(1, 2, 3, 4, 5),) * 5))
    after = end_round(state)

    assert [sum(counts) for counts in after.castellers] == [4, 4, 5, 5, 5, 5, 5]
    assert after.castellers[TAR][8] >= 1
    assert sum(after.bag) == sum(state.bag) - 7


def test_a_short_bag_gives_one_at_a_time_in_region_order() -> None:
    state = staged(round=2, castellers=(hand(),) * 6 + (hand(1, 2, 3),), bag=hand(*(7,) * 10))

    assert shortage(state) == [2, 2, 2, 1, 1, 1, 1]
    assert sum(end_round(state).bag) == 0


def test_an_empty_bag_refills_nothing() -> None:
    state = staged(round=2, castellers=(hand(),) * 7, bag=hand())

    assert end_round(state).castellers == (hand(),) * 7


def test_only_a_refill_draws() -> None:
    last = staged(round=2, turn=2, castellers=(hand(9),) * 7)

    with pytest.raises(ChanceRefusedError):
        events_of(last, 2, "end", NoRng())
    assert events_of(replace(last, round=1), 2, "end", NoRng())


@pytest.mark.parametrize(
    ("round_", "region", "slot"),
    [(1, TAR, 1), (1, GIR, 7), (2, TAR, 2), (2, GIR, 0), (8, TAR, 0), (9, TAR, 1), (10, VAL, 3)],
)
def test_the_wheel_turns_one_place_clockwise_between_rounds(
    round_: int, region: int, slot: int
) -> None:
    assert staged().skill_at(region, round_) == WHEEL[slot]


def test_the_all_regions_slot_turns_too() -> None:
    assert [staged().skill_everywhere(number) for number in (1, 2, 9)] == [*WHEEL[:2], WHEEL[0]]


def test_a_wheel_may_turn_the_other_way() -> None:
    state = staged({"wheel.direction": "counterclockwise"})

    assert [state.skill_at(TAR, number) for number in (1, 2, 3)] == [WHEEL[1], WHEEL[0], WHEEL[7]]


def test_the_no_regions_side_offers_nothing_everywhere() -> None:
    state = staged(options={"wheel_side": "no_regions"})

    assert state.skill_everywhere(1) is None
    assert [state.skill_at(n, 1) for n in range(len(REGIONS))] == list(WHEEL[1:])


@pytest.mark.parametrize(
    ("seats", "starts"), [(2, "0101010101"), (3, "0120120120"), (4, "0123012301")]
)
def test_the_first_player_marker_passes_left(seats: int, starts: str) -> None:
    state = replace(begin(seats), first=0)
    seen = []
    while state.phase == "turns":
        seen.append(str(state.current()))
        assert state.order() == tuple((state.first + step) % seats for step in range(seats))
        state = end_round(state)

    assert "".join(seen) == starts
    assert state.phase == "over"


def test_the_first_player_may_stay_the_same() -> None:
    state = replace(begin(3, changes={"rotate_first_player": False}), first=2)

    assert end_round(state).first == 2


def test_every_seat_has_one_turn_a_round() -> None:
    ended = [e for e in random_events(4, "turns") if isinstance(e, TurnEnded)]

    assert [event.round for event in ended] == [n for n in range(1, 11) for _ in range(4)]
    for number in range(1, 11):
        seats = [event.seat for event in ended if event.round == number]
        assert all((after - before) % 4 == 1 for before, after in pairwise(seats))


def test_the_match_ends_after_the_last_round_and_refuses_more() -> None:
    state = replace(staged(round=10), turn=2, festivals=())
    events = events_of(state, 2, "end")
    over = end_round(state)

    assert isinstance(events[-1], MatchEnded)
    assert over.phase == "over"
    assert CASTELL.prompts(over) == {}
    assert list(CASTELL.legal_moves(over, Seat(0))) == []
    assert refusal(over, 0, "end").code == "match.over"


@pytest.mark.parametrize("seat", [1, 2])
def test_a_turn_belongs_to_one_seat(seat: int) -> None:
    refused = refusal(staged(), seat, "end")

    assert (refused.code, refused.details) == ("turn.not_yours", {"seat": 0})
    assert list(CASTELL.legal_moves(staged(), Seat(seat))) == []


def test_nothing_happens_twice_to_a_published_state() -> None:
    state = staged()
    before = replace(state)
    events_of(state, 0, "move TAR; recruit 9 7; train balance; special recruit 7; end", chance())

    assert state == before
