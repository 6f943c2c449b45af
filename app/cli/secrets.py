"""`placa secrets`: the key this installation made or was given, never shown itself."""

import typer

from app.cli import app
from app.cli.acting import act
from app.cli.surroundings import BAD_CONFIGURATION, fail, read_settings

secrets = typer.Typer(help="Look after the secret key.", no_args_is_help=True)
app.add_typer(secrets, name="secrets")


@secrets.command()
def fingerprint() -> None:
    """Print what tells this installation's key from any other; makes the key if there is none."""
    typer.echo(_fingerprint())


@secrets.command()
def show() -> None:
    """Say where the key comes from, and its fingerprint; the key itself is not printed."""
    from app.keys import key_path  # noqa: PLC0415 - see surroundings

    settings = read_settings()
    path = key_path(settings)
    origin = "SECRET_KEY" if settings.secret_key is not None else str(path)
    typer.echo(f"key from {origin}, fingerprint {_fingerprint()}")


@secrets.command()
def accept() -> None:
    """Let the database expect the key there is now; the invitation links that are out are dead."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    key = _fingerprint()
    act(lambda session, deed: service.accept_key(session, deed, fingerprint=key))
    typer.echo(f"the key with fingerprint {key} is the one to expect")


def _fingerprint() -> str:
    from app.config import SettingsError  # noqa: PLC0415 - see surroundings
    from app.keys import fingerprint, with_secret_key  # noqa: PLC0415 - see surroundings

    try:
        key = with_secret_key(read_settings()).secret_key
    except SettingsError as error:
        fail(str(error), BAD_CONFIGURATION)
    return fingerprint(key or "")
