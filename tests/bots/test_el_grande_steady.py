"""The steady bot of El Grande: legal, repeatable, and blind to what its seat may not know."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from app.bots.el_grande_steady import SteadyElGrande
from app.bots.league import play
from app.bots.policy import Policy
from app.bots.random_policy import RandomPolicy
from app.matches.editions import edition
from app.rules.el_grande import EL_GRANDE, State
from app.rules.el_grande.moves import END, PlayPower, TakeCard
from app.rules.game import Seat, replay
from app.rules.rng import HmacRng

# Its clock stands still, so that a busy machine cannot cut a search short.
STEADY = SteadyElGrande(clock=lambda: 0.0)
RANDOM = RandomPolicy(EL_GRANDE)
BUSY = 300


def options(**chosen: Any) -> dict[str, Any]:
    return {"edition": edition("el_grande"), "length": 6, **chosen}


@pytest.mark.parametrize(
    ("seats", "chosen"),
    [
        (seats, {"veto": veto, "castillo": castillo})
        for seats, (veto, castillo) in zip(
            range(2, 6), product(("simple", "off"), ("hidden", "open")), strict=True
        )
    ],
    ids=str,
)
def test_steady_plays_whole_matches_by_the_rules(seats: int, chosen: dict[str, str]) -> None:
    players: list[Policy] = [STEADY if seat % 2 == 0 else RANDOM for seat in range(seats)]

    # A move that the rules refuse raises in `play`.
    result = play(EL_GRANDE, players, options=options(**chosen), seed=b"a match", iterations=BUSY)

    assert set(result.outcome.scores) == set(range(seats))


def test_the_same_seed_gives_the_same_match() -> None:
    players: list[Policy] = [STEADY, RANDOM]
    first, again = (
        play(EL_GRANDE, players, options=options(), seed=b"once", iterations=BUSY) for _ in range(2)
    )

    assert first == again


def positions(seats: int = 3, seed: bytes = b"p") -> Iterator[State]:
    """Yield the states of a random match at which somebody is asked."""
    chance, choice = HmacRng(seed, "chance"), HmacRng(seed, "choice")
    state = replay(EL_GRANDE, EL_GRANDE.setup(seats, options(), chance))
    while prompts := EL_GRANDE.prompts(state):
        yield state
        seat = min(prompts)
        moves = list(EL_GRANDE.legal_moves(state, seat))
        move = moves[choice.below(len(moves))]
        state = replay(EL_GRANDE, EL_GRANDE.decide(state, seat, move, chance), state)


def test_a_bot_chooses_alike_in_two_worlds_that_look_alike_to_it() -> None:
    compared = 0
    for state in positions():
        seat = min(EL_GRANDE.prompts(state))
        view = EL_GRANDE.view(state, seat)
        other = EL_GRANDE.determinise(view, HmacRng(b"other", "world"))
        if other == state or compared == 5:
            continue
        compared += 1
        choices = [
            STEADY.choose(EL_GRANDE.view(world, seat), seat, seed=b"s", iterations=BUSY)
            for world in (state, other)
        ]
        assert choices[0] == choices[1]
    assert compared


def test_a_turn_is_played_to_its_end() -> None:
    state = next(state for state in positions() if state.phase == "turn")
    seat = min(EL_GRANDE.prompts(state))

    moves = STEADY.choose(EL_GRANDE.view(state, seat), seat, seed=b"s", iterations=BUSY)

    assert isinstance(moves[0], TakeCard)
    assert moves[-1] == END


def test_a_power_card_is_one_the_seat_may_play() -> None:
    state = next(state for state in positions() if len(state.bids) == 1)
    seat = min(EL_GRANDE.prompts(state))

    (move,) = STEADY.choose(EL_GRANDE.view(state, seat), seat, seed=b"s", iterations=BUSY)

    assert isinstance(move, PlayPower)
    assert move in list(EL_GRANDE.legal_moves(state, seat))


def test_steady_ends_its_search_when_time_is_up() -> None:
    ticks = iter(range(10_000))
    hurried = SteadyElGrande(clock=lambda: float(next(ticks)))
    state = next(state for state in positions() if state.phase == "turn")
    seat = min(EL_GRANDE.prompts(state))

    moves = hurried.choose(EL_GRANDE.view(state, seat), seat, seed=b"s", iterations=10**6)

    assert moves[-1] == END
    assert next(ticks) < 1000


def test_steady_places_what_waits_in_its_court() -> None:
    state = next(state for state in positions() if state.phase == "turn")
    seat = Seat(min(EL_GRANDE.prompts(state)))
    crowded = replace(
        state,
        round=9,
        pieces=tuple((*row[:10], 5, sum(row[11:]) + row[10] - 5) for row in state.pieces),
    )

    moves = STEADY.choose(EL_GRANDE.view(crowded, seat), seat, seed=b"s", iterations=BUSY)

    placed = EL_GRANDE.format(moves).partition("place ")[2]
    assert placed
    assert not placed.startswith("0")
