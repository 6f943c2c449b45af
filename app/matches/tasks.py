"""Background work of matches."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.jobs.tasks import sweep, task
from app.matches.asking import SEAT_ASKED, ask_bots
from app.matches.timeouts import TIME_RAN_OUT, run_out, tick
from app.matches.writes import forget_commands
from app.rules.game import Seat

# A bot that has not answered for this long, and whose job is gone, is asked again.
PATIENCE = timedelta(minutes=2)

# No browser and no program repeats a command that was carried out so long ago.
REPEATS_END = timedelta(days=30)

_WAITING = text("""
    select m.id, m.version, s.seat
    from matches m
    join match_seats s on s.match_id = m.id and s.bot is not null
    where m.status = 'running' and m.updated_at < :before
      and m.prompts ? s.seat::text
      and not exists (select from match_answers a where a.match_id = m.id and a.seat = s.seat)
      and not exists (select from procrastinate_jobs j
        where j.task_name = :task and j.status in ('todo', 'doing')
          and j.args->>'match_id' = m.id::text and (j.args->>'seat')::int = s.seat)
    order by m.updated_at limit 100
""")


@sweep("matches.bots_waited_for", cron="* * * * *")
async def ask_again(session: AsyncSession, now: datetime) -> None:
    """Ask every bot again that a match waits for and whose job has been lost or has failed."""
    waiting = await session.execute(_WAITING, {"before": now - PATIENCE, "task": SEAT_ASKED})
    for match_id, version, seat in waiting.all():
        await ask_bots(session, match_id, version, {Seat(seat)}, {Seat(seat)})


@sweep("matches.clocks_ticked", cron="* * * * * */20")
async def tick_clocks(session: AsyncSession, now: datetime) -> None:
    """Give back the time in which the server was away, and find whose time has run out."""
    await tick(session, now)


@task(TIME_RAN_OUT)
async def time_ran_out(
    session: AsyncSession, now: datetime, *, match_id: str, seat: int, opened_version: int
) -> None:
    """Do what the table has chosen for a seat that did not answer in time."""
    await run_out(
        session,
        match_id=UUID(match_id),
        seat=Seat(seat),
        opened_version=opened_version,
        now=now,
    )


@sweep("matches.commands_outlived", cron="41 4 * * *")
async def forget_old_commands(session: AsyncSession, now: datetime) -> None:
    """Delete the idempotency keys nobody can need any more."""
    await forget_commands(session, before=now - REPEATS_END)
