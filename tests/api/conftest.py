"""The JSON API in this process, on real PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from app.config import Settings
from app.db.session import Sessions
from app.logs import configure_logging
from app.main import create_app
from tests.support.clock import SettableClock
from tests.support.programs import Programs

SECRET_KEY = "a key for tests, and for nothing else at all"


@pytest.fixture
async def programs(
    database_url: str, sessions: Sessions, clock: SettableClock
) -> AsyncIterator[Programs]:
    """Return what makes people with programs that act for them."""
    configure_logging(log_format="json", level="error")
    settings = Settings(
        database_url=database_url, secret_key=SECRET_KEY, public_url="https://plaza.test"
    )
    app = create_app(settings, clock=clock)
    async with Programs.of(app, sessions) as programs:
        yield programs
    await app.state.engine.dispose()
