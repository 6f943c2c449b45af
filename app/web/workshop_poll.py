"""Polling from the workshop: has another colla handed in?  The tower itself is never touched.

Like the match page's poll this asks memory first and the database only when
something has happened, so it is installed without the dependency that looks up
who is asking.
"""

from contextlib import asynccontextmanager
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response, status
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from app.db.session import open_session
from app.errors import NotFoundError
from app.matches.queries import match_page
from app.web.boards.castell_target import target_of
from app.web.match_since import since_token
from app.web.people import known_here, my_chair, my_seat, now_of
from app.web.templating import fragment, is_htmx, path_for
from app.web.workshop_page import builders_context, revealed_context

router = APIRouter(prefix="/matches/{match_id}/workshop", tags=["matches"])

BUILDERS: Final = "workshop/_builders.html"
_opened: Final = asynccontextmanager(open_session)


class BuildersQuery(BaseModel):
    """The goal whose builders are shown, and the version at which they were as shown."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    goal: str = Field(max_length=40)
    since: int = Field(ge=0)
    seat: int | None = Field(None, ge=0, le=9)


@router.get("/builders", name="matches.workshop_builders")
async def who_builds(
    request: Request, match_id: UUID, poll: Annotated[BuildersQuery, Query()]
) -> Response:
    """Whose answer is in, or nothing if that is as it was."""
    if not is_htmx(request):
        address = path_for(request, "matches.workshop", match_id=match_id)
        return RedirectResponse(f"{address}?{request.url.query}", status.HTTP_303_SEE_OTHER)
    version, _, _ = (await since_token(request, match_id, poll.seat)).partition(".")
    if version == str(poll.since):
        return Response(status_code=status.HTTP_204_NO_CONTENT)
    async with _opened(request) as session:
        known = await known_here(request, session, now_of(request))
        chair = await my_chair(match_id, known.person if known else None, session)
        seat = await my_seat(match_id, chair, session, poll.seat)
        if seat is None:
            raise NotFoundError
        match = await match_page(session, match_id=match_id, seat=seat)
    kind, _, region = poll.goal.partition(":")
    if kind == "festival" and region not in match.base_view.entrants:
        context = revealed_context(request, match, poll.seat)
    else:
        context = builders_context(request, match, target_of(match, poll.goal), poll.seat)
    return fragment(request, BUILDERS, "builders", **context)
