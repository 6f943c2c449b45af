"""`placa login-link NAME`: let somebody in who has forgotten the password."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import app
from app.cli.surroundings import database, fail, open_sessions, prepare

if TYPE_CHECKING:
    from app.accounts.values import NewLink
    from app.config import Settings

BAD_INPUT = 2


@app.command("login-link")
def login_link(name: Annotated[str, typer.Argument(help="The account's name.")]) -> None:
    """Print a link that signs the account in once, within ten minutes, to set a new password."""
    with database(prepare()) as settings:
        link = asyncio.run(_make(settings, name))
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    typer.echo(f"{base}/device/{link.token}")
    typer.echo(f"Works once, until {link.expires_at:%H:%M} UTC.", err=True)


async def _make(settings: "Settings", name: str) -> "NewLink":
    """Return a new link for the account called `name`."""
    from app.accounts.links import make_link  # noqa: PLC0415 - only this command needs it
    from app.accounts.service import find_account  # noqa: PLC0415 - as above
    from app.clock import SYSTEM_CLOCK  # noqa: PLC0415 - as above
    from app.db.session import transaction  # noqa: PLC0415 - as above
    from app.errors import NotFoundError  # noqa: PLC0415 - as above

    async with open_sessions(settings) as sessions, transaction(sessions) as session:
        try:
            person = await find_account(session, name=name)
        except NotFoundError:
            fail(f"there is no account called {name!r}", BAD_INPUT)
        return await make_link(session, person=person, now=SYSTEM_CLOCK.now(), purpose="login")
