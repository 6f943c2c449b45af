"""Holding back jobs that reach people outside: what a copy of a server must not send.

A job on hold is due in a thousand years.  That needs nothing of the worker, so
it holds with every version of it.  Jobs of matches are never held: bots play on.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

# Tasks that send something to somebody; see docs/self-hosting.md, "Backups".
OUTGOING: Final = "notifications."
NEVER: Final = datetime(3000, 1, 1, tzinfo=UTC)

_NOTE = text("""
    insert into job_holds (prefix, since) values (:prefix, :now) on conflict do nothing
""")
_HOLD = text("""
    update procrastinate_jobs set scheduled_at = :never
    where starts_with(task_name, :prefix) and status = 'todo'
""")
_FORGET = text("delete from job_holds where prefix = :prefix")
_RELEASE = text("""
    update procrastinate_jobs set scheduled_at = null
    where starts_with(task_name, :prefix) and status = 'todo' and scheduled_at = :never
""")
_DROP = text("""
    delete from procrastinate_jobs
    where starts_with(task_name, :prefix) and status = 'todo' and scheduled_at = :never
""")
_HELD = text("select true from job_holds where starts_with(:task, prefix) limit 1")
_STATE = text("""
    select (select since from job_holds where prefix = :prefix) as since,
      count(*) filter (where status = 'todo' and scheduled_at is distinct from :never) as waiting,
      count(*) filter (where status = 'todo' and scheduled_at = :never) as held,
      count(*) filter (where status = 'failed') as failed
    from procrastinate_jobs where starts_with(task_name, :prefix)
""")


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is to be sent: since when it is on hold, if it is, and how much there is."""

    held_since: datetime | None
    waiting: int
    held: int
    failed: int


async def hold(session: AsyncSession, *, now: datetime, prefix: str = OUTGOING) -> None:
    """Hold what is to be sent, and all that will be, until `release`."""
    await session.execute(_NOTE, {"prefix": prefix, "now": now})
    await session.execute(_HOLD, {"prefix": prefix, "never": NEVER})


async def release(session: AsyncSession, *, drop: bool = False, prefix: str = OUTGOING) -> int:
    """Let go what was on hold, or with `drop` forget it; return how many jobs it was."""
    await session.execute(_FORGET, {"prefix": prefix})
    done = await session.execute(
        text((_DROP if drop else _RELEASE).text + " returning id"),
        {"prefix": prefix, "never": NEVER},
    )
    return len(done.all())


async def is_held(session: AsyncSession, task: str) -> bool:
    """Tell whether jobs of `task` wait for a host at present."""
    return bool(await session.scalar(_HELD, {"task": task}))


async def outgoing(session: AsyncSession, *, prefix: str = OUTGOING) -> Outgoing:
    """Return how what is to be sent stands."""
    row = (await session.execute(_STATE, {"prefix": prefix, "never": NEVER})).one()
    return Outgoing(row.since, row.waiting, row.held, row.failed)
