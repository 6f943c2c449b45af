"""`placa mail`: what is to be sent to people, and holding it back."""

from typing import Annotated

import typer

from app.cli import app
from app.cli.acting import act

mail = typer.Typer(help="Hold back what is sent to people, or let it go.", no_args_is_help=True)
app.add_typer(mail, name="mail")


@mail.command()
def queue() -> None:
    """Say how much is to be sent, and whether it is on hold."""
    from app.jobs.holding import outgoing  # noqa: PLC0415 - see app.cli

    found = act(lambda session, _deed: outgoing(session))
    since = "" if found.held_since is None else f" since {found.held_since:%Y-%m-%d %H:%M} UTC"
    typer.echo(f"on hold{since}" if since else "not on hold")
    typer.echo(f"{found.waiting} waiting, {found.held} held, {found.failed} failed")


@mail.command()
def hold() -> None:
    """Send nothing to anybody until it is released; people play on."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    act(service.hold_mail)
    typer.echo("on hold")


@mail.command()
def release(
    drop: Annotated[
        bool, typer.Option("--drop", help="Forget what was held instead of sending it.")
    ] = False,
) -> None:
    """Send what was on hold, and send as usual from now on."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    count = act(lambda session, deed: service.release_mail(session, deed, drop=drop))
    typer.echo(f"{count} {'forgotten' if drop else 'released'}")
