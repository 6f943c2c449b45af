"""Everything that only looks at a match, as one viewer may see it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotFoundError
from app.matches import history
from app.matches.codec import Codec, StoredPrompt
from app.matches.games import codec_for
from app.matches.heads import read_page
from app.matches.pages import (
    Draft,
    DroppedLine,
    MatchPage,
    News,
    Progress,
    Refusal,
    SeatPosition,
    Status,
    StoryEvent,
    WaitedFor,
)
from app.matches.previews import Preview, preview
from app.matches.seeds import private_seed
from app.rules.game import Prompt, Seat

__all__ = [
    "Draft",
    "DroppedLine",
    "MatchPage",
    "News",
    "Progress",
    "Refusal",
    "SeatPosition",
    "Status",
    "StoryEvent",
    "WaitedFor",
    "events_since",
    "game_of",
    "legal_lines",
    "match_at",
    "match_page",
    "news",
    "people_in",
    "position_of",
    "private_chance",
    "progress_of",
    "seats_asked",
    "seats_of",
    "struck",
    "waited_for",
]

# Whoever writes an address may name moves in it, and nothing else.
NOT_NOTATION = "notation."

_EVENTS = text("""
    select version, seat, at, rules_version, payload::text as payload from match_log
    where match_id = :id and version > :after and version <= :until order by seq
""")

# The latest turns that were taken back, in the order in which they were played.
_STRUCK = text("""
    select version, seat, at, rules_version, payload from (
      select e.version, e.seat, e.at, e.rules_version, e.payload::text as payload, e.seq
      from match_events e
      where e.match_id = :id and exists (select from match_rollbacks r
        where r.match_id = :id and r.to_version < e.version and e.version < r.version)
      order by e.seq desc limit :most) as latest
    order by seq
""")

_GAME_OF = text("select game from matches where id = :id")

_SEED_OF = text("select seed from matches where id = :id")

_SEATS_OF = text("""
    select seat from match_seats where match_id = :id and person_id = :person order by seat
""")

_ASKED = text("""
    select coalesce(jsonb_agg(asked::int), '[]')::text
    from matches m, jsonb_object_keys(m.prompts) as asked
    where m.id = :id and not exists (
      select from match_answers a where a.match_id = m.id and a.seat = asked::int)
""")

_WAITED_FOR = text("""
    select s.seat, s.person_id, m.prompts->s.seat::text->>'key' as prompt,
      cast(m.prompts->s.seat::text->>'opened' as int) as opened
    from matches m join match_seats s on s.match_id = m.id
    where m.id = :id and m.status = 'running' and s.person_id is not null
      and m.prompts ? s.seat::text
      and not exists (select from match_answers a where a.match_id = m.id and a.seat = s.seat)
    order by s.seat
""")

_PEOPLE_IN = text("""
    select seat, person_id from match_seats
    where match_id = :id and person_id is not null order by seat
""")

_PROGRESS = text("""
    select version, (select coalesce(jsonb_object_agg(seat, revision), '{}') from match_drafts
      where match_id = matches.id)::text as drafts
    from matches where id = :id
