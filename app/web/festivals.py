"""Castell’s festivals revealed: all towers of a round side by side."""

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Path, Request, Response, status
from fastapi.responses import RedirectResponse

from app.db.session import Session
from app.errors import NotFoundError
from app.matches.pages import MatchPage
from app.matches.queries import match_page
from app.web.boards import castell
from app.web.boards.castell_reveal import prize_worths, reveals
from app.web.match_links import seat_query
from app.web.people import MyChair, MySeat
from app.web.templating import page, path_for

router = APIRouter(prefix="/matches/{match_id}", tags=["matches"])

FESTIVAL: Final = "results/festival.html"


@router.get("/festivals/{round}", name="matches.festival")
async def festival(  # noqa: PLR0917 - one dependency a line
    request: Request,
    match_id: UUID,
    number: Annotated[int, Path(alias="round", ge=1, le=99)],
    chair: MyChair,
    seat: MySeat,
    session: Session,
) -> Response:
    """All towers of a round's festivals side by side, once everybody was in."""
    match = await match_page(session, match_id=match_id, seat=seat)
    if match.game != castell.GAME:
        raise NotFoundError
    found = reveals(match, number)
    if not found:
        raise NotFoundError
    named = seat if len(chair.seats) > 1 else None
    suffix = seat_query(named)
    held = _rounds_held(match)
    place = held.index(number)

    def link(at: int) -> str:
        return path_for(request, "matches.festival", match_id=match_id, round=at) + suffix

    return page(
        request,
        FESTIVAL,
        reveals=found,
        round=number,
        running=match.status == "running",
        before=held[place - 1] if place else None,
        before_url=link(held[place - 1]) if place else "",
        after=held[place + 1] if place + 1 < len(held) else None,
        after_url=link(held[place + 1]) if place + 1 < len(held) else "",
        board_url=path_for(request, "matches.show", match_id=match_id)
        + seat_query(named, seen=held[-1]),
        prize_words=prize_worths(match.base_view.values),
    )


@router.get("/festivals", name="matches.answered")
async def answered(
    request: Request, match_id: UUID, chair: MyChair, seat: MySeat, session: Session
) -> Response:
    """From handing in to what comes next: all towers if they are in, else the match."""
    match = await match_page(session, match_id=match_id, seat=seat)
    if match.game != castell.GAME:
        raise NotFoundError
    suffix = seat_query(seat if len(chair.seats) > 1 else None)
    held = _rounds_held(match)
    waiting = match.base_view.phase == "festivals"
    address = (
        path_for(request, "matches.show", match_id=match_id)
        if waiting or not held
        else path_for(request, "matches.festival", match_id=match_id, round=held[-1])
    )
    # While others build, the next seat of this device that is asked comes up.
    return RedirectResponse(address + ("" if waiting else suffix), status.HTTP_303_SEE_OTHER)


def _rounds_held(match: MatchPage) -> list[int]:
    return [
        number.number
        for number in match.base_view.calendar
        if any(one.resolved for one in number.festivals)
    ]
