"""Bots play legal, repeatable moves and see nothing but what their seat sees."""

from dataclasses import replace

import pytest

from app.bots.castell_steady import SteadyCastell
from app.bots.castell_turns import endings
from app.bots.league import play
from app.bots.policy import Policy
from app.bots.random_policy import RandomPolicy
from app.bots.registry import ITERATIONS, POLICIES, policy_for
from app.matches.editions import edition
from app.rules.castell import CASTELL, State
from app.rules.castell.components import Tower
from app.rules.castell.moves import EndTurn, EnterFestival, Perform, Recruit, Special
from app.rules.castell.state import Festival
from app.rules.game import Seat
from tests.rules.castell.stage import BCN, REGIONS, VAL, VFR, begin, hand, staged, with_ranks
from tests.rules.castell.stage import play as played
from tests.support.pinya import PINYA

# Its clock stands still, so that a busy machine cannot cut a search short.
STEADY = SteadyCastell(clock=lambda: 0.0)
RANDOM = RandomPolicy(CASTELL)
OPTIONS = {"edition": edition("castell")}


@pytest.mark.parametrize("number", range(20))
def test_steady_plays_a_whole_match_against_random_by_the_rules(number: int) -> None:
    # A move that the rules refuse raises in `play`.
    seats = 2 if number < 18 else number - 15
    players: list[Policy]
    players = [STEADY if (seat + number) % 2 == 0 else RANDOM for seat in range(seats)]
    result = play(CASTELL, players, options=OPTIONS, seed=b"match %d" % number, iterations=120)

    assert len(result.lines) >= 10 * seats
    assert set(result.outcome.scores) == set(range(seats))


def test_the_same_seed_gives_the_same_match() -> None:
    players: list[Policy] = [STEADY, RANDOM]
    first, again = (
        play(CASTELL, players, options=OPTIONS, seed=b"once", iterations=120) for _ in range(2)
    )
    other = play(CASTELL, players, options=OPTIONS, seed=b"twice", iterations=120)

    assert first == again
    assert first.lines != other.lines


def test_a_bot_chooses_alike_in_two_worlds_that_look_alike_to_it() -> None:
    festivals = (Festival(1, VAL, (8, 9)),)
    owned = (hand(9, 9, 9, 8, 8, 8, 5, 5, 1),) * 3
    state = staged(festivals=festivals, turn=2, first=1, hands=owned)
    for seat in range(3):
        state = with_ranks(state, seat, balance=1)
    asked = played(state, 0, "end")
    entered = played(asked, 0, "festival VAL = 3x9/2x8/2x5/1x1")
    declined = played(asked, 0, "festival VAL = decline")
    for policy in (STEADY, RANDOM):
        choices = [
            policy.choose(CASTELL.view(world, Seat(1)), Seat(1), seed=b"s", iterations=100)
            for world in (entered, declined)
        ]

        assert entered != declined
        assert choices[0] == choices[1]


def test_steady_performs_its_best_tower_at_a_festival() -> None:
    state = staged(festivals=(Festival(1, VAL, (8, 9)),), turn=2, first=1)
    asked = played(with_ranks(state, 0, balance=1), 0, "end")
    moves = STEADY.choose(CASTELL.view(asked, Seat(0)), Seat(0), seed=b"s", iterations=9)

    assert moves == [EnterFestival("VAL", tower("3x9/3x8/2x5/1x1"))]


def tower(text: str) -> Tower:
    (move,) = CASTELL.parse(f"festival VAL = {text}")
    assert isinstance(move, EnterFestival)
    return move.tower


def choice(state: State) -> str:
    view = CASTELL.view(state, Seat(0))
    return CASTELL.format(STEADY.choose(view, Seat(0), seed=b"s", iterations=ITERATIONS))


def test_steady_goes_to_a_festival_it_can_win() -> None:
    festivals = (Festival(3, BCN, (8, 9)),)
    state = staged(festivals=festivals, round=3, pawns=(VFR, VAL, VAL), tiles=((),) * 7)

    assert "move BCN" in choice(with_ranks(state, 0, balance=2))


def test_steady_claims_a_tile_that_lies_before_it() -> None:
    state = with_ranks(staged(round=10, festivals=()), 0, balance=1)

    assert "special perform S04" in choice(state)


def test_steady_ends_its_search_when_time_is_up() -> None:
    ticks = iter(range(5000))
    hurried = SteadyCastell(clock=lambda: float(next(ticks)))
    state = staged()
    moves = hurried.choose(CASTELL.view(state, Seat(0)), Seat(0), seed=b"s", iterations=ITERATIONS)

    assert moves[-1] == EndTurn()
    assert next(ticks) < 2000


def test_steady_places_its_pawn_first() -> None:
    assert choice(replace(begin(4), first=0)).startswith("move ")


def test_a_turn_is_searched_without_meeting_an_end_twice() -> None:
    state = with_ranks(staged(), 0, balance=1)
    found = list(endings(state, Seat(0), ITERATIONS, lambda: False))
    ends = [_holdings(end.state) for end in found]

    assert len(ends) == len(set(ends))
    assert len(found) > 100
    for end in found[:: len(found) // 20]:
        assert played(state, 0, CASTELL.format(end.moves)) == end.state
    assert {REGIONS[end.state.pawns[0]] for end in found} == {
        "TAR",
        "VAL",
        "VFR",
        "TER",
        "VNO",
        "BCN",
        "GIR",
    }
    assert any(
        isinstance(move, Special) and isinstance(move.option, Perform)
        for end in found
        for move in end.moves
    )


def _holdings(state: State) -> object:
    columns = (state.pawns, state.hands, state.ranks, state.tokens, state.earned)
    return (state.used, *(column[0] for column in columns))


def test_the_search_leaves_out_what_cannot_be_better() -> None:
    found = list(endings(staged(), Seat(0), ITERATIONS, lambda: False))

    assert all(
        len(move.sizes) == 2 for end in found for move in end.moves if isinstance(move, Recruit)
    )
    lonely = staged(castellers=(hand(9),) * 7)
    assert any(
        Recruit((9,)) in end.moves for end in endings(lonely, Seat(0), ITERATIONS, lambda: False)
    )


def test_the_search_is_bounded() -> None:
    whole = len(list(endings(staged(), Seat(0), ITERATIONS, lambda: False)))
    part = list(endings(staged(), Seat(0), 50, lambda: False))

    assert 0 < len(part) < whole
    assert len(list(endings(staged(), Seat(0), 50, lambda: True))) == 1


def test_random_plays_whole_matches_of_every_size() -> None:
    for seats in CASTELL.seat_counts:
        players: list[Policy] = [RANDOM] * seats
        result = play(CASTELL, players, options=OPTIONS, seed=b"chance", iterations=1)

        assert set(result.outcome.scores) == set(range(seats))


def test_a_game_without_policies_is_played_at_random() -> None:
    assert policy_for(PINYA, "steady") == RandomPolicy(PINYA)
    assert policy_for(CASTELL, "steady") is POLICIES["castell"]["steady"]
    assert policy_for(CASTELL, "random") is POLICIES["castell"]["random"]
