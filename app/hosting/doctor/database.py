"""The database: reached, of the right schema, with a worker, on time, and nothing jammed."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import psycopg

from app.clock import Clock
from app.db.address import conninfo
from app.db.revisions import head, known
from app.hosting.doctor.findings import Finding, fault, ok, warning
from app.jobs.worker import STALLED_SECONDS

OLDEST_SERVER: Final = 150_000
SKEW: Final = timedelta(seconds=30)
LATE_SECONDS: Final = 120
JAMMED_SECONDS: Final = 600
LISTED: Final = 5

Connection = psycopg.Connection[tuple[Any, ...]]

_SETTINGS: Final = (
    "select name from pg_settings where name in"
    " ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by 1"
)
_WORKER: Final = """
    select extract(epoch from now() - max(last_heartbeat))::int from procrastinate_workers
"""
_JOBS: Final = """
    select
      (select count(*) from procrastinate_jobs
        where status = 'todo' and coalesce(scheduled_at, now()) <= now()) as due,
      (select coalesce(extract(epoch from now() - min(coalesce(j.scheduled_at, e.at)))::int, 0)
        from procrastinate_jobs j
        join procrastinate_events e on e.job_id = j.id and e.type = 'deferred'
        where j.status = 'todo' and coalesce(j.scheduled_at, now()) <= now()) as oldest,
      (select count(*) from procrastinate_jobs where status = 'failed') as failed
"""
# Every seat the match waits for is a bot's, and has been for long.
_JAMMED: Final = """
    select m.id::text, extract(epoch from now() - m.updated_at)::int
    from matches m
    where m.status = 'running' and m.prompts <> '{}'
      and m.updated_at < now() - make_interval(secs => %s)
      and not exists (
        select from jsonb_object_keys(m.prompts) as asked
        join match_seats s on s.match_id = m.id and s.seat = asked::int
        where s.bot is null and not exists (
          select from match_answers a where a.match_id = m.id and a.seat = s.seat))
    order by m.updated_at limit %s
"""
_NOBODY: Final = """
    select id::text from matches
    where status = 'running' and prompts = '{}' order by updated_at limit %s
"""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in the database, and the fingerprint of the key it was first used with."""

    findings: tuple[Finding, ...]
    key_fingerprint: str | None


def look_at_database(url: str, clock: Clock) -> Looked:
    """Connect and look; a database that cannot be reached is one finding."""
    try:
        with psycopg.connect(
            conninfo(url),
            connect_timeout=5,
            application_name="placa doctor",
            options="-c statement_timeout=15s -c timezone=UTC",
        ) as connection:
            findings = list(_look(connection, clock))
            return Looked(tuple(findings), _fingerprint(connection))
    except psycopg.OperationalError as error:
        return Looked((_unreachable(error),), None)
    except psycopg.Error as error:
        said = str(error).strip().split("\n")[0]
        fix = "see the database's own log, and that DATABASE_URL names a database of Plaça's"
        return Looked((fault("database.broken", said, fix),), None)


def _unreachable(error: psycopg.OperationalError) -> Finding:
    said = str(error).strip().split("\n")[0]
    if "authentication failed" in said or "no password supplied" in said:
        return fault(
            "database.password",
            said,
            "the user or password in DATABASE_URL is wrong: mend it there, or set the role's"
            " password with ALTER ROLE … PASSWORD",
        )
    if "does not exist" in said:
        return fault(
            "database.missing", said, "make it: createdb, or mend the name in DATABASE_URL"
        )
    return fault(
        "database.down", said, "start PostgreSQL, and see that DATABASE_URL names its host and port"
    )


