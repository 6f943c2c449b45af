"""One session, and so one transaction, per request, job or command.

Nothing else in the application commits: services are handed a session and
leave it open.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

Sessions = async_sessionmaker[AsyncSession]


def make_sessions(engine: AsyncEngine) -> Sessions:
    """Return the maker of sessions on `engine`; loaded values outlive the commit."""
    return async_sessionmaker(engine, expire_on_commit=False)


def transaction(sessions: Sessions) -> AbstractAsyncContextManager[AsyncSession]:
    """Open a session that commits when its block ends and rolls back when it raises.

    For entry points without a request: the worker wrapper and the commands.
    """
    return sessions.begin()


async def talk_elsewhere(session: AsyncSession) -> None:
    """Let the transaction wait for somebody else, a mail server for example, as long as it takes.

    One that the database ended when a letter was in would send it again and again.
    Whoever calls this gives up in time.
    """
    await session.execute(text("set local idle_in_transaction_session_timeout = 0"))


async def open_session(request: Request) -> AsyncIterator[AsyncSession]:
    """Commit when the handler returns, roll back when it raises.

    The dependency below has function scope: with FastAPI's default (request
    scope) the commit would run only *after* the response had been sent, and a
    failed commit would look like a success.
    """
    sessions: Sessions = request.app.state.sessions
    async with transaction(sessions) as session:
        yield session


Session = Annotated[AsyncSession, Depends(open_session, scope="function")]
