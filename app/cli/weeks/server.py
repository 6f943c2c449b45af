"""The server on a clock that runs fast: its worker's jobs, by their real handlers; its deaths."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.cli.weeks.books import Books, Table
from app.cli.weeks.deaths import Deaths, DiedError
from app.cli.weeks.minutes import DAY, Minute
from app.cli.weeks.plan import STEP, Plan
from app.config import Settings
from app.db.session import Sessions, transaction
from app.jobs.queue import queue
from app.jobs.tasks import RESOURCES, Resources
from app.matches.tasks import ask_again, tick_clocks
from app.matches.timeouts import BEAT, TIME_RAN_OUT
from app.notifications.outbox import LETTER_DUE
from app.notifications.tasks import forget, look_through, reminders_came

# The worker ticks so often; what is only a tick is not run but written down.
TICK: Final = timedelta(seconds=20)
# What everybody has to find their way back after the server was away, as `docs/clocks.md` says.
SHORT: Final = 5
RETURN: Final = 60
# Of so many letters in a hundred two workers think that they are to send it.
DOUBLES: Final = 5
MOST_TRIES: Final = 12

_JOBS = text("""
    select id, task_name, args, attempts from procrastinate_jobs where status = 'todo' order by id
""")
_DONE = text("delete from procrastinate_jobs where id = :id")
_TRIED = text("update procrastinate_jobs set attempts = attempts + 1 where id = :id")
_ALIVE = text("update heartbeats set at = greatest(at, :at) where name = :name")
_NEXT = text("""
    select
      least((select min(due_at) from notices where status = 'waiting'),
        (select min(due_at) from match_deadlines where missed_at is null)) as due,
      (select min(due_at - hours * interval '1 hour') from match_deadlines
        cross join unnest(array[12, 2]) as hours
        where missed_at is null and due_at - hours * interval '1 hour' > :now) as remind