def _look(connection: Connection, clock: Clock) -> Iterator[Finding]:
    version = connection.info.server_version
    if version < OLDEST_SERVER:
        yield fault(
            "database.old",
            f"PostgreSQL {version // 10000} is too old",
            "move to 15 or newer: placa backup there, placa restore here",
        )
    else:
        yield ok("database", f"PostgreSQL {version // 10000}.{version % 10000} answers")
    for (name,) in connection.execute(_SETTINGS).fetchall():
        yield warning(
            "database.durability",
            f"{name} is off, so a power cut can lose turns",
            f"alter system set {name} = on",
        )
    yield _clock(connection, clock)
    schema = _schema(connection)
    yield schema
    if schema.grade == "ok":
        yield from _work(connection)
        yield from _matches(connection)


def _clock(connection: Connection, clock: Clock) -> Finding:
    before = clock.now()
    (there,) = connection.execute("select clock_timestamp()").fetchone() or (before,)
    skew = there.astimezone(UTC) - _middle(before, clock.now())
    seconds = round(skew.total_seconds())
    if abs(skew) > SKEW:
        return fault(
            "clock.skew",
            f"the database's clock is {abs(seconds)} s {'ahead of' if seconds > 0 else 'behind'}"
            " this machine's",
            "run a time service (systemd-timesyncd, chrony) on both",
        )
    return ok("clock", f"this machine and the database agree within {abs(seconds) + 1} s")


def _middle(before: datetime, after: datetime) -> datetime:
    return before + (after - before) / 2


def _schema(connection: Connection) -> Finding:
    (there,) = connection.execute("select to_regclass('public.alembic_version')").fetchone() or (
        None,
    )
    row = (
        connection.execute("select version_num from alembic_version").fetchone() if there else None
    )
    found = None if row is None else str(row[0])
    if found == head():
        return ok("schema", f"it is {found}, as it should be")
    if found is not None and found not in known():
        return fault(
            "schema.newer",
            f"the database is of a newer Plaça: {found}",
            "install that version again, or restore a backup from before the upgrade",
        )
    return fault(
        "schema.older",
        f"the schema is {found or 'not there'}, and should be {head()}",
        "placa backup, then placa migrate (placa serve does it at its start)",
    )


def _work(connection: Connection) -> Iterator[Finding]:
    (silent,) = connection.execute(_WORKER).fetchone() or (None,)
    due, oldest, failed = connection.execute(_JOBS).fetchone() or (0, 0, 0)
    start = "start it: placa serve, or placa worker; its messages say why it ended"
    if silent is None or silent > STALLED_SECONDS:
        since = "there is none" if silent is None else f"none for {silent} s"
        yield fault("worker.dead", f"no sign of a worker: {since}; {due} jobs are due", start)
    elif oldest > LATE_SECONDS:
        yield fault(
            "worker.late",
            f"{due} jobs are due, the oldest for {oldest} s",
            "raise PLACA_WORKER_CONCURRENCY, or run another placa worker",
        )
    else:
        yield ok("worker", f"alive, {due} jobs are due")
    if failed:
        yield warning(
            "jobs.failed", f"{failed} jobs have failed for good", "look for job errors in the log"
        )


def _matches(connection: Connection) -> Iterator[Finding]:
    jammed = connection.execute(_JAMMED, [JAMMED_SECONDS, LISTED]).fetchall()
    for match_id, seconds in jammed:
        yield fault(
            "match.jammed",
            f"match {match_id} has waited for its bots for {seconds} s",
            f"placa match show {match_id}; then rollback, reassign-seat to another bot, or void",
        )
    nobody = connection.execute(_NOBODY, [LISTED]).fetchall()
    for (match_id,) in nobody:
        yield fault(
            "match.jammed",
            f"match {match_id} runs and asks nobody",
            f"placa match show {match_id}; then rollback or void",
        )
    if not jammed and not nobody:
        yield ok("matches", "none is jammed")


def _fingerprint(connection: Connection) -> str | None:
    (there,) = connection.execute("select to_regclass('public.installation')").fetchone() or (None,)
    if there is None:
        return None
    row = connection.execute(
        "select value from installation where name = 'key_fingerprint'"
    ).fetchone()
    return None if row is None else str(row[0])
