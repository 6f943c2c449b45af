"""`placa oidc`: back in when the issuer is away, or locks its host out."""

import typer

from app.cli import app
from app.cli.acting import act
from app.cli.surroundings import BAD_CONFIGURATION, fail, read_settings

oidc = typer.Typer(help="Signing in with OpenID Connect.", no_args_is_help=True)
app.add_typer(oidc, name="oidc")


@oidc.command()
def disable() -> None:
    """Let people in by name and password again, and nobody by the issuer; holds at once.

    It stays so until `placa oidc enable`, whatever the settings say.
    """
    from app.hosting.ways_in import turn_off  # noqa: PLC0415 - see app.cli

    act(turn_off)
    typer.echo("people sign in by name and password, and not by the issuer")
    typer.echo("placa login-link NAME lets in who has no password.", err=True)


@oidc.command()
def enable() -> None:
    """Let the settings count again."""
    from app.hosting.ways_in import turn_on  # noqa: PLC0415 - see app.cli

    issuer = read_settings().oidc_issuer
    if issuer is None:
        fail("OIDC_ISSUER is not set", BAD_CONFIGURATION)
    act(turn_on)
    typer.echo(f"people can sign in at {issuer}")


@oidc.command()
def status() -> None:
    """Say how people sign in now."""
    from app.hosting.ways_in import ways_in  # noqa: PLC0415 - see app.cli

    settings = read_settings()
    ways = act(lambda session, _deed: ways_in(session, settings))
    typer.echo(f"by name and password: {'yes' if ways.local else 'no'}")
    if not ways.issuer:
        off = settings.oidc_issuer is not None
        typer.echo(f"by an issuer: no{', placa oidc enable turns it on' if off else ''}")
    else:
        typer.echo(f"by an issuer: {ways.issuer}, {settings.oidc_issuer}")
