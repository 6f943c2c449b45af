"""Run jobs: for ever in the worker process, until none is due in tests and commands."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import structlog
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from sqlalchemy import make_url, text
from sqlalchemy.exc import OperationalError

from app.clock import SYSTEM_CLOCK, Clock
from app.config import Settings
from app.db.address import conninfo
from app.db.endings import end
from app.db.engine import connect_args
from app.db.session import Sessions
from app.errors import UnavailableError
from app.jobs.queue import queue
from app.jobs.tasks import RESOURCES, Resources

# A worker that has been silent this long counts as dead, and its jobs go to another.
STALLED_SECONDS = 30.0
HEARTBEAT_SECONDS = 10.0
SWEEP_SECONDS = 10.0
STOP_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 5.0

# Every living worker shares this advisory lock.
ALIVE = 7_064_352_266

log = structlog.get_logger(__name__)


_ANY_DUE = text("""
    select exists (select from procrastinate_jobs
      where status = 'todo' and (scheduled_at is null or scheduled_at <= now()))
""")

# What a job, or the queue itself, raises when the database goes away over it.
_NO_DATABASE = (ConnectorException, UnavailableError, OperationalError)


class _InOneLine(logging.Filter):
    """Makes a warning without a traceback of what the queue says of a lost connection."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything through."""
        if record.exc_info and isinstance(record.exc_info[1], _NO_DATABASE):
            record.exc_info = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args = " ".join(record.getMessage().split()), ()
        return True


# asyncio tells of a job that was done and could not be noted as done; it is done again.
_SPEAKERS = (
    "procrastinate.utils",
    "procrastinate.worker",
    "procrastinate.worker.worker",
    "asyncio",
)
for _name in _SPEAKERS:
    logging.getLogger(_name).addFilter(_InOneLine())


async def run_pending(
    database_url: str,
    sessions: Sessions,
    *,
    clock: Clock = SYSTEM_CLOCK,
    settings: Settings | None = None,
) -> None:
    """Run every job that is due, and those they enqueue, until none is left."""
    async with sessions() as session:
        # Only a look; to open the queue takes longer than many a job.
        if not (await session.execute(_ANY_DUE)).scalar_one():
            return
    async with _open(database_url, size=3) as app:
        await app.run_worker_async(
            wait=False,
            concurrency=1,
            listen_notify=False,
            install_signal_handlers=False,
            delete_jobs="successful",
            additional_context={RESOURCES: Resources(sessions, clock, settings or Settings())},
        )


async def run_for_ever(
    database_url: str,
    sessions: Sessions,
    *,
    concurrency: int,
    clock: Clock = SYSTEM_CLOCK,
    settings: Settings | None = None,
) -> None:
    """Run jobs until cancelled; a database that goes away is waited for.

    When cancelled, running jobs get some seconds to finish.
    """
    pause = 0.1
    while True:
        try:
            async with _open(database_url, size=concurrency + 3) as app, _alive(database_url, app):
                pause = 0.1
                await app.run_worker_async(
                    concurrency=concurrency,
                    install_signal_handlers=False,
                    delete_jobs="successful",
                    shutdown_graceful_timeout=STOP_SECONDS,
                    update_heartbeat_interval=HEARTBEAT_SECONDS,
                    stalled_worker_timeout=STALLED_SECONDS,
                    additional_context={
                        RESOURCES: Resources(sessions, clock, settings or Settings())
                    },
                )
            log.warning("worker.interrupted", again_in_seconds=pause)
        except (ConnectorException, psycopg.Error, OSError) as error:
            log.warning("worker.no_database", error=str(error).split("\n")[0])
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


@asynccontextmanager
async def _open(database_url: str, *, size: int) -> AsyncIterator[App]:
    """Connect the queue to the database at `database_url`."""
    connector = PsycopgConnector(
        conninfo=conninfo(database_url),
        kwargs=connect_args(make_url(database_url), "placa worker"),
        min_size=1,
        max_size=size,
        timeout=10,
    )
    with queue.replace_connector(connector) as app:
        async with app.open_async():
            yield app


@asynccontextmanager
async def _alive(database_url: str, app: App) -> AsyncIterator[None]:
    """Be known as alive, and give the jobs of dead workers back to the queue.

    The lock dies with the process.  So a worker that gets it alone knows at
    once that every job marked as running has nobody, and need not wait until
    the last heartbeat of the dead is old enough.
    """
    url = make_url(database_url)
    connection = await psycopg.AsyncConnection.connect(
        conninfo(database_url), autocommit=True, **connect_args(url, "placa worker")
    )
    async with connection:
        alone = await connection.execute("select pg_try_advisory_lock(%s)", [ALIVE])
        if await alone.fetchone() == (True,):
            await _rescue(app, silent_seconds=0)
            await connection.execute("select pg_advisory_unlock(%s)", [ALIVE])
        await connection.execute("select pg_advisory_lock_shared(%s)", [ALIVE])
        sweeper = asyncio.create_task(_sweep(app))
        try:
            yield
        finally:
            await end(sweeper)


async def _sweep(app: App) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            await _rescue(app, silent_seconds=STALLED_SECONDS)
        except ConnectorException as error:
            log.warning("worker.sweep_failed", error=str(error).split("\n")[0])


async def _rescue(app: App, *, silent_seconds: float) -> None:
    """Forget workers silent for `silent_seconds` and queue their jobs again."""
    await app.job_manager.prune_stalled_workers(silent_seconds)
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=silent_seconds):
        log.warning("worker.job_rescued", task=job.task_name, job=job.id)
        await app.job_manager.retry_job(job)
