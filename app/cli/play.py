"""`placa play` and `placa serve`: everything at once, from one command.

This process stays small: it starts the embedded server, binds the port, runs
the migrations, the web process and the worker as children, and watches them.
"""

import http.client
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.cli import app
from app.cli.supervisor import PLACA, TICK_SECONDS, Child, Stop, supervise
from app.cli.surroundings import embedded_server, explain, fail, read_settings, tell
from app.cli.waiting import turning_away
from app.config import Settings

if TYPE_CHECKING:
    from app.db.embedded import EmbeddedServer

PORTS_TRIED = 20
LOOK_SECONDS = 1.0
ANNOUNCE_SECONDS = 30.0


@app.command()
def play() -> None:
    """Start Plaça here: database, web and worker; Ctrl-C stops all of it."""
    _run(read_settings(warn=True), search_port=True)


@app.command()
def serve() -> None:
    """Start Plaça as a service: as `play`, but only on the port that is set."""
    _run(read_settings(warn=True), search_port=False)


def _run(settings: Settings, *, search_port: bool) -> None:
    stop = Stop()
    listening = bind(settings, search=search_port)
    with _embedded(settings) as server:
        environment = _environment(settings, server)
        # Who holds its end leaves when ours is closed, even by `kill -9`.
        leash, held = os.pipe()
        try:
            with turning_away(listening):
                migrated = _migrate(settings, stop, leash)
            if migrated:
                _serve(settings, listening, stop, Watch(server), leash, environment)
        finally:
            os.close(held)
            os.close(leash)
    tell("stopped" if server is None else f"stopped; everything is kept in {settings.data_dir}")


def _serve(  # noqa: PLR0917 - what _run has made, in its order
    settings: Settings,
    listening: socket.socket,
    stop: Stop,
    watch: "Watch",
    leash: int,
    environment: Mapping[str, str],
) -> None:
    """Run the web process and the worker until told to stop."""
    descriptor = listening.fileno()
    children = [
        Child(
            "web",
            ["web", "--fd", str(descriptor)],
            leash=leash,
            environment=environment,
            pass_fds=[descriptor],
        ),
        Child("worker", ["worker"], leash=leash, environment=environment),
    ]
    threading.Thread(target=_announce, args=(settings, listening), daemon=True).start()
    supervise(children, stop, watch)


def bind(settings: Settings, *, search: bool) -> socket.socket:
    """Return a socket that listens on the port of `settings`.

    It outlives the web process, so that a restart refuses nobody.  With
    `search`, and unless a port was chosen, a busy one is passed over.
    """
    chosen = "port" in settings.model_fields_set
    ports = range(settings.port, settings.port + (PORTS_TRIED if search and not chosen else 1))
    for port in ports:
        try:
            listening = socket.create_server((settings.host, port), backlog=1024)
        except OSError as error:
            if port != ports[-1]:
                continue
            reason = os.strerror(error.errno or 0)
            fail(
                f"cannot listen on {settings.host}:{settings.port}: {reason}."
                f" Stop what uses it, or choose another port: PORT={settings.port + 1} make play"
            )
        break
    if port not in {0, settings.port}:
        tell(f"port {settings.port} is taken by another program; using {port} instead")
    return listening


@contextmanager
def _embedded(settings: Settings) -> "Iterator[EmbeddedServer | None]":
    """Run the embedded server around the block, unless there is another database."""
    if settings.database_url is not None:
        yield None
        return
    from app.db.embedded import EmbeddedServerError  # noqa: PLC0415 - not needed otherwise

    server = embedded_server(settings)
    try:
        server.start()
    except (EmbeddedServerError, OSError) as error:
        fail(explain(error, settings))
    try:
        yield server
    finally:
        server.stop()


def _environment(settings: Settings, server: "EmbeddedServer | None") -> dict[str, str]:
    """Return the environment in which the children find what was found here."""
    found = {**os.environ, "PLACA_DATA_DIR": str(settings.data_dir)}
    if server is not None:
        found["PLACA_DATABASE_URL"] = server.url("placa")
    return found


def _migrate(settings: Settings, stop: Stop, leash: int) -> bool:
    """Migrate, once there is a database; False if told to stop before.

    In a child: Alembic would stay in our memory for ever.
    """
    environment: Mapping[str, str] = _environment(settings, None)
    command = [*PLACA, "migrate", "--wait", "inf", "--leash", str(leash)]
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        pass_fds=[leash],
        start_new_session=True,
    ) as child:
        while child.poll() is None:
            if stop.wait(TICK_SECONDS):
                # Each revision is one transaction: it is done, or has never begun.
                child.terminate()
                child.wait()
                return False
    if child.returncode != 0:
        fail("the database could not be migrated; the reason is above", child.returncode)
    return True


class Watch:
    """Looks after the embedded server once a second."""

    def __init__(self, server: "EmbeddedServer | None") -> None:
        self._server = server
        self._next = 0.0

    def __call__(self) -> None:
        """Start the server again if its process has gone."""
        if self._server is None or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + LOOK_SECONDS
        if not self._server.alive():
            from app.db.embedded import EmbeddedServerError  # noqa: PLC0415 - loaded already

            tell("the database ended; starting it again")
            try:
                self._server.start()
            except (EmbeddedServerError, OSError) as error:
                tell(str(error))


def _announce(settings: Settings, listening: socket.socket) -> None:
    """Print the address once it answers."""
    host, port = listening.getsockname()[:2]
    reachable = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared only
    until = time.monotonic() + ANNOUNCE_SECONDS
    while time.monotonic() < until:
        try:
            connection = http.client.HTTPConnection(reachable, port, timeout=ANNOUNCE_SECONDS)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == http.HTTPStatus.OK:
                break
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    address = settings.public_url or f"http://{_shown(host)}:{port}/"
    if settings.log_format == "json":
        tell(f"ready: {address}")
        return
    data = "" if settings.database_url else f"\n  data:    {settings.data_dir}"
    print(f"\n  Plaça is ready: {address}{data}\n  stop:    Ctrl-C\n", flush=True)  # noqa: T201 - the answer


def _shown(host: str) -> str:
    return "localhost" if host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else host  # noqa: S104 - compared only
