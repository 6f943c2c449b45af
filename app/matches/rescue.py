"""What a host may do to a match that players cannot help: void it, take turns back, seat another.

None of it touches the log.  Ending a match and seating somebody need no rules,
so even a match that nothing can read any more can be ended.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.notices import CHANNEL, audience_changed, match_moved
from app.errors import ConflictError, InvalidError, NotFoundError
from app.matches.asking import ask, tell_withdrawn
from app.matches.clockwork import refill, settle_clocks
from app.matches.codec import dump, open_prompts
from app.matches.games import codec_for
from app.matches.history import state_at
from app.matches.writes import replace_draft
from app.rules.game import Seat

_LOCK = text("select game, version, status, prompts from matches where id = :id for no key update")

_ROLLBACKS = text("select version, to_version from match_rollbacks where match_id = :id")

_BOTS = text("select seat from match_seats where match_id = :id and bot is not null")

_VOID = text("""
    with answered as (
      delete from match_answers where match_id = :id
    ), drafts as (
      update match_drafts set moves = '{}', revision = revision + 1, updated_at = :now
      where match_id = :id
    ), orders as (
      delete from match_standing where match_id = :id
    ), head as (
      update matches
      set status = 'void', prompts = '{}', version = :version, updated_at = :now,
          finished_at = :now
      where id = :id
    )
    select pg_notify(:channel, :moved)
""")

_ROLL_BACK = text("""
    with answered as (
      delete from match_answers where match_id = :id
    ), drafts as (
      update match_drafts set moves = '{}', revision = revision + 1, updated_at = :now
      where match_id = :id
    ), seats as (
      update match_seats set committed_version = least(committed_version, :to)
      where match_id = :id
    ), noted as (
      insert into match_rollbacks (match_id, version, to_version, at)
      values (:id, :version, :to, :now)
    ), head as (
      update matches
      set state = cast(:state as jsonb), rules_version = :rules_version,
          prompts = cast(:prompts as jsonb), version = :version, updated_at = :now
      where id = :id
    )
    select pg_notify(:channel, :moved)
""")

_SEAT = text("""
    with seat as (
      update match_seats
      set person_id = :person, bot = :bot, name = :name, resigned_at = :resigned_at
      where match_id = :id and seat = :seat
      returning seat
    ), draft as (
      update match_drafts set moves = '{}', revision = revision + 1, updated_at = :now
      where match_id = :id and seat = :seat
    ), orders as (
      delete from match_standing where match_id = :id and seat = :seat
    ), head as (
      update matches set version = :version, updated_at = :now where id = :id
    )
    select seat, pg_notify(:channel, :moved), pg_notify(:channel, :audience) from seat
""")

_NAMES = text("select seat, name, kit from match_seats where match_id = :id order by seat")

_ANSWERED = text("select true from match_answers where match_id = :id and seat = :seat")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupant:
    """Who is to sit in a seat: a person, or the bot of that name."""

    name: str
    person_id: UUID | None = None
    bot: str | None = None


async def names_of_seats(session: AsyncSession, match_id: UUID) -> dict[Seat, tuple[str, int]]:
    """Return name and kit of each seat; none for a match there is not."""
    found = await session.execute(_NAMES, {"id": match_id})
    return {Seat(row.seat): (row.name, row.kit) for row in found}


async def void_match(session: AsyncSession, *, match_id: UUID, now: datetime) -> int:
    """End the match without a result and return its version; its seed may be shown now.

    Raises NotFoundError, and ConflictError when it is over already.
    """
    head = await _lock(session, match_id)
    version = int(head.version) + 1
    await session.execute(_VOID, _moving(match_id, version, now))
    await settle_clocks(session, match_id=match_id, version=version, now=now)
    return version


async def roll_back(
    session: AsyncSession, *, match_id: UUID, to_version: int, now: datetime
) -> int:
    """Let the match go on from where it stood at `to_version`; return its new version.

    The turns taken back stay in the log, struck.  What is drawn from here on is
    drawn anew: nobody can rely on what the turns taken back have shown.  Open
    answers and drafts are dropped, standing orders stay.  Raises NotFoundError,
    ConflictError when the match is over (its seed is public, so it cannot go on),
    and InvalidError `match.no_such_version` for a version that is not earlier, or
    was taken back itself.
    """
    head = await _lock(session, match_id)
    struck = list(await session.execute(_ROLLBACKS, {"id": match_id}))
    if not 0 < to_version < head.version or any(
        row.to_version < to_version < row.version for row in struck
    ):
        raise InvalidError("match.no_such_version", version=to_version)
    codec = codec_for(head.game)
    state = await state_at(session, match_id, codec, to_version)
    version = int(head.version) + 1
    prompts = open_prompts(codec.game.prompts(state), version, {})
    await session.execute(
        _ROLL_BACK,
        {
            **_moving(match_id, version, now),
            "to": to_version,
            "state": codec.dump_state(state),
            "rules_version": codec.game.rules_version,
            "prompts": dump(prompts),
        },
    )
    for seat, prompt in prompts.items():
        if prompt.draft:
            await replace_draft(
                session, match_id, seat, prompt=prompt.key, lines=prompt.draft, now=now
            )
    await settle_clocks(session, match_id=match_id, version=version, now=now, undone_to=to_version)
    bots = frozenset(await session.scalars(_BOTS, {"id": match_id}))
    await ask(session, match_id, version, prompts, bots)
    await tell_withdrawn(session, match_id, undone_to=to_version, undone_at=version)
    return version


async def seat_occupant(
    session: AsyncSession, *, match_id: UUID, seat: Seat, occupant: Occupant, now: datetime
) -> int:
    """Give the seat to somebody else and return the match's new version.

    The draft of whoever sat there is dropped; an answer already given stands.
    Raises NotFoundError without such a match or seat, ConflictError when the
    match is over.
    """
    head = await _lock(session, match_id)
    version = int(head.version) + 1
    seated = await session.execute(
        _SEAT,
        {
            **_moving(match_id, version, now),
            "seat": seat,
            "person": occupant.person_id,
            "bot": occupant.bot,
            "name": occupant.name,
            # A bot's seat is one that somebody has left.
            "resigned_at": None if occupant.bot is None else now,
            "audience": audience_changed(match_id),
        },
    )
    if seated.one_or_none() is None:
        raise NotFoundError("match.not_found")
    await refill(session, match_id=match_id, seat=seat, version=version, now=now)
    await settle_clocks(session, match_id=match_id, version=version, now=now)
    answered = await session.scalar(_ANSWERED, {"id": match_id, "seat": seat})
    if str(seat) in head.prompts and not answered:
        bots = frozenset() if occupant.bot is None else {seat}
        await ask(session, match_id, version, {seat}, bots)
    return version


async def _lock(session: AsyncSession, match_id: UUID) -> Row[Any]:
    """Lock a match that runs, without reading its state."""
    row = (await session.execute(_LOCK, {"id": match_id})).one_or_none()
    if row is None:
        raise NotFoundError("match.not_found")
    if row.status != "running":
        raise ConflictError("match.finished")
    return row


def _moving(match_id: UUID, version: int, now: datetime) -> dict[str, Any]:
    return {
        "id": match_id,
        "version": version,
        "now": now,
        "channel": CHANNEL,
        "moved": match_moved(match_id, version),
    }
