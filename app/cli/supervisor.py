"""Keep the web process, the worker and the embedded server running.

A child that dies is started again; all of them end when this process ends,
however it ends: each child reads from a pipe that only this process can
write to, and leaves when the pipe closes.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Annotated

import typer

from app.cli.surroundings import fail, tell

Leash = Annotated[int | None, typer.Option(hidden=True)]

TICK_SECONDS = 0.2
STOP_SECONDS = 8.0
HEALTHY_SECONDS = 10.0
LONGEST_PAUSE_SECONDS = 10.0
# This program, whatever folder it is called from: -P keeps that folder's modules out.
PLACA = (sys.executable, "-P", "-m", "app.cli")
# That many deaths in a row without ever being healthy: it is not going to work.
HOPELESS = 5


class Child:
    """One of our own commands, run as a process and started again when it dies."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        *,
        leash: int,
        environment: Mapping[str, str],
        pass_fds: Sequence[int] = (),
    ) -> None:
        self.name = name
        self.deaths = 0
        self._command = [*PLACA, *arguments, "--leash", str(leash)]
        self._environment = dict(environment)
        self._fds = (leash, *pass_fds)
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._again = 0.0

    def start(self) -> None:
        """Start the process."""
        # A session of its own: Ctrl-C reaches us alone, and we stop it in order.
        self._process = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            pass_fds=self._fds,
            start_new_session=True,
        )
        self._started = time.monotonic()

    def tend(self) -> None:
        """Start the process again if it has died, each time a little later."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._again:
                self.start()
            return
        status = self._process.poll()
        if status is None:
            if now - self._started > HEALTHY_SECONDS:
                self.deaths = 0
            return
        self._process = None
        self.deaths += 1
        pause = 0.0 if self.deaths == 1 else min(0.25 * 2**self.deaths, LONGEST_PAUSE_SECONDS)
        self._again = now + pause
        tell(f"the {self.name} process ended ({_describe(status)}); starting it again")

    def ask_to_stop(self) -> None:
        """Send SIGTERM, unless it is gone."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait_to_stop(self, until: float) -> None:
        """Wait for its end until `until`, then insist."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            tell(f"the {self.name} process does not stop; killing it")
            self._process.kill()
            self._process.wait()


class Stop:
    """Set by SIGINT and SIGTERM."""

    def __init__(self) -> None:
        self._event = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        # Started by nohup, the terminal may close and we stay.
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._event.set()

    def wait(self, seconds: float) -> bool:
        """Wait, and tell whether it is time to stop."""
        return self._event.wait(seconds)


def supervise(children: Sequence[Child], stop: Stop, tend: Callable[[], None]) -> None:
    """Run `children` until told to stop; `tend` is called between looks at them."""
    for child in children:
        child.start()
    try:
        while not stop.wait(TICK_SECONDS):
            tend()
            for child in children:
                child.tend()
                if child.deaths >= HOPELESS:
                    fail(f"the {child.name} process does not stay up; its messages are above")
    finally:
        for child in children:
            child.ask_to_stop()
        until = time.monotonic() + STOP_SECONDS
        for child in children:
            child.wait_to_stop(until)


def hold_leash(descriptor: int | None) -> None:
    """In a child: leave when the supervisor does, even by `kill -9`."""
    if descriptor is None:
        return

    def watch() -> None:
        os.read(descriptor, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="leash", daemon=True).start()


def _describe(status: int) -> str:
    return f"status {status}" if status >= 0 else signal.Signals(-status).name
