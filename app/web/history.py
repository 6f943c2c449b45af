"""Stepping through a match: every position has an address of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.db.session import Session
from app.matches.queries import events_since, match_at
from app.web.boards.castell_history import Step, steps_of, walk
from app.web.boards.castell_log import tell
from app.web.boards.opened import Opened
from app.web.boards.registry import BOARDS
from app.web.boards.seats import who_is_who
from app.web.people import MyChair, MySeat
from app.web.templating import page, path_for, static_url
from app.web.workshop_page import seat_query

router = APIRouter(prefix="/matches/{match_id}/history", tags=["matches"])

SHOW: Final = "history/show.html"


class RegionQuery(BaseModel):
    """The region looked at in full."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    region: str = Field("", max_length=20)


@dataclass(frozen=True, slots=True)
class HistoryLinks:
    """The addresses a board in the past leads to: it looks, and changes nothing."""

    here: str
    history: str
    region: Mapping[str, str]

    def to(self, opens: Mapping[str, str]) -> str:
        """The same position with nothing open."""
        return self.here


@router.get("/{version}", name="matches.history")
async def show(  # noqa: PLR0917 - one dependency a line
    request: Request,
    match_id: UUID,
    version: Annotated[int, Path(ge=1)],
    chair: MyChair,
    seat: MySeat,
    session: Session,
    opened: Annotated[RegionQuery, Query()],
) -> Response:
    """The match as it stood at `version`, and the steps around it."""
    match = await match_at(session, match_id, seat, version)
    story = await events_since(session, match_id=match_id, seat=seat, version=0)
    people = who_is_who(match.seats)
    how = BOARDS[match.game]
    board = how.draw(match, Opened(region=opened.region))
    names = {region.id: region.name for region in match.view.regions}
    named = seat if len(chair.seats) > 1 else None
    suffix = seat_query(named)
    over = match.status == "finished"

    def link(at: int, region: str = "") -> str:
        address = path_for(request, "matches.history", match_id=match_id, version=at) + suffix
        if not region:
            return address
        return f"{address}{'&' if suffix else '?'}region={region}#region"

    here = link(version)
    return page(
        request,
        SHOW,
        match=match,
        # In the past one's own doings are worth telling too.
        board=replace(board, log=tell(match.since, people, match.view, own=True).items),
        art=board.art,
        land=how.land,
        sheets=how.sheets,
        sprite=static_url("symbols.svg"),
        game_title=how.title,
        region_query=opened.region,
        walk=walk(steps_of(story, people, match.seat), version),
        link=link,
        links=HistoryLinks(here, here, {code: link(version, code) for code in names}),
        board_url=path_for(request, "matches.show", match_id=match_id)
        + seat_query(named, seen=match.view.rounds if over else 0),
        festival_url=_festival_url(request, match_id, suffix),
        results_url=path_for(request, "matches.results", match_id=match_id) + suffix
        if over
        else "",
    )


def _festival_url(request: Request, match_id: UUID, suffix: str) -> Any:
    def address(step: Step) -> str:
        return path_for(request, "matches.festival", match_id=match_id, round=step.round) + suffix

    return address
