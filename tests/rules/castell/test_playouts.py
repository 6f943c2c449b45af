"""Whatever happens: matches end, nothing is lost or made, and every log replays."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.castell import CASTELL, Event, State, match_from_text, match_to_text
from app.rules.castell.events import LocalPerformed, Recruited, Started, TurnEnded
from app.rules.castell.position_checks import check_position
from app.rules.game import Seat, replay
from tests.rules.castell.stage import begin, chance, random_events, random_match

SEATS = st.integers(2, 4)
SEEDS = st.integers(0, 10**9)
SIDES = st.sampled_from(["all_regions", "no_regions"])


class DrawnRng:
    """Lets hypothesis choose, and shrink, every choice."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def below(self, bound: int, /) -> int:
        return self.data.draw(st.integers(0, bound - 1))


def pieces(state: State) -> dict[str, Counter[int]]:
    """Count every casteller and token there is, wherever it lies."""
    castellers: Counter[int] = Counter()
    for counts in (state.bag, *state.castellers, *state.hands):
        castellers.update({size: count for size, count in enumerate(counts, 1) if count})
    sizes: Counter[int] = Counter(dict(enumerate(state.box, 1)))
    won: Counter[int] = Counter()
    specials: Counter[int] = Counter(dict(enumerate(state.tokens)))
    for festival in state.festivals:
        if festival.result is None:
            sizes.update(festival.tokens)
        else:
            sizes.update(size for size, winner in festival.result.token_winners if winner is None)
    for board in state.earned:
        for _, tokens, _, collected in board:
            won.update(tokens)
            specials.update(collected)
    for row in state.rows:
        specials.update(row)
    return {"castellers": castellers, "sizes": sizes + won, "specials": specials}


@settings(max_examples=8, deadline=None)
@given(SEATS, SEEDS, SIDES)
def test_no_piece_is_ever_lost_or_made(seats: int, seed: int, side: str) -> None:
    for _, event, state in random_match(seats, seed, wheel_side=side):
        if isinstance(event, LocalPerformed):
            continue  # its special token is on its way to the row
        found = pieces(state)
        assert found["castellers"] == dict.fromkeys(range(1, 11), 15)
        assert found["sizes"] == dict.fromkeys(range(1, 11), 3)
        assert found["specials"] == dict.fromkeys(range(seats), 7)
        if CASTELL.prompts(state) or state.phase == "over":
            check_position(state)


@settings(max_examples=5, deadline=None)
@given(st.data(), SEATS, SIDES)
def test_every_match_ends_with_an_outcome(data: st.DataObject, seats: int, side: str) -> None:
    *_, (_, _, state) = random_match(seats, "ends", DrawnRng(data), wheel_side=side)
    outcome = CASTELL.outcome(state)

    assert outcome is not None
    assert state.round == 10
    assert all(festival.result is not None for festival in state.festivals)
    assert sorted(seat for tied in outcome.ranking for seat in tied) == list(range(seats))
    assert all(
        sum(outcome.categories[seat].values()) == outcome.scores[seat] for seat in outcome.scores
    )


@settings(max_examples=6, deadline=None)
@given(SEATS, SEEDS, SIDES)
def test_a_log_replays_to_the_same_state_and_text(seats: int, seed: int, side: str) -> None:
    events = random_events(seats, seed, wheel_side=side)
    *_, (_, _, state) = random_match(seats, seed, wheel_side=side)

    assert replay(CASTELL, events) == state
    assert list(match_from_text(match_to_text(events))) == events


@settings(max_examples=6, deadline=None)
@given(SEATS, SEEDS)
def test_whatever_is_listed_is_legal_printable_and_asked_for(seats: int, seed: int) -> None:
    for _, _, state in random_match(seats, seed):
        asked = CASTELL.prompts(state)
        for seat in map(Seat, range(seats)):
            moves = list(CASTELL.legal_moves(state, seat))
            assert bool(moves) == (seat in asked)
            assert len(set(moves)) == len(moves)
            for move in moves:
                CASTELL.check(state, seat, move)
                assert CASTELL.parse(CASTELL.format((move,))) == (move,)


def test_no_published_state_is_ever_changed() -> None:
    kept: list[tuple[State, State]] = []
    for before, _, state in random_match(4, "kept"):
        kept += [(before, replace(before)), (state, replace(state))]

    assert all(state == copy for state, copy in kept)


def test_a_festival_is_never_asked_of_a_seat_that_is_elsewhere() -> None:
    for _, _, state in random_match(4, "elsewhere"):
        regions = {state.festivals[number].region for number in state.held_now()}
        assert all(state.pawns[seat] in regions for seat in state.entrants)


@pytest.mark.parametrize(("seats", "low", "high"), [(2, 75, 110), (3, 40, 85), (4, 5, 65)])
def test_the_bag_lasts(seats: int, low: int, high: int) -> None:
    for seed in range(6):
        *_, (_, _, state) = random_match(seats, f"bag {seed}")
        assert low <= sum(state.bag) <= high


def collectors(seats: int, seed: int) -> Iterator[tuple[State, Event, State]]:
    """Yield a match in which every seat always recruits and moves as much as it can."""
    rng = chance(seed)
    state = begin(seats, seed)
    while prompts := CASTELL.prompts(state):
        seat = min(prompts)
        moves = list(CASTELL.legal_moves(state, seat))
        greedy = [m for m in moves if "recruit" in CASTELL.format((m,))] or moves[1:] or moves
        best = max(len(getattr(move, "sizes", ())) for move in greedy)
        kept = [move for move in greedy if len(getattr(move, "sizes", ())) == best]
        for event in CASTELL.decide(state, seat, kept[rng.below(len(kept))], rng):
            before, state = state, CASTELL.evolve(state, event)
            yield before, event, state


@pytest.mark.parametrize(("seats", "left"), [(2, 60), (3, 30), (4, 0)])
def test_the_bag_lasts_even_when_everybody_recruits(seats: int, left: int) -> None:
    *_, (_, _, state) = collectors(seats, 3)

    assert sum(state.bag) >= left
    assert sum(map(sum, state.hands)) > 25 * seats - 10


def digest(seed: int) -> str:
    text = "\n".join(map(repr, random_events(3, seed)))
    return f"{hash_free(text):x}"


def hash_free(text: str) -> int:
    """Sum up a text without `hash`, which differs from process to process."""
    total = 0
    for byte in text.encode():
        total = (total * 257 + byte) % (1 << 61)
    return total


def test_nothing_hangs_on_the_global_generator() -> None:
    random.seed(1)
    one = digest(5)
    random.seed(2)

    assert digest(5) == one


def test_nothing_hangs_on_the_order_of_sets() -> None:
    code = "from tests.rules.castell.test_playouts import digest; print(digest(5))"
    # This process has an order of its own; the other one gets a fixed one.
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "4", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert printed.strip() == digest(5)


def test_events_are_past_and_seats_are_numbers() -> None:
    events = random_events(2, "names")

    assert isinstance(events[0], Started)
    assert {type(event) for event in events} >= {Recruited, TurnEnded}
