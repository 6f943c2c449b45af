"""Our own commands as processes of their own, forked from one that has imported the program.

Most of what a command takes is reading code.  Whatever else a process has is as
real as ever: its environment, its three streams, its exit status, its death.
That commands start from nothing as well is shown by the tests that use
`subprocess`: of `placa play`, of the documented commands, of the configuration.
"""

import multiprocessing
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from subprocess import CompletedProcess

from app.cli.__main__ import main

ROOT = Path(__file__).parents[2]
STOP_SECONDS = 30.0
COMMAND_SECONDS = 600.0

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        "alembic.command",
        "app.main",
        "app.worker",
        "app.bots.tasks",
        "app.cli.__main__",
        "app.cli.demo_mail.friends",
        "app.cli.seed.world",
        "app.db.migrate",
        "app.hosting.backup.restoring",
        "app.hosting.backup.taking",
        "app.hosting.backup.trying",
        "app.hosting.doctor.address",
        "app.hosting.doctor.database",
        "app.matches.history",
        "uvicorn",
        __name__,
    ]
)


def _run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    files: tuple[str, str, str],
    listening: "socket.socket | None",
) -> None:
    """Become one of our own commands."""
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for number, (file, flags) in enumerate(zip(files, _FLAGS, strict=True)):
        os.dup2(os.open(file, flags), number)
    sys.stdin = os.fdopen(0, closefd=False, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", closefd=False, encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", closefd=False, encoding="utf-8", errors="backslashreplace")
    here = () if listening is None else ("--fd", str(listening.detach()))
    sys.argv = ["placa", *arguments, *here]
    main()


_WRITTEN = os.O_WRONLY | os.O_APPEND | os.O_CREAT
_FLAGS = (os.O_RDONLY, _WRITTEN, _WRITTEN)


def placa(*arguments: str, environment: Mapping[str, str]) -> CompletedProcess[str]:
    """Run a command to its end, with this environment and nothing to read."""
    done = placa_in_bytes(*arguments, environment=environment)
    return CompletedProcess(arguments, done.returncode, done.stdout.decode(), done.stderr.decode())


def placa_in_bytes(
    *arguments: str, environment: Mapping[str, str], given: bytes = b""
) -> CompletedProcess[bytes]:
    """Run a command to its end, with this environment and `given` to read."""
    with tempfile.TemporaryDirectory(prefix="placa-command-") as folder:
        given_to_it, out, err = (Path(folder, name) for name in ("in", "out", "err"))
        given_to_it.write_bytes(given)
        files = (str(given_to_it), str(out), str(err))
        process = _FORKS.Process(
            target=_run, args=(arguments, dict(environment), files, None), daemon=True
        )
        process.start()
        process.join(COMMAND_SECONDS)
        if process.exitcode is None:
            process.kill()
        assert process.exitcode is not None, (arguments, out.read_bytes(), err.read_bytes())
        return CompletedProcess(arguments, process.exitcode, out.read_bytes(), err.read_bytes())


@dataclass(slots=True)
class Process:
    """A command that goes on; what it says goes to the end of `log`."""

    arguments: Sequence[str]
    environment: dict[str, str]
    log: Path
    listening: socket.socket | None = None
    kills: int = 0
    _running: ForkServerProcess | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start the command."""
        log = str(self.log)
        given = (self.arguments, self.environment, (os.devnull, log, log), self.listening)
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

    def kill_if_alive(self) -> bool:
        """`kill -9`, unless it has ended by itself; tell whether it was this that ended it."""
        assert self._running is not None
        self._running.kill()
        self._running.join(STOP_SECONDS)
        killed = self._running.exitcode == -signal.SIGKILL
        self.kills += killed
        return killed

    def stop(self) -> None:
        """Let it end in order."""
        if self._running is not None and self._running.is_alive():
            self._running.terminate()
            self._running.join(STOP_SECONDS)
