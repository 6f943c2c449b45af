"""Matches of a tiny game, on real PostgreSQL."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.session import Sessions
from app.matches import games
from app.matches.codec import Codec
from tests.support import pinya
from tests.support.matches import Matches

PINYA = Codec.of(pinya.PINYA, pinya.State, pinya.Event)


@pytest.fixture(autouse=True)
def _pinya(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tiny game be played."""
    monkeypatch.setitem(games.CODECS, "pinya", PINYA)


@pytest.fixture
def matches(sessions: Sessions, engine: AsyncEngine) -> Matches:
    """Return short words for playing, each in a transaction of its own."""
    return Matches(sessions, engine)
