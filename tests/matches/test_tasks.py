from datetime import timedelta

import pytest

from app.jobs.queue import queue
from app.matches import tasks
from app.matches.timeouts import GAP
from tests.support.matches import LATER, NOW, OF_BOTS, Matches

pytestmark = pytest.mark.anyio


async def asked_again(matches: Matches) -> list[tuple[int, int]]:
    """Run the sweep long afterwards; return the seat and version of every job."""
    async with matches.sessions.begin() as session:
        await tasks.ask_again(session, LATER + timedelta(days=1))
    rows = await matches.run(
        f"select args->'seat', args->'version' from procrastinate_jobs {OF_BOTS} order by id"
    )
    return [(seat, version) for seat, version in rows]


async def test_a_bot_whose_job_was_lost_is_asked_again_once(matches: Matches) -> None:
    await matches.start("steady", None)
    await matches.run("delete from procrastinate_jobs")

    assert await asked_again(matches) == [(0, 1)]
    assert await asked_again(matches) == [(0, 1)]


async def test_a_bot_whose_job_failed_is_asked_again(matches: Matches) -> None:
    await matches.start("steady", None)
    await matches.run("update procrastinate_jobs set status = 'failed'")

    assert await asked_again(matches) == [(0, 1), (0, 1)]


async def test_a_bot_has_some_time_to_think(matches: Matches) -> None:
    await matches.start("steady", None)
    await matches.run("delete from procrastinate_jobs")

    async with matches.sessions.begin() as session:
        await tasks.ask_again(session, NOW + tasks.PATIENCE)

    assert await matches.count("procrastinate_jobs") == 0


async def test_nobody_is_asked_who_need_not_answer(matches: Matches) -> None:
    await matches.start(None, "steady")
    answered = await matches.start("steady", None)
    version = await matches.turns(answered, 2, 1)
    await matches.commit(answered, 0, version, "guess 1")
    over = await matches.start(None, "steady")
    await matches.resign(over, 0)
    await matches.run("delete from procrastinate_jobs")

    assert await asked_again(matches) == []


async def test_a_key_is_forgotten_after_a_month(matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.commit(match_id, 0, 1, key="old")
    await matches.commit(match_id, 1, 2, key="young")
    for key, age in (("old", timedelta(days=31)), ("young", timedelta(days=29))):
        await matches.run(
            "update match_commands set at = :at where key = :key", at=NOW - age, key=key
        )

    async with matches.sessions.begin() as session:
        await tasks.forget_old_commands(session, NOW)

    assert await matches.run("select key from match_commands") == [("young",)]


def test_the_clocks_tick_three_times_a_minute() -> None:
    """More often than an outage is long; cron has its seconds last."""
    ticks = [
        task
        for task in queue.periodic_registry.periodic_tasks.values()
        if task.task.name == "matches.clocks_ticked"
    ]
    assert len(ticks) == 1
    cron = ticks[0].croniter
    cron.set_current(NOW.timestamp())
    times = [cron.get_next(float) - NOW.timestamp() for _ in range(4)]

    assert times == [20, 40, 60, 80]
    assert timedelta(seconds=2 * 20) < GAP
