"""The head of a match and what lies beside it, read with few statements.

Hand-written SQL: this is the hot path of every click, and a state travels as
text straight into the decoder that knows its type.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotFoundError
from app.i18n.names import shown_name
from app.matches.codec import Codec, Prompts, StoredPrompt, load_prompts
from app.matches.games import codec_for
from app.matches.pages import SeatInfo, Status
from app.rules.game import Seat

_COLUMNS = """
    m.game, m.rules_version, m.version, m.events, m.status, m.prompts::text as prompts,
    m.state::text as state, m.clock is not null as clocked
"""

# FOR NO KEY UPDATE: plain FOR UPDATE would deadlock with the share lock that the
# foreign keys of a claimed key or a new draft have just taken on this row.
_LOCK = text(f"select {_COLUMNS}, m.seed from matches m where m.id = :id for no key update")  # noqa: S608 - constants only

# A statement of its own, after the lock: what it reads cannot be older than the head.
_BESIDE = text("""
    select
      (select jsonb_build_object('prompt', prompt, 'moves', moves, 'revision', revision)
        from match_drafts where match_id = :id and seat = :seat)::text as draft,
      (select coalesce(jsonb_object_agg(seat, line), '{}') from match_answers
        where match_id = :id and prompt = :prompt)::text as answers,
      (select coalesce(array_agg(seat), '{}') from match_seats
        where match_id = :id and bot is not null) as bots,
      (select coalesce(jsonb_object_agg(seat, orders), '{}') from (
        select seat, jsonb_object_agg(decision, line) as orders from match_standing
        where match_id = :id and ended is null group by seat) as left_by)::text as standing,
      (select person_id from match_seats where match_id = :id and seat = :seat) as person_id
""")

_DRAFT = text("""
    select jsonb_build_object('prompt', prompt, 'moves', moves, 'revision', revision)::text
    from match_drafts where match_id = :id and seat = :seat
""")

_PAGE = text(f"""
    select {_COLUMNS}, m.options::text as options, m.clock, m.created_at,
      m.finished_at, m.commitment,
      case when m.status = 'running' then null else m.seed end as seed,
      case when m.status = 'running' then null else m.nonce end as nonce,
      (select jsonb_agg(jsonb_build_object('seat', seat, 'name', name, 'kit', kit,
          'person_id', person_id, 'bot', bot, 'resigned', resigned_at is not null) order by seat)
        from match_seats where match_id = m.id)::text as seats,
      (select coalesce(jsonb_agg(seat), '[]') from match_answers
        where match_id = m.id)::text as answered,
      (select jsonb_build_object('prompt', prompt, 'moves', moves, 'revision', revision)
        from match_drafts where match_id = m.id and seat = :seat)::text as draft,
      (select line from match_answers where match_id = m.id and seat = :seat) as answer,
      (select coalesce(jsonb_object_agg(decision, line), '{{}}') from match_standing
        where match_id = m.id and seat = :seat and ended is null)::text as standing,
      (select committed_version from match_seats
        where match_id = m.id and seat = :seat) as committed_version,
      (select count(*) from match_proposals where match_id = m.id) as proposals
    from matches m where m.id = :id
