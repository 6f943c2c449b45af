"""The worker: who commits, what is tried again, and what a death leaves behind."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.db.session import Sessions, transaction
from app.jobs.heartbeat import worker_is_alive
from app.jobs.queue import enqueue, queue
from app.jobs.tasks import task
from app.jobs.worker import run_for_ever, run_pending
from tests.support.clock import SettableClock

PATIENCE = 30


@pytest.fixture
async def _tasks(sessions: Sessions) -> AsyncIterator[None]:
    """Register handlers that write down what they are asked to do."""
    known = dict(queue.tasks)
    async with transaction(sessions) as session:
        await session.execute(text("create table notes (n int, at timestamptz)"))

    @task("tests.happened", retries=0)
    async def note(session: AsyncSession, now: datetime, *, number: int) -> None:
        await session.execute(text("insert into notes values (:n, :at)"), {"n": number, "at": now})

    @task("tests.failed", retries=0)
    async def fail(session: AsyncSession, now: datetime) -> None:
        await session.execute(text("insert into notes values (99, :at)"), {"at": now})
        raise RuntimeError("on purpose")

    @task("tests.retried", retries=3)
    async def retry(session: AsyncSession, now: datetime) -> None:
        raise RuntimeError("on purpose")

    @task("tests.chained", retries=0)
    async def chain(session: AsyncSession, now: datetime, *, number: int) -> None:
        await enqueue(session, "tests.happened", number=number)

    yield
    queue.tasks.clear()
    queue.tasks.update(known)
    async with transaction(sessions) as session:
        await session.execute(text("drop table notes"))


pytestmark = pytest.mark.usefixtures("_tasks")


async def ask(sessions: Sessions, query: str) -> list[Any]:
    async with transaction(sessions) as session:
        return list((await session.execute(text(query))).scalars())


async def queue_up(sessions: Sessions, name: str, **arguments: Any) -> None:
    async with transaction(sessions) as session:
        await enqueue(session, name, **arguments)


@asynccontextmanager
async def working(url: str, sessions: Sessions) -> AsyncIterator[None]:
    worker = asyncio.create_task(run_for_ever(url, sessions, concurrency=2))
    try:
        yield
    finally:
        worker.cancel()
        with suppress(asyncio.CancelledError):
            await worker


async def until(sessions: Sessions, query: str, expected: list[Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while await ask(sessions, query) != expected:  # noqa: ASYNC110 - another process's doing
            await asyncio.sleep(0.05)


async def test_a_job_is_done_at_the_time_of_the_clock_and_then_gone(
    database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    await queue_up(sessions, "tests.happened", number=7)

    await run_pending(database_url, sessions, clock=clock)

    assert await ask(sessions, "select at from notes where n = 7") == [clock.now()]
    assert await ask(sessions, "select id from procrastinate_jobs") == []


async def test_where_nothing_is_due_the_queue_is_not_even_opened(
    database_url: str, sessions: Sessions, clock: SettableClock
) -> None:
    async with transaction(sessions) as session:
        await enqueue(session, "tests.happened", at=clock.now() + timedelta(days=3650), number=1)

    await run_pending("postgresql://placa@127.0.0.1:1/nowhere", sessions)

    assert await ask(sessions, "select status::text from procrastinate_jobs") == ["todo"]


async def test_a_job_that_fails_leaves_nothing_but_its_failure(
    database_url: str, sessions: Sessions
) -> None:
    await queue_up(sessions, "tests.failed")

    await run_pending(database_url, sessions)

    assert await ask(sessions, "select n from notes") == []
    assert await ask(sessions, "select status::text from procrastinate_jobs") == ["failed"]


async def test_a_job_that_may_be_retried_waits_for_its_next_turn(
    database_url: str, sessions: Sessions
) -> None:
    await queue_up(sessions, "tests.retried")

    await run_pending(database_url, sessions)

    assert await ask(
        sessions, "select status::text from procrastinate_jobs where scheduled_at > now()"
    ) == ["todo"]


async def test_what_a_job_enqueues_is_done_too(database_url: str, sessions: Sessions) -> None:
    await queue_up(sessions, "tests.chained", number=3)

    await run_pending(database_url, sessions)

    assert await ask(sessions, "select n from notes") == [3]


async def test_the_worker_hears_of_a_job_and_shows_that_it_lives(
    database_url: str, sessions: Sessions, engine: AsyncEngine
) -> None:
    async with engine.connect() as connection:
        assert not await worker_is_alive(connection)
    async with working(database_url, sessions):
        await until(sessions, "select count(*) from procrastinate_workers", [1])
        # A job cut off while it is being noted as done is another test's business.
        await until(sessions, "select count(*) from procrastinate_jobs where status <> 'todo'", [0])
        async with engine.connect() as connection:
            assert await worker_is_alive(connection)
        await queue_up(sessions, "tests.happened", number=1)
        await until(sessions, "select n from notes", [1])

    assert await ask(sessions, "select count(*) from procrastinate_workers") == [0]


LEFT_BY_THE_DEAD = """
with dead as (insert into procrastinate_workers default values returning id)
update procrastinate_jobs set status = 'doing', worker_id = (select id from dead)
"""


async def test_the_job_of_a_killed_worker_is_done_at_once_by_the_next(
    database_url: str, sessions: Sessions
) -> None:
    await queue_up(sessions, "tests.happened", number=5)
    async with transaction(sessions) as session:
        await session.execute(text(LEFT_BY_THE_DEAD))

    async with working(database_url, sessions), asyncio.timeout(8):
        await until(sessions, "select n from notes", [5])


async def test_the_job_of_a_living_worker_is_not_taken_away(
    database_url: str, sessions: Sessions
) -> None:
    async with working(database_url, sessions):
        await until(sessions, "select count(*) from procrastinate_workers", [1])
        async with transaction(sessions) as session:
            await enqueue(session, "tests.happened", number=5)
            await session.execute(
                text(
                    "update procrastinate_jobs set status = 'doing', worker_id = w.id"
                    " from procrastinate_workers w"
                )
            )
        async with working(database_url, sessions):
            await until(sessions, "select count(*) from procrastinate_workers", [2])

            # A sweep may fall due meanwhile: only our own job is of interest.
            ours = "select status::text from procrastinate_jobs where task_name = 'tests.happened'"
            assert await ask(sessions, ours) == ["doing"]


async def cut_connections(engine: AsyncEngine) -> bool:
    """Cut the worker's connections while it does nothing; tell whether it did nothing.

    The queue's own tasks do not survive a cut while a job is noted as done, as its
    process would: this test's would fail with them.
    """
    async with engine.begin() as connection:
        await connection.execute(text("lock table procrastinate_jobs in exclusive mode"))
        busy = text("select exists (select from procrastinate_jobs where status = 'doing')")
        if await connection.scalar(busy):
            return False
        await connection.execute(
            text(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
                " and application_name = 'placa worker'"
            )
        )
    return True


async def test_the_worker_outlives_its_database_connections(
    database_url: str, sessions: Sessions, engine: AsyncEngine
) -> None:
    async with working(database_url, sessions):
        await until(sessions, "select count(*) from procrastinate_workers", [1])
        async with asyncio.timeout(PATIENCE):
            while not await cut_connections(engine):  # noqa: ASYNC110 - as in `until`
                await asyncio.sleep(0.05)
        await queue_up(sessions, "tests.happened", number=2)
        await until(sessions, "select n from notes", [2])
