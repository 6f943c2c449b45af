"""The web process and the worker, to be killed without warning and started again.

Both are forked from a process that has imported the program before: most of a
start is reading code, and what is killed here is never the reading of code.
"""

import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from app.cli.__main__ import main

STOP_SECONDS = 30.0

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["app.main", "app.worker", "app.bots.tasks", "uvicorn", __name__])


def _run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    listening: "socket.socket | None",
) -> None:
    """Become one of our own commands."""
    os.environ.clear()
    os.environ.update(environment)
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    here = () if listening is None else ("--fd", str(listening.detach()))
    sys.argv = ["placa", *arguments, *here]
    main()


@dataclass(slots=True)
class Process:
    """One of our own commands; what it says goes to the end of `log`."""

    arguments: Sequence[str]
    environment: dict[str, str]
    log: Path
    listening: socket.socket | None = None
    kills: int = 0
    _running: ForkServerProcess | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start the command."""
        given = (self.arguments, self.environment, self.log, self.listening)
        self._running = _FORKS.Process(target=_run, args=given, daemon=True)
        self._running.start()

    @property
    def alive(self) -> bool:
        """Whether it runs, and is the one that was started last."""
        return self._running is not None and self._running.is_alive()

    def kill(self) -> None:
        """`kill -9`, and see that nothing else had ended it before."""
        assert self._running is not None
        assert self._running.is_alive(), self.log.read_text()[-2000:]
        self._running.kill()
        self._running.join(STOP_SECONDS)
        assert self._running.exitcode == -signal.SIGKILL
        self.kills += 1

    def stop(self) -> None:
        """Let it end in order."""
        if self._running is not None and self._running.is_alive():
            self._running.terminate()
            self._running.join(STOP_SECONDS)


@dataclass(frozen=True, slots=True)
class Server:
    """Both processes as `placa serve` runs them: the port outlives the web process."""

    url: str
    web: Process
    worker: Process

    @classmethod
    @contextmanager
    def running(cls, database_url: str, folder: Path) -> Iterator["Server"]:
        """Start both, and stop both when the block ends."""
        environment = {
            **os.environ,
            "DATABASE_URL": database_url,
            "PLACA_DATA_DIR": str(folder),
            "PLACA_LOG_LEVEL": "warning",
            "PLACA_LOG_FORMAT": "json",
        }
        with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
            web = Process(["web"], environment, folder / "web.log", listening)
            worker = Process(["worker"], environment, folder / "worker.log")
            try:
                web.start()
                worker.start()
                yield cls(f"http://127.0.0.1:{listening.getsockname()[1]}", web, worker)
            finally:
                web.stop()
                worker.stop()
