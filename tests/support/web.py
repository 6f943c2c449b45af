"""A real web process, on a port of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
START_SECONDS = 90.0
STOP_SECONDS = 30.0


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def web_process(database_url: str, folder: Path, port: int, **environment: str) -> Iterator[Path]:
    """Run `placa web` on `port` and wait until it lives; yield its log."""
    log = folder / "web.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "web"],
            cwd=ROOT,
            env={
                **os.environ,
                "DATABASE_URL": database_url,
                "PLACA_DATA_DIR": str(folder),
                "PORT": str(port),
                **environment,
            },
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
        )
    try:
        until = time.monotonic() + START_SECONDS
        while not _lives(port):
            assert process.poll() is None, log.read_text()[-2000:]
            assert time.monotonic() < until, log.read_text()[-2000:]
            time.sleep(0.1)
        yield log
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_SECONDS)


def _lives(port: int) -> bool:
    try:
        httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5)
    except httpx.HTTPError:
        return False
    return True