""")


async def match_page(
    session: AsyncSession, *, match_id: UUID, seat: Seat | None, fell: Sequence[str] = ()
) -> MatchPage:
    """Return the match as it stands, with the viewer's draft applied.

    `seat` None is a spectator.  `fell` are moves that an undo took out of the
    draft: those that cannot follow it are among its dropped ones, with the reason.
    Raises NotFoundError.
    """
    row = await read_page(session, match_id, seat)
    head = row.head
    game = head.codec.game
    prompt = None if seat is None else head.prompts.get(seat)
    drafted = Preview(head.state, (), ())
    if seat is not None and prompt is not None:
        lines = row.draft.lines_for(prompt)
        drafted = preview(game, head.state, seat, prompt.prompt, lines)
        gone = preview(game, drafted.state, seat, prompt.prompt, fell).dropped
        told = tuple(one for one in gone if not one.refusal.code.startswith(NOT_NOTATION))
        drafted = replace(drafted, dropped=drafted.dropped + told)
    # A seat's own version is news too: an answer that was the last one in brought the outcome
    # and what the others had answered.  A spectator commits nothing: for them the news are
    # about one move of each seat.
    seen = row.committed_version
    after = head.version - len(row.seats) if seen is None else seen - 1
    base_view = game.view(head.state, seat)
    return MatchPage(
        id=match_id,
        game=game.key,
        seat=seat,
        version=head.version,
        latest=head.version,
        status=head.status,
        seats=row.seats,
        prompts=_shown({who: stored.prompt for who, stored in head.prompts.items()}, seat),
        view=game.view(drafted.state, seat) if drafted.lines else base_view,
        base_view=base_view,
        options=None if seat is None or prompt is None else game.options(drafted.state, seat),
        draft=Draft(drafted.lines, row.draft.revision, drafted.dropped),
        answered=_shown_answers(head.prompts.values(), row.answered, seat),
        answer=row.answer,
        standing=row.standing,
        decisions=() if seat is None else tuple(game.decisions(head.state, seat)),
        since=await _events(session, match_id, head.codec, seat, (max(after, 1), head.version)),
        outcome=game.outcome(head.state),
        match_options=row.options,
        clock=row.clock,
        proposals=row.proposals,
        created_at=row.created_at,
        finished_at=row.finished_at,
        commitment=row.commitment,
        seed=row.seed,
        nonce=row.nonce,
    )


async def match_at(
    session: AsyncSession, match_id: UUID, seat: Seat | None, version: int
) -> MatchPage:
    """Return the match as it stood at `version`, as the viewer could see it then.

    `since` holds what that version brought.  Raises NotFoundError without such a
    match or version.
    """
    row = await read_page(session, match_id, seat)
    head = row.head
    if not 1 <= version <= head.version:
        raise NotFoundError("match.no_such_version", version=version)
    game = head.codec.game
    state = await history.state_at(session, match_id, head.codec, version)
    view = game.view(state, seat)
    return MatchPage(
        id=match_id,
        game=game.key,
        seat=seat,
        version=version,
        latest=head.version,
        status=head.status,
        seats=row.seats,
        prompts=_shown(game.prompts(state), seat),
        view=view,
        base_view=view,
        options=None,
        draft=Draft(),
        answered=frozenset(),
        answer=None,
        standing={},
        decisions=(),
        since=await _events(session, match_id, head.codec, seat, (version - 1, version)),
        outcome=game.outcome(state),
        match_options=row.options,
        clock=row.clock,
        proposals=row.proposals,
        created_at=row.created_at,
        finished_at=row.finished_at,
        commitment=row.commitment,
        seed=row.seed,
        nonce=row.nonce,
    )


async def position_of(session: AsyncSession, *, match_id: UUID, seat: Seat) -> SeatPosition:
    """Return what whoever plays `seat` needs to answer; raises NotFoundError."""
    row = await read_page(session, match_id, seat)
    here = [info for info in row.seats if info.seat == seat]
    if not here:
        raise NotFoundError("match.not_found")
    prompt = row.head.prompts.get(seat)
    return SeatPosition(
        game=row.head.codec.game.key,
        version=row.head.version,
        status=row.head.status,
        seat=seat,
        bot=here[0].bot,
        prompt=None if prompt is None or row.answer is not None else prompt.prompt,
        view=row.head.codec.game.view(row.head.state, seat),
    )


async def legal_lines(session: AsyncSession, *, match_id: UUID, seat: Seat) -> tuple[str, ...]:
    """Return what the seat may do after its draft, a move a line; empty if it is not asked.

    Towers are represented by one that serves.  Raises NotFoundError.
    """
    row = await read_page(session, match_id, seat)
    game = row.head.codec.game
    prompt = row.head.prompts.get(seat)
    if prompt is None:
        return ()
    lines = row.draft.lines_for(prompt)
    after = preview(game, row.head.state, seat, prompt.prompt, lines).state
    return tuple(game.format((move,)) for move in game.legal_moves(after, seat))


async def game_of(session: AsyncSession, match_id: UUID) -> str | None:
    """Return which game a match is of; None for a match that is not."""
    found: str | None = await session.scalar(_GAME_OF, {"id": match_id})
    return found


async def private_chance(session: AsyncSession, *, match_id: UUID, purpose: str) -> bytes:
    """Return a seed for `purpose` that no player can foresee; raises NotFoundError.

    The same match and purpose give the same seed; the match's own stays here.
    """
    seed = await session.scalar(_SEED_OF, {"id": match_id})
    if seed is None:
        raise NotFoundError("match.not_found")
    return private_seed(bytes(seed), purpose)


async def events_since(
    session: AsyncSession, *, match_id: UUID, seat: Seat | None, version: int
) -> tuple[StoryEvent, ...]:
    """Return what the viewer may know of the events after `version`; raises NotFoundError."""
    return (await news(session, match_id=match_id, seat=seat, version=version)).events


async def struck(
    session: AsyncSession, *, match_id: UUID, seat: Seat | None, most: int = 60
) -> tuple[StoryEvent, ...]:
    """Return what the viewer may know of the latest turns that were taken back.

    Raises NotFoundError.
    """
    game = await game_of(session, match_id)
    if game is None:
        raise NotFoundError("match.not_found")
    rows = await session.execute(_STRUCK, {"id": match_id, "most": most})
    return tuple(_story(codec_for(game), seat, rows))


async def news(session: AsyncSession, *, match_id: UUID, seat: Seat | None, version: int) -> News:
    """Return how far the match is, and what the viewer may know of it since `version`.

    Raises NotFoundError.
    """
    head = (await read_page(session, match_id, seat)).head
    events = await _events(session, match_id, head.codec, seat, (version, head.version))
    return News(head.version, head.status, events)


async def seats_of(session: AsyncSession, match_id: UUID, person_id: UUID) -> tuple[Seat, ...]:
    """Return the seats a person has in a match; none for outsiders and unknown matches."""
    found = await session.execute(_SEATS_OF, {"id": match_id, "person": person_id})
    return tuple(found.scalars())


async def seats_asked(session: AsyncSession, match_id: UUID) -> frozenset[Seat]:
    """Return the seats the match waits for; none of a match that is over, or not there."""
    asked = (await session.execute(_ASKED, {"id": match_id})).scalar_one()
    return frozenset(msgspec.json.decode(asked, type=list[Seat]))


async def waited_for(session: AsyncSession, match_id: UUID) -> tuple[WaitedFor, ...]:
    """Return the people a match waits for, each with the decision; for the server itself.

    It tells who is asked in secret: nobody but the one who is may be shown it.
    """
    found = await session.execute(_WAITED_FOR, {"id": match_id})
    return tuple(WaitedFor(Seat(r.seat), r.person_id, r.prompt, r.opened) for r in found)


async def people_in(session: AsyncSession, match_id: UUID) -> Mapping[Seat, UUID]:
    """Return who sits in each seat of the match that a person holds."""
    found = await session.execute(_PEOPLE_IN, {"id": match_id})
    return {Seat(row.seat): row.person_id for row in found}


async def progress_of(session: AsyncSession, match_id: UUID) -> Progress:
    """Return how far a match is, without reading its state; raises NotFoundError."""
    row = (await session.execute(_PROGRESS, {"id": match_id})).one_or_none()
    if row is None:
        raise NotFoundError("match.not_found")
    return Progress(row.version, msgspec.json.decode(row.drafts, type=dict[Seat, int]))


def _shown(prompts: Mapping[Seat, Prompt], seat: Seat | None) -> dict[Seat, Prompt]:
    """Return the prompts that `seat` may know of: of the others, none that is secret."""
    return {
        who: prompt if who == seat else replace(prompt, draft=())
        for who, prompt in prompts.items()
        if who == seat or not prompt.secret
    }


def _shown_answers(
    prompts: Iterable[StoredPrompt], answered: frozenset[Seat], seat: Seat | None
) -> frozenset[Seat]:
    """Return which answers to the open prompt `seat` may know to be in."""
    secret = any(prompt.secret for prompt in prompts)
    return frozenset(who for who in answered if who == seat or not secret)


async def _events(
    session: AsyncSession,
    match_id: UUID,
    codec: Codec,
    seat: Seat | None,
    versions: tuple[int, int],
) -> tuple[StoryEvent, ...]:
    after, until = versions
    found = await session.execute(_EVENTS, {"id": match_id, "after": after, "until": until})
    return tuple(_story(codec, seat, found))


def _story(codec: Codec, seat: Seat | None, rows: Iterable[Any]) -> Iterable[StoryEvent]:
    for row in rows:
        event = codec.load_event(row.payload, row.rules_version)
        shown = codec.game.event_view(event, seat)
        if shown is not None:
            yield StoryEvent(row.version, row.seat, row.at, shown)
