"""Tables: making one, filling it, starting its match."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from starlette import status

from app.accounts.limits import NEW_TABLE, WRONG_CODE, Limiter
from app.accounts.values import Person
from app.api.people import Now, TokenPerson
from app.api.problems import RESPONSES
from app.api.requests import StrictRoute
from app.api.schemas import (
    BotMatchWish,
    BotWish,
    JoinWish,
    MatchMade,
    NoQuery,
    TableSeatShown,
    TableShown,
    TableWish,
)
from app.config import Settings
from app.db.session import Session
from app.errors import InvalidError, NotFoundError
from app.lobby import seats, service
from app.lobby.links import Links
from app.lobby.queries import table_page
from app.lobby.values import NewTable

router = APIRouter(tags=["tables"], route_class=StrictRoute, responses=RESPONSES)
Nothing = Annotated[NoQuery, Query()]


@router.post("/tables", status_code=status.HTTP_201_CREATED)
async def create_table(
    request: Request,
    wish: TableWish,
    person: TokenPerson,
    session: Session,
    now: Now,
    _: Nothing,
) -> TableShown:
    """Make a table; you sit in its first seat."""
    limiter: Limiter = request.app.state.limiter
    limiter.spend(NEW_TABLE, person.id, now=now)
    table_id = await service.create_table(
        session,
        host=person,
        wish=NewTable(**wish.model_dump()),
        links=links_of(request),
        now=now,
    )
    return await _shown(request, session, table_id, person)


@router.get("/tables/{table_id}")
async def show_table(
    request: Request, table_id: UUID, person: TokenPerson, session: Session, _: Nothing
) -> TableShown:
    """Show a table you sit at, or an open one."""
    return await _shown(request, session, table_id, person)


@router.post("/join")
async def join(
    request: Request, wish: JoinWish, person: TokenPerson, session: Session, now: Now, _: Nothing
) -> TableShown:
    """Take a seat at somebody's table, by code or by invitation."""
    limiter: Limiter = request.app.state.limiter
    limiter.check(WRONG_CODE, person.id, now=now)
    try:
        if wish.code is not None and wish.invite is None:
            table_id = await seats.join_by_code(
                session, code=wish.code, person=person, name=wish.name, now=now
            )
        elif wish.invite is not None and wish.code is None:
            table_id = await seats.join_by_invite(
                session, token=wish.invite, person=person, name=wish.name, now=now
            )
        else:
            raise InvalidError("invalid_field", field="code")
    except NotFoundError:
        limiter.spend(WRONG_CODE, person.id, now=now)
        raise
    return await _shown(request, session, table_id, person)


@router.post("/tables/{table_id}/join")
async def join_open(
    request: Request, table_id: UUID, person: TokenPerson, session: Session, now: Now, _: Nothing
) -> TableShown:
    """Take a seat at an open table."""
    await seats.join_open(session, table_id=table_id, person=person, now=now)
    return await _shown(request, session, table_id, person)


@router.post("/tables/{table_id}/bots")
async def add_bot(
    request: Request,
    table_id: UUID,
    wish: BotWish,
    person: TokenPerson,
    session: Session,
    _: Nothing,
) -> TableShown:
    """Put a bot into an empty seat of your table."""
    await seats.add_bot(
        session, table_id=table_id, position=wish.position, policy=wish.policy, person=person
    )
    return await _shown(request, session, table_id, person)


@router.post("/tables/{table_id}/start")
async def start(
    table_id: UUID, person: TokenPerson, session: Session, now: Now, _: Nothing
) -> MatchMade:
    """Start the match of your table."""
    match_id = await service.start(session, table_id=table_id, person=person, now=now)
    return MatchMade(match_id=match_id)


@router.post("/matches", status_code=status.HTTP_201_CREATED)
async def play_bots(
    request: Request,
    wish: BotMatchWish,
    person: TokenPerson,
    session: Session,
    now: Now,
    _: Nothing,
) -> MatchMade:
    """Start a match against bots at once."""
    limiter: Limiter = request.app.state.limiter
    limiter.spend(NEW_TABLE, person.id, now=now)
    match_id = await service.play_bots(
        session,
        person=person,
        game=wish.game,
        bots=wish.bots,
        policy=wish.policy,
        key=wish.key,
        links=links_of(request),
        now=now,
    )
    return MatchMade(match_id=match_id)


def links_of(request: Request) -> Links:
    """Return what makes invitation links; with PUBLIC_URL set the request has no say in them."""
    settings: Settings = request.app.state.settings
    root = str(request.scope.get("root_path", "")).removesuffix("/api")
    base = settings.public_url or f"{request.url.scheme}://{request.url.netloc}{root}"
    return Links(
        settings.secret_key or "",
        invite_url=lambda token: f"{base}/i/{token}",
        watch_url=lambda token: f"{base}/w/{token}",
    )


async def _shown(request: Request, session: Session, table_id: UUID, person: Person) -> TableShown:
    page = await table_page(session, table_id=table_id, person=person, links=links_of(request))
    return TableShown(
        id=page.id,
        game=page.game,
        status=page.status,
        host=page.host,
        seats=[
            TableSeatShown(
                position=seat.position, name=seat.name, kit=seat.kit, bot=seat.bot, mine=seat.mine
            )
            for seat in page.seats
        ],
        options=dict(page.options),
        clock=None if page.clock is None else dict(page.clock),
        code=page.code,
        invite_url=page.invite_url,
        match_id=page.match_id,
    )
