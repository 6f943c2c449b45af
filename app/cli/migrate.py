"""`placa migrate`: bring the database to this version."""

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.supervisor import Leash, hold_leash
from app.cli.surroundings import BAD_CONFIGURATION, DATABASE, database, fail, prepare

if TYPE_CHECKING:
    from app.config import Settings

# What the table `installation` calls it.
KEY_FINGERPRINT = "key_fingerprint"
MARK = "While this file is here, Plaça begins no empty database in place of the one it had.\n"


@app.command()
def migrate(
    to: Annotated[str, typer.Option(help="Revision to go to: head, base, -1, or a name.")] = "head",
    wait: Annotated[float, typer.Option(help="Seconds to wait for the database.")] = 60.0,
    leash: Leash = None,
) -> None:
    """Bring the database to this version; creates the embedded one."""
    from app.db.revisions import head  # noqa: PLC0415 - only this command needs it

    given = prepare()
    hold_leash(leash)
    with database(given) as settings:
        url = settings.required_database_url
        key = key_of(given)
        if given.database_url is None:
            create(url, DATABASE)
        revision = revision_at(url, wait) if to == "head" else None
        if to == "head" and revision is None and given.database_url is not None:
            refuse_to_begin_again(given)
        if to == "head" and revision == head():
            remember(given, key, url)
            return
        # Only now what is slow to import: most starts find nothing to do.
        from app.db.migrate import downgrade, upgrade  # noqa: PLC0415 - see above

        if to == "base" or to.startswith("-"):
            downgrade(url, to)
        else:
            upgrade(url, to)
        if to == "head":
            remember(given, key, url)
        if to == "base":
            mark(given).unlink(missing_ok=True)


def mark(settings: "Settings") -> Path:
    """Return the file that says that this installation has had a database."""
    return settings.data_dir / "database.known"


def refuse_to_begin_again(settings: "Settings") -> None:
    """End the start if the empty database at hand stands where a full one should be.

    A volume that is mounted at the wrong place, or a server that looks for its data
    elsewhere since its last major version, looks like a fresh start and is none.
    """
    if mark(settings).exists():
        fail(
            "the database is empty, and this installation had one that is not. See that the"
            " database finds its data (its volume, its version, DATABASE_URL), or restore a backup;"
            f" to begin with nothing: rm {mark(settings)}",
            BAD_CONFIGURATION,
        )


def remember(settings: "Settings", key: str, url: str) -> None:
    """Let database and data folder know each other from now on."""
    remember_key(key, url)
    if settings.database_url is not None and settings.data_dir.is_dir():
        # A folder that is only read has no key of its own either.
        with suppress(OSError):
            mark(settings).write_text(MARK, encoding="utf-8")


def key_of(settings: "Settings") -> str:
    """Return the key of this installation; one is made the first time."""
    from app.config import SettingsError  # noqa: PLC0415 - only this needs it
    from app.keys import with_secret_key  # noqa: PLC0415 - as above

    try:
        return with_secret_key(settings).secret_key or ""
    except SettingsError as error:
        fail(str(error), BAD_CONFIGURATION)


def remember_key(key: str, url: str) -> None:
    """Let the database know the key it is first used with, so that another one is noticed."""
    import psycopg  # noqa: PLC0415 - only this command needs it

    from app.db.address import conninfo  # noqa: PLC0415 - as above
    from app.keys import fingerprint  # noqa: PLC0415 - as above

    with psycopg.connect(conninfo(url)) as connection:
        connection.execute(
            "insert into installation (name, value) values (%s, %s) on conflict do nothing",
            [KEY_FINGERPRINT, fingerprint(key)],
        )


def create(url: str, name: str) -> None:
    """Create the database `name` on the server of `url` unless it is there."""
    import psycopg  # noqa: PLC0415 - only this command needs it

    from app.db.address import conninfo  # noqa: PLC0415 - as above

    maintenance = conninfo(url).replace(f"/{name}?", "/postgres?")
    with psycopg.connect(maintenance, autocommit=True) as connection:
        found = connection.execute("select from pg_database where datname = %s", [name])
        if found.fetchone() is None:
            connection.execute(f'create database "{name}"'.encode())


def revision_at(url: str, seconds: float) -> str | None:
    """Return the revision of the database, waiting until it answers; say once what it waits for."""
    import psycopg  # noqa: PLC0415 - only this command needs it
    import structlog  # noqa: PLC0415 - as above

    from app.db.address import conninfo  # noqa: PLC0415 - as above

    until = time.monotonic() + seconds
    said: set[str] = set()
    while True:
        try:
            with psycopg.connect(conninfo(url), connect_timeout=5) as connection:
                found = connection.execute("select version_num from alembic_version").fetchone()
                return None if found is None else str(found[0])
        except psycopg.errors.UndefinedTable:
            return None
        except psycopg.OperationalError as error:
            if time.monotonic() > until:
                fail(f"no database: {str(error).strip()}")
            reason = str(error).strip().split("\n", maxsplit=1)[0]
            if reason not in said:
                said.add(reason)
                structlog.get_logger("placa.db").warning("database.awaited", reason=reason)
            time.sleep(0.3)
