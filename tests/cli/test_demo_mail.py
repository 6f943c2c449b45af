"""`placa demo-mail`: a match from its first mail to its last, by mail alone."""

import os
import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path
from subprocess import CompletedProcess

import psycopg
import pytest

from app.db.address import conninfo
from tests.conftest import MakeDatabase
from tests.support.forked import placa

LAST = re.compile(r"decisions (\d+), mails (\d+), obsolete 0, refused 0")


def demo(database_url: str, folder: Path, *more: str) -> CompletedProcess[str]:
    environment = {**os.environ, "DATABASE_URL": database_url}
    return placa("demo-mail", "--folder", str(folder), *more, environment=environment)


@dataclass(frozen=True, slots=True)
class Played:
    """A demonstration that has ended."""

    done: CompletedProcess[str]
    folder: Path
    database_url: str


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, make_database: MakeDatabase) -> Played:
    folder = tmp_path_factory.mktemp("demo") / "mails"
    url = make_database("beside")
    return Played(demo(url, folder), folder, url)


def test_it_ends_with_a_mail_for_each_decision(played: Played) -> None:
    done = played.done
    found = LAST.fullmatch(done.stdout.splitlines()[-1] if done.stdout else "")

    assert found is not None, done.stdout + done.stderr
    assert done.returncode == 0
    # Ten rounds of three seats, and the festivals.
    assert int(found[1]) == int(found[2]) >= 30


def test_each_decision_was_asked_and_answered_by_mail(played: Played) -> None:
    letters = {
        path.name: message_from_bytes(path.read_bytes(), policy=policy.default)
        for path in sorted(played.folder.iterdir())
    }
    asked = [letter["Reply-To"] for name, letter in letters.items() if name.endswith("-turn.eml")]
    answered = {letter["To"] for name, letter in letters.items() if name.endswith("-reply.eml")}

    assert len(set(asked)) == len(asked)
    assert set(asked) <= answered
    assert {name.split("-")[1] for name in letters} == {"anna", "bernat", "carla"}


def test_nothing_is_left_in_the_database_server(played: Played) -> None:
    with psycopg.connect(conninfo(played.database_url)) as connection:
        left = connection.execute(
            "select datname from pg_database where datname like 'placa_demo_%'"
        )

        assert left.fetchall() == []
        assert connection.execute("select count(*) from matches").fetchone() == (0,)


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path, database_url: str) -> None:
    (tmp_path / "letter.txt").write_text("from somebody")
    done = demo(database_url, tmp_path)

    assert done.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
