"""Whether a seat's last commit can be taken back: not past a draw, not past a reveal.

What has been shown cannot be unseen.  So the turns since are decided once more,
with chance refused: whatever would draw has drawn, and answers that were given in
secret have been revealed.  Only of a secret prompt that let things be, nobody but
its seat knows: it must not show here either, so it stands in nobody's way.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError
from app.matches.codec import Codec
from app.matches.games import codec_for
from app.matches.history import state_at
from app.rules.game import RulesError, Seat
from app.rules.rng import ChanceRefusedError, NoRng

# The seat's last commit that still counts and brought something.
_LAST = text("""
    select m.game, m.status, m.version,
      (select max(version) from match_log
        where match_id = m.id and seat = :seat and line is not null) as mine
    from matches m where m.id = :id
""")

_LINES = text("""
    select version, seat, line, rules_version, payload::text as payload from match_log
    where match_id = :id and version >= :since order by seq
""")


@dataclass(frozen=True, slots=True)
class Undo:
    """Taking back what a seat committed with version `undone`, and all that came after it."""

    undone: int
    to_version: int
    line: str


async def undo_of(session: AsyncSession, match_id: UUID, seat: Seat) -> Undo:
    """Return what taking back the seat's last commit would be.

    Raises ConflictError `match.finished`, `undo.nothing`, `undo.past_reveal` or
    `undo.past_draw`.
    """
    row = (await session.execute(_LAST, {"id": match_id, "seat": seat})).one_or_none()
    if row is None or row.mine is None:
        raise ConflictError("undo.nothing")
    if row.status != "running":
        raise ConflictError("match.finished")
    codec = codec_for(row.game)
    state = await state_at(session, match_id, codec, row.mine - 1)
    since = list(await session.execute(_LINES, {"id": match_id, "since": row.mine}))
    for logged in since:
        if logged.line is not None:
            _check(codec, state, Seat(logged.seat), logged.line, me=seat)
        state = codec.game.evolve(state, codec.load_event(logged.payload, logged.rules_version))
    line = next(one.line for one in since if one.seat == seat and one.line is not None)
    return Undo(undone=row.mine, to_version=row.mine - 1, line=line)


def _check(codec: Codec, state: Any, seat: Seat, line: str, *, me: Seat) -> None:
    """Raise ConflictError if deciding `line` has shown something."""
    game = codec.game
    prompt = game.prompts(state).get(seat)
    try:
        moves = game.parse(line)
        quiet = prompt is not None and prompt.secret and seat != me
        if quiet:
            quiet = moves == game.safe_default(state, seat)
        if prompt is None or (prompt.simultaneous and not quiet):
            raise ConflictError("undo.past_reveal")
        for move in moves:
            for event in game.decide(state, seat, move, NoRng()):
                state = game.evolve(state, event)
    except ChanceRefusedError as error:
        raise ConflictError("undo.past_draw") from error
    except RulesError as error:
        # Played by rules that have changed since: nobody can tell what it has shown.
        raise ConflictError("undo.past_draw") from error
