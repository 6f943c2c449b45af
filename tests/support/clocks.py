"""Short words for clocks in tests."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from app.matches.clocks.terms import Terms, terms_from
from app.matches.deadlines import deadline_of
from app.matches.proposals import Kind, agree, propose
from app.matches.timeouts import BEAT, run_out, tick
from app.rules.game import Seat
from tests.support.matches import NOW, Matches

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def terms(kind: str = "turn", **given: Any) -> Terms:
    """Return the terms of a clock, a day for each turn unless told otherwise."""
    usual: dict[str, dict[str, Any]] = {
        "turn": {"days": 1},
        "bank": {"bank_days": 2, "increment_hours": 6},
        "daily": {"at": "20:00"},
    }
    made = terms_from({"kind": kind, **usual[kind], **given})
    assert made is not None
    return made


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the worker does, and what can be seen of it, a transaction a call."""

    matches: Matches

    async def due(self, match_id: UUID, seat: int) -> datetime | None:
        async with self.matches.sessions.begin() as session:
            found = await deadline_of(session, match_id, Seat(seat))
        return None if found is None else found.due_at

    async def whose(self, match_id: UUID) -> list[int]:
        rows = await self.matches.run(
            "select seat from match_deadlines where match_id = :id order by seat", id=match_id
        )
        return [seat for (seat,) in rows]

    async def tick(self, now: datetime) -> None:
        async with self.matches.sessions.begin() as session:
            await tick(session, now)

    async def jobs(self) -> list[tuple[UUID, int, int]]:
        """Return what has been queued: match, seat and the version that asked it."""
        rows = await self.matches.run(
            "select args->>'match_id', args->'seat', args->'opened_version'"
            " from procrastinate_jobs where task_name = 'matches.time_ran_out' order by id"
        )
        return [(UUID(match_id), seat, opened) for match_id, seat, opened in rows]

    async def run_out(self, match_id: UUID, seat: int, opened: int, now: datetime) -> bool:
        async with self.matches.sessions.begin() as session:
            return await run_out(
                session, match_id=match_id, seat=Seat(seat), opened_version=opened, now=now
            )

    async def alive(self, now: datetime) -> None:
        """Let the worker have ticked just now, and nothing else."""
        await self.matches.run(
            "insert into heartbeats values (:name, :now)"
            " on conflict (name) do update set at = excluded.at",
            name=BEAT,
            now=now,
        )

    async def pass_by(self, now: datetime) -> int:
        """Let the worker look after everything at `now`; return how many times ran out."""
        await self.alive(now)
        await self.tick(now)
        jobs = await self.jobs()
        await self.matches.run("delete from procrastinate_jobs")
        done = [await self.run_out(*job, now) for job in jobs]
        return sum(done)

    async def propose(
        self,
        match_id: UUID,
        seat: int,
        person: UUID,
        kind: Kind,
        *,
        until: datetime | None = None,
        now: datetime = NOW,
    ) -> bool:
        async with self.matches.sessions.begin() as session:
            return await propose(
                session,
                match_id=match_id,
                seat=Seat(seat),
                person_id=person,
                kind=kind,
                until=until,
                now=now,
            )

    async def agree(self, match_id: UUID, person: UUID, kind: Kind, *, now: datetime = NOW) -> bool:
        version = (
            await self.matches.run(
                "select version from match_proposals where match_id = :id and kind = :kind",
                id=match_id,
                kind=kind,
            )
        )[0][0]
        async with self.matches.sessions.begin() as session:
            return await agree(
                session,
                match_id=match_id,
                person_id=person,
                kind=kind,
                version=version,
                now=now,
            )

    async def pause(self, match_id: UUID, anna: UUID, bert: UUID, until: datetime) -> None:
        await self.propose(match_id, 0, anna, "pause", until=until)
        await self.agree(match_id, bert, "pause")
