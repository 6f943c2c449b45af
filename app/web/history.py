"""Stepping through a match: every position has an address of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.db.session import Session
from app.matches.queries import events_since, match_at
from app.web.boards.opened import Opened
from app.web.boards.registry import BOARDS
from app.web.boards.seats import who_is_who
from app.web.boards.walking import walk
from app.web.match_links import seat_query
from app.web.match_times import struck_lines
from app.web.people import MyChair, MySeat
from app.web.templating import page, path_for, static_url

router = APIRouter(prefix="/matches/{match_id}/history", tags=["matches"])

SHOW: Final = "history/show.html"


class RegionQuery(BaseModel):
    """The region looked at in full; `seen` goes back to the match as it came."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    region: str = Field("", max_length=20)
    seen: int = Field(0, ge=0, le=99)


@dataclass(frozen=True, slots=True)
class HistoryLinks:
    """The addresses a board in the past leads to: it looks, and changes nothing."""

    here: str
    history: str
    region: Mapping[str, str]

    def to(self, opens: Mapping[str, str]) -> str:
        """The same position with nothing open."""
        return self.here

    def noting(self, keep: Mapping[str, str]) -> str:
        """Nothing is noted in the past."""
        return self.here

    @property
    def draft(self) -> str:
        """Nothing is noted in the past."""
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
    named = seat if len(chair.seats) > 1 else None
    suffix = seat_query(named, seen=opened.seen)
    over = match.status == "finished"

    def link(at: int, region: str = "") -> str:
        address = path_for(request, "matches.history", match_id=match_id, version=at) + suffix
        if not region:
            return address
        return f"{address}{'&' if suffix else '?'}region={region}#region"

    def reveal(number: int) -> str:
        return path_for(request, how.past.reveal, match_id=match_id, round=number) + suffix

    here = link(version)
    return page(
        request,
        SHOW,
        match=match,
        # In the past one's own doings are worth telling too.
        board=how.past.retell(board, match),
        past=how.past,
        tabs=how.past.tabs(),
        art=board.art,
        land=how.land,
        sheets=how.sheets,
        sprite=static_url("symbols.svg"),
        game_title=how.title,
        region_query=opened.region,
        walk=walk(how.past.steps(story, people, match.seat), version),
        link=link,
        struck=await struck_lines(session, match),
        links=HistoryLinks(here, here, {area.id: link(version, area.id) for area in board.regions}),
        board_url=path_for(request, "matches.show", match_id=match_id)
        + seat_query(named, seen=how.rounds(match.view)[1] if over else opened.seen),
        reveal_url=reveal,
        results_url=path_for(request, "matches.results", match_id=match_id) + suffix
        if over
        else "",
    )
