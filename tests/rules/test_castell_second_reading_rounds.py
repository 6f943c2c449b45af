"""Rules 2, 3 and 4 read a second time: setup, the order of seats, refills, the last round."""

from collections import Counter
from typing import Any

import pytest

from app.rules.castell import CASTELL, State
from app.rules.castell.events import MatchEnded, Recruited, RoundStarted
from app.rules.game import Seat, replay
from tests.rules.castell.stage import values
from tests.rules.second_reading import (
    REGIONS,
    after,
    chance,
    colla,
    look,
    lot,
    position,
    refused,
    region,
    result,
    told,
)


def fresh(seats: int, seed: int = 0, **options: Any) -> State:
    setup = CASTELL.setup(seats, {"edition": values(), **options}, chance(seed))
    return replay(CASTELL, setup)


SEATS = [
    # seats, castellers in a region, in the bag, festivals of rounds 3 to 10
    (2, 3, 150 - 7 * 3 - 7 * 2, [1, 1, 1, 1, 1, 1, 1, 1]),
    (3, 4, 150 - 7 * 4 - 7 * 3, [1, 1, 2, 2, 1, 1, 2, 2]),
    (4, 5, 150 - 7 * 5 - 7 * 4, [1, 2, 2, 2, 1, 2, 2, 2]),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("seats", "waiting", "bag", "festivals"), SEATS)
def test_a_match_is_set_up_by_rule_3(
    seats: int, waiting: int, bag: int, festivals: list[int], seed: int
) -> None:
    view = look(fresh(seats, seed))
    calendar = {number: entry.festivals for number, entry in enumerate(view.calendar, 1)}
    tiles = [tile.id for place in view.regions for tile in place.tiles]

    assert [place.id for place in view.regions] == list(REGIONS)
    assert {len(place.castellers) for place in view.regions} == {waiting}
    assert view.bag == bag
    assert {len(place.tiles) for place in view.regions} == {2}
    assert len(set(tiles)) == 14
    assert not any(place.tokens or place.pawns for place in view.regions)
    for mine in view.collas:
        assert sum(mine.castellers) == 7
        assert set(mine.ranks.values()) == {0}
        assert (mine.region, mine.special_tokens, mine.best_tower, mine.points) == (None, 7, 0, 0)
    assert [len(calendar[number]) for number in range(1, 11)] == [0, 0, *festivals]
    assert [number for number in calendar if view.calendar[number - 1].refill] == [3, 5, 7, 9]
    for half, count in ((range(3, 7), 1), (range(7, 11), 2)):
        held = [festival for number in half for festival in calendar[number]]
        assert len({festival.region for festival in held}) == len(held)
        assert {len(set(festival.tokens)) for festival in held} == {count}
        assert {len(festival.tokens) for festival in held} == {count}
    shown = Counter(
        size for entry in view.calendar for festival in entry.festivals for size in festival.tokens
    )
    assert max(shown.values()) <= 3
    assert view.asked == (view.order[0],)
    # A wheel turned seven times has shown each of its eight tiles everywhere.
    assert Counter(view.everywhere[:8]) == Counter(
        balance=2, mix=2, strength=1, base=1, width=1, special=1
    )


def test_anybody_may_be_first() -> None:
    assert {look(fresh(4, seed)).order[0] for seed in range(40)} == {0, 1, 2, 3}


def test_the_no_regions_side_shows_nothing_everywhere() -> None:
    assert set(look(fresh(2, wheel_side="no_regions")).everywhere) == {None}


ORDERS = [
    # rule, seats, first of this round, order now, order in the next round, rotating
    ("4", 2, 0, (0, 1), (1, 0), True),
    ("4", 2, 1, (1, 0), (0, 1), True),
    ("4", 3, 1, (1, 2, 0), (2, 0, 1), True),
    ("4", 3, 2, (2, 0, 1), (0, 1, 2), True),
    ("4", 4, 2, (2, 3, 0, 1), (3, 0, 1, 2), True),
    ("4", 4, 3, (3, 0, 1, 2), (0, 1, 2, 3), True),
    ("12 a first player who stays", 4, 2, (2, 3, 0, 1), (2, 3, 0, 1), False),
]


