"""`placa match`: look at a match, and help where its players cannot."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from app.cli import app
from app.cli.acting import BAD_INPUT, act, read_bytes
from app.cli.surroundings import fail

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from app.hosting.service import Deed

match = typer.Typer(help="Look at matches and rescue them.", no_args_is_help=True)
app.add_typer(match, name="match")

MatchId = Annotated[str, typer.Argument(help="The match's id, as its address shows it.")]
Reason = Annotated[str, typer.Option(help="Why; it is kept in the audit log.")]


@match.command("list")
def list_(
    status: Annotated[str, typer.Option(help="running, finished, void or all.")] = "running",
    limit: Annotated[int, typer.Option(help="How many, the last moved first.")] = 50,
) -> None:
    """List matches with their seats and what they wait for."""
    from app.hosting.overview import matches  # noqa: PLC0415 - see app.cli

    if status not in {"running", "finished", "void", "all"}:
        fail("--status is running, finished, void or all", BAD_INPUT)
    wanted = None if status == "all" else status
    for line in act(lambda session, _deed: matches(session, status=wanted, limit=limit)):
        typer.echo(line.sentence())


@match.command()
def show(match_id: MatchId) -> None:
    """Show how a match stands: seats, who is asked, what hosts did to it, and its proof."""
    from app.hosting.overview import match_report  # noqa: PLC0415 - see app.cli

    wanted = _id(match_id)
    typer.echo("\n".join(act(lambda session, _deed: match_report(session, wanted))))


@match.command()
def void(match_id: MatchId, reason: Reason = "") -> None:
    """End a match without a result; it needs no rules, so a broken match can be ended too."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    wanted = _id(match_id)
    version = act(lambda session, deed: service.void(session, deed, match_id=wanted), reason)
    typer.echo(f"match {wanted} is void at version {version}")


@match.command()
def rollback(
    match_id: MatchId,
    version: Annotated[int, typer.Argument(help="The version to go on from.")],
    reason: Reason = "",
) -> None:
    """Take back what happened after a version; it stays in the log, struck."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    wanted = _id(match_id)
    now_at = act(
        lambda session, deed: service.take_back(session, deed, match_id=wanted, to_version=version),
        reason,
    )
    typer.echo(f"match {wanted} goes on from version {version} as version {now_at}")


@match.command("reassign-seat")
def reassign_seat(
    match_id: MatchId,
    seat: Annotated[int, typer.Argument(help="The seat, counted from 0.")],
    to: Annotated[str | None, typer.Option(help="An account's name, or a person's id.")] = None,
    bot: Annotated[str | None, typer.Option(help="A bot, e.g. steady.")] = None,
    reason: Reason = "",
) -> None:
    """Give a seat of a running match to another person, or to a bot."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli
    from app.rules.game import Seat  # noqa: PLC0415 - as above

    wanted = _id(match_id)
    if (to is None) == (bot is None):
        fail("give --to NAME or --bot NAME", BAD_INPUT)

    async def reassign(session: "AsyncSession", deed: "Deed") -> int:
        target = bot if to is None else await service.somebody(session, to)
        return await service.reassign_seat(
            session, deed, match_id=wanted, seat=Seat(seat), to=target or ""
        )

    version = act(reassign, reason)
    typer.echo(f"seat {seat} of match {wanted} has changed hands at version {version}")


@match.command()
def export(
    match_id: MatchId,
    with_secrets: Annotated[
        bool,
        typer.Option(help="A running match too, with all that its players may not know."),
    ] = False,
) -> None:
    """Print a match as a sealed file, for `placa verify`, `placa fairness` and `match import`."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    wanted = _id(match_id)
    text = act(
        lambda session, deed: service.export(
            session, deed, match_id=wanted, with_secrets=with_secrets
        )
    )
    sys.stdout.buffer.write(text.encode())


@match.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file of `match export`; - is standard input.")],
) -> None:
    """Put a match from a file into this database, under its own id."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli
    from app.matches.portable import read_portable  # noqa: PLC0415 - as above
    from app.matches.sealed import SealError  # noqa: PLC0415 - as above

    try:
        found = read_portable(read_bytes(file))
    except SealError as error:
        fail(f"{file}: {error}")
    match_id = act(lambda session, deed: service.bring_in(session, deed, found=found))
    typer.echo(f"match {match_id} is here; give its seats to people with `match reassign-seat`")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        fail(f"{text!r} is not the id of a match", BAD_INPUT)
