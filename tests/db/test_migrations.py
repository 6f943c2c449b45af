"""The schema's history: one line, passable in both directions, equal to the models."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from procrastinate.schema import SchemaManager

from app.db.address import conninfo
from app.db.migrate import alembic_config, downgrade, upgrade
from app.db.revisions import VERSIONS, head
from tests.support.postgres import TestServer
from tests.support.schema import TABLES, rows, shape

STEPS = sorted(VERSIONS.glob("*.py"))


@pytest.fixture
def fresh(postgres: TestServer) -> Callable[[str], str]:
    """Return a function that makes a database nothing has migrated."""
    return postgres.create


def test_the_history_has_one_end() -> None:
    script = ScriptDirectory.from_config(alembic_config("postgresql:///unused"))

    assert script.get_heads() == [head()]
    assert len(script.get_bases()) == 1


def test_up_down_and_up_again_ends_where_up_ended(fresh: Callable[[str], str]) -> None:
    url = fresh("updown")
    upgrade(url)
    after_up = shape(url)

    downgrade(url, "base")

    assert [name for (name,) in rows(url, TABLES)] == ["alembic_version"]
    assert shape(url)["functions"] == []
    assert shape(url)["types"] == [("alembic_version",)]

    upgrade(url)

    assert shape(url) == after_up


def test_each_step_can_be_taken_back(fresh: Callable[[str], str]) -> None:
    url = fresh("steps")
    script = ScriptDirectory.from_config(alembic_config(url))
    for revision in reversed(list(script.walk_revisions())):
        before = shape(url)
        upgrade(url, revision.revision)
        if revision.down_revision is not None:
            downgrade(url, "-1")

            assert shape(url) == before, f"{revision.revision} leaves something behind"

            upgrade(url, revision.revision)


def test_the_models_are_what_the_migrations_make(fresh: Callable[[str], str]) -> None:
    url = fresh("check")
    upgrade(url)

    command.check(alembic_config(url))


def test_the_queue_is_the_one_the_library_expects(fresh: Callable[[str], str]) -> None:
    ours, theirs = fresh("ours"), fresh("theirs")
    upgrade(ours)
    with closing(psycopg.connect(conninfo(theirs), autocommit=True)) as connection:
        connection.execute(SchemaManager.get_schema().encode())

    assert shape(ours, "procrastinate%") == shape(theirs, "procrastinate%")


@pytest.mark.parametrize("step", STEPS, ids=[path.stem for path in STEPS])
def test_a_migration_gives_up_rather_than_block_everybody(step: Path) -> None:
    source = step.read_text(encoding="utf-8")

    assert re.match(r"\d{8}_[a-z0-9_]+$", step.stem), "named by date and slug"
    for direction in ("upgrade", "downgrade"):
        begins = source.partition(f"\ndef {direction}()")[2].split("\n")[:5]

        assert "set local lock_timeout" in "".join(begins)
        assert "set local statement_timeout" in "".join(begins)
