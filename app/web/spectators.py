"""Who may watch a match: the host decides, also while it runs."""

from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Request, Response

from app.errors import ForbiddenError, NotFoundError
from app.lobby import service
from app.lobby.queries import table_of_match, table_page
from app.lobby.values import TablePage
from app.web.forms import FormModel
from app.web.people import MyChair
from app.web.templating import page
from app.web.visits import TableLinks, Visit, Visiting, links_of

router = APIRouter(prefix="/matches/{match_id}/spectators", tags=["matches"])

PAGE: Final = "matches/spectators.html"


class WatchForm(FormModel):
    """Whether others may watch."""

    allowed: Literal["on", "off"]


@router.get("", name="matches.spectators")
async def show(request: Request, visit: Visiting, match_id: UUID, chair: MyChair) -> Response:
    """The link for spectators, and the word that ends it; for the host only."""
    table = await _hosted(visit, match_id)
    return page(request, PAGE, match_id=match_id, watch_url=table.watch_url)


@router.post("", name="matches.allow_spectators")
async def allow(
    visit: Visiting,
    match_id: UUID,
    chair: MyChair,
    links: TableLinks,
    form: Annotated[WatchForm, Form()],
) -> Response:
    """Let others watch, or send all of them away."""
    table = await _hosted(visit, match_id)
    await service.allow_watching(
        visit.session,
        table_id=table.id,
        person=chair.person,
        allowed=form.allowed == "on",
        links=links,
    )
    return visit.redirect("matches.spectators", match_id=match_id)


async def _hosted(visit: Visit, match_id: UUID) -> TablePage:
    """Return the match's table; raises ForbiddenError for those at it who are not the host."""
    table_id = await table_of_match(visit.session, match_id)
    if table_id is None:
        raise NotFoundError
    table = await table_page(
        visit.session, table_id=table_id, person=visit.person, links=links_of(visit.request)
    )
    if not table.host_is_me:
        raise ForbiddenError("table.not_host")
    return table
