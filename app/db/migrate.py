"""Bring the schema to this program's version."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from alembic.config import Config

ROOT = Path(__file__).parents[2]
VERSIONS = ROOT / "migrations" / "versions"

_REVISION = re.compile(r'^revision: str = "([^"]+)"', re.MULTILINE)
_PARENT = re.compile(r'^down_revision: str \| None = "([^"]+)"', re.MULTILINE)


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


def head() -> str:
    """Return the newest revision this program brings, read from its files.

    Raises RuntimeError unless the history has exactly one end.
    """
    known: set[str] = set()
    parents: set[str] = set()
    for path in VERSIONS.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        known.update(_REVISION.findall(source))
        parents.update(_PARENT.findall(source))
    ends = sorted(known - parents)
    if len(ends) != 1:
        raise RuntimeError(f"the migrations have {len(ends)} ends instead of one: {ends}")
    return ends[0]


async def current(connection: AsyncConnection) -> str | None:
    """Return the revision the database is at; None before the first migration."""
    try:
        found = await connection.execute(text("select version_num from alembic_version"))
    except ProgrammingError:
        return None
    return found.scalar_one_or_none()
