"""Enqueue background work inside the caller's transaction."""

from datetime import datetime
from typing import Any

from procrastinate import App, PsycopgConnector
from sqlalchemy.ext.asyncio import AsyncSession

from app.jobs.holding import NEVER, OUTGOING, is_held

queue = App(connector=PsycopgConnector())


async def enqueue(
    session: AsyncSession,
    task: str,
    /,
    *,
    lock: str | None = None,
    at: datetime | None = None,
    **arguments: Any,
) -> int:
    """Defer `task` and return the job's id; it exists only if `session` commits.

    Tasks are named by string (`feature.past_event`) so that services need not
    import the modules that define them.  `arguments` are JSON values.

    Never give a `lock` to a job that is to run `at` a later time: it would hold
    up every other job with that lock until then.  What is sent to people waits
    while a host holds it back (`app.jobs.holding`).
    """
    if lock is not None and at is not None:
        raise ValueError("a job for later must not hold a lock")
    if task.startswith(OUTGOING) and await is_held(session, task):
        at, lock = NEVER, None
    connection = await (await session.connection()).get_raw_connection()
    job: int = await queue.configure_task(
        task,
        lock=lock,
        schedule_at=at,
        connection=connection.driver_connection,
        allow_unknown=True,
    ).defer_async(**arguments)
    return job
