"""`placa login-link NAME`: let somebody in who has forgotten the password."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.acting import BAD_INPUT, act
from app.cli.surroundings import fail, read_settings

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from app.accounts.values import NewLink
    from app.hosting.service import Deed


@app.command("login-link")
def login_link(name: Annotated[str, typer.Argument(help="The account's name.")]) -> None:
    """Print a link that signs the account in once, within ten minutes, to set a new password."""
    from app.errors import NotFoundError  # noqa: PLC0415 - see app.cli
    from app.hosting import service  # noqa: PLC0415 - as above

    async def make(session: "AsyncSession", deed: "Deed") -> "NewLink":
        try:
            return await service.login_link(session, deed, name=name)
        except NotFoundError:
            fail(f"there is no account called {name!r}", BAD_INPUT)

    print_link(act(make))


def print_link(link: "NewLink") -> None:
    """Print the address of a one-time link."""
    settings = read_settings()
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    typer.echo(f"{base}/device/{link.token}")
    typer.echo(f"Works once, until {link.expires_at:%H:%M} UTC.", err=True)
