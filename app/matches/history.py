"""The log read back: the match at any version, and the proof that nothing is amiss."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotFoundError
from app.matches.codec import Codec, load_prompts
from app.matches.proof import Problem, Rollback, StoredEvent, StoredHead, StoredMatch, problems
from app.rules.game import replay

__all__ = ["Problem", "match_ids", "read_match", "state_at", "verify", "verify_all"]

# What still counts: of turns that were taken back nothing is seen at any version.
_EVENTS = text("""
    select rules_version, payload::text as payload
    from match_log where match_id = :id and version <= :version order by seq
""")

_LOG = text("""
    select seq, version, seat, line, rules_version, payload::text as payload, at
    from match_events where match_id = :id order by seq
""")

_ROLLBACKS = text("""
    select version, to_version, at from match_rollbacks where match_id = :id order by version
""")

_HEAD = text("""
    select game, rules_version, version, events, status, prompts::text as prompts,
      state::text as state, options::text as options, nonce, seed, commitment,
      (select count(*) from match_seats where match_id = matches.id) as seats,
      (select count(*) from match_answers where match_id = matches.id) as answers
    from matches where id = :id
""")

_IDS = text("select id from matches where id > :after order by id limit 100")

_FIRST = UUID(int=0)


async def state_at(session: AsyncSession, match_id: UUID, codec: Codec, version: int) -> Any:
    """Return the state as it was at `version`, folded from the log."""
    rows = await session.execute(_EVENTS, {"id": match_id, "version": version})
    return replay(codec.game, (codec.load_event(row.payload, row.rules_version) for row in rows))


async def read_match(session: AsyncSession, match_id: UUID) -> StoredMatch:
    """Return all that is stored of a match and that a proof needs; raises NotFoundError."""
    head = (await session.execute(_HEAD, {"id": match_id})).one_or_none()
    if head is None:
        raise NotFoundError("match.not_found")
    log = await session.execute(_LOG, {"id": match_id})
    rollbacks = await session.execute(_ROLLBACKS, {"id": match_id})
    return StoredMatch(
        id=match_id,
        game=head.game,
        options=head.options,
        seats=head.seats,
        version=head.version,
        status=head.status,
        commitment=head.commitment,
        nonce=bytes(head.nonce),
        seed=bytes(head.seed),
        log=tuple(StoredEvent(*row) for row in log),
        rollbacks=tuple(Rollback(row.version, row.to_version, row.at) for row in rollbacks),
        head=StoredHead(
            rules_version=head.rules_version,
            events=head.events,
            state=head.state,
            prompts=load_prompts(head.prompts),
            answers=head.answers,
        ),
    )


async def verify(session: AsyncSession, match_id: UUID) -> list[Problem]:
    """Return all that is wrong with a stored match; raises NotFoundError.

    The log is gap-free, folds to the snapshot, and asks what the head says is
    asked; the commitment is kept; every draw comes from the seed.
    """
    return problems(await read_match(session, match_id))


async def match_ids(session: AsyncSession) -> AsyncIterator[UUID]:
    """Yield the id of every stored match, oldest first, a page at a time."""
    after = _FIRST
    while page := (await session.execute(_IDS, {"after": after})).scalars().all():
        for match_id in page:
            yield match_id
        after = page[-1]


async def verify_all(session: AsyncSession) -> list[Problem]:
    """Return all that is wrong with any stored match."""
    return [problem async for id_ in match_ids(session) for problem in await verify(session, id_)]
