"""The statements that change a match, each one round trip.

One statement carries a whole commit: the head, the events, the key's result,
the seat's own rows and the notice to every process become visible together or
not at all.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.notices import CHANNEL, draft_changed, match_moved, tell
from app.errors import InvalidError, KeyReusedError, NotFoundError
from app.matches.codec import Codec, LoggedEvent, Prompts, dump
from app.matches.pages import Status
from app.rules.game import Seat

LONGEST_KEY = 255
KEYS_KEPT = 100

# Selecting from match_seats makes an unknown match or seat an empty claim
# instead of a broken foreign key, which would abort the transaction.
_CLAIM = text("""
    insert into match_commands (match_id, seat, key, fingerprint)
    select match_id, seat, :key, :fingerprint from match_seats
    where match_id = :id and seat = :seat
    on conflict do nothing
    returning true
""")

_CLAIMED = text("""
    select fingerprint, version from match_commands
    where match_id = :id and seat = :seat and key = :key
""")

# Answers can be changed for ever at no cost to anybody: of the seat's keys only the last are
# kept.  An older one would be a new command, so they must be more than a repeat can be late.
_SETTLE = text("""
    with forgotten as (
      delete from match_commands where match_id = :id and seat = :seat and key in (
        select key from match_commands where match_id = :id and seat = :seat
        order by at desc offset :kept)
    )
    update match_commands set version = :version
    where match_id = :id and seat = :seat and key = :key
""")

_FORGET = text("delete from match_commands where at < :before")

_INSERT = text("""
    with head as (
      insert into matches (id, game, rules_version, options, nonce, seed, commitment, version,
        events, state, prompts, created_at, updated_at, clock)
      values (:id, :game, :rules_version, cast(:options as json), :nonce, :seed, :commitment,
        :version, :events, cast(:state as jsonb), cast(:prompts as jsonb), :now, :now,
        cast(:clock as jsonb))
      returning id
    )
    insert into match_events (match_id, seq, version, payload, rules_version, at)
    select head.id, n, :version, row->'payload', :rules_version, :now
    from head, jsonb_array_elements(cast(:rows as jsonb)) with ordinality as rows(row, n)
""")

_ADVANCE = text("""
    with head as (
      update matches
      set state = cast(:state as jsonb), rules_version = :rules_version, version = :version,
          events = events + :added, prompts = cast(:prompts as jsonb), status = :status,
          updated_at = :now, finished_at = :finished_at
      where id = :id
    ), log as (
      insert into match_events
        (match_id, seq, version, seat, payload, line, rules_version, at)
      select :id, :first + n, :version, (row->>'seat')::int, row->'payload', row->>'line',
             :rules_version, :now
      from jsonb_array_elements(cast(:rows as jsonb)) with ordinality as rows(row, n)
    ), claim as (
      update match_commands set version = :version
      where match_id = :id and seat = :seat and key = :key
    ), place as (
      update match_seats set committed_version = :version where match_id = :id and seat = :seat
    ), draft as (
      update match_drafts set moves = '{}', updated_at = :now
      where match_id = :id and seat = :seat and moves <> '{}'
    ), answered as (
      delete from match_answers
      where match_id = :id and not (prompt = :prompt and seat = any(cast(:waiting as int[])))
    )
    select pg_notify(:channel, :notice)
""")

# The revision only ever rises: pages tell by it that a draft has changed.
_REPLACE_DRAFT = text("""
    insert into match_drafts (match_id, seat, prompt, moves, revision, updated_at)
    values (:id, :seat, :prompt, :moves, 1, :now)
    on conflict (match_id, seat) do update
      set prompt = excluded.prompt, moves = excluded.moves,
          revision = match_drafts.revision + 1, updated_at = excluded.updated_at
    returning revision
""")

_ANSWER = text("""
    insert into match_answers (match_id, prompt, seat, opened_version, line)
    values (:id, :prompt, :seat, :opened, :line)
    on conflict (match_id, prompt, seat) do update set line = excluded.line
