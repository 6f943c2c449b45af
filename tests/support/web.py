"""A real web process, on a port of its own."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.support.forked import Process

START_SECONDS = 90.0


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def web_process(database_url: str, folder: Path, port: int, **environment: str) -> Iterator[Path]:
    """Run `placa web` on `port` and wait until it lives; yield its log."""
    given = {
        **os.environ,
        "DATABASE_URL": database_url,
        "PLACA_DATA_DIR": str(folder),
        "PORT": str(port),
        **environment,
    }
    process = Process(["web"], given, folder / "web.log")
    process.start()
    try:
        until = time.monotonic() + START_SECONDS
        while not _lives(port):
            assert process.alive, process.log.read_text()[-2000:]
            assert time.monotonic() < until, process.log.read_text()[-2000:]
            time.sleep(0.02)
        yield process.log
    finally:
        process.stop()


def _lives(port: int) -> bool:
    try:
        httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5)
    except httpx.HTTPError:
        return False
    return True
