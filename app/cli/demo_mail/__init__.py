"""`placa demo-mail`: three friends play a match to its end, and all they do is answer mails."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.surroundings import database, fail, read_settings

if TYPE_CHECKING:
    from psycopg.sql import Composed

BAD_INPUT = 2


@app.command("demo-mail")
def demo_mail(
    folder: Annotated[Path, typer.Option(help="Where the mails are put.")] = Path("demo-mail"),
    seed: Annotated[int, typer.Option(help="Another number is another match.")] = 1,
) -> None:
    """Play a Castell match by mail alone, in a database and with a mail server of its own.

    Every mail is put into the folder, which has to be empty.  The match's clock runs fast.
    """
    from app.cli.demo_mail.friends import play_by_mail  # noqa: PLC0415 - see app.cli
    from app.db.migrate import upgrade  # noqa: PLC0415 - as above
    from app.logs import configure_logging  # noqa: PLC0415 - as above

    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        fail(f"{folder} is not empty", BAD_INPUT)
    settings = read_settings()
    configure_logging(log_format=settings.log_format, level="error")
    with database(settings) as opened, apart(opened.required_database_url) as url:
        upgrade(url)
        figures = asyncio.run(play_by_mail(url, folder, seed=seed, say=typer.echo))
    typer.echo(
        f"decisions {figures.decisions}, mails {figures.mails},"
        f" obsolete {figures.obsolete}, refused {figures.refused}"
    )
    if not figures.good:
        raise typer.Exit(1)


@contextmanager
def apart(url: str, *, hurried: bool = False) -> Iterator[str]:
    """Yield a database of its own beside the one at `url`, and drop it in the end.

    `hurried`: it need not outlive a crash of the machine, so commits wait for no disk.
    """
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415 - see app.cli
    from sqlalchemy import make_url  # noqa: PLC0415 - as above

    name = f"placa_demo_{os.getpid()}"
    own = make_url(url).set(database=name).render_as_string(hide_password=False)
    # The database at `url` may not be there yet; this one always is.
    url = make_url(url).set(database="postgres").render_as_string(hide_password=False)
    _run(url, SQL("create database {}").format(Identifier(name)))
    if hurried:
        statement = SQL("alter database {} set synchronous_commit = off")
        _run(url, statement.format(Identifier(name)))
    try:
        yield own
    finally:
        _run(url, SQL("drop database {} with (force)").format(Identifier(name)))


def _run(url: str, statement: "Composed") -> None:
    import psycopg  # noqa: PLC0415 - see app.cli

    from app.db.address import conninfo  # noqa: PLC0415 - as above

    with psycopg.connect(conninfo(url), autocommit=True) as connection:
        connection.execute(statement)
