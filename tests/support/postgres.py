"""The server behind the tests.

Set TEST_DATABASE_URL (to a role that may create databases) to use a server of
your own.  Otherwise an embedded one is started in a temporary folder that all
xdist workers of the run share: the first to need it starts it, the last to
leave stops it.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from app.db.address import conninfo
from app.db.embedded import EmbeddedServer, EmbeddedServerError
from app.db.engine import driver_url
from app.db.migrate import upgrade

FOLDER = "PYTEST_PLACA_FOLDER"
PREFIX = "placa-tests-"
KILLED_LONG_AGO_SECONDS = 3600

# Nothing here outlives the run, so nothing need survive a power cut.
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
    "shared_buffers": "128MB",
    "autovacuum": "off",
    "checkpoint_timeout": "1h",
    "max_wal_size": "4GB",
}

# Rows that are deleted leave their place behind; so many times the tables put up with it.
DELETIONS = 64


def prepare_run() -> None:
    """Choose this run's folder and clear what killed runs have left."""
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        _remove_if_unused(left)
    folder = tempfile.mkdtemp(prefix=PREFIX)
    # The server's account must get in when root runs the tests.
    Path(folder).chmod(0o755)
    os.environ[FOLDER] = folder


def forget_server() -> None:
    """Remove this run's folder."""
    shutil.rmtree(os.environ.pop(FOLDER), ignore_errors=True)


class TestServer:
    """A server with a migrated template to clone from."""

    __test__ = False

    def __init__(self, url: str, template: str) -> None:
        self._url = url
        self._template = template
        self._made: list[str] = []
        self._emptiers: dict[str, _Emptier] = {}

    @classmethod
    @contextmanager
    def running(cls) -> Iterator["TestServer"]:
        """Start or join the run's server; drop what this process made in the end."""
        folder = Path(os.environ[FOLDER])
        external = os.environ.get("TEST_DATABASE_URL")
        embedded = None if external else EmbeddedServer(folder, settings=FAST)
        if embedded is not None:
            embedded.start()
        try:
            server = cls(external or _url_of(embedded), f"template_{folder.name[-8:]}")
            with _one_at_a_time(folder):
                server.make_template()
            yield server
            server.drop_made()
        finally:
            if embedded is not None:
                embedded.stop()

    def make_template(self) -> None:
        """Create and migrate the template, unless another worker has."""
        if not self._ask("select 1 from pg_database where datname = %s", self._template):
            self._do("create database {}", self._template)
            upgrade(self.url(self._template))

    def url(self, database: str) -> str:
        """Return the URL of `database` on this server."""
        return driver_url(self._url).set(database=database).render_as_string(hide_password=False)

    def clone(self, name: str) -> str:
        """Create database `name` as a copy of the template and return its URL."""
        return self._create(name, self._template)

    def create(self, name: str) -> str:
        """Create database `name` with nothing in it and return its URL."""
        return self._create(name, "template0")

    def copy(self, name: str, url: str) -> str:
        """Create database `name` as a copy of the one at `url`, which nobody uses."""
        return self._create(name, driver_url(url).database or "")

    def _create(self, name: str, template: str) -> str:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        full = f"{name}_{worker}_{self._template[-8:]}"
        with _one_at_a_time(Path(os.environ[FOLDER])):
            self._do("drop database if exists {} with (force)", full)
            self._do("create database {} template {}", full, template)
        if full not in self._made:
            self._made.append(full)
        return self.url(full)

    def empty(self, url: str) -> None:
        """Take every row out of the database at `url`, and every stray client."""
        try:
            self._emptier(url)()
        except psycopg.OperationalError:
            # The test before had sent everybody away, this connection too.
            self._emptiers[url] = _Emptier(url)
            self._emptiers[url]()

    def clear(self, url: str) -> None:
        """Take every row out of the database at `url`; its clients stay, and have nothing open."""
        self._emptier(url).clear()

    def _emptier(self, url: str) -> "_Emptier":
        if url not in self._emptiers:
            self._emptiers[url] = _Emptier(url)
        return self._emptiers[url]

    def drop_made(self) -> None:
        """Drop the databases this process cloned."""
        for emptier in self._emptiers.values():
            emptier.close()
        for name in self._made:
            self._do("drop database if exists {} with (force)", name)

    def _do(self, statement: Any, *names: str) -> None:
        with closing(psycopg.connect(conninfo(self._url), autocommit=True)) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def _ask(self, query: Any, *values: str) -> list[Any]:
        with closing(psycopg.connect(conninfo(self._url), autocommit=True)) as connection:
            return connection.execute(query, values).fetchall()


class _Emptier:
    """Empties one database again and again, over a connection that is kept.

    To truncate takes longer than most tests: each table, and each index, gets a
    new file.  So rows are deleted, where the role may do so without a look at
    foreign keys and triggers, and the tables are truncated now and then.
    """

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(
            conninfo(url), autocommit=True, application_name="emptier", prepare_threshold=1
        )
        (self._may_delete,) = self._row("select rolsuper from pg_roles where rolname = user")
        self._known: list[str] = []
        self._deletions = 0

    def __call__(self) -> None:
        """Send everybody else away and take out every row."""
        self._row(_SEND_AWAY)
        self.clear()

    def clear(self) -> None:
        """Take out every row."""
        tables, sequences = self._row(_THINGS)
        if not self._may_delete or self._deletions == DELETIONS:
            self._connection.execute(
                f"truncate {', '.join(tables)} restart identity cascade".encode()
            )
            self._deletions = 0
            return
        if self._known != [*tables, *sequences]:
            self._learn(tables, sequences)
        self._row("select pg_temp.empty_everything()")
        self._deletions += 1

    def _learn(self, tables: list[str], sequences: list[str]) -> None:
        """Write down what there is as a function, which is planned once."""
        steps = [f"delete from {table};" for table in tables]
        steps += [f"perform setval('{name}', 1, false);" for name in sequences]
        self._connection.execute("set session_replication_role = replica")
        self._connection.execute(
            "create or replace function pg_temp.empty_everything() returns int language plpgsql"
            f" as $$ begin {' '.join(steps)} return 0; end $$".encode()
        )
        self._known = [*tables, *sequences]

    def close(self) -> None:
        """Leave."""
        self._connection.close()

    def _row(self, query: str) -> Any:
        return self._connection.execute(query.encode()).fetchone()


# Who is sent away may be about to commit: wait until they have gone.
_SEND_AWAY = """
select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
"""
_THINGS = """
select
    array_agg(oid::regclass::text order by oid) filter (where relkind in ('r', 'p')),
    array_agg(oid::regclass::text order by oid) filter (where relkind = 'S')
from pg_class where relnamespace = 'public'::regnamespace and relname <> 'alembic_version'
"""


def _url_of(embedded: EmbeddedServer | None) -> str:
    assert embedded is not None
    return embedded.url("postgres")


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    with (folder / ".template.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remove_if_unused(folder: Path) -> None:
    """Stop the server of a run that was killed, and remove its folder.

    A young folder may be of a run that is about to start its server.
    """
    try:
        if time.time() - folder.stat().st_mtime < KILLED_LONG_AGO_SECONDS:
            return
        users = (folder / ".users.lock").open("ab")
    except OSError:
        return
    with users:
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
    # Another run may be clearing the same folder, and half of it may be gone.
    with suppress(EmbeddedServerError, OSError):
        server = EmbeddedServer(folder)
        server.start()
        if not server.stop():
            return
    shutil.rmtree(folder, ignore_errors=True)
