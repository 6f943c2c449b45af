"""What the host's commands share: a deed in one transaction, refusals as one line."""

import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from app.cli.surroundings import database, fail, open_sessions, prepare

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from app.config import Settings
    from app.hosting.service import Deed

BAD_INPUT = 2
T = TypeVar("T")


def act(work: "Callable[[AsyncSession, Deed], Awaitable[T]]", reason: str = "") -> T:
    """Do `work` in one transaction of the database of the settings; end with what it refuses."""
    with database(prepare()) as settings:
        return asyncio.run(_act(settings, work, reason))


async def _act(
    settings: "Settings", work: "Callable[[AsyncSession, Deed], Awaitable[T]]", reason: str
) -> T:
    from app.clock import SYSTEM_CLOCK  # noqa: PLC0415 - see app.cli
    from app.db.session import transaction  # noqa: PLC0415 - as above
    from app.errors import AppError  # noqa: PLC0415 - as above
    from app.hosting.audit import Actor  # noqa: PLC0415 - as above
    from app.hosting.service import Deed  # noqa: PLC0415 - as above
    from app.i18n.errors import explain  # noqa: PLC0415 - as above

    deed = Deed(Actor.shell(user()), SYSTEM_CLOCK.now(), reason)
    try:
        async with open_sessions(settings) as sessions, transaction(sessions) as session:
            return await work(session, deed)
    except AppError as error:
        fail(f"{explain(error.code, error.details)} ({error})", BAD_INPUT)


def read_bytes(file: Path) -> bytes:
    """Return what `file` holds, or standard input for `-`."""
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        fail(f"{file}: {error.strerror}", BAD_INPUT)


def user() -> str:
    """Return who works at this machine, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"  # a container's user need not be in any list
