"""What every command needs before it starts: settings, logs, a folder, a database."""

import hashlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from app.clock import SYSTEM_CLOCK
from app.config import Settings, SettingsError, load_settings, names_of, unknown_settings

if TYPE_CHECKING:
    from app.db.embedded import EmbeddedServer
    from app.db.session import Sessions

# Exit status for a bad configuration (EX_CONFIG); supervisors do not retry it.
BAD_CONFIGURATION = 78

DATABASE = "placa"
ROOTS_DATA = Path("/var/lib/placa")


def fail(message: str, status: int = 1) -> NoReturn:
    """End the command with one clear message on standard error."""
    tell(message, "error")
    raise SystemExit(status)


def tell(message: str, level: str = "info") -> None:
    """Say something on standard error: in words at a terminal, else in the form of the log."""
    line = f"placa: {message}"
    if _log_format() == "json" and not sys.stderr.isatty():
        now = SYSTEM_CLOCK.now().isoformat()
        line = json.dumps({"event": message, "level": level, "timestamp": now})
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - this is what a command is for


def _log_format() -> str:
    """Return what was asked for, whether or not it can be: settings may be what is wrong."""
    names = names_of("log_format")
    return next((os.environ[name] for name in names if os.environ.get(name)), "text")


def prepare() -> Settings:
    """Read the settings and start logging."""
    from app.logs import configure_logging  # noqa: PLC0415 - the supervisor does without

    settings = read_settings()
    configure_logging(log_format=settings.log_format, level=settings.log_level)
    return settings


def read_settings(*, warn: bool = False) -> Settings:
    """Read the settings, and with `warn` say which variables mean nothing."""
    try:
        settings = load_settings()
    except SettingsError as error:
        fail(str(error), BAD_CONFIGURATION)
    for warning in unknown_settings() if warn else ():
        tell(f"warning: {warning}", "warning")
    return settings.model_copy(update={"data_dir": data_folder(settings)})


def data_folder(settings: Settings) -> Path:
    """Return the data folder as an absolute path.

    When root starts the embedded server it runs as somebody else, to whom
    root's home is closed.  Unless a folder was chosen, the data then goes
    under /var/lib, apart for each checkout.
    """
    from app.db.embedded.account import server_account  # noqa: PLC0415 - as in prepare()

    folder = settings.data_dir.resolve()
    if settings.database_url is not None or "data_dir" in settings.model_fields_set:
        return folder
    account = server_account(folder / "postgres", settings.pg_user)
    if account is None or account.can_enter(_nearest(folder)):
        return folder
    return ROOTS_DATA / hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]


def embedded_server(settings: Settings) -> "EmbeddedServer":
    """Return the embedded server of `settings`, not yet started."""
    from app.db.embedded import EmbeddedServer  # noqa: PLC0415 - as in prepare()

    return EmbeddedServer(settings.data_dir, binaries=settings.pg_bin, user=settings.pg_user)


@contextmanager
def database(settings: Settings) -> Iterator[Settings]:
    """Yield `settings` with a database: the operator's, or the embedded server's.

    The embedded server is started, or joined where `placa play` runs it
    already, and stopped by the last that leaves.
    """
    from app.db.embedded import EmbeddedServerError  # noqa: PLC0415 - as in prepare()

    if settings.database_url is not None:
        yield settings
        return
    server = embedded_server(settings)
    try:
        server.start()
    except (EmbeddedServerError, OSError) as error:
        fail(explain(error, settings))
    try:
        yield settings.with_database(server.url(DATABASE))
    finally:
        server.stop()


@asynccontextmanager
async def open_sessions(settings: Settings) -> "AsyncIterator[Sessions]":
    """Yield the maker of sessions on the database of `settings`.

    with database(prepare()) as settings:
        asyncio.run(command(settings))

    async def command(settings: Settings) -> None:
        async with open_sessions(settings) as sessions, transaction(sessions) as session:
            ...
    """
    from app.db.engine import make_engine  # noqa: PLC0415 - as in prepare()
    from app.db.session import make_sessions  # noqa: PLC0415 - as in prepare()

    engine = make_engine(settings.required_database_url, application_name="placa command")
    try:
        yield make_sessions(engine)
    finally:
        await engine.dispose()


def explain(error: Exception, settings: Settings) -> str:
    """Return `error` in words, with the way out where we know it."""
    if isinstance(error, PermissionError):
        return (
            f"{error.filename}: permission denied. Give this user the folder:"
            f" chown -R {os.geteuid()}:{os.getegid()} {settings.data_dir}"
        )
    return str(error)


def _nearest(folder: Path) -> Path:
    """Return `folder`, or what exists of the way to it."""
    return next(path for path in (folder, *folder.parents) if path.exists())
