"""`placa play` as a child process, on a port and a data folder of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
START_SECONDS = 90.0
STOP_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    url: str
    data: Path
    log: Path


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(folder: Path, **more: str) -> Iterator[Server]:
    """Start the game as a player does, wait until it is ready, stop it as Ctrl-C does.

    `more` are further variables of its environment.
    """
    port = free_port()
    server = Server(f"http://localhost:{port}", folder / "data", folder / "server.log")
    environment = {
        **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        "PLACA_DATA_DIR": str(server.data),
        "PORT": str(port),
        **more,
    }
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "play"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )
        try:
            _wait(process, server)
            yield server
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(STOP_SECONDS)


def _wait(process: "subprocess.Popen[bytes]", server: Server) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, server.log.read_text()[-2000:]
        try:
            if httpx.get(f"{server.url}/readyz", timeout=5).status_code == HTTPStatus.OK:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise AssertionError(f"not ready in {START_SECONDS} s:\n{server.log.read_text()[-2000:]}")
