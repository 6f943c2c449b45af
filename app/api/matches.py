"""Matches: looking, drafting, committing, leaving, exporting."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

from app.api.people import MyChair, Now, TokenPerson, chair_at
from app.api.problems import RESPONSES
from app.api.requests import StrictRoute
from app.api.schemas import (
    CardShown,
    CommitShown,
    CommitWish,
    DraftShown,
    DraftWish,
    EventShown,
    EventsShown,
    LegalShown,
    MatchShown,
    MeShown,
    NoQuery,
    Number,
    PageQuery,
    PromptShown,
    ResignWish,
    SinceQuery,
)
from app.db.session import Session
from app.errors import InvalidError
from app.matches import lists, queries, service
from app.matches.deadlines import deadlines_of
from app.matches.export import export_text
from app.matches.plain import plain

router = APIRouter(tags=["matches"], route_class=StrictRoute, responses=RESPONSES)


@router.get("/me")
async def me(person: TokenPerson, _: Annotated[NoQuery, Query()]) -> MeShown:
    """Say for whom the token acts."""
    return MeShown(name=person.name, account=person.is_account)


@router.get("/matches")
async def my_matches(
    person: TokenPerson, session: Session, query: Annotated[PageQuery, Query()]
) -> list[CardShown]:
    """List your matches, thirty a page: those that wait for you first, those that are over last."""
    skip = (query.page - 1) * lists.CARDS_SHOWN
    cards = await lists.my_matches(session, person.id, skip=skip)
    deadlines = await deadlines_of(session, [card.id for card in cards], person_id=person.id)
    mine = {card.id: set(card.mine) for card in cards}
    return [
        CardShown.of(card, (d for d in deadlines if d.seat in mine[d.match_id])) for card in cards
    ]


@router.get("/matches/{match_id}")
async def show(match_id: UUID, chair: MyChair, session: Session) -> MatchShown:
    """Show the match as you may see it."""
    page = await queries.match_page(session, match_id=match_id, seat=chair.seat)
    return MatchShown.of(page, await deadlines_of(session, [match_id], seat=chair.seat))


@router.get("/matches/{match_id}/history/{version}")
async def show_version(
    match_id: UUID, version: Number, chair: MyChair, session: Session
) -> MatchShown:
    """Show the match as it stood at an earlier version."""
    return MatchShown.of(await queries.match_at(session, match_id, chair.seat, version))


@router.get("/matches/{match_id}/legal")
async def legal(match_id: UUID, chair: MyChair, session: Session) -> LegalShown:
    """List what you may do next, after what you have drafted."""
    page = await queries.match_page(session, match_id=match_id, seat=chair.playing())
    moves = await queries.legal_lines(session, match_id=match_id, seat=chair.playing())
    return LegalShown(
        version=page.version,
        prompt=PromptShown.of(page.prompt),
        draft=DraftShown.of(page.draft),
        moves=list(moves),
        options=plain(page.options),
    )


@router.post("/matches/{match_id}/draft")
async def draft(match_id: UUID, wish: DraftWish, chair: MyChair, session: Session) -> DraftShown:
    """Add to your draft, take a move back, or clear it. Nobody else sees it."""
    seat, revision = chair.playing(), wish.revision
    if wish.add is not None and wish.drop is not None:
        raise InvalidError("invalid_field", field="drop")
    if wish.add is not None:
        changed = await service.add_to_draft(
            session, match_id=match_id, seat=seat, line=wish.add, revision=revision
        )
    elif wish.drop is not None:
        changed = await service.drop_from_draft(
            session, match_id=match_id, seat=seat, index=wish.drop, revision=revision
        )
    else:
        changed = await service.clear_draft(
            session, match_id=match_id, seat=seat, revision=revision
        )
    return DraftShown.of(changed)


@router.post("/matches/{match_id}/commit")
async def commit(
    match_id: UUID, wish: CommitWish, chair: MyChair, session: Session, now: Now
) -> CommitShown:
    """End your turn with `line` or with your draft, or submit an answer.

    A repeat with the same key changes nothing and gives the same version.
    """
    command = service.Commit(
        match_id=match_id,
        seat=chair.playing(),
        person_id=chair.person.id,
        expected_version=wish.expected_version,
        key=wish.key,
        line=wish.line,
        revision=wish.revision,
        now=now,
    )
    return CommitShown(version=(await service.commit(session, command)).version)


@router.post("/matches/{match_id}/resign")
async def resign(
    match_id: UUID, wish: ResignWish, chair: MyChair, session: Session, now: Now
) -> CommitShown:
    """Leave for good; a bot takes your seat."""
    left = await service.resign(
        session, match_id=match_id, seat=chair.playing(), key=wish.key, now=now
    )
    return CommitShown(version=left.version)


@router.get("/matches/{match_id}/events")
async def events(
    match_id: UUID, person: TokenPerson, session: Session, query: Annotated[SinceQuery, Query()]
) -> EventsShown:
    """List what has happened after version `since`."""
    chair = await chair_at(session, person, match_id, query.seat)
    news = await queries.news(session, match_id=match_id, seat=chair.seat, version=query.since)
    return EventsShown(version=news.version, status=news.status, events=EventShown.of(news.events))


@router.get("/matches/{match_id}/export", response_class=PlainTextResponse)
async def export(match_id: UUID, chair: MyChair, session: Session) -> str:
    """Return the match as text; while it runs, only what you may know."""
    return await export_text(session, match_id=match_id, seat=chair.seat)
