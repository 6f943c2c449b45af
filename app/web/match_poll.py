"""Polling: has anything happened?  The common answer, no, asks memory and not the database.

This router is installed without the dependency that looks up who is asking:
only when there is something to show is the database opened, and then the same
dependencies as on the page decide who may see it.
"""

from contextlib import asynccontextmanager
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response, status
from fastapi.responses import RedirectResponse
from pydantic import Field

from app.db.session import open_session
from app.web.match_page import look, show_part
from app.web.match_since import since_token
from app.web.matches import OpenQuery
from app.web.people import known_here, my_chair, my_seat, now_of
from app.web.templating import is_htmx, path_for

router = APIRouter(prefix="/matches/{match_id}", tags=["matches"])

# The page's own session, opened only when it is needed.
_opened: Final = asynccontextmanager(open_session)


class PollQuery(OpenQuery):
    """What the page shows already (`since`, absent: nothing), for which seat."""

    since: str | None = Field(None, max_length=60)
    seat: int | None = Field(None, ge=0, le=9)


@router.get("/board", name="matches.board")
async def board(request: Request, match_id: UUID, poll: Annotated[PollQuery, Query()]) -> Response:
    """The part of the match page that changes, or nothing if nothing has happened."""
    if not is_htmx(request):
        address = path_for(request, "matches.show", match_id=match_id)
        query = request.url.query
        return RedirectResponse(f"{address}?{query}" if query else address, 303)
    if poll.since is not None and poll.since == await since_token(request, match_id, poll.seat):
        return Response(status_code=status.HTTP_204_NO_CONTENT)
    async with _opened(request) as session:
        known = await known_here(request, session, now_of(request))
        chair = await my_chair(match_id, known.person if known else None, session)
        seat = await my_seat(match_id, chair, session, poll.seat)
        return show_part(
            await look(request, session, chair, match_id=match_id, seat=seat, opened=poll.opened)
        )
