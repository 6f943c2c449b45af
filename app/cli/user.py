"""`placa user`: what is kept about somebody, signing them out, forgetting them."""

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.cli import app
from app.cli.acting import BAD_INPUT, act
from app.cli.surroundings import fail

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from app.accounts.values import Person
    from app.hosting.service import Deed

T = TypeVar("T")

user = typer.Typer(help="Hand out, sign out or forget a person.", no_args_is_help=True)
app.add_typer(user, name="user")

Who = Annotated[str, typer.Argument(help="The account's name, or a person's id.")]


@user.command()
def export(who: Who) -> None:
    """Print all that is kept about somebody as JSON, without passwords and keys."""
    from app.hosting import people  # noqa: PLC0415 - see app.cli

    kept = _on(who, lambda session, deed, one: people.export_person(session, deed, person=one))
    typer.echo(json.dumps(kept, default=str, ensure_ascii=False, indent=2))


@user.command("sign-out")
def sign_out(who: Who) -> None:
    """End every session of somebody."""
    from app.hosting import people  # noqa: PLC0415 - see app.cli

    _on(who, lambda session, deed, one: people.sign_out(session, deed, person=one))
    typer.echo(f"{who} is signed out everywhere")


@user.command()
def delete(
    who: Who,
    yes: Annotated[bool, typer.Option("--yes", help="Without being asked.")] = False,
) -> None:
    """Forget somebody: bots take their seats, their matches stay without the name."""
    from app.hosting import people  # noqa: PLC0415 - see app.cli

    if not yes and not typer.confirm(f"Forget {who} for good?"):
        fail("nothing was done")
    _on(who, lambda session, deed, one: people.forget(session, deed, person=one))
    typer.echo(f"{who} is forgotten")


def _on(who: str, work: "Callable[[AsyncSession, Deed, Person], Awaitable[T]]") -> T:
    from app.errors import NotFoundError  # noqa: PLC0415 - see app.cli
    from app.hosting.service import somebody  # noqa: PLC0415 - as above

    async def found(session: "AsyncSession", deed: "Deed") -> T:
        try:
            person = await somebody(session, who)
        except NotFoundError:
            fail(f"there is nobody called {who!r}", BAD_INPUT)
        return await work(session, deed, person)

    return act(found)
