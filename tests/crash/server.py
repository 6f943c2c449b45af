"""The web process and the worker, to be killed without warning and started again.

Both are forked from a process that has imported the program before: most of a
start is reading code, and what is killed here is never the reading of code.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.forked import Process


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
