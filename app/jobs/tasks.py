"""How features declare background work.

    @task("bots.seat_asked", retries=5)
    async def seat_asked(session: AsyncSession, now: datetime, *, match_id: str) -> None: ...

The wrapper around each handler owns the transaction: it commits when the
handler returns and rolls back when it raises.  A job may run more than once
(the worker can die between its commit and the note that it is done), so every
handler must bear a repeat.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from procrastinate import JobContext, RetryStrategy
from sqlalchemy.ext.asyncio import AsyncSession

from app.clock import Clock
from app.config import Settings
from app.db.session import Sessions, transaction
from app.jobs.queue import queue

RESOURCES = "resources"


@dataclass(frozen=True, slots=True)
class Resources:
    """What the worker lends to each job."""

    sessions: Sessions
    clock: Clock
    settings: Settings = field(default_factory=Settings)


class Handler(Protocol):
    """What a job does, in a session it must not commit."""

    def __call__(
        self, session: AsyncSession, now: datetime, /, **arguments: Any
    ) -> Awaitable[None]:
        """Do it."""
        ...


H = TypeVar("H", bound=Callable[..., Awaitable[None]])


def task(name: str, *, retries: int = 5, with_settings: bool = False) -> Callable[[H], H]:
    """Register a handler for jobs called `name`; some want the host's `settings` too.

    A handler that raises is tried again up to `retries` times, after 2, 4, 8…
    seconds; then the job stays in the queue as failed.
    """
    retry = RetryStrategy(max_attempts=retries, exponential_wait=2) if retries else False

    def register(handler: H) -> H:
        work = _wrap(handler, with_settings=with_settings)
        queue.task(name=name, pass_context=True, retry=retry)(work)
        return handler

    return register


def sweep(name: str, *, cron: str) -> Callable[[H], H]:
    """Register a handler that runs by the clock: `cron` has five fields, or six with seconds.

    A sweep that fails is not retried: the next one does the same work.
    """

    def register(handler: H) -> H:
        async def run(context: JobContext, timestamp: int) -> None:
            await _wrap(handler)(context)

        job = queue.task(name=name, pass_context=True, queueing_lock=name)(run)
        queue.periodic(cron=cron)(job)
        return handler

    return register


def _wrap(
    handler: Callable[..., Awaitable[None]], *, with_settings: bool = False
) -> Callable[..., Awaitable[None]]:
    async def run(context: JobContext, **arguments: Any) -> None:
        resources: Resources = context.additional_context[RESOURCES]
        if with_settings:
            arguments["settings"] = resources.settings
        async with transaction(resources.sessions) as session:
            await handler(session, resources.clock.now(), **arguments)

    return run
