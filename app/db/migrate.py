"""Bring the schema to this program's version."""

from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection

from app.db.revisions import ROOT

if TYPE_CHECKING:
    from alembic.config import Config


def upgrade(url: str, revision: str = "head") -> None:
    """Migrate the database at `url`, one transaction per revision."""
    # Alembic costs memory and time that a running server need not pay.
    from alembic import command  # noqa: PLC0415 - see above

    command.upgrade(alembic_config(url), revision)


def downgrade(url: str, revision: str) -> None:
    """Take the database at `url` back to `revision` (`base`, `-1`)."""
    from alembic import command  # noqa: PLC0415 - as in upgrade

    command.downgrade(alembic_config(url), revision)


def alembic_config(url: str) -> "Config":
    """Return Alembic's configuration for the database at `url`."""
    from alembic.config import Config  # noqa: PLC0415 - as in upgrade

    config = Config(str(ROOT / "alembic.ini"))
    config.attributes["url"] = url
    return config


async def current(connection: AsyncConnection) -> str | None:
    """Return the revision the database is at; None before the first migration."""
    try:
        found = await connection.execute(text("select version_num from alembic_version"))
    except ProgrammingError:
        return None
    return found.scalar_one_or_none()
