"""`placa mail`: what is to be sent to people, holding it back, and trying whether it gets out."""

import asyncio
from typing import Annotated

import typer

from app.cli import app
from app.cli.acting import BAD_INPUT, act
from app.cli.surroundings import fail, prepare

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


@mail.command()
def test(
    address: Annotated[str, typer.Argument(help="Where the letter goes.")],
) -> None:
    """Send a letter now, and print the conversation with the mail server.

    Exit status 1 if it was not taken.
    """
    from app.clock import SYSTEM_CLOCK  # noqa: PLC0415 - see app.cli
    from app.notifications.channels.outcome import NotSentError  # noqa: PLC0415 - as above
    from app.notifications.trial import send_trial  # noqa: PLC0415 - as above

    settings = prepare()
    if not settings.sends_mail:
        fail("there is no mail server: set SMTP_URL")
    try:
        asyncio.run(send_trial(settings, address, now=SYSTEM_CLOCK.now(), note=typer.echo))
    except ValueError as error:
        fail(f"{address}: {error}", BAD_INPUT)
    except NotSentError as error:
        fail(f"not sent: {error.said}", 1)
    typer.echo("sent")
