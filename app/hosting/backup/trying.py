"""Trying a backup: restored into a database of its own for a moment, every match proven."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import psycopg
from psycopg import sql

from app.db.address import conninfo
from app.db.engine import driver_url, make_engine
from app.db.session import make_sessions
from app.hosting.backup.container import BackupError, Header, first_line
from app.hosting.backup.restoring import restore
from app.matches.history import match_ids, verify
from app.matches.proof import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What a backup came to: how many rows of what, and what is wrong with its matches."""

    header: Header
    counts: dict[str, int]
    matches: int
    problems: tuple[Problem, ...]


@contextmanager
def scratch_database(url: str) -> Iterator[str]:
    """Yield the URL of a new, empty database on the server of `url`, dropped afterwards.

    Raises BackupError when the role of `url` may not make one.
    """
    name = f"placa_try_{secrets.token_hex(6)}"
    try:
        server = psycopg.connect(conninfo(url), autocommit=True, connect_timeout=10)
    except psycopg.OperationalError as error:
        raise BackupError(f"no database: {first_line(error)}") from error
    with server:
        try:
            server.execute(
                sql.SQL("create database {} template template0").format(sql.Identifier(name))
            )
        except psycopg.errors.InsufficientPrivilege as error:
            raise BackupError(
                "this role may not make a database to try the backup in: name an empty one with"
                " --scratch, or look at the file alone with --file-only"
            ) from error
        try:
            yield driver_url(url).set(database=name).render_as_string(hide_password=False)
        finally:
            server.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


async def prove(url: str) -> tuple[int, tuple[Problem, ...]]:
    """Prove every match in the database at `url`; return how many, and what is wrong."""
    engine = make_engine(url, application_name="placa backup")
    sessions = make_sessions(engine)
    problems: list[Problem] = []
    count = 0
    try:
        async with sessions() as session:
            async for match_id in match_ids(session):
                problems += await verify(session, match_id)
                count += 1
    finally:
        await engine.dispose()
    return count, tuple(problems)


async def try_out(url: str, file: IO[bytes]) -> Trial:
    """Restore the backup into the empty database at `url` and prove its matches."""
    header, counts = restore(url, file)
    matches, problems = await prove(url)
    return Trial(header=header, counts=counts, matches=matches, problems=problems)
