"""`placa config`: which settings there are and what this environment makes of them."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.surroundings import BAD_CONFIGURATION, fail, read_settings

if TYPE_CHECKING:
    from app.config import SettingLine

config = typer.Typer(help="Show the settings.", no_args_is_help=True)
app.add_typer(config, name="config")


@config.command("list")
def list_(
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table of the guide for hosts.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """List every setting: its names, its default, what it does, and what is set here.

    Every name can also be given as a file: NAME_FILE holds the path.  Variables
    that begin with PLACA_ and mean nothing are named, with the nearest setting.
    """
    from app.config import SettingsError, describe, unknown_settings  # noqa: PLC0415 - see surroundings

    try:
        lines = describe()
    except SettingsError as error:
        fail(str(error), BAD_CONFIGURATION)
    if as_json:
        typer.echo(json.dumps([asdict(line) for line in lines], ensure_ascii=False))
    elif markdown:
        typer.echo("\n".join((MARKDOWN_HEAD, *map(markdown_row, lines))))
    else:
        typer.echo("\n\n".join(map(_paragraph, lines)))
    for warning in unknown_settings():
        typer.echo(f"placa: warning: {warning}", err=True)


@config.command()
def check() -> None:
    """Say whether the settings can be used: exit 0, or 78 and a line for each that cannot."""
    read_settings(warn=True)
    typer.echo("the settings can be used")


MARKDOWN_HEAD = "| setting | default | what it does |\n|---|---|---|"


def markdown_row(line: "SettingLine") -> str:
    """Return the row of the guide's table for one setting."""
    default = f"`{line.default}`" if line.default else ""
    return f"| `{line.names[-1]}` | {default} | {line.meaning} |"


def _paragraph(line: "SettingLine") -> str:
    names = " or ".join(reversed(line.names))
    now = f"default {line.default}" if line.default else "not set by default"
    if line.given_by is not None:
        now += f"; {line.given_by} sets it to {'(hidden)' if line.value is None else line.value}"
    return f"{names}  (or {line.names[-1]}_FILE)\n    {line.meaning}\n    {now}"
