"""`placa verify` and `placa fairness`: prove that matches are what their logs say."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from app.cli import app
from app.cli.acting import BAD_INPUT, read_bytes
from app.cli.surroundings import database, fail, open_sessions, prepare

if TYPE_CHECKING:
    from app.config import Settings
    from app.matches.history import Problem
    from app.matches.portable import PortableMatch

File = Annotated[Path, typer.Argument(help="A file of `match export`; - is standard input.")]


@app.command()
def verify(
    what: Annotated[
        str | None, typer.Argument(help="A stored match's id, or the file of a match.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Verify every stored match.")] = False,
) -> None:
    """Replay matches to where they stand and recompute every draw.

    A file is proven by itself, on any machine and without a database: exit status
    1 and the line if anything in it was changed.
    """
    if every == (what is not None):
        fail("give the id or the file of a match, or --all", BAD_INPUT)
    wanted = None if what is None else _id(what)
    if what is not None and wanted is None:
        _verify_file(Path(what))
        return
    with database(prepare()) as settings:
        checked, problems = asyncio.run(_verify(settings, wanted))
    for problem in problems:
        typer.echo(problem)
    typer.echo(f"{checked} matches verified, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


@app.command()
def fairness(file: File) -> None:
    """Recompute every draw of a match that is over from the seed it promised at its start."""
    from app.matches.games import codec_for  # noqa: PLC0415 - only this command needs it
    from app.matches.proof import decide_again, promise_is_kept  # noqa: PLC0415 - as above

    found = _sound(file)
    match = found.match
    kept = promise_is_kept(match)
    if kept is None:
        fail(f"{file}: the seed is not in it, since the match was not over", BAD_INPUT)
    codec = codec_for(match.game)
    strange = sorted({row.rules_version for row in match.log} - {codec.game.rules_version})
    if strange:
        fail(
            f"{file}: rules version {strange[0]} made its draws, and this program has version"
            f" {codec.game.rules_version}: take the Plaça of that time",
            BAD_INPUT,
        )
    typer.echo(f"commitment {match.commitment}: {'kept' if kept else 'BROKEN'}")
    wrong, draws = int(not kept), 0
    for step in decide_again(codec, match):
        if step.draws or not step.same:
            line = found.lines[step.seq]
            came = "as logged" if step.same else "NOT as logged"
            struck = ", taken back later" if step.struck else ""
            typer.echo(f"line {line}: version {step.version}, {step.draws} draws, {came}{struck}")
        draws += step.draws
        wrong += not step.same
    typer.echo(f"{draws} draws recomputed, {wrong} problems")
    if wrong:
        raise typer.Exit(1)


def _verify_file(file: Path) -> None:
    found = _sound(file)
    problems = found.problems()
    for problem in problems:
        typer.echo(f"line {found.line_of(problem)}: {problem.code} {problem.detail}".rstrip())
    match = found.match
    seed = "its draws too" if match.seed is not None else "but for its draws: it was not over"
    said = f"{len(problems)} problems" if problems else f"proven, {seed}"
    typer.echo(f"match {match.id}: {match.status}, {len(match.log)} events, {said}")
    if problems:
        raise typer.Exit(1)


def _sound(file: Path) -> "PortableMatch":
    """Return what the file holds; end with the line at which it was changed."""
    from app.matches.portable import read_portable  # noqa: PLC0415 - see app.cli
    from app.matches.sealed import SealError  # noqa: PLC0415 - as above

    try:
        return read_portable(read_bytes(file))
    except SealError as error:
        fail(f"{file}: {error}")


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


async def _verify(settings: "Settings", wanted: UUID | None) -> tuple[int, list["Problem"]]:
    """Return how many matches were looked at and what is wrong; a transaction for each."""
    from app.db.session import transaction  # noqa: PLC0415 - only this command needs it
    from app.errors import NotFoundError  # noqa: PLC0415 - as above
    from app.matches.history import match_ids, verify  # noqa: PLC0415 - as above

    problems: list[Problem] = []
    async with open_sessions(settings) as sessions:
        async with transaction(sessions) as session:
            ids = [wanted] if wanted else [id_ async for id_ in match_ids(session)]
        for id_ in ids:
            try:
                async with transaction(sessions) as session:
                    problems.extend(await verify(session, id_))
            except NotFoundError:
                fail(f"there is no match {id_}", BAD_INPUT)
    return len(ids), problems
