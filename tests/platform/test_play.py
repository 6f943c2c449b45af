"""`placa play` as a person at a terminal meets it: started, killed in parts, stopped."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.db.embedded.probe import recorded_pid
from tests.support.terminal import PATIENCE, Terminal, get, playing, until_ready

ROOT = Path(__file__).parents[2]


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def wait_until_gone(pid: int) -> None:
    ends = time.monotonic() + PATIENCE
    while not gone(pid):
        assert time.monotonic() < ends, f"process {pid} is still there"
        time.sleep(0.05)


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="looks for children in /proc"
)


def test_it_starts_from_nothing_stops_altogether_and_finds_everything_again(
    open_folder: Path,
) -> None:
    with playing(open_folder) as terminal:
        port = terminal.port()
        until_ready(port)

        assert terminal.stop(signal.SIGINT) == 0

    assert terminal.lines[-1].strip() == f"placa: stopped; everything is kept in {open_folder}"
    pid = recorded_pid(open_folder / "postgres")
    assert pid is None or gone(pid)
    with pytest.raises(OSError):
        get(port, "/healthz")

    key = (open_folder / "secret.key").read_text()
    with playing(open_folder) as terminal:
        until_ready(terminal.port())

        assert terminal.stop(signal.SIGTERM) == 0
    assert (open_folder / "secret.key").read_text() == key


@needs_proc
def test_each_part_may_be_killed_and_comes_back(open_folder: Path) -> None:
    with playing(open_folder) as terminal:
        port = terminal.port()
        until_ready(port)

        os.kill(terminal.children()["web"], signal.SIGKILL)
        status, _ = get(port, "/healthz")
        assert status == 200, "the port stays open, and who comes meanwhile is served"
        terminal.until(r"the web process ended \(SIGKILL\)")

        os.kill(terminal.children()["worker"], signal.SIGKILL)
        terminal.until(r"the worker process ended \(SIGKILL\)")

        database = recorded_pid(open_folder / "postgres")
        assert database is not None
        os.kill(database, signal.SIGKILL)
        terminal.until(r"the database ended; starting it again")
        until_ready(port)

        assert recorded_pid(open_folder / "postgres") != database
        assert terminal.stop() == 0


@needs_proc
def test_killed_itself_it_leaves_no_process_behind_and_starts_again(open_folder: Path) -> None:
    terminal = Terminal(open_folder, PLACA_PORT="0")
    until_ready(terminal.port())
    children = terminal.children()

    terminal.stop(signal.SIGKILL)
    for pid in children.values():
        wait_until_gone(pid)

    with playing(open_folder) as terminal:
        until_ready(terminal.port())

        assert terminal.stop() == 0
    database = recorded_pid(open_folder / "postgres")
    assert database is None or gone(database)


def test_a_chosen_port_that_is_busy_is_said_before_anything_starts(open_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with playing(open_folder, PLACA_PORT=str(port)) as terminal:
            assert terminal.process.wait(PATIENCE) == 1

    terminal.until(
        rf"cannot listen on 127\.0\.0\.1:{port}: Address already in use.*PORT={port + 1}"
    )
    assert list(open_folder.iterdir()) == []


def test_another_database_can_be_used(open_folder: Path, database_url: str) -> None:
    with playing(open_folder, DATABASE_URL=database_url) as terminal:
        until_ready(terminal.port())

        assert terminal.stop() == 0

    assert terminal.lines[-1].strip() == "placa: stopped"
    assert {path.name for path in open_folder.iterdir()} == {"database.known", "secret.key"}


def test_as_json_every_line_of_it_is_one(open_folder: Path) -> None:
    with playing(open_folder, "serve", LOG_FORMAT="json", PLACA_PROT="1") as terminal:
        ready = terminal.until(r'"ready: http://localhost:(\d+)/"')
        until_ready(int(ready[1]))
        assert terminal.stop() == 0
    told = [json.loads(line) for line in terminal.lines]

    assert len(told) >= 3
    assert all({"event", "level", "timestamp"} <= line.keys() for line in told)
    assert "did you mean PLACA_PORT" in terminal.text

    with playing(open_folder, "serve", LOG_FORMAT="json", PLACA_PORT="x") as terminal:
        terminal.process.wait()
        terminal.until("PLACA_PORT")
    assert [json.loads(line)["level"] for line in terminal.lines] == ["error"]


def test_a_misspelt_setting_is_pointed_out(open_folder: Path) -> None:
    with playing(open_folder, PLACA_PROT="1", PLACA_PG_BIN=str(open_folder)) as terminal:
        assert terminal.process.wait(PATIENCE) == 1

    terminal.until("PLACA_PROT is not a setting; did you mean PLACA_PORT?")
    terminal.until("PLACA_PG_BIN: no postgres and initdb")


def test_a_migration_that_fails_stops_the_start(open_folder: Path) -> None:
    url = "postgresql://placa@127.0.0.1:1/placa?connect_timeout=1"
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "migrate", "--wait", "0"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "DATABASE_URL": url, "PLACA_DATA_DIR": str(open_folder)},
    )

    assert done.returncode == 1
    assert done.stderr.startswith("placa: no database: ")
    assert "Traceback" not in done.stderr
