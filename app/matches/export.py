"""A match as text, to keep or to send with a report."""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.heads import read_page
from app.rules.game import Seat
from app.rules.registry import RECORDS

_EVENTS = text("""
    select rules_version, payload::text as payload from match_log
    where match_id = :id and version <= :version order by seq
""")


async def export_text(session: AsyncSession, *, match_id: UUID, seat: Seat | None) -> str:
    """Return the match in the game's own text form; raises NotFoundError.

    While the match runs it holds only the events the viewer may know by now;
    once it is over, all of them.  What is in it reads back to the same position.
    """
    head = (await read_page(session, match_id, seat)).head
    rows = await session.execute(_EVENTS, {"id": match_id, "version": head.version})
    events = tuple(head.codec.load_event(row.payload, row.rules_version) for row in rows)
    record = RECORDS[head.codec.game.key]
    return record.to_text(record.known(events, seat) if head.status == "running" else events)
