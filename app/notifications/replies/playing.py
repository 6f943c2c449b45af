"""What a mail plays: only what its seat is asked, only as the letter it answers showed it.

Everything goes through `app.matches.service`, like a click.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, InvalidError, StaleMatchError
from app.matches import queries, service
from app.matches.games import codec_for
from app.matches.pages import MatchPage
from app.matches.previews import is_answer, parse_line
from app.notifications.choices import choices
from app.notifications.reading.meaning import Said
from app.notifications.replies.addresses import ReplyTo
from app.rules.game import NotationError, Prompt, Seat

Result: TypeAlias = Literal["played", "drafted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a person says by mail; `key` is the same for every copy of the mail."""

    to: ReplyTo
    person_id: UUID
    said: Said
    key: str
    directly: bool
    now: datetime


def moves_of(game: str, line: str) -> tuple[str, ...] | None:
    """Return the moves of a line of notation, one by one; None if it is no notation."""
    rules = codec_for(game).game
    try:
        return tuple(rules.format((move,)) for move in rules.parse(line))
    except NotationError:
        return None


async def play(session: AsyncSession, order: Order) -> Result:
    """Do what the mail says: draft it, or make it final.

    Raises what `app.matches.service` raises; StaleMatchError when the letter no
    longer shows how things are; InvalidError `reply.…`.  The caller rolls back then.
    """
    page, anew = await _as_shown(session, order.to)
    prompt = page.prompt
    if prompt is None:
        raise ConflictError("match.not_asked")
    lines, commit = _lines(page, prompt, order.said)
    if not lines and anew:
        # To finish what the letter showed is not to throw away what was drafted since.
        raise StaleMatchError("reply.stale")
    if not lines and not page.draft.lines and not _finishes(page, prompt, order.said):
        raise InvalidError("draft.empty")
    # From here on, what somebody does to the draft at the same time is a conflict.
    seat, revision = Seat(order.to.seat), page.draft.revision
    for line in lines:
        draft = await service.add_to_draft(
            session, match_id=page.id, seat=seat, line=line, revision=revision
        )
        revision = draft.revision
    if not commit and not (order.directly and await _is_complete(session, order.to, prompt)):
        return "drafted"
    await service.commit(
        session,
        service.Commit(
            match_id=page.id,
            seat=seat,
            revision=revision,
            expected_version=order.to.version,
            key=order.key,
            line=None,
            now=order.now,
            person_id=order.person_id,
        ),
    )
    return "played"


async def _as_shown(session: AsyncSession, to: ReplyTo) -> tuple[MatchPage, bool]:
    """Return the match as the letter showed it, and whether a later draft was put aside.

    Raises ConflictError and StaleMatchError when that cannot be.
    """
    match_id, seat = to.match_id, Seat(to.seat)
    page = await queries.match_page(session, match_id=match_id, seat=seat)
    prompt = page.prompt
    if page.status != "running":
        raise ConflictError("match.finished")
    if prompt is None:
        raise (
            StaleMatchError("reply.stale")
            if to.version != page.version
            else ConflictError("match.not_asked")
        )
    if to.version > page.version or (to.version != page.version and not prompt.simultaneous):
        raise StaleMatchError("reply.stale")
    if page.answer is not None:
        # Which of two mails was written last nobody can tell: the page is where one changes it.
        raise ConflictError("reply.answered")
    waits = await queries.waited_for(session, match_id)
    if any(one.seat == seat and to.version < one.opened for one in waits):
        # Asked anew after turns were taken back: the same decision by name, about another position.
        raise StaleMatchError("reply.stale")
    if to.asks(prompt.key, page.draft.lines):
        return page, False
    if not to.asks(prompt.key, prompt.draft):
        raise StaleMatchError("reply.stale")
    # An answer to the turn mail begins the turn anew.
    await service.clear_draft(session, match_id=match_id, seat=seat, revision=page.draft.revision)
    for line in prompt.draft:
        await service.add_to_draft(session, match_id=match_id, seat=seat, line=line)
    return await queries.match_page(session, match_id=match_id, seat=seat), True


def _lines(page: MatchPage, prompt: Prompt, said: Said) -> tuple[list[str], bool]:
    """Return the lines to draft, and whether that is all."""
    if said.number is not None:
        lines = [_chosen(page, said.number, said.copied)]
    else:
        lines = list(said.lines)
    if is_answer(prompt):
        return lines, said.commit
    game = codec_for(page.game).game
    moves = [game.format((move,)) for line in lines for move in parse_line(game, line)]
    if moves and moves[-1] == prompt.finish:
        return moves[:-1], True
    return moves, said.commit


def _finishes(page: MatchPage, prompt: Prompt, said: Said) -> bool:
    """Whether the mail says in so many words that the turn ends, with nothing done in it."""
    if said.number is not None:
        return True
    return any(moves_of(page.game, line) == (prompt.finish,) for line in said.lines)


def _chosen(page: MatchPage, number: int, copied: str | None) -> str:
    """Return the line of a choice; raises InvalidError if there is none, or another."""
    offered = {choice.number: choice.line for choice in choices(page)}
    line = offered.get(number)
    if line is None:
        raise InvalidError("reply.no_such_choice", number=number, most=len(offered))
    if copied is not None and moves_of(page.game, copied) != moves_of(page.game, line):
        raise InvalidError("reply.another_choice", number=number, line=line)
    return line


async def _is_complete(session: AsyncSession, to: ReplyTo, prompt: Prompt) -> bool:
    """Whether nothing is left to choose but to finish."""
    if is_answer(prompt):
        return True
    page = await queries.match_page(session, match_id=to.match_id, seat=Seat(to.seat))
    return [choice.line for choice in choices(page)] in ([], [prompt.finish])
