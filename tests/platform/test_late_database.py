"""The database comes up after Plaça: it waits, says so once, and is ready by itself.

BOOTS says how many cold starts there are.
"""

import http.client
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess

import psycopg
import pytest

from app.cli.surroundings import BAD_CONFIGURATION
from app.db.address import conninfo
from app.db.embedded import EmbeddedServer
from tests.support.forked import placa
from tests.support.postgres import FAST
from tests.support.terminal import Terminal, get, playing, until_ready
from tests.support.web import free_port

BOOTS = int(os.environ.get("BOOTS", "2"))
STOP_SECONDS = 30.0
# How long a database may take to come up: at once, and longer than a process may take to die.
DELAYS = (0.5, 3.0)


@pytest.fixture
def database(open_folder: Path) -> Iterator[EmbeddedServer]:
    """Return a server that does not run, with an empty database for each start."""
    server = EmbeddedServer(open_folder, settings=FAST)
    server.start()
    with closing(psycopg.connect(conninfo(server.url("postgres")), autocommit=True)) as connection:
        for number in range(max(BOOTS, 2)):
            connection.execute(f"create database boot{number}".encode())
    server.stop()
    yield server
    server.stop()


def told(port: int, method: str, path: str) -> tuple[int, str | None]:
    """Return the status of an answer, and when to ask again."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with closing(connection):
        connection.request(method, path, body="a=b" if method == "POST" else None)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.getheader("Retry-After")


def until_it_waits(terminal: Terminal) -> None:
    terminal.until("database.awaited")


def test_however_often_it_is_started_first(database: EmbeddedServer, tmp_path: Path) -> None:
    for number in range(BOOTS):
        port = free_port()
        folder = tmp_path / str(number)
        with playing(
            folder,
            "serve",
            PORT=str(port),
            PLACA_PORT="",
            DATABASE_URL=database.url(f"boot{number}"),
        ) as terminal:
            until_it_waits(terminal)
            asked = {
                (method, path): told(port, method, path)
                for method, path in (
                    ("GET", "/healthz"),
                    ("GET", "/readyz"),
                    ("GET", "/"),
                    ("POST", "/login"),
                )
            }
            time.sleep(DELAYS[number % len(DELAYS)])
            database.start()
            until_ready(port)
            front, _ = get(port, "/")

            assert terminal.stop(signal.SIGTERM) == 0
        database.stop()

        assert asked.pop(("GET", "/healthz")) == (200, None)
        assert set(asked.values()) == {(503, "3")}
        assert front == 200
        waits = [line.split("reason=")[1] for line in terminal.lines if "awaited" in line]
        assert len(waits) == len(set(waits)), terminal.text
        assert "ended" not in terminal.text
        assert "Traceback" not in terminal.text


def test_no_empty_database_takes_the_place_of_one_that_was_full(
    database: EmbeddedServer, tmp_path: Path
) -> None:
    database.start()

    def migrate(name: str, *words: str) -> CompletedProcess[str]:
        given = {"DATABASE_URL": database.url(name), "PLACA_DATA_DIR": str(tmp_path)}
        return placa("migrate", *words, environment={**os.environ, **given})

    first = migrate("boot0")
    again = migrate("boot0")
    moved = migrate("boot1")
    (tmp_path / "database.known").unlink()
    wanted = migrate("boot1")
    emptied = migrate("boot1", "--to", "base")
    begun = migrate("boot1")

    assert [one.returncode for one in (first, again, wanted, emptied, begun)] == [0] * 5
    assert moved.returncode == BAD_CONFIGURATION
    assert f"to begin with nothing: rm {tmp_path}/database.known" in moved.stderr
    with closing(psycopg.connect(conninfo(database.url("boot0")))) as connection:
        assert connection.execute("select count(*) from people").fetchone() == (0,)


def test_told_to_stop_while_it_waits_it_stops(database: EmbeddedServer, tmp_path: Path) -> None:
    with playing(tmp_path, "serve", DATABASE_URL=database.url("boot0")) as terminal:
        until_it_waits(terminal)
        began = time.monotonic()

        assert terminal.stop(signal.SIGTERM) == 0
        assert time.monotonic() - began < STOP_SECONDS
    assert terminal.lines[-1].strip() == "placa: stopped"


def test_without_a_place_for_its_key_it_does_not_wait_at_all(
    database: EmbeddedServer, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with playing(
        tmp_path / "file" / "data", "serve", DATABASE_URL=database.url("boot0")
    ) as terminal:
        assert terminal.process.wait(90) == BAD_CONFIGURATION

    assert "awaited" not in terminal.text
    assert f"chown -R {os.geteuid()}:{os.getegid()}" in terminal.text