""")

_COUNT_ANSWER = text("""
    with head as (
      update matches set version = :version, updated_at = :now where id = :id
    ), claim as (
      update match_commands set version = :version
      where match_id = :id and seat = :seat and key = :key
    ), place as (
      update match_seats set committed_version = :version where match_id = :id and seat = :seat
    ), draft as (
      update match_drafts set moves = '{}', updated_at = :now
      where match_id = :id and seat = :seat and moves <> '{}'
    )
    select pg_notify(:channel, :notice)
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A seat's idempotency key, ours until the transaction ends."""

    match_id: UUID
    seat: Seat
    key: str

    @property
    def parameters(self) -> dict[str, Any]:
        """The columns that name it."""
        return {"id": self.match_id, "seat": self.seat, "key": self.key}


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """A head's next version and the events that lead to it.

    `first` events were in the log before.  Of the answers filed, only those of the
    seats `waiting` at the prompt called `open` stay.
    """

    codec: Codec
    open: str
    waiting: Collection[Seat]
    version: int
    first: int
    state: Any
    prompts: Prompts
    status: Status
    events: Sequence[LoggedEvent]


async def claim_key(session: AsyncSession, claim: Claim, fingerprint: bytes) -> int | None:
    """Take the key and return None, or return the version its command made.

    A concurrent duplicate waits here on the unique index until the first one
    ends, and then finds its result or takes over.  Raises NotFoundError without
    such a seat, KeyReusedError when the key belongs to another command.
    """
    if not 0 < len(claim.key) <= LONGEST_KEY or not claim.key.isprintable():
        raise InvalidError("command.bad_key", longest=LONGEST_KEY)
    where = claim.parameters
    taken = await session.execute(_CLAIM, {**where, "fingerprint": fingerprint})
    if taken.scalar_one_or_none():
        return None
    earlier = (await session.execute(_CLAIMED, where)).one_or_none()
    if earlier is None:
        raise NotFoundError("match.not_found")
    if bytes(earlier.fingerprint) != fingerprint:
        raise KeyReusedError
    version: int = earlier.version
    return version


async def find_claim(session: AsyncSession, claim: Claim) -> int | None:
    """Return the version a key's command made; None when no such command was committed."""
    earlier = (await session.execute(_CLAIMED, claim.parameters)).one_or_none()
    return None if earlier is None else earlier.version


async def advance(session: AsyncSession, claim: Claim, step: Advance, now: datetime) -> None:
    """Append the events, replace the head, close what was open, tell every process."""
    await session.execute(
        _ADVANCE,
        {
            **claim.parameters,
            "state": step.codec.dump_state(step.state),
            "rules_version": step.codec.game.rules_version,
            "version": step.version,
            "added": len(step.events),
            "prompts": dump(step.prompts),
            "status": step.status,
            "now": now,
            "finished_at": None if step.status == "running" else now,
            "first": step.first,
            "prompt": step.open,
            "waiting": [int(seat) for seat in step.waiting],
            "rows": dump(step.events),
            "channel": CHANNEL,
            "notice": match_moved(claim.match_id, step.version),
        },
    )


async def replace_draft(
    session: AsyncSession,
    match_id: UUID,
    seat: Seat,
    *,
    prompt: str,
    lines: Sequence[str],
    now: datetime,
) -> None:
    """Put `lines` in the place of the seat's draft; only the seat's own pages are told."""
    where = {"id": match_id, "seat": seat, "prompt": prompt}
    revision = await session.scalar(_REPLACE_DRAFT, {**where, "moves": list(lines), "now": now})
    await tell(session, draft_changed(match_id, seat, revision))


async def write_answer(
    session: AsyncSession, match_id: UUID, seat: Seat, *, prompt: str, opened: int, line: str
) -> None:
    """Put down an answer, or put another in its place."""
    await session.execute(
        _ANSWER,
        {
            "id": match_id,
            "seat": seat,
            "prompt": prompt,
            "opened": opened,
            "line": line,
        },
    )


async def count_answer(session: AsyncSession, claim: Claim, *, version: int, now: datetime) -> None:
    """Let everybody see that one more seat has answered."""
    await session.execute(
        _COUNT_ANSWER,
        {
            **claim.parameters,
            "version": version,
            "now": now,
            "channel": CHANNEL,
            "notice": match_moved(claim.match_id, version),
        },
    )


async def settle_claim(session: AsyncSession, claim: Claim, version: int) -> None:
    """Write down the answer a repeat of this command gets; nobody else sees a change.

    The seat's keys before the last hundred are forgotten.
    """
    await session.execute(_SETTLE, {**claim.parameters, "version": version, "kept": KEYS_KEPT})


async def forget_commands(session: AsyncSession, *, before: datetime) -> None:
    """Delete the keys of commands that nobody repeats any more."""
    await session.execute(_FORGET, {"before": before})


async def insert_match(session: AsyncSession, values: Mapping[str, Any]) -> None:
    """Write a new match's head and its first events."""
    await session.execute(_INSERT, values)
