"""`placa seed`: people, a match in its middle and a table that waits, to try things out with."""

import asyncio

import typer

from app.cli import app
from app.cli.migrate import migrate
from app.cli.surroundings import database, prepare
from app.keys import with_secret_key

PATIENCE_SECONDS = 60.0


@app.command()
def seed() -> None:
    """Make accounts, a half-played match and a table; print a sign-in link for each account.

    Nothing is made twice: a second run prints fresh links.  Accounts that
    already have these names are used, so this is for a database to try things
    in; it is migrated first.
    """
    from app.cli.seed.world import make  # noqa: PLC0415 - only this command needs it

    migrate("head", PATIENCE_SECONDS)
    with database(with_secret_key(prepare())) as settings:
        links = asyncio.run(make(settings))
    typer.echo("Each link signs one device in, once, within ten minutes:")
    for name, address in links.items():
        typer.echo(f"  {name:6} {address}")
