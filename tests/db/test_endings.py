"""Background tasks end when they are told to, even if they do not hear it the first time."""

import asyncio

import pytest

from app.db.endings import end

pytestmark = pytest.mark.anyio


async def test_a_cancellation_that_is_lost_is_repeated() -> None:
    heard = 0

    async def sweep() -> None:
        nonlocal heard
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                # As the driver does, when it cannot cancel a query on a lost connection.
                heard += 1
                if heard == 2:
                    raise

    task = asyncio.create_task(sweep())
    await asyncio.sleep(0)
    await asyncio.wait_for(end(task), 10)

    assert task.cancelled()
    assert heard == 2


async def test_a_task_that_has_failed_already_has_ended() -> None:
    async def fail() -> None:
        raise OSError

    task = asyncio.create_task(fail())
    await asyncio.wait([task])
    await end(task)

    assert isinstance(task.exception(), OSError)
