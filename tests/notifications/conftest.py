"""What tests of notices share."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from tests.support.clock import SettableClock
from tests.support.post import Post, post_office


@pytest.fixture
async def post(
    sessions: Sessions, engine: AsyncEngine, clock: SettableClock, database_url: str
) -> AsyncIterator[Post]:
    """Return a post office on the emptied database."""
    async with post_office(sessions, engine, clock, database_url) as post:
        yield post
