"""`placa play` as a person at a terminal meets it: started, killed in parts, stopped."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.db.embedded.probe import recorded_pid

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0
READY = re.compile(r"Plaça is ready: http://localhost:(\d+)/")


class Terminal:
    """A running `placa play` and what it has printed."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "play"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PLACA_DATA_DIR": str(folder), **environment},
            start_new_session=True,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            self.lines.extend(iter(output.readline, ""))

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def until(self, pattern: str) -> re.Match[str]:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if found := re.search(pattern, self.text):
                return found
            assert self.process.poll() is None or not self._reader.is_alive(), self.text
            time.sleep(0.05)
        raise AssertionError(f"{pattern!r} never came:\n{self.text}")

    def port(self) -> int:
        return int(self.until(READY.pattern)[1])

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return status

    def children(self) -> dict[str, int]:
        """Return the process ids of the web process and the worker."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        found: dict[str, int] = {}
        for pid in listed.split():
            words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
            for name in ("web", "worker"):
                if name in words:
                    found[name] = int(pid)
        return found


@contextmanager
def playing(folder: Path, **environment: str) -> Iterator[Terminal]:
    terminal = Terminal(folder, **{"PLACA_PORT": "0", **environment})
    try:
        yield terminal
    finally:
        if terminal.process.poll() is None:
            terminal.stop()


def get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def until_ready(port: int) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        status, body = get(port, "/readyz")
        if status == 200:
            return
        time.sleep(0.1)
    raise AssertionError(body)


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
    assert [path.name for path in open_folder.iterdir()] == ["secret.key"]


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
