"""The web process and the worker, to be killed without warning and started again."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACA = (sys.executable, "-P", "-m", "app.cli")
STOP_SECONDS = 30.0


@dataclass(slots=True)
class Process:
    """One of our own commands; what it says goes to the end of `log`."""

    arguments: Sequence[str]
    environment: dict[str, str]
    log: Path
    pass_fds: Sequence[int] = ()
    kills: int = 0
    _running: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(
                [*PLACA, *self.arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=self.pass_fds,
            )

    def kill(self) -> None:
        """`kill -9`, and see that nothing else had ended it before."""
        assert self._running is not None
        assert self._running.poll() is None, self.log.read_text()[-2000:]
        self._running.kill()
        assert self._running.wait(STOP_SECONDS) == -signal.SIGKILL
        self.kills += 1

    def stop(self) -> None:
        if self._running is not None and self._running.poll() is None:
            self._running.terminate()
            self._running.wait(STOP_SECONDS)


@dataclass(frozen=True, slots=True)
class Server:
    """Both processes as `placa serve` runs them: the port outlives the web process."""

    url: str
    web: Process
    worker: Process

    @classmethod
    @contextmanager
    def running(cls, database_url: str, folder: Path) -> Iterator["Server"]:
        environment = {
            **os.environ,
            "DATABASE_URL": database_url,
            "PLACA_DATA_DIR": str(folder),
            "PLACA_LOG_LEVEL": "warning",
        }
        with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
            descriptor = listening.fileno()
            web = Process(
                ["web", "--fd", str(descriptor)], environment, folder / "web.log", [descriptor]
            )
            worker = Process(["worker"], environment, folder / "worker.log")
            try:
                web.start()
                worker.start()
                yield cls(f"http://127.0.0.1:{listening.getsockname()[1]}", web, worker)
            finally:
                web.stop()
                worker.stop()
