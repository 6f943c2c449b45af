"""Start, share and stop the embedded server; nothing is stale after `kill -9`.

Whoever uses the server holds a shared lock on a file, which the kernel drops
when the process dies, however it dies; the last one to leave stops it.
"""

import fcntl
import hashlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, ClassVar

from app.db.embedded.account import Account, server_account
from app.db.embedded.binaries import Binaries, find_binaries, within_reach
from app.db.embedded.probe import answers, recorded_pid, serves
from app.db.embedded.problems import EmbeddedServerError, another_major

# The kernel's limit is 107 bytes on Linux and 103 on macOS.
_LONGEST_SOCKET_PATH = 100
_SOCKET_NAME = ".s.PGSQL.5432"
_START_SECONDS = 60.0
_STOP_SECONDS = 30.0
_RETRY_SECONDS = 10.0
_LOG_TAIL = 1200

_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "jit": "off",
    "password_encryption": "scram-sha-256",
    "cluster_name": "placa",
    # A log file for each weekday, overwritten a week later.
    "logging_collector": "on",
    "log_filename": "postgres-%a.log",
    "log_rotation_age": "1d",
    "log_truncate_on_rotation": "on",
}


class EmbeddedServer:
    """A PostgreSQL server on `folder/postgres`, reached by a private socket only."""

    # Servers this process started and others still use: Python complains of a
    # process object that is forgotten while its process runs.
    _left_running: ClassVar[list[subprocess.Popen[bytes]]] = []

    def __init__(
        self,
        folder: Path,
        *,
        binaries: Path | None = None,
        user: str = "nobody",
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder.resolve()
        self.cluster = self.folder / "postgres"
        self.sockets = _socket_folder(self.folder)
        self._explicit_binaries = binaries
        self._user = user
        self._settings = {**_SETTINGS, "unix_socket_directories": str(self.sockets)}
        self._settings.update(settings or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._users_lock: IO[bytes] | None = None

    def url(self, database: str) -> str:
        """Return the address of `database` on this server."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.sockets}"

    def answers(self) -> bool:
        """Tell whether the server accepts connections at this moment."""
        return answers(self.sockets / _SOCKET_NAME)

    def alive(self) -> bool:
        """Tell whether the server's process exists, without troubling it."""
        pid = recorded_pid(self.cluster)
        return pid is not None and serves(pid, self.cluster)

    def start(self) -> None:
        """Make sure the server runs and count this process among its users.

        Creates the data on the first call, joins a server that already runs,
        and recovers from any crash.  Raises EmbeddedServerError.
        """
        account = self._prepare()
        with self._starting(), ExitStack() as on_failure:
            if self._users_lock is None:
                self._users_lock = self._open_lock(".users.lock", account)
                fcntl.flock(self._users_lock, fcntl.LOCK_SH)
                on_failure.callback(self._leave)
            if not self.answers():
                binaries = within_reach(
                    find_binaries(self._explicit_binaries), account, self.folder
                )
                self._initialise(binaries, account)
                self._run(binaries, account)
            on_failure.pop_all()

    def stop(self) -> bool:
        """Leave the server; stop it if nobody else uses it, and tell whether it stopped."""
        if self._users_lock is None:
            return False
        with self._starting(), self._users_lock as users:
            self._users_lock = None
            fcntl.flock(users, fcntl.LOCK_UN)
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._process is not None:
                    self._left_running.append(self._process)
                return False
            self._shut_down()
            return True

    def _leave(self) -> None:
        if self._users_lock is not None:
            self._users_lock.close()
            self._users_lock = None

    def _prepare(self) -> Account | None:
        """Make the folders, each with the owner that needs it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        account = server_account(self.cluster, self._user)
        if account is not None and not account.can_enter(self.folder):
            raise EmbeddedServerError(
                f"User {account.name!r}, as whom PostgreSQL runs when root starts it, cannot get to"
                f" {self.folder}: set PLACA_DATA_DIR to a folder under /var/lib."
            )
        self.sockets.mkdir(mode=0o700, exist_ok=True)
        if account is not None:
            account.take(self.sockets)
        found = self.sockets.lstat()
        owner = os.geteuid() if account is None else account.uid
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner:
            raise EmbeddedServerError(f"{self.sockets} is not ours: remove it and start again.")
        self.sockets.chmod(0o700)
        return account

    @contextmanager
    def _starting(self) -> Iterator[None]:
        """Let one process at a time start or stop the server."""
        account = server_account(self.cluster, self._user)
        with self._open_lock(".start.lock", account) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _open_lock(self, name: str, account: Account | None) -> IO[bytes]:
        path = self.folder / name
        lock = path.open("ab")
        if account is not None:
            account.take(path)
        return lock

    def _initialise(self, binaries: Binaries, account: Account | None) -> None:
        """Create the data unless it is there; half-made data never gets its name."""
        if (self.cluster / "PG_VERSION").exists():
            have = (self.cluster / "PG_VERSION").read_text().strip()
            if have != binaries.major:
                raise another_major(str(self.cluster), have, binaries.major)
            return
        fresh = self.cluster.with_name("postgres.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        if account is not None:
            account.take(fresh)
        command = [binaries.program("initdb"), "-D", str(fresh), "-U", "postgres", "-E", "UTF8"]
        # macOS has no C.UTF-8.  Names are sorted in Python, so either will do.
        command += ["--locale=C" if sys.platform == "darwin" else "--locale=C.UTF-8"]
        command += ["--auth-local=trust", "--auth-host=scram-sha-256", "--data-checksums"]
        command += ["--no-sync"] if self._settings.get("fsync") == "off" else []
        options = {} if account is None else account.process_options()
        made = subprocess.run(
            command, check=False, capture_output=True, text=True, cwd=fresh, **options
        )
        if made.returncode != 0:
            raise EmbeddedServerError(f"initdb failed:\n{made.stderr[-_LOG_TAIL:]}")
        fresh.rename(self.cluster)

    def _run(self, binaries: Binaries, account: Account | None) -> None:
        """Start the server process, unless it is only slow, and wait until it answers."""
        pid = recorded_pid(self.cluster)
        running = pid is not None and serves(pid, self.cluster)
        environment = dict(os.environ)
        if pid is not None and not running:
            # The number may belong to a live stranger by now, and PostgreSQL would
            # then refuse to start; it ignores the pid it is told is its grandparent.
            environment["PG_GRANDPARENT_PID"] = str(pid)
        begun = time.monotonic()
        if not running:
            self._spawn(binaries, account, environment)
        while not self.answers():
            waited = time.monotonic() - begun
            if self._process is not None and self._process.poll() is not None:
                if waited > _RETRY_SECONDS:
                    raise EmbeddedServerError(f"PostgreSQL does not start:\n{self._last_words()}")
                # Backends of a killed server may still hold its shared memory.
                time.sleep(0.2)
                self._spawn(binaries, account, environment)
            if waited > _START_SECONDS:
                raise EmbeddedServerError(
                    f"PostgreSQL gives no answer for {_START_SECONDS:.0f} s:\n{self._last_words()}"
                )
            time.sleep(0.01)

    def _spawn(
        self, binaries: Binaries, account: Account | None, environment: Mapping[str, str]
    ) -> None:
        if self._process is not None:
            self._process.wait(_STOP_SECONDS)
        settings = [part for item in self._settings.items() for part in ("-c", "=".join(item))]
        options = {} if account is None else account.process_options()
        with (self.folder / "postgres-start.log").open("wb") as log:
            # A session of its own: Ctrl-C in the terminal is for us, not for the server.
            self._process = subprocess.Popen(
                [binaries.program("postgres"), "-D", str(self.cluster), *settings],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=self.cluster,
                env=environment,
                **options,
            )

    def _shut_down(self) -> None:
        pid = recorded_pid(self.cluster)
        if pid is None or not serves(pid, self.cluster):
            return
        os.kill(pid, signal.SIGINT)
        if self._process is not None and self._process.pid == pid:
            self._process.wait(_STOP_SECONDS)
        begun = time.monotonic()
        while serves(pid, self.cluster) and time.monotonic() - begun < _STOP_SECONDS:
            time.sleep(0.01)

    def _last_words(self) -> str:
        logs = [self.folder / "postgres-start.log", *(self.cluster / "log").glob("*.log")]
        newest = max((log for log in logs if log.exists()), key=lambda log: log.stat().st_mtime)
        words = (self.folder / "postgres-start.log", newest)
        return "\n".join(
            dict.fromkeys(log.read_text(errors="replace")[-_LOG_TAIL:] for log in words)
        )


def _socket_folder(folder: Path) -> Path:
    """Return `folder/run`, or a short stand-in where that path is too long for a socket."""
    near = folder / "run"
    if len(os.fsencode(near / _SOCKET_NAME)) <= _LONGEST_SOCKET_PATH:
        return near
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"placa-{name}"
