"""What happens when somebody's time has run out, and when nobody was there to see to it.

The worker ticks: each tick notes that it is alive and queues a job for every
deadline that has passed.  A worker that finds its last tick long ago knows that
the server was away, or that the machine's clock was set: that time, and some more to
find one's way back, counts for nobody.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.jobs.queue import enqueue
from app.matches.clock_models import Downtime, Heartbeat
from app.matches.clocks.terms import Timeout, terms_from
from app.matches.clockwork import retime
from app.matches.heads import Head, lock_head
from app.matches.proposals import propose_void
from app.matches.service import commit, resign
from app.matches.values import Commit
from app.rules.game import Seat

# A request that came in time may still wait for the match's lock: it wins for so long.
GRACE: Final = timedelta(seconds=30)
# Ticks further apart than this mean that the server was away; there are three a minute.
GAP: Final = timedelta(seconds=55)
# What everybody has to find their way back afterwards: more, once people will have noticed.
SHORT: Final = timedelta(minutes=5)
SHORT_RETURN: Final = timedelta(minutes=5)
RETURN: Final = timedelta(hours=1)
BEAT: Final = "clocks"
TIME_RAN_OUT: Final = "matches.time_ran_out"

_LAST_BEAT = text("select at from heartbeats where name = :name for update")
_ALIVE = text("select at from heartbeats where name = :name")
_CLOCKED = text("""
    select id from matches where status = 'running' and clock is not null
      and id in (select match_id from match_deadlines)
    order by id for no key update
""")
_PASSED = text("""
    select d.match_id, d.seat, d.opened_version from match_deadlines d
    where d.missed_at is null and d.due_at <= :before
      and not exists (select from procrastinate_jobs j
        where j.task_name = :task and j.status in ('todo', 'doing')
          and j.args->>'match_id' = d.match_id::text and (j.args->>'seat')::int = d.seat)
    order by d.due_at limit 200
""")
_DEADLINE = text("""
    select d.prompt, d.secret, m.clock, s.person_id
    from match_deadlines d join matches m on m.id = d.match_id
    join match_seats s on s.match_id = d.match_id and s.seat = d.seat
    where d.match_id = :id and d.seat = :seat and d.opened_version = :opened
      and d.missed_at is null and d.due_at <= :before
""")
_MISSED = text("""
    update match_deadlines set missed_at = :now where match_id = :id and seat = :seat
""")


async def tick(session: AsyncSession, now: datetime) -> None:
    """Note that the server is alive, and queue what the deadlines that have passed bring."""
    await beat(session, now)
    passed = await session.execute(_PASSED, {"before": now - GRACE, "task": TIME_RAN_OUT})
    for match_id, seat, opened in passed.all():
        await enqueue(
            session, TIME_RAN_OUT, match_id=str(match_id), seat=int(seat), opened_version=opened
        )


async def beat(session: AsyncSession, now: datetime) -> None:
    """Note that the server is alive; if it was away, give everybody that time back.

    The span is written down and the deadlines are reckoned anew from it, in one
    transaction: done twice, or broken off and done again, it comes to the same.
    """
    last = await session.scalar(_LAST_BEAT, {"name": BEAT})
    if last is not None and now - last > GAP:
        back = now + (RETURN if now - last > SHORT else SHORT_RETURN)
        await session.execute(
            insert(Downtime).values(starts_at=last, ends_at=back).on_conflict_do_nothing()
        )
        for match_id in (await session.scalars(_CLOCKED)).all():
            await retime(session, match_id=match_id, now=now)
    await session.execute(
        insert(Heartbeat)
        .values(name=BEAT, at=now)
        .on_conflict_do_update(index_elements=["name"], set_={"at": now})
    )


async def run_out(
    session: AsyncSession, *, match_id: UUID, seat: Seat, opened_version: int, now: datetime
) -> bool:
    """Do what the table has chosen for a seat whose time has run out; tell whether it was.

    Nothing happens where somebody was faster: the seat has answered, or has time
    again.  Nor before the next tick after an outage has given time back.
    """
    alive = await session.scalar(_ALIVE, {"name": BEAT})
    if alive is None or now - alive > GAP:
        return False
    head, _ = await lock_head(session, match_id)
    found = await session.execute(
        _DEADLINE,
        {"id": match_id, "seat": seat, "opened": opened_version, "before": now - GRACE},
    )
    row = found.one_or_none()
    terms = None if row is None else terms_from(row.clock)
    if row is None or terms is None:
        return False
    missed = _Missed(session, head, seat, row, now)
    await missed.carry_out("default" if row.secret and terms.timeout != "wait" else terms.timeout)
    return True


@dataclass(frozen=True, slots=True)
class _Missed:
    """A seat whose time has run out; the match is locked."""

    session: AsyncSession
    head: Head
    seat: Seat
    row: Row[Any]
    now: datetime

    async def carry_out(self, choice: Timeout) -> None:
        """Do what the table has chosen.

        Of a secret prompt it is the default or nothing: a bot or a vote would show
        who was asked.
        """
        match choice:
            case "default":
                moves = self.head.codec.game.safe_default(self.head.state, self.seat)
                command = Commit(
                    match_id=self.head.id,
                    seat=self.seat,
                    expected_version=self.head.version,
                    key=self._key(),
                    line=self.head.codec.game.format(moves),
                    now=self.now,
                )
                await commit(self.session, command)
            case "bot":
                await resign(
                    self.session,
                    match_id=self.head.id,
                    seat=self.seat,
                    key=self._key(),
                    now=self.now,
                )
            case "wait" | "substitute":
                await self._wait()
            case "void":
                await self._wait()
                await propose_void(
                    self.session,
                    match_id=self.head.id,
                    missed=self.row.person_id,
                    now=self.now,
                )

    async def _wait(self) -> None:
        where = {"id": self.head.id, "seat": self.seat, "now": self.now}
        await self.session.execute(_MISSED, where)

    def _key(self) -> str:
        # Longer than any key that people may choose.
        decision = f"{self.seat}:{self.row.prompt}:{self.head.version}"
        return f"timeout:{hashlib.sha256(decision.encode()).hexdigest()}"
