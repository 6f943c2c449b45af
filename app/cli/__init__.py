"""The command line: `placa …`.  Each module of this package adds its commands to `app`."""

import typer

app = typer.Typer(
    name="placa",
    help="Plaça: play Castell and El Grande with friends.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