""")  # noqa: S608 - constants only


@dataclass(frozen=True, slots=True)
class Head:
    """A match as it stands: its position, and who is asked what."""

    id: UUID
    codec: Codec
    version: int
    events: int
    status: Status
    prompts: Prompts
    state: Any
    clocked: bool


class StoredDraft(msgspec.Struct, frozen=True):
    """A draft as it lies in its row, whatever prompt it was written for."""

    prompt: str = ""
    moves: tuple[str, ...] = ()
    revision: int = 0

    def lines_for(self, prompt: StoredPrompt | None) -> tuple[str, ...]:
        """Return the moves, if they were written for this prompt."""
        return self.moves if prompt is not None and prompt.key == self.prompt else ()


@dataclass(frozen=True, slots=True)
class Beside:
    """What one seat's commit also needs: draft, open answers, bots, and who sits there.

    `standing` holds the standing orders of all seats, by what they answer.
    """

    draft: StoredDraft
    answers: Mapping[Seat, str]
    standing: Mapping[Seat, Mapping[str, str]]
    bots: frozenset[Seat]
    person_id: UUID | None


@dataclass(frozen=True, slots=True)
class PageRow:
    """All that a page of one viewer is made of, read in one statement."""

    head: Head
    seats: tuple[SeatInfo, ...]
    answered: frozenset[Seat]
    answer: str | None
    standing: Mapping[str, str]
    draft: StoredDraft
    committed_version: int | None
    options: Mapping[str, Any]
    clock: Mapping[str, Any] | None
    proposals: int
    created_at: datetime
    finished_at: datetime | None
    commitment: str
    seed: str | None
    nonce: str | None


def load_seats(text_: str) -> tuple[SeatInfo, ...]:
    """Read the seats; a name that was forgotten becomes a neutral word."""
    seats = msgspec.json.decode(text_, type=tuple[SeatInfo, ...])
    return tuple(replace(seat, name=shown_name(seat.name)) for seat in seats)


async def lock_head(session: AsyncSession, match_id: UUID) -> tuple[Head, bytes]:
    """Return the head and the seed, locked until the transaction ends.

    Raises NotFoundError.
    """
    row = (await session.execute(_LOCK, {"id": match_id})).one_or_none()
    if row is None:
        raise NotFoundError("match.not_found")
    return _head(match_id, row), bytes(row.seed)


async def read_beside(session: AsyncSession, match_id: UUID, seat: Seat, prompt: str) -> Beside:
    """Return the seat's draft for `prompt`, the answers to it, and which seats are bots."""
    row = (await session.execute(_BESIDE, {"id": match_id, "seat": seat, "prompt": prompt})).one()
    return Beside(
        draft=_draft(row.draft),
        answers=msgspec.json.decode(row.answers, type=dict[Seat, str]),
        standing=msgspec.json.decode(row.standing, type=dict[Seat, dict[str, str]]),
        bots=frozenset(row.bots),
        person_id=row.person_id,
    )


async def read_page(session: AsyncSession, match_id: UUID, seat: Seat | None) -> PageRow:
    """Return what a page of `seat` (None: a spectator) is made of; raises NotFoundError."""
    row = (await session.execute(_PAGE, {"id": match_id, "seat": seat})).one_or_none()
    if row is None:
        raise NotFoundError("match.not_found")
    return PageRow(
        head=_head(match_id, row),
        seats=load_seats(row.seats),
        answered=frozenset(msgspec.json.decode(row.answered, type=list[Seat])),
        answer=row.answer,
        standing=msgspec.json.decode(row.standing, type=dict[str, str]),
        draft=_draft(row.draft),
        committed_version=row.committed_version,
        options=msgspec.json.decode(row.options),
        clock=row.clock,
        proposals=row.proposals,
        created_at=row.created_at,
        finished_at=row.finished_at,
        commitment=row.commitment,
        seed=None if row.seed is None else bytes(row.seed).hex(),
        nonce=None if row.nonce is None else bytes(row.nonce).hex(),
    )


async def read_draft(session: AsyncSession, match_id: UUID, seat: Seat) -> StoredDraft:
    """Return the seat's draft, an empty one of revision 0 if it never had any."""
    return _draft(
        (await session.execute(_DRAFT, {"id": match_id, "seat": seat})).scalar_one_or_none()
    )


def _draft(text_: str | None) -> StoredDraft:
    return StoredDraft() if text_ is None else msgspec.json.decode(text_, type=StoredDraft)


def _head(match_id: UUID, row: Row[Any]) -> Head:
    codec = codec_for(row.game)
    return Head(
        id=match_id,
        codec=codec,
        version=row.version,
        events=row.events,
        status=row.status,
        prompts=load_prompts(row.prompts),
        state=codec.load_state(row.state, row.rules_version),
        clocked=row.clocked,
    )
