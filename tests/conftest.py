"""What every test may ask for.

A test that asks for `engine`, `sessions` or `database_url` gets a real
PostgreSQL: one server for the whole run, one database for each xdist worker,
cloned from a migrated template and emptied before each test.  Races need
several connections and real commits, so no test runs inside a transaction
that is rolled back.  A test that asks for none of them starts no server.
"""

import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.engine import make_engine
from app.db.session import Sessions, make_sessions
from app.jobs.worker import run_pending
from app.worker import load_tasks
from tests.support.clock import SettableClock
from tests.support.postgres import TestServer, forget_server, prepare_run

MakeDatabase = Callable[[str], str]

# What takes longest begins first, so that the workers of a run end together.
LONGEST = (
    "tests/platform/test_doc_commands.py",
    "tests/secrecy/",
    "tests/crash/",
    "tests/cli/test_bench.py",
    "tests/cli/test_demo_mail.py",
    "tests/platform/",
    "tests/simulator/",
    "tests/hosting/",
    "tests/notifications/test_outbox.py",
    "tests/api/test_schema.py",
)


def pytest_configure(config: pytest.Config) -> None:
    """Tell all workers of this run where the one server is."""
    if not hasattr(config, "workerinput"):
        prepare_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the server's folder; the workers have left by now."""
    if not hasattr(config, "workerinput"):
        forget_server()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run async tests on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture
def clock() -> SettableClock:
    """Return a clock that stands still until told."""
    return SettableClock()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return an empty folder that other users can enter.

    Started by root, the embedded server runs as somebody to whom `tmp_path` is closed.
    """
    folder = Path(tempfile.mkdtemp(prefix="placa-folder-"))
    folder.chmod(0o755)
    yield folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[TestServer]:
    """Return the run's server, with its migrated template."""
    with TestServer.running() as server:
        yield server


@pytest.fixture(scope="session")
def make_database(postgres: TestServer) -> MakeDatabase:
    """Return a function that makes a migrated, empty database and returns its URL."""
    return postgres.clone


@pytest.fixture(scope="session")
def _worker_database(make_database: MakeDatabase) -> str:
    return make_database("tests")


@pytest.fixture
def database_url(_worker_database: str, postgres: TestServer) -> str:
    """Return the URL of this worker's database, emptied."""
    postgres.empty(_worker_database)
    return _worker_database


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    """Return an engine on the emptied database, with room for races."""
    engine = make_engine(database_url, pool_size=25, max_overflow=10)
    yield engine
    await engine.dispose()


@pytest.fixture
def sessions(engine: AsyncEngine) -> Sessions:
    """Return the maker of sessions on the emptied database."""
    return make_sessions(engine)


@pytest.fixture
def run_jobs(database_url: str, sessions: Sessions, clock: SettableClock) -> Callable[[], object]:
    """Return an async function that runs every job that is due, until none is left."""

    load_tasks()

    async def run() -> None:
        await run_pending(database_url, sessions, clock=clock)

    return run
