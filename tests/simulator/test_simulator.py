"""Seeds that replay exactly: processes die wherever they can, and every history is explainable.

    SIMULATOR_SEEDS=200 .venv/bin/python -m pytest -s -q tests/simulator

runs two hundred worlds (`make test` fewer), each from a number; SIMULATOR_FIRST
says from which.  Whatever fails names its number, and
`SIMULATOR_FIRST=17 SIMULATOR_SEEDS=1` does it again, step by step the same.
"""

import os
from collections import Counter

import pytest

from tests.simulator.conftest import Worlds
from tests.simulator.faults import POINTS
from tests.simulator.observer import NOBODY

pytestmark = pytest.mark.anyio

FIRST = int(os.environ.get("SIMULATOR_FIRST", "1"))
SEEDS = int(os.environ.get("SIMULATOR_SEEDS", "25"))
STEPS = 80
# Of what a world is about, each happens sooner or later.
BY_NOBODY = ("agrees to undo", "agrees to pause", "back", "seats")


async def test_every_history_is_explainable_wherever_a_process_dies(worlds: Worlds) -> None:
    died: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    steps = commits = acknowledged = letters = timeouts = 0
    for seed in range(FIRST, FIRST + SEEDS):
        world = (await worlds.simulate(seed, steps=STEPS)).world
        died.update(world.faults.died)
        steps += world.steps
        commits += sum(table.now.version - 1 for table in world.tables)
        acknowledged += sum(len(table.acknowledged) for table in world.tables)
        letters += world.letters
        timeouts += world.timeouts
        seen.update(
            word
            for table in world.tables
            for seat, what in table.causes.values()
            for word in BY_NOBODY
            if seat == NOBODY and what.startswith(word)
        )

    # A simulator in which nothing happens proves nothing; in a world or two little may.
    if SEEDS >= 10:
        assert commits > SEEDS * 20
        assert set(died) == set(POINTS)
        assert all(died.values())
        assert set(seen) == set(BY_NOBODY)
        assert letters
        assert timeouts
    print(  # noqa: T201 - the figures that somebody who asked for more seeds wants to see
        f"\n{SEEDS} seeds from {FIRST}, {steps} steps, {commits} versions made,"
        f" {acknowledged} commits of people acknowledged; {timeouts} times that ran out,"
        f" {letters} notices in letters, each of what was so; {dict(seen)};"
        f" died before a statement {died['statement']} times,"
        f" before a commit {died['before_commit']}, after one {died['after_commit']}"
    )


async def test_a_seed_replays_exactly(worlds: Worlds) -> None:
    first = await worlds.simulate(FIRST, steps=50)
    again = await worlds.simulate(FIRST, steps=50)
    other = await worlds.simulate(FIRST + 1, steps=50)

    assert again.world.log == first.world.log
    assert again.digest == first.digest
    assert other.digest != first.digest
