"""`placa admin`: who may look after the server from its admin page."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.acting import act
from app.cli.login_link import print_link

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from app.hosting.service import Deed

admin = typer.Typer(help="Make administrators.", no_args_is_help=True)
app.add_typer(admin, name="admin")

Name = Annotated[str, typer.Argument(help="The account's name.")]


@admin.command()
def create(name: Name) -> None:
    """Make an account an administrator, the account too if there is none.

    Prints a link that lets its owner in once, within ten minutes, to set a password.
    """
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    print_link(act(lambda session, deed: service.make_admin(session, deed, name=name)))


@admin.command()
def remove(name: Name) -> None:
    """Make an administrator an ordinary account again."""
    from app.hosting import service  # noqa: PLC0415 - see app.cli

    act(lambda session, deed: service.end_admin(session, deed, name=name))
    typer.echo(f"{name} is no administrator any more")


@admin.command("list")
def list_() -> None:
    """List the administrators."""
    from app.accounts.admins import admins  # noqa: PLC0415 - see app.cli

    for person in act(lambda session, _deed: admins(session)):
        typer.echo(f"{person.name}  {person.id}")


@admin.command()
def log(
    limit: Annotated[int, typer.Option(help="How many, the newest first.")] = 50,
    subject: Annotated[str | None, typer.Option(help="Only about this match or person.")] = None,
) -> None:
    """Print the audit log: what hosts did, when, and why."""
    from app.hosting.audit import deeds  # noqa: PLC0415 - see app.cli

    async def read(session: "AsyncSession", _deed: "Deed") -> list[str]:
        return [
            f"{deed.at:%Y-%m-%d %H:%M:%S} {deed.actor}: {deed.action} {deed.subject} {deed.details}"
            for deed in await deeds(session, subject=subject, limit=limit)
        ]

    for line in act(read):
        typer.echo(line)
