"""Drafts: a seat's private list of moves before it commits.

Each change locks the match for a moment, so that a draft never meets a
position that is being replaced, and raises the draft's revision.
"""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.notices import CHANNEL, draft_changed
from app.errors import ConflictError, MoveRejectedError, NotFoundError
from app.matches.codec import StoredPrompt
from app.matches.heads import Head, StoredDraft, lock_head, read_draft
from app.matches.pages import Draft
from app.matches.previews import LONGEST_DRAFT, drafted, is_answer, parse_line, preview
from app.rules.game import Seat

_WRITE = text("""
    with written as (
      insert into match_drafts (match_id, seat, prompt, moves, revision, updated_at)
      values (:id, :seat, :prompt, :moves, :revision, now())
      on conflict (match_id, seat) do update
        set prompt = excluded.prompt, moves = excluded.moves, revision = excluded.revision,
            updated_at = excluded.updated_at
    )
    select pg_notify(:channel, :notice)
""")


async def add_to_draft(
    session: AsyncSession, *, match_id: UUID, seat: Seat, line: str, revision: int | None = None
) -> Draft:
    """Add the moves of `line` to the seat's draft; an answer replaces the one drafted.

    Raises NotFoundError, ConflictError when the match is over, the seat is not
    asked or `revision` is not the draft's, and MoveRejectedError when the rules
    refuse, the move would draw or would end the turn.
    """
    head, prompt, stored = await _open(session, match_id, seat, revision)
    game = head.codec.game
    answering = is_answer(prompt.prompt)
    lines = () if answering else stored.lines_for(prompt)
    before = preview(game, head.state, seat, prompt.prompt, lines)
    state = before.state
    moves = parse_line(game, line)
    for move in moves:
        state = drafted(game, state, seat, prompt.prompt, move)
    if answering and len(moves) != 1:
        raise MoveRejectedError("answer.one_move", moves=len(moves))
    added = (*before.lines, *(game.format((move,)) for move in moves))
    if len(added) > LONGEST_DRAFT:
        raise MoveRejectedError("draft.too_long", longest=LONGEST_DRAFT)
    draft = Draft(added, stored.revision + 1, before.dropped)
    await _write(session, head, seat, prompt, draft)
    return draft


async def drop_from_draft(
    session: AsyncSession, *, match_id: UUID, seat: Seat, index: int, revision: int | None = None
) -> Draft:
    """Take one move back, and with it the later ones that were legal only because of it.

    `dropped` says which those are and why.  Raises as `add_to_draft` does, and
    NotFoundError when the draft has no such move.
    """
    head, prompt, stored = await _open(session, match_id, seat, revision)
    game = head.codec.game
    before = preview(game, head.state, seat, prompt.prompt, stored.lines_for(prompt))
    if not 0 <= index < len(before.lines):
        raise NotFoundError("draft.no_such_move", index=index)
    left = (*before.lines[:index], *before.lines[index + 1 :])
    after = preview(game, head.state, seat, prompt.prompt, left)
    draft = Draft(after.lines, stored.revision + 1, (*before.dropped, *after.dropped))
    await _write(session, head, seat, prompt, draft)
    return draft


async def clear_draft(
    session: AsyncSession, *, match_id: UUID, seat: Seat, revision: int | None = None
) -> Draft:
    """Take every move back.  Raises as `add_to_draft` does."""
    head, prompt, stored = await _open(session, match_id, seat, revision)
    draft = Draft((), stored.revision + 1)
    await _write(session, head, seat, prompt, draft)
    return draft


async def _open(
    session: AsyncSession, match_id: UUID, seat: Seat, revision: int | None
) -> tuple[Head, StoredPrompt, StoredDraft]:
    head, _ = await lock_head(session, match_id)
    if head.status != "running":
        raise ConflictError("match.finished")
    if seat not in head.prompts:
        raise ConflictError("match.not_asked")
    stored = await read_draft(session, match_id, seat)
    if revision is not None and revision != stored.revision:
        raise ConflictError("draft.changed", revision=stored.revision)
    return head, head.prompts[seat], stored


async def _write(
    session: AsyncSession, head: Head, seat: Seat, prompt: StoredPrompt, draft: Draft
) -> None:
    await session.execute(
        _WRITE,
        {
            "id": head.id,
            "seat": seat,
            "prompt": prompt.key,
            "moves": list(draft.lines),
            "revision": draft.revision,
            "channel": CHANNEL,
            "notice": draft_changed(head.id, seat, draft.revision),
        },
    )