""")


class FastClock:
    """Stands still until it is set."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """Return the instant the clock stands at."""
        return self._now

    def set(self, moment: datetime) -> None:
        """Let it be another time."""
        self._now = moment


@dataclass(slots=True)
class Server:
    """A server with a worker, of which there are two now and then."""

    plan: Plan
    books: Books
    sessions: Sessions
    engine: AsyncEngine
    deaths: Deaths
    clock: FastClock
    settings: Settings
    person_of: Callable[[UUID], int]
    by_id: dict[str, Table] = field(default_factory=dict)
    # Since when it is away, and when it comes back.
    away: tuple[Minute, Minute] | None = None
    falls: int = 0
    doubled: int = 0
    failures: list[str] = field(default_factory=list)
    # When there is something to do next, as far as is known.
    wanted: Minute = 0
    jobs: int = 0
    _left: int = 0
    _remind: Minute = 0

    async def fall(self, now: Minute) -> None:
        """Go away, if that is planned about now: best just before somebody's time is up."""
        if self.falls >= len(self.plan.falls) or now < self.plan.falls[self.falls][0]:
            return
        _, length = self.plan.falls[self.falls]
        self.falls += 1
        nearest = self.books.nearest(now + STEP)
        begins = now
        if nearest is not None and nearest < now + DAY // 2:
            begins = max(now, (nearest - STEP) // STEP * STEP)
        self.away = (begins, begins + length)

    async def come_back(self, now: Minute) -> bool:
        """Tell whether the server is there; if it was away, look after the clocks at once."""
        if self.away is None or now < self.away[0]:
            return True
        begins, ends = self.away
        if now == begins:
            await self.stop(now)
        if now < ends:
            return False
        self.away = None
        self.books.outages.append((begins, ends))
        await self.engine.dispose()
        grace = RETURN if ends - begins > SHORT else SHORT
        await self._tick(back=True)
        self.books.away.append((begins, ends + grace))
        for table in self.books.tables:
            if table.setting.clock is not None:
                await self._look(table, now)
        self.wanted = now
        return True

    async def work(self, now: Minute) -> None:
        """Do all there is to do."""
        await self._tick()
        self._left = 0
        await self._pending(now)
        async with transaction(self.sessions) as session:
            await look_through(session, self.clock.now())
            if now >= self._remind:
                await reminders_came(session, self.clock.now())
            if any(len(table.people) < self.plan.seats for table in self.books.tables):
                await ask_again(session, self.clock.now())
            if now % DAY == 0:
                await forget(session, self.clock.now())
        if await self._pending(now):
            # What was noted just now may be wanted at once.
            async with transaction(self.sessions) as session:
                await look_through(session, self.clock.now())
            await self._pending(now)
        async with transaction(self.sessions) as session:
            row = (await session.execute(_NEXT, {"now": self.clock.now()})).one()
        due, remind = (
            self.plan.end if moment is None else self.plan.calendar.minute(moment)
            for moment in (row.due, row.remind)
        )
        self._remind = remind
        self.wanted = now + STEP if self._left else min(due + 1, remind)

    async def stop(self, now: Minute) -> None:
        """Let the last tick before the server goes away be this one."""
        async with transaction(self.sessions) as session:
            await session.execute(_ALIVE, {"at": self.plan.calendar.moment(now), "name": BEAT})

    async def _tick(self, *, back: bool = False) -> None:
        """Tick; the ticks since the last were only ticks, so they are not run but written down."""
        now = self.clock.now()
        async with transaction(self.sessions) as session:
            if not back:
                await session.execute(_ALIVE, {"at": now - TICK, "name": BEAT})
            await tick_clocks(session, now)

    async def _pending(self, now: Minute) -> bool:
        """Run the jobs there are and those they bring about; tell whether there were any.

        A worker that dies leaves its job for later.
        """
        left: set[int] = set()
        before = self.jobs
        while True:
            async with transaction(self.sessions) as session:
                jobs = [job for job in await session.execute(_JOBS) if job.id not in left]
            if not jobs:
                break
            for job in sorted(jobs, key=self._name):
                if not await self._run(job, now):
                    left.add(job.id)
        self._left = len(left)
        return self.jobs > before

    def _name(self, job: Any) -> tuple[Any, ...]:
        """Return what a job is about, in an order that does not depend on ids."""
        args = job.args
        table = self.by_id.get(args.get("match_id") or args.get("about") or "")
        person = args.get("person_id")
        return (
            job.task_name,
            -1 if table is None else table.setting.number,
            -1 if person is None else self.person_of(UUID(person)),
            args.get("seat", -1),
            job.id,
        )

    async def _run(self, job: Any, now: Minute) -> bool:
        """Run one job; tell whether it is done with."""
        self.jobs += 1
        about = self._name(job)[:-1]
        doubled = job.task_name == LETTER_DUE and self.plan.faults
        doubled = doubled and self.plan.chance.percent(DOUBLES, "double", now, *about)
        if self.plan.faults and not doubled:
            self.deaths.threaten(now, *about)
        work = queue.tasks[job.task_name].func
        context = SimpleNamespace(
            additional_context={RESOURCES: Resources(self.deaths.mortal, self.clock, self.settings)}
        )
        self.doubled += doubled
        done = True
        try:
            await asyncio.gather(*(work(context, **job.args) for _ in range(1 + doubled)))
        except DiedError:
            done = False
        except Exception as error:  # noqa: BLE001 - whatever a job raises, the queue tries again
            self.failures.append(f"{job.task_name}: {error!r}")
            done = job.attempts >= MOST_TRIES
        table = self.by_id.get(job.args.get("match_id", ""))
        if table is not None and not job.task_name.startswith("notices."):
            late = job.args["seat"] if job.task_name == TIME_RAN_OUT else None
            await self._look(table, now, late=late)
        async with transaction(self.sessions) as session:
            await session.execute(_DONE if done else _TRIED, {"id": job.id})
        return done

    async def _look(self, table: Table, now: Minute, *, late: int | None = None) -> None:
        async with transaction(self.sessions) as session:
            await self.books.look(session, table, now, late=late)
