"""`placa doctor`: what is wrong here, and what to do about it."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.surroundings import DATABASE, data_folder, embedded_server, explain

if TYPE_CHECKING:
    from app.clock import Clock
    from app.config import Settings
    from app.hosting.doctor.findings import Finding


@app.command()
def doctor(
    url: Annotated[
        str | None, typer.Option(help="The address players type; else PUBLIC_URL, if it is set.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Look at settings, disk, key, database, worker, matches, mail, issuer and the public address.

    One line each, with the fix where one is needed; exit status 1 if anything is at fault.
    """
    from app.clock import SYSTEM_CLOCK  # noqa: PLC0415 - see app.cli
    from app.config import SettingsError, load_settings  # noqa: PLC0415 - as above
    from app.hosting.doctor.findings import fault  # noqa: PLC0415 - as above

    try:
        settings = load_settings()
    except SettingsError as error:
        findings = [
            fault("config.unusable", line, "mend it; placa config list has all settings")
            for line in str(error).split("\n")
        ]
    else:
        settings = settings.model_copy(update={"data_dir": data_folder(settings)})
        findings = list(examine(settings, url or settings.public_url, SYSTEM_CLOCK))
    if as_json:
        typer.echo(json.dumps([asdict(found) for found in findings], ensure_ascii=False))
    else:
        typer.echo("\n".join(found.line() for found in findings))
    if any(found.grade == "fault" for found in findings):
        raise typer.Exit(1)


def examine(settings: "Settings", address: str | None, clock: "Clock") -> "Iterator[Finding]":
    """Yield everything there is to say about an installation."""
    from app.hosting.doctor.address import look_at_address  # noqa: PLC0415 - as above
    from app.hosting.doctor.issuer import look_at_issuer  # noqa: PLC0415 - as above
    from app.hosting.doctor.machine import (  # noqa: PLC0415 - as above
        key_there_is,
        look_at_folder,
        look_at_key,
        look_at_names,
        look_at_registration,
    )
    from app.hosting.doctor.mail import look_at_mail  # noqa: PLC0415 - as above
    from app.keys import fingerprint  # noqa: PLC0415 - see app.cli

    yield from look_at_names()
    yield look_at_registration(settings)
    yield from look_at_folder(settings)
    key, unusable = key_there_is(settings)
    findings, expected = _database(settings, clock)
    yield from findings
    if unusable is not None:
        yield unusable
    else:
        yield look_at_key(settings, expected, None if key is None else fingerprint(key))
    yield from look_at_mail(settings)
    yield from look_at_issuer(settings, address, clock.now())
    if address is not None:
        yield from look_at_address(address, settings, key or "")


def _database(settings: "Settings", clock: "Clock") -> "tuple[tuple[Finding, ...], str | None]":
    """Return what is to be said of the database, and the key it expects."""
    from app.db.embedded import EmbeddedServerError  # noqa: PLC0415 - see app.cli
    from app.hosting.doctor.database import look_at_database  # noqa: PLC0415 - as above
    from app.hosting.doctor.findings import fault, warning  # noqa: PLC0415 - as above

    if settings.database_url is not None:
        looked = look_at_database(settings.database_url, clock)
        return looked.findings, looked.key_fingerprint
    if not (settings.data_dir / "postgres").exists():
        said = f"there is none in {settings.data_dir} yet"
        return (warning("database.new", said, "placa serve makes it at its first start"),), None
    server = embedded_server(settings)
    try:
        server.start()
    except (EmbeddedServerError, OSError) as error:
        said = explain(error, settings).split("\n", maxsplit=1)[0]
        fix = f"look at {settings.data_dir}/postgres-start.log and {settings.data_dir}/postgres/log"
        return (fault("database.down", said, fix),), None
    try:
        looked = look_at_database(server.url(DATABASE), clock)
        return looked.findings, looked.key_fingerprint
    finally:
        server.stop()
