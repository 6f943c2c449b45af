"""A match from a file, put into this database as it was."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, InvalidError
from app.matches.asking import ask
from app.matches.codec import dump, open_prompts
from app.matches.games import codec_for
from app.matches.models import MatchAnswer, MatchRollback, MatchSeat
from app.matches.portable import PortableMatch
from app.rules.game import Seat, replay

_THERE = text("select true from matches where id = :id")

_MATCH = text("""
    insert into matches (id, game, rules_version, options, nonce, seed, commitment, version,
      events, state, prompts, status, created_at, updated_at, finished_at)
    values (:id, :game, :rules_version, cast(:options as json), :nonce, :seed, :commitment,
      :version, :events, cast(:state as jsonb), cast(:prompts as jsonb), :status, :created_at,
      :updated_at, :finished_at)
""")

_EVENTS = text("""
    insert into match_events (match_id, seq, version, seat, payload, line, rules_version, at)
    values (:id, :seq, :version, :seat, cast(:payload as jsonb), :line, :rules_version, :at)
""")


async def import_match(session: AsyncSession, found: PortableMatch, *, now: datetime) -> UUID:
    """Put the match into this database under its own id, and return it.

    The seats of people are empty: `seat_occupant` gives them to somebody.  Raises
    InvalidError `match.unsound` unless the match proves to be what it says, and
    ConflictError `match.exists`.
    """
    wrong = found.problems()
    match = found.match
    if wrong:
        raise InvalidError("match.unsound", problem=str(wrong[0]))
    if match.nonce is None or match.seed is None:
        raise InvalidError("match.unsound", problem="its seed is not in the file")
    if await session.scalar(_THERE, {"id": match.id}):
        raise ConflictError("match.exists")
    codec = codec_for(match.game)
    state = replay(codec.game, match.events(codec))
    opened = {answer.prompt: answer.opened_version for answer in found.answers}
    asked = codec.game.prompts(state) if match.status == "running" else {}
    prompts = {
        seat: msgspec.structs.replace(prompt, opened=opened.get(prompt.key, match.version))
        for seat, prompt in open_prompts(asked, match.version, {}).items()
    }
    await session.execute(
        _MATCH,
        {
            "id": match.id,
            "game": match.game,
            "rules_version": codec.game.rules_version,
            "options": match.options,
            "nonce": match.nonce,
            "seed": match.seed,
            "commitment": match.commitment,
            "version": match.version,
            "events": len(match.log),
            "state": codec.dump_state(state),
            "prompts": dump(prompts),
            "status": match.status,
            "created_at": found.created_at,
            "updated_at": found.updated_at,
            "finished_at": found.finished_at,
        },
    )
    await _insert_rows(session, found)
    answered = {Seat(answer.seat) for answer in found.answers}
    bots = {Seat(seat.seat) for seat in found.seats if seat.bot is not None}
    await ask(session, match.id, match.version, set(prompts) - answered, bots)
    return match.id


async def _insert_rows(session: AsyncSession, found: PortableMatch) -> None:
    match = found.match
    here = {"match_id": match.id}
    log = [
        {
            "id": match.id,
            "seq": row.seq,
            "version": row.version,
            "seat": row.seat,
            "payload": row.payload,
            "line": row.line,
            "rules_version": row.rules_version,
            "at": row.at,
        }
        for row in match.log
    ]
    await session.execute(_EVENTS, log)
    seats = [here | msgspec.structs.asdict(seat) for seat in found.seats]
    answers = [here | msgspec.structs.asdict(answer) for answer in found.answers]
    rollbacks = [
        {**here, "version": one.version, "to_version": one.to_version, "at": one.at}
        for one in match.rollbacks
    ]
    for table, rows in ((MatchSeat, seats), (MatchAnswer, answers), (MatchRollback, rollbacks)):
        if rows:
            await session.execute(insert(table), rows)
