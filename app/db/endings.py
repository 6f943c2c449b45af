"""Ending background tasks that speak to the database."""

import asyncio
from typing import Any, Final

AGAIN_SECONDS: Final = 0.5


async def end(task: "asyncio.Task[Any]") -> None:
    """Cancel `task` and wait until it has ended, however it ends.

    One cancellation is not enough: arriving in the middle of a query, it makes the driver
    cancel the query, and on a connection that is lost that fails with an error of its own.
    A task that goes on after errors of the database then goes on for ever.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=AGAIN_SECONDS)
