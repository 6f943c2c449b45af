"""The log read back: the match at any version, and the proof that nothing is amiss."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError, NotFoundError
from app.matches.codec import Codec, CodecError, load_prompts
from app.matches.games import codec_for
from app.matches.seeds import Secret, rng_for
from app.rules.game import Rng, RulesError, Seat, replay

_EVENTS = text("""
    select seq, version, seat, line, rules_version, payload::text as payload
    from match_events where match_id = :id and version <= :version order by seq
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


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a stored match should not be: a stable code and where."""

    match_id: UUID
    code: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.match_id} {self.code} {self.detail}".rstrip()


async def state_at(session: AsyncSession, match_id: UUID, codec: Codec, version: int) -> Any:
    """Return the state as it was at `version`, folded from the log."""
    rows = await session.execute(_EVENTS, {"id": match_id, "version": version})
    return replay(codec.game, (codec.load_event(row.payload, row.rules_version) for row in rows))


async def verify(session: AsyncSession, match_id: UUID) -> list[Problem]:
    """Return all that is wrong with a stored match; raises NotFoundError.

    The log is gap-free, folds to the snapshot, and asks what the head says is
    asked; the commitment is kept; every draw comes from the seed.
    """
    head = (await session.execute(_HEAD, {"id": match_id})).one_or_none()
    if head is None:
        raise NotFoundError("match.not_found")
    rows = (await session.execute(_EVENTS, {"id": match_id, "version": head.version})).all()
    try:
        codec = codec_for(head.game)
        found = list(_check(codec, head, rows))
    except (CodecError, RulesError, InvalidError, ValueError) as error:
        found = [("match.unreadable", str(error))]
    return [Problem(match_id, code, detail) for code, detail in found]


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


def _check(codec: Codec, head: Row[Any], rows: Sequence[Row[Any]]) -> Iterator[tuple[str, str]]:
    if [row.seq for row in rows] != list(range(1, head.events + 1)):
        yield "log.gap", f"{len(rows)} of {head.events} events"
    if [row.version for row in rows] != sorted(row.version for row in rows):
        yield "log.order", "versions fall"
    events = [codec.load_event(row.payload, row.rules_version) for row in rows]
    state = codec.load_state(head.state, head.rules_version)
    folded = replay(codec.game, events)
    if folded != state:
        yield "head.state", "the snapshot is not the fold of the log"
    asked = {seat: stored.prompt for seat, stored in load_prompts(head.prompts).items()}
    if asked != (codec.game.prompts(folded) if head.status == "running" else {}):
        yield "head.prompts", "the prompts are not those of the state"
    if (head.status == "finished") != (codec.game.outcome(folded) is not None):
        yield "head.status", head.status
    if head.answers and not any(prompt.simultaneous for prompt in asked.values()):
        yield "answers.left", f"{head.answers} answers to nothing"
    if Secret(bytes(head.nonce), bytes(head.seed)).commitment != head.commitment:
        yield "seed.commitment", "the seed is not the one promised"
    # Older rules may have decided differently, and were right to.
    if all(row.rules_version == codec.game.rules_version for row in rows):
        yield from _check_draws(codec, head, rows, events)


def _check_draws(
    codec: Codec, head: Row[Any], rows: Sequence[Row[Any]], events: Sequence[Any]
) -> Iterator[tuple[str, str]]:
    """Decide everything again from the seed and compare."""
    state: Any = None
    stored = iter(events)
    for version, group in groupby(rows, key=lambda row: row.version):
        here = list(group)
        rng = rng_for(bytes(head.seed), version)
        again = (
            list(codec.game.setup(head.seats, codec.load_options(head.options), rng))
            if state is None
            else _decide_again(codec, state, here, rng)
        )
        before = [next(stored) for _ in here]
        if again != before:
            yield "log.decided", f"version {version} would be decided differently"
        state = replay(codec.game, before, state)


def _decide_again(codec: Codec, state: Any, rows: Sequence[Row[Any]], rng: Rng) -> list[Any]:
    events: list[Any] = []
    for row in rows:
        for move in codec.game.parse(row.line) if row.line is not None else ():
            new = codec.game.decide(state, Seat(row.seat), move, rng)
            state = replay(codec.game, new, state)
            events.extend(new)
    return events
