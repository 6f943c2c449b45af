"""How matches stand, without reading their positions: a match no rules can read is listed too."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotFoundError
from app.matches.codec import load_prompts
from app.matches.pages import SeatInfo, Status
from app.rules.game import Seat

_COLUMNS: Final = """
    m.id, m.game, m.rules_version, m.status, m.version, m.events, m.created_at, m.updated_at,
    m.commitment, m.prompts::text as prompts,
    (select jsonb_agg(jsonb_build_object('seat', seat, 'name', name, 'kit', kit,
        'person_id', person_id, 'bot', bot, 'resigned', resigned_at is not null) order by seat)
      from match_seats where match_id = m.id)::text as seats,
    (select coalesce(array_agg(seat), '{}') from match_answers where match_id = m.id) as answered
"""

_ONE = text(f"select {_COLUMNS} from matches m where m.id = :id")  # noqa: S608 - constants only

_LAST = text(f"""
    select {_COLUMNS} from matches m
    where cast(:status as text) is null or m.status = :status
    order by m.updated_at desc, m.id limit :limit
""")  # noqa: S608 - constants only


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """The outside of a match: nothing in it is hidden from anybody who plays."""

    id: UUID
    game: str
    rules_version: int
    status: Status
    version: int
    events: int
    created_at: datetime
    updated_at: datetime
    commitment: str
    seats: tuple[SeatInfo, ...]
    prompts: Mapping[Seat, str]
    waiting: tuple[Seat, ...]


async def standing_of(session: AsyncSession, match_id: UUID) -> MatchStanding:
    """Return how one match stands; raises NotFoundError."""
    row = (await session.execute(_ONE, {"id": match_id})).one_or_none()
    if row is None:
        raise NotFoundError("match.not_found")
    return _standing(row)


async def standings(
    session: AsyncSession, *, status: str | None, limit: int
) -> tuple[MatchStanding, ...]:
    """Return the matches that moved last, of `status` if it is given."""
    rows = await session.execute(_LAST, {"status": status, "limit": limit})
    return tuple(map(_standing, rows))


def _standing(row: Row[Any]) -> MatchStanding:
    prompts = load_prompts(row.prompts)
    return MatchStanding(
        id=row.id,
        game=row.game,
        rules_version=row.rules_version,
        status=row.status,
        version=row.version,
        events=row.events,
        created_at=row.created_at,
        updated_at=row.updated_at,
        commitment=row.commitment,
        seats=msgspec.json.decode(row.seats or "[]", type=tuple[SeatInfo, ...]),
        prompts={seat: prompt.key for seat, prompt in prompts.items()},
        waiting=tuple(sorted(set(prompts) - set(row.answered))),
    )
