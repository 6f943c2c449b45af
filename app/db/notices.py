"""What the processes tell each other with NOTIFY, so that polls need no database.

A notice is a few words and never a secret.  It travels in the transaction that
causes it: what is rolled back was never said.  `app.matches.live` listens.
"""

from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

CHANNEL: Final = "placa_live"
BEAT: Final = "beat"


async def tell(session: AsyncSession, notice: str) -> None:
    """Send `notice` to every process once `session` commits."""
    await session.execute(
        text("select pg_notify(:channel, :notice)"), {"channel": CHANNEL, "notice": notice}
    )


def match_moved(match_id: UUID, version: int) -> str:
    """Say that a match has a new version."""
    return f"match {match_id} {version}"


def draft_changed(match_id: UUID, seat: int, revision: int) -> str:
    """Say that a seat's own draft has changed."""
    return f"draft {match_id} {seat} {revision}"


def talk_grew(match_id: UUID, count: int) -> str:
    """Say how many lines the talk around a match has now."""
    return f"talk {match_id} {count}"


def audience_changed(match_id: UUID) -> str:
    """Say that a seat or a watcher of a match has come or gone."""
    return f"audience {match_id}"


def session_changed(session_hash: bytes) -> str:
    """Say that a device's session has ended or belongs to somebody else now."""
    return f"session {session_hash.hex()}"
