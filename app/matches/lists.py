"""A person's matches, the few that are looked at: one who plays much has thousands."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.games import codec_for
from app.matches.heads import load_seats
from app.matches.pages import MatchCard
from app.rules.game import Seat

CARDS_SHOWN: Final = 30

# Whether one of the person's seats is asked and has not answered.
_MY_TURN = """(m.status = 'running' and exists (
    select from match_seats s
    where s.match_id = m.id and s.person_id = :person and m.prompts ? s.seat::text
      and not exists (select from match_answers a where a.match_id = m.id and a.seat = s.seat)))"""

_MINE = text(f"""
    with shown as (
      select m.id, m.status <> 'running' as over, {_MY_TURN} as my_turn, m.updated_at from matches m
      where m.id in (select match_id from match_seats where person_id = :person)
      order by over, my_turn desc, m.updated_at desc, m.id limit :most offset :skip
    )
    select m.id, m.game, m.version, m.status, m.updated_at, m.rules_version,
      m.clock is not null as clocked,
      m.state::text as state,
      (select jsonb_agg(jsonb_build_object('seat', seat, 'name', name, 'kit', kit,
          'person_id', person_id, 'bot', bot, 'resigned', resigned_at is not null) order by seat)
        from match_seats where match_id = m.id)::text as seats,
      (select coalesce(jsonb_agg(seat::int), '[]') from jsonb_each(m.prompts) as p(seat, prompt)
        where not exists (select from match_answers a
            where a.match_id = m.id and a.seat = p.seat::int)
          and (not coalesce(cast(prompt->'secret' as boolean), false)
            or exists (select from match_seats s where s.match_id = m.id
              and s.seat = p.seat::int and s.person_id = :person)))::text as asked
    from shown join matches m on m.id = shown.id
    order by over, my_turn desc, m.updated_at desc, m.id
""")  # noqa: S608 - constants only

_COUNTS = text(f"""
    select count(*) filter (where m.status = 'running') as running,
      count(*) filter (where {_MY_TURN}) as my_turn,
      count(*) as all
    from matches m where m.id in (select match_id from match_seats where person_id = :person)
""")  # noqa: S608 - constants only


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many matches a person has: all of them, those that run, those that wait for them."""

    all: int
    running: int
    my_turn: int


async def my_matches(
    session: AsyncSession, person_id: UUID, *, skip: int = 0, most: int | None = None
) -> tuple[MatchCard, ...]:
    """Return a person's matches: those that wait for them first, then running, then over.

    Within each, the latest first; no more than `most`, or one page of them, after
    the first `skip`.
    """
    limits = {"most": CARDS_SHOWN if most is None else most, "skip": skip}
    found = await session.execute(_MINE, {"person": person_id, **limits})
    return tuple(_card(row, person_id) for row in found)


async def match_counts(session: AsyncSession, person_id: UUID) -> MatchCounts:
    """Return how many matches a person has."""
    row = (await session.execute(_COUNTS, {"person": person_id})).one()
    return MatchCounts(row.all, row.running, row.my_turn)


def _card(row: Any, person_id: UUID) -> MatchCard:
    seats = load_seats(row.seats)
    mine = tuple(info.seat for info in seats if info.person_id == person_id)
    codec = codec_for(row.game)
    state = codec.load_state(row.state, row.rules_version)
    return MatchCard(
        id=row.id,
        game=row.game,
        version=row.version,
        status=row.status,
        seats=seats,
        mine=mine,
        asked=frozenset(msgspec.json.decode(row.asked, type=list[Seat])),
        updated_at=row.updated_at,
        clocked=row.clocked,
        view=codec.game.view(state, mine[0]),
        outcome=codec.game.outcome(state),
    )
