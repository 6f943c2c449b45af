"""Illegal moves: whatever a line says, the rules decide it or refuse it, and never break.

    BADINPUT_STATES=500 .venv/bin/python -m pytest -s -q tests/badinput/test_moves.py

looks at so many positions of each game (`make test`: a few), and tries forty
lines in each: spoilt ones, and those of other seats and other positions.
"""

import os
import random
from collections import Counter
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import pytest

from app.errors import AppError
from app.matches.codec import Codec
from app.matches.deciding import check_answer, decide_turn
from app.matches.editions import with_edition
from app.matches.games import CODECS
from app.matches.previews import preview
from app.rules.game import Seat, replay
from app.rules.registry import LISTINGS
from app.rules.rng import HmacRng
from tests.badinput.moves import SPOILS

STATES = int(os.environ.get("BADINPUT_STATES", "100"))
LINES = 40
# One step of the engine takes no longer than this, however long the line; a busy machine
# is given five times as long.
LONGEST_SECONDS = 1.0


def positions(codec: Codec, rng: random.Random) -> Iterator[Any]:
    """Yield positions of matches played at random, without end; the last of each is the end."""
    game, number = codec.game, 0
    while True:
        number += 1
        chance = HmacRng(number.to_bytes(32, "big"), "badinput")
        seats = game.seat_counts[number % len(game.seat_counts)]
        state = replay(game, game.setup(seats, with_edition(game.key, {}), chance))
        while game.outcome(state) is None:
            if rng.randrange(12) == 0:
                yield state
            seat = rng.choice(sorted(game.prompts(state)))
            move = rng.choice(list(game.legal_moves(state, seat)))
            state = replay(game, game.decide(state, seat, move, chance), state)
        yield state


def attempt(codec: Codec, state: Any, seat: Seat, line: str) -> str:
    """Do with a line what a draft and a commit do; return what came of it."""
    prompts = codec.game.prompts(state)
    # The service asks nobody who is not asked; the rules are not to rely on that.
    prompt = prompts.get(seat) or next(iter(prompts.values()), None)
    try:
        if prompt is None or prompt.simultaneous:
            check_answer(codec, state, seat, line)
        else:
            preview(codec.game, state, seat, prompt, [line])
            decide_turn(
                codec,
                state,
                seat,
                prompt=prompt,
                lines=[line],
                rng=HmacRng(bytes(32), "badinput"),
            )
    except AppError as error:
        return error.code
    return "decided"


@pytest.mark.parametrize("key", LISTINGS)
def test_any_line_is_decided_or_refused_and_leaves_the_position_alone(key: str) -> None:
    codec, rng = CODECS[key], random.Random(1)
    game, outcomes, longest = codec.game, Counter[str](), 0.0
    heard: list[str] = ["end"]
    source = positions(codec, rng)
    for _ in range(STATES):
        state = next(source)
        before = codec.dump_state(state)
        asked = sorted(game.prompts(state))
        for seat in asked:
            heard += [game.format((move,)) for move in game.legal_moves(state, seat)][:40]
        heard = heard[-400:]
        for _ in range(LINES):
            line, seat = rng.choice(heard), Seat(rng.randrange(-1, 6))
            if asked and rng.random() < 0.7:
                seat = rng.choice(asked)
            for _ in range(rng.randrange(3)):
                line = rng.choice(SPOILS)(line, rng)
            began = perf_counter()
            try:
                outcomes[attempt(codec, state, seat, line)] += 1
            except Exception as error:
                error.add_note(f"seat {seat}: {line[:200]!r}")
                raise
            longest = max(longest, perf_counter() - began)
        assert codec.dump_state(state) == before

    assert outcomes.total() == STATES * LINES
    # Not everything is nonsense, and not everything passes.
    assert 0 < outcomes["decided"] < outcomes.total() / 2
    assert len(outcomes) > 10
    assert longest < LONGEST_SECONDS * 5
    print(f"\n{key}: {outcomes.total()} lines, {outcomes['decided']} decided, {longest:.3f} s")  # noqa: T201 - the figures are what it is run for
