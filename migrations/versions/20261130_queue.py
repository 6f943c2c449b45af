"""The job queue.

Everything procrastinate needs, in the application's own schema, so that a job
and the move that causes it are committed together.
"""

from pathlib import Path
from typing import Any

from alembic import op

revision: str = "20261130_queue"
down_revision: str | None = None

SCHEMA = Path(__file__).with_suffix(".sql")

DROP = """
do $$
declare
    thing record;
begin
    drop table if exists procrastinate_events, procrastinate_periodic_defers,
        procrastinate_jobs, procrastinate_workers cascade;
    for thing in
        select oid::regprocedure as name from pg_proc
        where proname like 'procrastinate\\_%' and pronamespace = current_schema()::regnamespace
    loop
        execute format('drop function if exists %s cascade', thing.name);
    end loop;
    drop type if exists procrastinate_job_to_defer_v1, procrastinate_job_status,
        procrastinate_job_event_type;
end
$$
"""


def upgrade() -> None:
    """Create the queue."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    # By the driver's own cursor: the file is a script, full of % and :: signs.
    driver: Any = op.get_bind().connection.driver_connection
    with driver.cursor() as cursor:
        cursor.execute(SCHEMA.read_bytes())


def downgrade() -> None:
    """Drop the queue with every job in it."""
    op.execute("set local lock_timeout = '4s'")
    op.execute("set local statement_timeout = '60s'")
    op.execute(DROP)