@pytest.mark.parametrize(("rule", "seats", "first", "now", "then", "rotating"), ORDERS)
def test_seats_follow_clockwise_and_the_marker_passes_left(
    *,
    rule: str,
    seats: int,
    first: int,
    now: tuple[int, ...],
    then: tuple[int, ...],
    rotating: bool,
) -> None:
    state = position(
        seats, moment={"round": 1, "first": first}, changes={"rotate_first_player": rotating}
    )
    moved = []

    assert look(state).order == now, rule
    while look(state).round == 1:
        (seat,) = look(state).asked
        moved.append(seat)
        state = after(state, seat, "end")
    assert tuple(moved) == now, rule
    assert look(state).order == then, rule


@pytest.mark.parametrize("number", range(1, 10))
def test_regions_are_refilled_at_the_start_of_rounds_3_5_7_and_9(number: int) -> None:
    state = position(2, moment={"round": number, "turn": 1}, waiting={"VAL": "9 9", "GIR": "1 2 3"})
    (seat,) = look(state).asked
    (started,) = (e for e in told(state, seat, "end", chance()) if isinstance(e, RoundStarted))
    counts = {place: len(drawn) for place, drawn in started.refill}

    expected = {"TAR": 3, "VAL": 1, "VFR": 3, "VNO": 3, "BCN": 3, "TER": 3}
    assert counts == (expected if number in (2, 4, 6, 8) else {})
    later = after(state, seat, "end", chance())
    assert region(later, "GIR").castellers == (1, 2, 3)
    assert Counter(region(later, "VAL").castellers)[9] >= 2
    assert look(later).bag == look(state).bag - sum(counts.values())


SHORT = [
    # rule, tens in the bag, waiting before, castellers in each region after
    ("2.3 an empty bag", 0, {}, [0, 0, 0, 0, 0, 0, 0]),
    ("2.3 one", 1, {}, [1, 0, 0, 0, 0, 0, 0]),
    ("2.3 five", 5, {}, [1, 1, 1, 1, 1, 0, 0]),
    ("2.3 a round and two more", 9, {}, [2, 2, 1, 1, 1, 1, 1]),
    ("2.3 two rounds and one more", 15, {}, [3, 2, 2, 2, 2, 2, 2]),
    (
        "2.3 full ones are passed over",
        9,
        {"TAR": "5x1", "VAL": "4x1"},
        [5, 5, 2, 2, 2, 1, 1],
    ),
    (
        "2.3 one that fills up drops out",
        10,
        {"TAR": "4x1", "VFR": "3x2", "GIR": "5x3"},
        [5, 2, 5, 2, 2, 1, 5],
    ),
    (
        "2.3 just enough",
        3,
        {
            "TAR": "4x1",
            "VAL": "5x1",
            "VFR": "5x2",
            "VNO": "5x3",
            "BCN": "4x4",
            "TER": "5x5",
            "GIR": "4x6",
        },
        [5, 5, 5, 5, 5, 5, 5],
    ),
]


@pytest.mark.parametrize(("rule", "bag", "waiting", "counts"), SHORT)
def test_a_bag_that_runs_short_gives_one_at_a_time_in_region_order(
    rule: str, bag: int, waiting: dict[str, str], counts: list[int]
) -> None:
    out = Counter[str]()
    for text in waiting.values():
        count, _, size = text.partition("x")
        out[size] += int(count)
    rest = " ".join(f"{15 - out[str(size)]}x{size}" for size in range(1, 10))
    state = position(
        4,
        moment={"round": 2, "turn": 3},
        waiting=waiting,
        hands=[rest, f"{15 - bag}x10"],
    )
    state = after(state, 3, "end", chance())

    assert look(state).round == 3
    assert [len(place.castellers) for place in look(state).regions] == counts, rule
    assert look(state).bag == bag - (sum(counts) - sum(out.values())), rule


