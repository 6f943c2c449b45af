"""`placa el-grande score`: ask the rules what an area pays."""

import json
from typing import Annotated

import typer

from app.cli import app
from app.cli.surroundings import fail

BAD_INPUT = 2
SEAT_COUNTS = range(2, 6)
MOST_CABALLEROS = 30
MOST_POINTS = 100

el_grande = typer.Typer(help="Reckon a scoring of El Grande.", no_args_is_help=True)
app.add_typer(el_grande, name="el-grande")


@el_grande.callback()
def _group() -> None:
    """Keep `score` a command of its own while it is the only one."""


@el_grande.command()
def score(
    *,
    values: Annotated[str, typer.Option(help="What the places of the area pay: 5,3,1.")],
    counts: Annotated[str, typer.Option(help="The caballeros of each seat there: 4,4,3,0.")],
    seats: Annotated[int, typer.Option(help="How many seats play; 2 and 3 limit the places.")] = 4,
    king: Annotated[bool, typer.Option("--king", help="The King stands there.")] = False,
    home: Annotated[
        list[int] | None, typer.Option(help="A seat, from 0, whose Grande stands there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what each seat gets when an area is scored, bonuses included."""
    from app.matches.editions import edition  # noqa: PLC0415 - only this command needs it
    from app.rules.el_grande.edition_checks import edition_from_mapping  # noqa: PLC0415 - as above
    from app.rules.el_grande.scoring import reckon_area  # noqa: PLC0415 - as above

    if seats not in SEAT_COUNTS:
        fail(f"--seats must be {SEAT_COUNTS[0]} to {SEAT_COUNTS[-1]}, not {seats}", BAD_INPUT)
    worth = _numbers("values", values, MOST_POINTS)
    there = _numbers("counts", counts, MOST_CABALLEROS)
    if len(there) > seats:
        fail(f"--counts names {len(there)} seats; there are {seats}", BAD_INPUT)
    homes = home or []
    for seat in homes:
        if not 0 <= seat < seats:
            fail(f"--home {seat} is not a seat: 0 to {seats - 1}", BAD_INPUT)
    full = (*there, *(0 for _ in range(seats - len(there))))
    built_in = edition_from_mapping(edition("el_grande"))
    reckoned = reckon_area(built_in, full, worth, king=king, homes=homes)
    points = [sum(gains) for gains in zip(*reckoned, strict=True)][: len(there)]
    if as_json:
        typer.echo(json.dumps({"points": points}))
    else:
        typer.echo(", ".join(f"seat {seat}: {gain}" for seat, gain in enumerate(points)))


def _numbers(option: str, text: str, most: int) -> tuple[int, ...]:
    return tuple(_number(option, part.strip(), most) for part in text.split(","))


def _number(option: str, text: str, most: int) -> int:
    # `int` alone would also read "+1", "1_0" and digits of other scripts.
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= most):
        fail(f"{text!r} in --{option} is not a number from 0 to {most}", BAD_INPUT)
    return int(text)
