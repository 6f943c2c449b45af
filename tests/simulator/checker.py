"""What must be true of every match, and of the outbox, once a simulation has stopped."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.asking import TURN_WITHDRAWN
from app.matches.history import verify
from app.notifications.outbox import Notice
from app.notifications.sending import still_true
from tests.simulator.observer import NOBODY
from tests.simulator.worker import stands
from tests.simulator.world import Table, World

_COMMANDS = "select seat, key, version from match_commands where match_id = %s"
_EVENTS = """
    select seq, version, seat, line, payload::text as payload, at
    from match_events where match_id = %s order by seq
"""
# What a turn that was taken back has left open, by what is written down of each.
_LEFT = """
    select 'answer', opened_version from match_answers where match_id = %(id)s
    union all
    select 'deadline', opened_version from match_deadlines where match_id = %(id)s
"""


async def check(world: World) -> None:
    """Compare what people were told, what the log holds and what the rules say.

    What the log holds becomes part of the simulation's own.
    """
    async with world.sessions.begin() as session:
        for table in world.tables:
            # No gaps, the fold is the snapshot, every decision and draw comes out the same.
            assert await verify(session, table.id) == []
            _check_commands(world, table)
            events = world.observer.rows(_EVENTS, [table.id])
            _check_events(table, events)
            _check_what_is_open(world, table)
            world.log.extend(
                f"m{table.number} {row.seq} {row.version} {row.seat} {row.line} {row.payload}"
                for row in events
            )
        await _check_outbox(session, world)


def _check_commands(world: World, table: Table) -> None:
    rows = world.observer.rows(_COMMANDS, [table.id])
    stored = {(row.seat, row.key): row.version for row in rows}
    assert len(stored) == len(rows)
    for cause, version in table.acknowledged.items():
        assert stored.get(cause) == version, f"{cause} was told v{version}"
    by_commands = {v: cause for v, cause in table.causes.items() if cause[0] != NOBODY}
    for version, cause in by_commands.items():
        assert stored.get(cause) == version, f"v{version} was made by {cause}"
    versions = list(range(2, table.now.version + 1))
    assert sorted(table.causes) == versions, "a version without a cause"
    # Turns are taken back by whom we have seen take them back, and by nobody else.
    back = {before for _, before in table.now.struck}
    may = {
        version
        for version, (seat, word) in table.causes.items()
        if seat == NOBODY and word.startswith(("back", "agrees to undo", "proposes undo"))
    }
    assert back <= may, "turns were taken back by something else"


def _check_events(table: Table, events: Any) -> None:
    assert [row.seq for row in events] == list(range(1, len(events) + 1))
    times = [row.at for row in events]
    assert times == sorted(times), "time runs backwards"
    for row in events:
        assert row.version == 1 or row.version in table.causes
    # Whoever ends a turn is who sent it; answers that were waiting are decided with it.
    for version, (seat, _) in table.causes.items():
        lines = [row.seat for row in events if row.version == version and row.line is not None]
        assert not lines or seat in lines, f"v{version} was decided without seat {seat}"


def _check_what_is_open(world: World, table: Table) -> None:
    """Nothing is asked, answered or timed that was taken back."""
    now = table.now
    if now.status != "running":
        assert not now.prompts
        assert not now.due
        assert not now.answered
        return
    opened = [prompt["opened"] for prompt in now.prompts.values()]
    left = world.observer.rows(_LEFT, {"id": table.id})
    for version in [*opened, *(row.opened_version for row in left)]:
        assert not any(after < version < before for after, before in now.struck), "it is struck"
    if now.clock is not None:
        assert set(now.due) <= set(now.asked), "time runs for somebody who is not asked"


async def _check_outbox(session: AsyncSession, world: World) -> None:
    """Of what waits to be told, the program takes for true what is so, and nothing else."""
    waiting: dict[UUID, list[Notice]] = {}
    for row in world.observer.notices():
        fields = row._asdict()
        person = fields.pop("person_id")
        waiting.setdefault(person, []).append(Notice(**fields))
    tables = {table.id: table for table in world.tables}
    queued = {
        (tables[UUID(job.args["match_id"])].number, job.args["undone_at"])
        for job in world.observer.jobs()
        if job.task_name == TURN_WITHDRAWN
    }
    back = {(table.number, at) for table in world.tables for _, at in table.now.struck}
    assert back == world.heard | queued, "turns were taken back, and nobody is told"
    for person, notices in waiting.items():
        kept = await still_true(session, person, notices, now=world.clock.now())
        so = [one for one in notices if stands(tables[one.about].now, one, person, world)]
        assert {one.id for one in kept} == {one.id for one in so}, (kept, so)
