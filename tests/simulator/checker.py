"""What must be true of every match once a simulation has stopped."""

from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.history import verify
from tests.simulator.simulation import Simulation, Table

_COMMANDS = text("select seat, key, version from match_commands where match_id = :id")
_EVENTS = text("""
    select seq, version, seat, line, payload::text as payload, at
    from match_events where match_id = :id order by seq
""")


async def check(simulation: Simulation) -> None:
    """Compare what people were told, what the log holds and what the rules say.

    What the log holds becomes part of the simulation's own.
    """
    async with simulation.sessions.begin() as session:
        for table in simulation.tables:
            # No gaps, the fold is the snapshot, every decision and draw comes out the same.
            assert await verify(session, table.id) == []
            await _check_commands(session, table)
            events = (await session.execute(_EVENTS, {"id": table.id})).all()
            _check_events(table, events)
            simulation.log.extend(
                f"m{table.number} {row.seq} {row.version} {row.seat} {row.line} {row.payload}"
                for row in events
            )


async def _check_commands(session: AsyncSession, table: Table) -> None:
    rows = (await session.execute(_COMMANDS, {"id": table.id})).all()
    stored = {(row.seat, row.key): row.version for row in rows}
    assert len(stored) == len(rows)
    for cause, version in table.acknowledged.items():
        assert stored.get(cause) == version, f"{cause} was told v{version}"
    for version, cause in table.causes.items():
        assert stored.get(cause) == version, f"v{version} was made by {cause}"
    assert sorted(table.causes) == list(range(2, table.version + 1)), "a version without a cause"


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