def test_only_the_end_of_a_round_before_a_refill_draws() -> None:
    state = position(3, moment={"round": 2}, pawns=["BCN"] * 3, waiting={"BCN": "9 8"})
    state = after(state, 0, "move TER; train mix; special move BCN; recruit 9; end")
    state = after(state, 1, "end")

    with pytest.raises(Exception, match=r"chance\.refused"):
        after(state, 2, "end")


def test_a_refill_comes_after_the_festivals_of_the_round_before() -> None:
    state = position(
        2,
        moment={"round": 4, "turn": 1},
        pawns=["VAL", "VAL"],
        hands=["3x9 2x8 7 6"],
        skills=["balance 1"],
        festivals=[(4, "VAL", [6])],
    )
    state = after(state, 1, "end")

    assert look(state).asked == (0,)
    assert region(state, "VAL").castellers == ()
    state = after(state, 0, "festival VAL = 3x9/2x8/1x7/1x6", chance())
    assert look(state).round == 5
    assert len(region(state, "VAL").castellers) == 3


def test_what_was_recruited_stays_gone_until_the_refill() -> None:
    state = position(2, pawns=["VAL", "VAL"], waiting={"VAL": "9 8"})
    events = told(state, 0, "recruit 8 9; end")
    state = after(state, 0, "recruit 8 9; end")

    assert [event.sizes for event in events if isinstance(event, Recruited)] == [(9, 8)]
    assert refused(state, 1, "recruit 9") is not None
    state = after(state, 1, "end")
    assert look(state).round == 2
    assert region(state, "VAL").castellers == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ten_rounds_of_nothing_end_in_a_tie_without_points(seats: int) -> None:
    state = fresh(seats)
    first = look(state).order[0]
    begun = []
    rng = chance("idle")
    while asked := look(state).asked:
        assert len(asked) == 1
        if look(state).turn and asked[0] == look(state).order[0]:
            begun.append(asked[0])
        state = after(state, asked[0], "end", rng)

    assert begun == [(first + number) % seats for number in range(10)]
    assert look(state).phase == "over"
    assert set(result(state).scores.values()) == {0}
    assert [sorted(place) for place in result(state).ranking] == [list(range(seats))]
    assert {len(place.castellers) for place in look(state).regions} == {seats + 1}


def test_the_festivals_of_round_10_come_before_the_final_scoring() -> None:
    state = position(
        3,
        moment={"round": 10, "first": 1, "turn": 2},
        pawns=["GIR", "VAL", "VAL"],
        hands=["", "3x9 2x8 7 6", "3x9 2x8 7 6"],
        skills=["", "balance 1", "balance 1"],
        festivals=[(10, "VAL", [7, 6]), (10, "GIR", [1, 2])],
        best=[6, 0, 9],
    )

    assert look(state).asked == (0,)
    state = after(state, 0, "end")
    assert CASTELL.outcome(state) is None
    assert sorted(look(state).asked) == [1, 2]
    state = after(state, 1, "festival VAL = 3x9/2x8/1x7/1x6")
    events = told(state, 2, "festival VAL = decline")
    state = after(state, 2, "festival VAL = decline")

    assert isinstance(events[-1], MatchEnded)
    # Four levels and both tokens, a trophy, two first tokens; one region is worth nothing.
    assert lot(state, 1, "VAL") == {"prizes": ["trophy"], "sizes": [7, 6]}
    assert result(state).scores == {Seat(0): 6, Seat(1): 6 + 5 + 4, Seat(2): 9}
    assert [sorted(place) for place in result(state).ranking] == [[1], [2], [0]]
    assert colla(state, 2).best_tower == 9
    assert look(state).round == 10
