"""Restoring: the whole file is checked first, then everything goes in, or nothing does."""

from typing import IO, Final

import psycopg
from psycopg import sql

from app.db.migrate import downgrade, upgrade
from app.db.revisions import known
from app.hosting.backup.container import BackupError, Header, Reader, check, first_line
from app.hosting.backup.taking import NOT_DATA, Connection, connected

# What a server that was started and never used has put into its tables itself.
_ITS_OWN: Final = ("procrastinate_", "installation", *NOT_DATA)

_TABLES: Final = """
    select relname::text from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1
"""
_LIVE: Final = """
    select application_name from pg_stat_activity
    where datname = current_database() and application_name in ('placa web', 'placa worker') limit 1
"""
_SEQUENCES: Final = """
    select t.relname::text, a.attname::text, s.oid::regclass::text
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
"""
# No worker of then is alive: what they had begun is to be done again.  What the clock
# put into the queue it puts in again, and two of those would be one too many.
_AFTERWARDS: Final = (
    "delete from procrastinate_jobs where status = 'doing' and queueing_lock is not null",
    "update procrastinate_jobs set status = 'todo', worker_id = null where status = 'doing'",
    "delete from procrastinate_workers",
)


def restore(url: str, file: IO[bytes]) -> tuple[Header, dict[str, int]]:
    """Put the backup in `file` into the empty database at `url`; return what was in it.

    Raises BackupError, and has touched nothing then: the file was damaged or
    newer, somebody uses the database, or it is not empty.  The schema is that of
    this version afterwards.
    """
    found = bring_back(url, file)
    upgrade(url)
    return found


def bring_back(url: str, file: IO[bytes]) -> tuple[Header, dict[str, int]]:
    """Do as `restore` does, but leave the schema at what it was when the backup was made."""
    header, counts = check(file)
    if header.revision not in known():
        raise BackupError(
            f"made by a newer Plaça ({header.version}, schema {header.revision}):"
            " install that version and try again"
        )
    with connected(url) as connection:
        ours = _ready(connection)
    if ours:
        downgrade(url, "base")
    upgrade(url, header.revision)
    file.seek(0)
    with connected(url) as connection:
        try:
            _load(connection, Reader(file))
        except psycopg.Error as error:
            raise BackupError(f"the database refused it: {first_line(error)}") from error
    return header, counts


def _ready(connection: Connection) -> bool:
    """Tell whether our tables are there, empty; raises BackupError if it may not be filled."""
    if connection.execute(_LIVE).fetchone():
        raise BackupError("Plaça runs on this database: stop it first")
    tables = [row[0] for row in connection.execute(_TABLES)]
    if tables and "alembic_version" not in tables:
        raise BackupError(f"the database is not empty, and not Plaça's: it has {tables[0]!r}")
    for name in tables:
        if name.startswith(_ITS_OWN):
            continue
        query = sql.SQL("select count(*) from {}").format(sql.Identifier(name))
        (rows,) = connection.execute(query).fetchone() or (0,)
        if rows:
            raise BackupError(
                f"the database is not empty: {rows} rows in {name}. Restore into a new one"
            )
    return bool(tables)


def _load(connection: Connection, reader: Reader) -> None:
    """Copy every table in and check the counts."""
    tables = [sql.Identifier(row[0]) for row in connection.execute(_TABLES)]
    # The queue's own triggers would write what is in the backup once more.
    for table in tables:
        connection.execute(sql.SQL("alter table {} disable trigger user").format(table))
    counts: dict[str, int] = {}
    for start, pieces in reader.tables():
        copy = sql.SQL("copy {} ({}) from stdin").format(
            sql.Identifier(start.name), sql.SQL(", ").join(map(sql.Identifier, start.columns))
        )
        with connection.cursor() as cursor:
            with cursor.copy(copy) as rows:
                for piece in pieces:
                    rows.write(piece)
            counts[start.name] = cursor.rowcount
    if counts != reader.counts:
        raise BackupError("not every row went in")
    for name, column, sequence in connection.execute(_SEQUENCES).fetchall():
        connection.execute(
            sql.SQL("select setval({}, coalesce((select max({}) from {}), 0) + 1, false)").format(
                sql.Literal(sequence), sql.Identifier(column), sql.Identifier(name)
            )
        )
    for statement in _AFTERWARDS:
        connection.execute(statement)
    for table in tables:
        connection.execute(sql.SQL("alter table {} enable trigger user").format(table))
