"""Seeds that replay exactly: processes die wherever they can, and every history is explainable.

    SIMULATOR_SEEDS=200 .venv/bin/python -m pytest -s -q tests/simulator

runs two hundred worlds (`make test` a few), each from a number; SIMULATOR_FIRST
says from which.  Whatever fails names its number, and
`SIMULATOR_FIRST=17 SIMULATOR_SEEDS=1` does it again, step by step the same.
"""

import os
from collections import Counter

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from tests.simulator.checker import check
from tests.simulator.faults import POINTS, Faults
from tests.simulator.simulation import Simulation

pytestmark = pytest.mark.anyio

FIRST = int(os.environ.get("SIMULATOR_FIRST", "1"))
SEEDS = int(os.environ.get("SIMULATOR_SEEDS", "3"))
STEPS = 120


async def simulate(
    seed: int, sessions: Sessions, engine: AsyncEngine, *, steps: int = STEPS
) -> Simulation:
    """Run the world of `seed` to its end and check it."""
    faults = Faults()
    simulation = Simulation(seed, sessions, faults)
    faults.attach(engine)
    try:
        await simulation.open("castell", people=2, bots=1)
        await simulation.open("el_grande", people=2, bots=1)
        for _ in range(steps):
            await simulation.step()
    except AssertionError as error:
        error.add_note("\n".join([f"SIMULATOR_FIRST={seed}", *simulation.log[-12:]]))
        raise
    finally:
        faults.detach(engine)
    await check(simulation)
    return simulation


async def test_every_history_is_explainable_wherever_a_process_dies(
    sessions: Sessions, engine: AsyncEngine
) -> None:
    died: Counter[str] = Counter()
    steps = commits = acknowledged = 0
    for seed in range(FIRST, FIRST + SEEDS):
        simulation = await simulate(seed, sessions, engine)
        died.update(simulation.faults.died)
        steps += simulation.steps
        commits += sum(table.version - 1 for table in simulation.tables)
        acknowledged += sum(len(table.acknowledged) for table in simulation.tables)

    # A simulator in which nothing happens proves nothing.
    assert commits > SEEDS * STEPS // 6
    assert set(died) == set(POINTS)
    assert all(died.values())
    print(  # noqa: T201 - the figures that somebody who asked for more seeds wants to see
        f"\n{SEEDS} seeds from {FIRST}, {steps} steps, {commits} versions made,"
        f" {acknowledged} commits of people acknowledged; died before a statement"
        f" {died['statement']} times, before a commit {died['before_commit']},"
        f" after one {died['after_commit']}"
    )


async def test_a_seed_replays_exactly(sessions: Sessions, engine: AsyncEngine) -> None:
    first = await simulate(FIRST, sessions, engine, steps=50)
    again = await simulate(FIRST, sessions, engine, steps=50)
    other = await simulate(FIRST + 1, sessions, engine, steps=50)

    assert again.log == first.log
    assert again.digest == first.digest
    assert other.digest != first.digest
