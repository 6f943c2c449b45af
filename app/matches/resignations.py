"""How a person leaves a match, and how seats change hands."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.notices import CHANNEL, audience_changed, match_moved, tell
from app.errors import ConflictError
from app.i18n.names import FORGOTTEN
from app.matches.asking import ask_bots, tell_people
from app.matches.clockwork import settle_clocks
from app.matches.heads import lock_head, read_beside
from app.matches.values import Committed
from app.matches.writes import Claim, claim_key
from app.rules.game import Seat

STAND_IN = "steady"

_FINGERPRINT = b"resign"

_STEP_DOWN = text("""
    update match_seats set person_id = null, bot = :bot, resigned_at = :now
    where match_id = :id and seat = :seat and bot is null
    returning seat
""")

_PEOPLE_LEFT = text("select count(*) from match_seats where match_id = :id and bot is null")

_NEXT_VERSION = text("""
    with claim as (
      update match_commands set version = :version
      where match_id = :id and seat = :seat and key = :key
    ), draft as (
      update match_drafts set moves = '{}' where match_id = :id and seat = :seat
    ), standing as (
      delete from match_standing where match_id = :id and seat = :seat
    ), head as (
      update matches set version = :version, updated_at = :now where id = :id
    )
    select pg_notify(:channel, :moved), pg_notify(:channel, :audience)
""")

# The log, the state and the seed stay as they are: a void match can be read and
# verified, and nobody is asked anything.  No call of the engine is needed.
_VOID = text("""
    with answered as (delete from match_answers where match_id = :id)
    update matches set status = 'void', prompts = '{}', finished_at = :now where id = :id
""")

_LOCK_RUNNING = text("""
    select m.id from matches m
    where m.status = 'running'
      and m.id in (select match_id from match_seats where person_id = :person)
    order by m.id for no key update
""")

_RUNNING_SEATS = text("""
    select s.match_id, s.seat from match_seats s join matches m on m.id = s.match_id
    where s.person_id = :person and m.status = 'running' order by s.match_id, s.seat
""")

_FORGET_NAME = text("""
    update match_seats set name = :nobody
    where (match_id, seat) in (
      select match_id, seat from match_seats where person_id = :person
      union select s.match_id, s.seat
        from unnest(cast(:matches as uuid[]), cast(:kits as int[])) as was(match_id, kit)
        join match_seats s on s.match_id = was.match_id and s.kit = was.kit)
""")

_MOVE_SEATS = text("""
    update match_seats set person_id = :new where person_id = :old returning match_id
""")


async def resign(
    session: AsyncSession, *, match_id: UUID, seat: Seat, key: str, now: datetime
) -> Committed:
    """Give the seat to a bot, at any moment of the match.

    The seat's draft and standing order are dropped; an answer already given stands.  When the last
    person leaves, the match is void: nobody is there to see bots play on.
    Raises NotFoundError, KeyReusedError, and ConflictError when the match is
    over or a bot sits there.
    """
    claim = Claim(match_id=match_id, seat=seat, key=key)
    done = await claim_key(session, claim, _FINGERPRINT)
    if done is not None:
        return Committed(done)
    head, _ = await lock_head(session, match_id)
    if head.status != "running":
        raise ConflictError("match.finished")
    here = {"id": match_id, "seat": seat, "now": now}
    left = await session.execute(_STEP_DOWN, {**here, "bot": STAND_IN})
    if left.scalar_one_or_none() is None:
        raise ConflictError("match.seat_is_bot")

    version = head.version + 1
    await session.execute(
        _NEXT_VERSION,
        {
            **here,
            "key": key,
            "version": version,
            "channel": CHANNEL,
            "moved": match_moved(match_id, version),
            "audience": audience_changed(match_id),
        },
    )
    if not (await session.execute(_PEOPLE_LEFT, {"id": match_id})).scalar_one():
        await session.execute(_VOID, here)
    elif seat in head.prompts:
        beside = await read_beside(session, match_id, seat, head.prompts[seat].key)
        if seat not in beside.answers:
            await ask_bots(session, match_id, version, {seat}, {seat})
    if head.clocked:
        await settle_clocks(session, match_id=match_id, version=version, now=now)
    return Committed(version)


async def running_seats(session: AsyncSession, person_id: UUID) -> tuple[tuple[UUID, Seat], ...]:
    """Return every seat the person has in a match that runs, in order."""
    found = await session.execute(_RUNNING_SEATS, {"person": person_id})
    return tuple((row.match_id, Seat(row.seat)) for row in found)


async def lock_running(session: AsyncSession, person_id: UUID) -> frozenset[UUID]:
    """Lock every match that runs with the person in it, in order, and return them."""
    return frozenset(await session.scalars(_LOCK_RUNNING, {"person": person_id}))


async def move_seats(session: AsyncSession, *, old: UUID, new: UUID) -> None:
    """Give every seat of one person to another: a guest has signed in to an account."""
    moved = await session.execute(_MOVE_SEATS, {"old": old, "new": new})
    for match_id in sorted(set(moved.scalars())):
        await tell(session, audience_changed(match_id))
        await tell_people(session, match_id)


async def forget_name(
    session: AsyncSession, *, person_id: UUID, left: Sequence[tuple[UUID, int]]
) -> None:
    """Take the person's name off their seats, and off those they `left`: match and kit of each."""
    await session.execute(
        _FORGET_NAME,
        {
            "nobody": FORGOTTEN,
            "person": person_id,
            "matches": [match_id for match_id, _ in left],
            "kits": [kit for _, kit in left],
        },
    )
