"""`placa bench`: measure speed, as ratios within one run; fails nothing."""

import json
from pathlib import Path
from typing import Annotated

import typer

from app.cli import app
from app.cli.surroundings import read_settings


@app.command()
def bench(
    *,
    quick: Annotated[
        bool, typer.Option(help="Only see that everything runs: too short to mean anything.")
    ] = False,
    write: Annotated[
        Path | None, typer.Option(help="Write the page about it, e.g. docs/performance.md.")
    ] = None,
) -> None:
    """Measure everything; print a table and one line of JSON.

    Runs on a database of its own, which is thrown away; with DATABASE_URL set
    it fills that one.
    """
    from app.cli.bench.figures import MARKS, as_json, as_table  # noqa: PLC0415 - only this command
    from app.cli.bench.page import as_page  # noqa: PLC0415 - as above
    from app.cli.bench.run import measure  # noqa: PLC0415 - as above

    run = measure(read_settings(), quick=quick)
    typer.echo(as_table(run))
    if write is not None:
        write.write_text(as_page(run), "utf-8")
    typer.echo(json.dumps(as_json(run, MARKS)))
