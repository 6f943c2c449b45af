"""A match as text, to keep or to send with a report."""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.heads import read_page
from app.rules.game import Seat
from app.rules.registry import RECORDS

_EVENTS = text("""
    select rules_version, payload::text as payload from match_events
    where match_id = :id and version <= :version order by seq
""")


async def export_text(session: AsyncSession, *, match_id: UUID, seat: Seat | None) -> str:
    """Return the match in the game's own text form; raises NotFoundError.

    While the match runs it holds only the events the viewer may know; once it
    is over, all of them, and the text reads back to the same match.
    """
    head = (await read_page(session, match_id, seat)).head
    game = head.codec.game
    rows = await session.execute(_EVENTS, {"id": match_id, "version": head.version})
    events = (head.codec.load_event(row.payload, row.rules_version) for row in rows)
    if head.status == "running":
        events = (seen for event in events if (seen := game.event_view(event, seat)) is not None)
    return RECORDS[game.key].to_text(tuple(events))
