"""A9: how long a start takes, and what the two processes hold when idle."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from app.cli.bench.figures import Figure
from app.cli.bench.setting import Size
from app.cli.supervisor import PLACA
from app.config import Settings

PATIENCE_SECONDS = 180.0


def measure_start(settings: Settings, size: Size) -> dict[str, Figure]:
    """Start `placa play` once, then again and again; raises OSError or RuntimeError."""
    with _playing(settings):
        pass
    seconds: list[float] = []
    held: list[float] = []
    for _ in range(size.rounds):
        began = perf_counter()
        with _playing(settings) as process:
            seconds.append(perf_counter() - began)
            time.sleep(size.seconds)
            held.append(sum(memory(pid) for pid in children(process.pid)))
    return {
        "A9": Figure.of(seconds, "wall, until the front page's server is ready"),
        "A9.memory": Figure.of(held),
    }


@contextmanager
def _playing(settings: Settings) -> "Iterator[subprocess.Popen[bytes]]":
    """Run `placa play` until the end of the block; it is ready when the block begins."""
    port = free_port()
    environment = {
        **os.environ,
        "PLACA_DATA_DIR": str(settings.data_dir),
        "PLACA_PORT": str(port),
        "PLACA_LOG_LEVEL": "warning",
    }
    process = subprocess.Popen(
        [*PLACA, "play"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/readyz", process)
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)


def wait_until_ready(url: str, process: "subprocess.Popen[bytes]") -> None:
    """Wait until `url` answers well; raises RuntimeError when it will not."""
    until = perf_counter() + PATIENCE_SECONDS
    while perf_counter() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=10):  # noqa: S310 - our own address
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    raise RuntimeError(f"{url} never answered")


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def children(pid: int) -> list[int]:
    """Return the web process and the worker of the supervisor `pid`."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    commands = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in listed}
    return [child for child, words in commands.items() if b"app.cli" in words]


def memory(pid: int) -> float:
    """Return the proportional set size of a process in MB."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the kernel does not tell the memory of processes")


def busy_seconds(pid: int) -> float:
    """Return the processor time of a process so far, user and system, to the nanosecond."""
    times = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(path.read_text("ascii").split()[0]) for path in times) / 1e9
