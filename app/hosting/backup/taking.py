"""Taking a backup: every table as it stands at one instant, while people play on."""

import graphlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import version
from typing import IO, Any, Final

import psycopg
from psycopg import sql

from app.db.address import conninfo
from app.hosting.backup.container import BackupError, Header, TableStart, Writer, first_line

Connection = psycopg.Connection[tuple[Any, ...]]

# A backup takes as long as it takes; what must not wait for ever are locks.
_OPTIONS: Final = (
    "-c statement_timeout=0 -c lock_timeout=10s -c timezone=UTC -c datestyle=ISO"
    " -c bytea_output=hex -c extra_float_digits=1"
)

# Where the schema is, a restore brings about by itself.
NOT_DATA: Final = ("alembic_version",)

_TABLES: Final = """
    select c.relname::text, array_agg(a.attname::text order by a.attnum)
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and c.relname <> all(%s)
    group by c.relname order by c.relname
"""
_REFERENCES: Final = """
    select c.relname::text, other.relname::text
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_class other on other.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
"""


@contextmanager
def connected(url: str, application: str = "placa backup") -> Iterator[Connection]:
    """Yield a connection whose transaction ends with the block; raises BackupError without one."""
    try:
        connection = psycopg.connect(
            conninfo(url),
            options=_OPTIONS,
            client_encoding="UTF8",
            application_name=application,
            connect_timeout=10,
        )
    except psycopg.OperationalError as error:
        raise BackupError(f"no database: {first_line(error)}") from error
    with connection:
        yield connection


def take(url: str, out: IO[bytes], *, secret: str, now: datetime) -> dict[str, int]:
    """Write a backup of the database at `url` to `out`; return how many rows of each table.

    All tables are seen at the same instant.  Raises BackupError, after which what
    was written is worthless and says so.
    """
    with connected(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        try:
            return _write(connection, out, secret=secret, now=now)
        except psycopg.Error as error:
            raise BackupError(f"the database gave up: {first_line(error)}") from error


def _write(connection: Connection, out: IO[bytes], *, secret: str, now: datetime) -> dict[str, int]:
    revision = _revision(connection)
    header = Header(
        version=version("placa"),
        revision=revision,
        taken_at=now.isoformat(timespec="seconds"),
        server=str(connection.info.server_version),
        secret=secret,
    )
    writer = Writer(out, header)
    counts: dict[str, int] = {}
    for name, columns in _tables(connection):
        writer.table(TableStart(name, tuple(columns)))
        copy = sql.SQL("copy {} ({}) to stdout").format(
            sql.Identifier(name), sql.SQL(", ").join(map(sql.Identifier, columns))
        )
        with connection.cursor() as cursor:
            with cursor.copy(copy) as rows:
                for piece in rows:
                    writer.rows(bytes(piece))
            counts[name] = cursor.rowcount
    writer.end(counts)
    return counts


def _tables(connection: Connection) -> list[tuple[str, list[str]]]:
    """Return the tables with their columns, those that others refer to first.

    So a restore can copy the rows in as they come, and every reference finds its row.
    """
    columns: dict[str, list[str]] = dict(connection.execute(_TABLES, [list(NOT_DATA)]).fetchall())
    order = graphlib.TopologicalSorter[str](dict.fromkeys(columns, ()))
    for name, other in connection.execute(_REFERENCES):
        # A table that refers to itself is checked at the end of its one statement.
        if name != other:
            order.add(name, other)
    return [(name, columns[name]) for name in order.static_order()]


def _revision(connection: Connection) -> str:
    try:
        found = connection.execute("select version_num from alembic_version").fetchone()
    except psycopg.errors.UndefinedTable:
        found = None
    if found is None:
        raise BackupError("there is nothing to back up: the database was never started")
    return str(found[0])
