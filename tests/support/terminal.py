"""A running `placa play` or `placa serve`, as a person at a terminal has it."""

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0
READY = re.compile(r"Plaça is ready: http://localhost:(\d+)/")


class Terminal:
    """A running command and what it has printed."""

    def __init__(self, folder: Path, command: str = "play", **environment: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", command],
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
        """What it has printed until now."""
        return "".join(self.lines)

    def until(self, pattern: str) -> re.Match[str]:
        """Wait until it has printed what matches."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if found := re.search(pattern, self.text):
                return found
            assert self.process.poll() is None or not self._reader.is_alive(), self.text
            time.sleep(0.05)
        raise AssertionError(f"{pattern!r} never came:\n{self.text}")

    def port(self) -> int:
        """Wait until it is ready, and return its port."""
        return int(self.until(READY.pattern)[1])

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal; return the exit status."""
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
def playing(folder: Path, command: str = "play", **environment: str) -> Iterator[Terminal]:
    """Run it on a port of its choice, and see that it has ended after the block."""
    terminal = Terminal(folder, command, **{"PLACA_PORT": "0", **environment})
    try:
        yield terminal
    finally:
        if terminal.process.poll() is None:
            terminal.stop()


def get(port: int, path: str) -> tuple[int, str]:
    """Return the status and the text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def until_ready(port: int) -> None:
    """Wait until database, schema and worker are there."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        status, body = get(port, "/readyz")
        if status == 200:
            return
        time.sleep(0.1)
    raise AssertionError(body)
