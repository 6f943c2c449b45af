"""Standing orders: what a seat answers by itself when it is asked, and what becomes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, NotFoundError
from app.matches.deciding import Use
from app.matches.heads import lock_head
from app.matches.previews import rejected
from app.rules.game import IllegalMoveError, NotationError, Seat

End: TypeAlias = Literal["played", "asked", "passed"]

_HELD = text("""
    select true from match_seats where match_id = :id and seat = :seat and person_id = :person
""")

_SET = text("""
    insert into match_standing (match_id, seat, decision, line)
    values (:id, :seat, :decision, :line)
    on conflict (match_id, seat, decision) do update
      set line = excluded.line, ended = null, played = null, version = null
""")

_DROP = text("""
    delete from match_standing
    where match_id = :id and seat = :seat and decision = :decision and ended is null
""")

_USED = text("""
    insert into match_standing (match_id, seat, decision, line, ended, played, version)
    values (:id, :seat, :decision, :line, :ended, :played, :version)
    on conflict (match_id, seat, decision) do update
      set line = excluded.line, ended = excluded.ended, played = excluded.played,
          version = excluded.version
""")

_PASSED = text("""
    update match_standing set ended = 'passed', version = :version
    where match_id = :id and seat = :seat and ended is null
      and decision = any(cast(:passed as text[]))
""")

_OF_SEAT = text("""
    select decision, line, ended, played, version from match_standing
    where match_id = :id and seat = :seat order by version, decision
""")

_OF_PERSON = text("""
    select o.match_id, o.seat, o.decision, o.line, o.ended, o.played, o.version
    from match_seats s join matches m on m.id = s.match_id
    join match_standing o on o.match_id = s.match_id and o.seat = s.seat
    where s.person_id = :person and m.status = 'running' and o.ended is null
    order by m.updated_at desc, o.match_id, o.seat, o.decision
""")


@dataclass(frozen=True, slots=True)
class StandingOrder:
    """What a seat has left for a decision.

    `ended` is None while it stands; else it answered what was `played`, or left
    it to the seat that was `asked`, or its decision has `passed` without it, each
    with that `version` of the match.
    """

    decision: str
    line: str
    ended: End | None
    played: str | None
    version: int | None


async def set_standing(
    session: AsyncSession,
    *,
    match_id: UUID,
    seat: Seat,
    person_id: UUID,
    decision: str,
    order: str | None,
) -> None:
    """Let `order` answer for the seat when `decision` is asked for; None: ask again.

    A prompt that is open already is still the person's to answer.  Raises
    NotFoundError when the person does not hold the seat, ConflictError when the
    match is over, and MoveRejectedError for what is no standing order or names
    no decision that is to come.
    """
    head, _ = await lock_head(session, match_id)
    where = {"id": match_id, "seat": seat}
    if not await session.scalar(_HELD, {**where, "person": person_id}):
        raise NotFoundError("match.not_found")
    if head.status != "running":
        raise ConflictError("match.finished")
    if order is None:
        await session.execute(_DROP, {**where, "decision": decision})
        return
    try:
        line = head.codec.game.check_standing(head.state, seat, decision, order)
    except (NotationError, IllegalMoveError) as error:
        raise rejected(error) from error
    await session.execute(_SET, {**where, "decision": decision, "line": line})


async def settle_orders(
    session: AsyncSession,
    *,
    match_id: UUID,
    version: int,
    used: Sequence[Use],
    passed: Mapping[Seat, frozenset[str]],
) -> None:
    """Note what was `used` with `version`, and end the orders left for what has `passed`."""
    for use in used:
        values = {
            "id": match_id,
            "seat": use.seat,
            "decision": use.decision,
            "line": use.order,
            "ended": "asked" if use.played is None else "played",
            "played": use.played,
            "version": version,
        }
        await session.execute(_USED, values)
    for seat, keys in passed.items():
        if keys:
            where = {"id": match_id, "seat": seat, "version": version, "passed": sorted(keys)}
            await session.execute(_PASSED, where)


async def standing_orders(
    session: AsyncSession, *, match_id: UUID, seat: Seat
) -> tuple[StandingOrder, ...]:
    """Return what the seat has left, those that have ended first, as they ended."""
    return tuple(map(_order, await session.execute(_OF_SEAT, {"id": match_id, "seat": seat})))


async def orders_left(
    session: AsyncSession, person_id: UUID
) -> tuple[tuple[UUID, Seat, tuple[StandingOrder, ...]], ...]:
    """Return what stands for a person in running matches: the match, the seat, its orders."""
    rows = list(await session.execute(_OF_PERSON, {"person": person_id}))
    places = groupby(rows, key=lambda row: (row.match_id, row.seat))
    return tuple((where, Seat(seat), tuple(map(_order, group))) for (where, seat), group in places)


def _order(row: Row[Any]) -> StandingOrder:
    return StandingOrder(row.decision, row.line, row.ended, row.played, row.version)
