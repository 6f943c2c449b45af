"""Standing orders: what a seat answers by itself whenever it is asked."""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, NotFoundError
from app.matches.heads import lock_head
from app.matches.previews import rejected
from app.rules.game import NotationError, Seat

_SET = text("""
    insert into match_standing (match_id, seat, line)
    select match_id, seat, :line from match_seats
    where match_id = :id and seat = :seat and person_id = :person
    on conflict (match_id, seat) do update set line = excluded.line
    returning true
""")

_DROP = text("""
    delete from match_standing where match_id = :id and seat = :seat
      and exists (select from match_seats
        where match_id = :id and seat = :seat and person_id = :person)
""")


async def set_standing(
    session: AsyncSession, *, match_id: UUID, seat: Seat, person_id: UUID, order: str | None
) -> None:
    """Let `order` answer for the seat from the next prompt on; None: ask again.

    A prompt that is open already is still the person's to answer.  Raises
    NotFoundError when the person does not hold the seat, ConflictError when the
    match is over, and MoveRejectedError for what is no standing order.
    """
    head, _ = await lock_head(session, match_id)
    if head.status != "running":
        raise ConflictError("match.finished")
    where = {"id": match_id, "seat": seat, "person": person_id}
    if order is None:
        await session.execute(_DROP, where)
        return
    try:
        head.codec.game.check_standing(order)
    except NotationError as error:
        raise rejected(error) from error
    if not await session.scalar(_SET, {**where, "line": order}):
        raise NotFoundError("match.not_found")
