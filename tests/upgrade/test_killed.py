"""Migrations that are killed midway, and an old schema that comes to this version in one go.

    MIGRATION_KILLS=100 .venv/bin/python -m pytest -s -q tests/upgrade/test_killed.py

kills `placa migrate` without warning, a hundred times (`make test`: a few), each time
over a copy of what is kept of the oldest release, at a random moment after so many of
its revisions.  The next `placa migrate` has to bring that database to where a migration
comes that nobody has killed: the same schema, and the same rows in every table.
"""

import os
import random
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.script import ScriptDirectory

from app.db.address import conninfo
from app.db.migrate import alembic_config, upgrade
from app.db.revisions import head
from app.hosting.backup.restoring import bring_back
from tests.support.forked import Process, placa
from tests.support.postgres import TestServer
from tests.support.schema import content, rows, shape
from tests.upgrade.release import releases

KILLS = int(os.environ.get("MIGRATION_KILLS", "5"))
SEED = int(os.environ.get("MIGRATION_SEED", "1"))
KEY = "0123456789abcdefghijklmnopqrstuvwxyz"
# What a revision takes, and how long it is until the first.
LATER_SECONDS = 0.03
FIRST_SECONDS = 0.5
# A killed client's last statement may still run.
GONE = """
    select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
"""


@dataclass(frozen=True, slots=True)
class Old:
    """What is kept of the oldest release, in its own schema, and where it has to come to."""

    url: str
    # That of the release first, that of this version last.
    revisions: list[str]
    shape: dict[str, list[tuple[Any, ...]]]
    content: dict[str, tuple[Any, ...]]


def environment(url: str, folder: Path) -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": url, "PLACA_DATA_DIR": str(folder), "SECRET_KEY": KEY}


def migrate(url: str, folder: Path) -> None:
    done = placa("migrate", environment=environment(url, folder))
    assert done.returncode == 0, done.stderr


def revision_of(url: str) -> str:
    ((revision,),) = rows(url, "select version_num from alembic_version")
    return str(revision)


def wait_until_gone(url: str) -> None:
    with closing(psycopg.connect(conninfo(url), autocommit=True)) as connection:
        while connection.execute(GONE).fetchone() != (0,):
            time.sleep(0.002)


def wait_until_at(url: str, revisions: set[str], process: Process) -> None:
    """Wait until one of `revisions` has been committed, or the process has ended."""
    with closing(psycopg.connect(conninfo(url), autocommit=True)) as connection:
        while process.alive:
            found = connection.execute("select version_num from alembic_version").fetchone()
            if found is not None and found[0] in revisions:
                return


@pytest.fixture(scope="module")
def old(postgres: TestServer, tmp_path_factory: pytest.TempPathFactory) -> Old:
    """Restore the oldest release, and let a copy of it be migrated undisturbed."""
    folder = tmp_path_factory.mktemp("old")
    url = postgres.create("old")
    header, _ = bring_back(url, releases()[0].read_backup())
    goal = postgres.copy("goal", url)
    migrate(goal, folder)
    assert revision_of(goal) == head()
    script = ScriptDirectory.from_config(alembic_config(url))
    coming = [one.revision for one in script.iterate_revisions(head(), header.revision)]
    return Old(url, [header.revision, *reversed(coming)], shape(goal), content(goal))


def test_a_migration_that_was_killed_is_gone_on_with(
    old: Old, postgres: TestServer, tmp_path: Path
) -> None:
    rng, killed, number, at = random.Random(SEED), 0, 0, Counter[str]()
    while killed < KILLS:
        number += 1
        assert number <= 3 * KILLS, "most have ended before they could be killed"
        url = postgres.copy("killed", old.url)
        process = Process(["migrate"], environment(url, tmp_path), tmp_path / f"{number}.log")
        process.start()
        # Before the first, after the first, and so on; never after the last.
        done = number % (len(old.revisions) - 1)
        wait_until_at(url, set(old.revisions[done:]), process)
        time.sleep(rng.uniform(0, LATER_SECONDS if done else FIRST_SECONDS))
        killed += process.kill_if_alive()
        wait_until_gone(url)
        at[revision_of(url)] += 1

        migrate(url, tmp_path)

        assert revision_of(url) == head()
        assert shape(url) == old.shape
        assert content(url) == old.content
    print(  # noqa: T201 - the figures that somebody who asked for more kills wants to see
        f"\n{number} migrations, {killed} of them killed; they had come to {dict(at)};"
        f" each ended as one that nobody kills"
    )


def test_it_is_the_same_at_once_or_revision_by_revision(old: Old, postgres: TestServer) -> None:
    url = postgres.copy("steps", old.url)

    for revision in old.revisions[1:]:
        upgrade(url, revision)

    assert shape(url) == old.shape
    # What a start writes down, and a migration does not.
    assert {**content(url), "installation": ()} == {**old.content, "installation": ()}
