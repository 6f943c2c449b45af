"""`placa simulate-async`: weeks of turns by mail in minutes, with everything that goes wrong."""

import asyncio
import json
from typing import Annotated

import typer

from app.cli import app
from app.cli.demo_mail import apart
from app.cli.surroundings import database, fail, read_settings

BAD_INPUT = 2


@app.command("simulate-async")
def simulate_async(
    *,
    weeks: Annotated[int, typer.Option(help="How many weeks pass.")] = 6,
    seats: Annotated[int, typer.Option(help="How many friends play at each table.")] = 4,
    tables: Annotated[int, typer.Option(help="How many tables.")] = 50,
    faults: Annotated[bool, typer.Option("--faults", help="Let mail and server fail.")] = False,
    seed: Annotated[int, typer.Option(help="Another number is another six weeks.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    explain: Annotated[bool, typer.Option(help="Say of everything wrong what it was.")] = False,
) -> None:
    """Play by mail for weeks, on a clock that runs fast, in a database of its own.

    Five figures have to be 0, or the command fails.  `lost`: decisions for which no
    letter came in time although mail worked, and moves that somebody was told stand
    and that are not in the log.  `obsolete_sent`: letters that asked for a decision
    that did not wait for their reader any more.  `timeouts_in_outage`: times that ran
    out in, or right after, a downtime of the server.  `clock_gained`: decisions for
    which somebody was given more time than the terms allow, by taking turns back or
    otherwise.  `unfinished`: matches with a clock that go on when the weeks are over.
    """
    from app.cli.weeks.plan import make_plan  # noqa: PLC0415 - see app.cli
    from app.cli.weeks.run import FIGURES, simulate_weeks  # noqa: PLC0415 - as above
    from app.db.migrate import upgrade  # noqa: PLC0415 - as above
    from app.logs import configure_logging  # noqa: PLC0415 - as above

    for name, number, least, most in (
        ("weeks", weeks, 1, 20),
        ("seats", seats, 2, 4),
        ("tables", tables, 1, 1000),
        ("seed", seed, 0, 1 << 31),
    ):
        if not least <= number <= most:
            fail(f"--{name} must be from {least} to {most}, not {number}", BAD_INPUT)
    settings = read_settings()
    configure_logging(log_format=settings.log_format, level="critical")
    plan = make_plan(seed=seed, weeks=weeks, seats=seats, tables=tables, faults=faults)
    with database(settings) as opened, apart(opened.required_database_url, hurried=True) as url:
        upgrade(url)
        say = (lambda _line: None) if as_json else typer.echo
        figures, wrong = asyncio.run(simulate_weeks(plan, url, say=say))
    if as_json:
        typer.echo(json.dumps(figures))
    else:
        typer.echo("\n".join(f"{name:20} {value}" for name, value in figures.items()))
    for finding in wrong if explain else ():
        typer.echo(f"{finding.figure}: {finding.about}", err=True)
    if any(figures[name] for name in FIGURES):
        raise typer.Exit(1)
