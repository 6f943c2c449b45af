"""`placa backup` and `placa restore`."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.acting import BAD_INPUT
from app.cli.migrate import create
from app.cli.surroundings import BAD_CONFIGURATION, DATABASE, database, fail, prepare

if TYPE_CHECKING:
    from app.config import Settings
    from app.hosting.backup.container import Header

backup = typer.Typer(help="Back up, and prove a backup.")
app.add_typer(backup, name="backup")

File = Annotated[Path, typer.Argument(help="The backup; - is standard input.")]


@backup.callback(invoke_without_command=True)
def take(
    context: typer.Context,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to make; else standard output.")
    ] = None,
) -> None:
    """Write everything into one file, as it stands at one instant, while people play on."""
    if context.invoked_subcommand is not None:
        return
    from app.clock import SYSTEM_CLOCK  # noqa: PLC0415 - see app.cli
    from app.hosting.backup.container import BackupError  # noqa: PLC0415 - as above
    from app.hosting.backup.taking import take  # noqa: PLC0415 - as above

    if out is None and sys.stdout.isatty():
        fail("a backup is no text: say where it goes, placa backup > FILE", BAD_INPUT)
    given = prepare()
    with database(given) as settings, _written(out) as file:
        try:
            counts = take(
                settings.required_database_url,
                file,
                secret=_fingerprint(given),
                now=SYSTEM_CLOCK.now(),
            )
        except (BackupError, OSError) as error:
            fail(f"no backup was made: {error}")
    typer.echo(_counted(counts), err=True)


@backup.command()
def verify(
    file: File,
    file_only: Annotated[
        bool, typer.Option("--file-only", help="Check the file, and do not restore it.")
    ] = False,
    scratch: Annotated[
        str | None, typer.Option(help="Address of an empty database to restore into.")
    ] = None,
) -> None:
    """Prove a backup: its checksums, then every match of it, restored for a moment.

    Needs a server on which a database may be made; that database is dropped again.
    """
    from app.hosting.backup.container import BackupError, check  # noqa: PLC0415 - see app.cli
    from app.hosting.backup.trying import scratch_database, try_out  # noqa: PLC0415 - as above

    given = prepare()
    with _seekable(file, given) as content:
        try:
            header, counts = check(content)
            typer.echo(_described(header, counts))
            if file_only:
                return
            content.seek(0)
            server = database(given) if scratch is None else nullcontext(given)
            with server as settings:
                place = (
                    scratch_database(settings.required_database_url)
                    if scratch is None
                    else nullcontext(scratch)
                )
                with place as url:
                    trial = asyncio.run(try_out(url, content))
        except BackupError as error:
            fail(f"{file}: {error}")
    for problem in trial.problems:
        typer.echo(problem)
    typer.echo(f"{trial.matches} matches verified, {len(trial.problems)} problems")
    if trial.problems:
        raise typer.Exit(1)


@app.command()
def restore(file: File = Path("-")) -> None:
    """Put a backup into an empty database, and prove every match of it.

    Nothing is touched unless the whole file is sound, and nothing that is sent to
    people is sent until `placa mail release`.
    """
    from app.hosting.backup.container import BackupError  # noqa: PLC0415 - see app.cli
    from app.hosting.backup.restoring import restore as put_back  # noqa: PLC0415 - as above

    given = prepare()
    with _seekable(file, given) as content, database(given) as settings:
        url = settings.required_database_url
        if given.database_url is None:
            create(url, DATABASE)
        try:
            header, counts = put_back(url, content)
        except BackupError as error:
            fail(f"nothing was restored: {error}")
        matches, problems = asyncio.run(_afterwards(settings))
    typer.echo(_described(header, counts))
    for problem in problems:
        typer.echo(problem)
    typer.echo(f"{matches} matches verified, {len(problems)} problems")
    typer.echo(
        "what is sent to people is on hold: placa mail release, or placa mail release --drop"
    )
    if header.secret != _fingerprint(given):
        typer.echo(
            "placa: warning: the secret key is not the one of the backup; put that one back,"
            " or invitation links that are out stop working",
            err=True,
        )
    if problems:
        raise typer.Exit(1)


async def _afterwards(settings: "Settings") -> "tuple[int, tuple[object, ...]]":
    """Hold what is sent to people, write the deed down, prove every match."""
    from app.cli.acting import user  # noqa: PLC0415 - see app.cli
    from app.cli.surroundings import open_sessions  # noqa: PLC0415 - as above
    from app.clock import SYSTEM_CLOCK  # noqa: PLC0415 - as above
    from app.db.session import transaction  # noqa: PLC0415 - as above
    from app.hosting.audit import Actor, record  # noqa: PLC0415 - as above
    from app.hosting.backup.trying import prove  # noqa: PLC0415 - as above
    from app.jobs.holding import hold  # noqa: PLC0415 - as above

    now = SYSTEM_CLOCK.now()
    async with open_sessions(settings) as sessions, transaction(sessions) as session:
        await hold(session, now=now)
        await record(
            session, actor=Actor.shell(user()), action="backup.restore", subject="server", now=now
        )
    return await prove(settings.required_database_url)


@contextmanager
def _written(out: Path | None) -> Iterator[IO[bytes]]:
    """Yield where the backup goes; a file appears only once it is whole."""
    if out is None:
        yield sys.stdout.buffer
        return
    fresh = out.with_name(f"{out.name}.part")
    try:
        with fresh.open("wb") as file:
            fresh.chmod(0o600)
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(out)
    except OSError as error:
        fail(f"no backup was made: {error.filename or out}: {error.strerror}")
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


@contextmanager
def _seekable(file: Path, settings: "Settings") -> Iterator[IO[bytes]]:
    """Yield the backup so that it can be read twice; a stream is put down in the data folder."""
    try:
        if str(file) != "-":
            with file.open("rb") as content:
                yield content
            return
        folder = settings.data_dir if os.access(settings.data_dir, os.W_OK) else None
        with tempfile.TemporaryFile(dir=folder) as content:
            while piece := sys.stdin.buffer.read(1 << 20):
                content.write(piece)
            content.seek(0)
            yield content
    except OSError as error:
        fail(f"{file}: {error.strerror}", BAD_INPUT)


def _fingerprint(settings: "Settings") -> str:
    from app.config import SettingsError  # noqa: PLC0415 - see app.cli
    from app.keys import fingerprint, with_secret_key  # noqa: PLC0415 - see app.cli

    try:
        return fingerprint(with_secret_key(settings).secret_key or "")
    except SettingsError as error:
        fail(str(error), BAD_CONFIGURATION)


def _described(header: "Header", counts: dict[str, int]) -> str:
    return (
        f"taken {header.taken_at} by Plaça {header.version}, schema {header.revision}\n"
        f"{_counted(counts)}"
    )


def _counted(counts: dict[str, int]) -> str:
    shown = ("matches", "match_events", "tables", "people")
    named = ", ".join(f"{counts.get(name, 0)} {name.replace('_', ' ')}" for name in shown)
    return f"{named}, {sum(counts.values())} rows in all"
