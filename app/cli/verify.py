"""`placa verify`: prove that stored matches are what their logs say."""

import asyncio
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from app.cli import app
from app.cli.surroundings import database, fail, open_sessions, prepare

if TYPE_CHECKING:
    from app.config import Settings
    from app.matches.history import Problem

BAD_INPUT = 2


@app.command()
def verify(
    match_id: Annotated[str | None, typer.Argument(help="The match to verify.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Verify every stored match.")] = False,
) -> None:
    """Replay stored matches to their snapshots and recompute every draw."""
    if every == (match_id is not None):
        fail("give the id of a match, or --all", BAD_INPUT)
    wanted = None if match_id is None else _id(match_id)
    with database(prepare()) as settings:
        checked, problems = asyncio.run(_verify(settings, wanted))
    for problem in problems:
        typer.echo(problem)
    typer.echo(f"{checked} matches verified, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        fail(f"{text!r} is not the id of a match", BAD_INPUT)


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
