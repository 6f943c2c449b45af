"""A move against its own timeout: one of them happens."""

import os
import random
from datetime import timedelta

import pytest

from app.errors import AppError
from tests.support.clocks import DAY, Clocks, terms
from tests.support.matches import NOW, Matches, all_of

pytestmark = pytest.mark.anyio

RACES = int(os.environ.get("CLOCK_RACES", "60"))
GRACE = timedelta(seconds=30)


async def test_a_move_and_two_workers_have_one_winner(matches: Matches) -> None:
    clocks = Clocks(matches)
    rng = random.Random(13)
    due = NOW + DAY
    moves = timeouts = 0
    for _ in range(RACES):
        match_id = await matches.start(None, None, clock=terms())
        arrived = due + timedelta(milliseconds=rng.uniform(-50, 50))
        passed = due + GRACE + timedelta(milliseconds=rng.uniform(-50, 50))
        await clocks.alive(passed)

        contest = [
            matches.commit(match_id, 0, 1, "take 3", now=arrived),
            clocks.run_out(match_id, 0, 1, passed),
            clocks.run_out(match_id, 0, 1, passed),
        ]
        order = rng.sample(range(3), 3)
        results = await all_of(*(contest[n] for n in order))
        moved, first, second = (results[order.index(n)] for n in range(3))
        late = isinstance(moved, AppError)

        assert late or moved == 2
        assert [first, second].count(True) == late
        lines = await matches.run(
            "select line from match_events where match_id = :id and line is not null", id=match_id
        )
        assert lines == [("take 1; end",)] if late else [("take 3; end",)]
        assert await clocks.whose(match_id) == [1]
        moves, timeouts = moves + (not late), timeouts + late
    assert moves + timeouts == RACES
    assert moves > 0
    assert timeouts > 0
    assert await matches.problems() == []


async def test_a_move_that_arrived_in_time_wins_though_it_waits_for_the_lock(
    matches: Matches,
) -> None:
    """Until the grace is over no worker even looks."""
    clocks = Clocks(matches)
    for _ in range(5):
        match_id = await matches.start(None, None, clock=terms())
        before_grace_ends = NOW + DAY + GRACE - timedelta(milliseconds=1)
        await clocks.alive(before_grace_ends)

        out, moved = await all_of(
            clocks.run_out(match_id, 0, 1, before_grace_ends),
            matches.commit(match_id, 0, 1, "take 3", now=NOW + DAY - timedelta(milliseconds=1)),
        )

        assert (out, moved) == (False, 2)
