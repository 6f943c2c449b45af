"""The server's own downtime costs nobody anything, however it ends."""

import asyncio
import os
import random
from contextlib import suppress
from datetime import datetime, timedelta

import pytest

from app.matches.timeouts import GAP, RETURN, SHORT_RETURN, beat
from tests.support.clocks import DAY, HOUR, Clocks, terms
from tests.support.matches import NOW, Matches

pytestmark = pytest.mark.anyio

OUTAGES = int(os.environ.get("CLOCK_OUTAGES", "30"))
KILLS = int(os.environ.get("CLOCK_KILLS", "12"))
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def clocks(matches: Matches) -> Clocks:
    return Clocks(matches)


async def downtimes(matches: Matches) -> list[tuple[datetime, datetime]]:
    rows = await matches.run("select starts_at, ends_at from downtimes order by 1")
    return [(starts_at, ends_at) for starts_at, ends_at in rows]


async def test_some_time_between_ticks_is_no_outage(matches: Matches, clocks: Clocks) -> None:
    await clocks.tick(NOW)
    await clocks.tick(NOW + GAP)

    assert await downtimes(matches) == []


async def test_what_the_outage_took_and_an_hour_are_given_back(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms())
    await matches.start(None, None)
    await clocks.tick(NOW + 20 * HOUR)

    await clocks.tick(NOW + 30 * HOUR)

    assert await downtimes(matches) == [(NOW + 20 * HOUR, NOW + 31 * HOUR)]
    assert await clocks.due(match_id, 0) == NOW + DAY + 10 * HOUR + RETURN
    assert await clocks.jobs() == []


async def test_a_job_left_from_before_the_outage_waits_for_the_next_tick(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms())
    await clocks.tick(NOW + DAY - MINUTE)

    assert not await clocks.run_out(match_id, 0, 1, NOW + 2 * DAY)

    await clocks.tick(NOW + 2 * DAY)

    assert not await clocks.run_out(match_id, 0, 1, NOW + 2 * DAY)
    assert await clocks.due(match_id, 0) == NOW + 2 * DAY + RETURN + MINUTE


async def test_no_deadline_inside_an_outage_is_missed(matches: Matches, clocks: Clocks) -> None:
    """Outages from a minute to three days, each across a deadline."""
    rng = random.Random(14)
    match_id = await matches.start(None, options={"rounds": OUTAGES}, clock=terms())
    version, now = 1, NOW
    for _ in range(OUTAGES):
        due = await clocks.due(match_id, 0)
        assert due is not None
        length = MINUTE * rng.randint(1, rng.choice((5, 60, 3 * 24 * 60)))
        gone = due - rng.random() * (length - SECOND)
        back = gone + max(length, GAP + SECOND)
        await clocks.alive(gone)
        await clocks.tick(back)
        after = await clocks.due(match_id, 0)
        assert after is not None

        assert await clocks.jobs() == []
        assert after >= back + SHORT_RETURN

        now = back + MINUTE
        version = await matches.commit(match_id, 0, version, "take 1", key=f"{version}", now=now)
        version = await matches.commit(match_id, 0, version, "guess 1", key=f"{version}", now=now)

    assert len(await downtimes(matches)) == OUTAGES
    assert (await matches.page(match_id)).status == "finished"


async def test_an_extension_that_is_broken_off_and_done_again_comes_to_the_same(
    matches: Matches, clocks: Clocks
) -> None:
    match_ids = [await matches.start(None, None, clock=terms()) for _ in range(8)]
    await clocks.tick(NOW)
    back = NOW + 10 * HOUR
    rng = random.Random(50)

    async def extend() -> None:
        async with matches.sessions.begin() as session:
            await beat(session, back)
            await asyncio.sleep(1)

    for _ in range(KILLS):
        dying = asyncio.create_task(extend())
        await asyncio.sleep(rng.random() * 0.12)
        dying.cancel()
        with suppress(asyncio.CancelledError):
            await dying
        assert await downtimes(matches) == []

    for _ in range(3):
        await clocks.tick(back)

    assert await downtimes(matches) == [(NOW, back + RETURN)]
    for match_id in match_ids:
        assert await clocks.due(match_id, 0) == NOW + DAY + 10 * HOUR + RETURN


async def test_two_workers_that_come_back_at_once_give_it_back_once(
    matches: Matches, clocks: Clocks
) -> None:
    match_id = await matches.start(None, None, clock=terms())
    await clocks.tick(NOW)

    await asyncio.gather(*(clocks.tick(NOW + 10 * HOUR) for _ in range(4)))

    assert await clocks.due(match_id, 0) == NOW + DAY + 10 * HOUR + RETURN


async def test_a_clock_that_is_set_to_and_fro_never_makes_a_timeout_early(
    matches: Matches, clocks: Clocks
) -> None:
    """Fifty steps of two hours: by the true time nobody is timed out before a whole day."""
    rng = random.Random(2)
    for start in (0, -2, 2):
        match_id = await matches.start(None, None, clock=terms())
        skew = start * HOUR
        opened = NOW
        await matches.commit(match_id, 0, 1, "take 1", now=opened + skew)
        true = opened + DAY - 40 * MINUTE
        await clocks.alive(true + skew)
        for _ in range(50):
            skew = HOUR * rng.choice((-2, 0, 2))
            for _ in range(3):
                true += 15 * SECOND
                await clocks.tick(true + skew)

                assert true > opened + DAY or await clocks.jobs() == []
        await matches.run("delete from heartbeats")
        await matches.run("delete from downtimes")
        await matches.run("delete from match_deadlines")
