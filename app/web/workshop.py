"""The tower workshop: a page whose whole state is its address."""

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response, status
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from app.db.session import Session
from app.errors import NotFoundError
from app.matches.pages import MatchPage
from app.matches.queries import match_page
from app.rules.castell.moves import EnterFestival
from app.rules.castell.notation import parse
from app.rules.game import Seat
from app.web.boards.castell_steps import Building, add, read_back, read_tower
from app.web.boards.castell_target import my_colla
from app.web.people import PlayingSeat
from app.web.templating import fragment, page, path_for
from app.web.workshop_page import workshop_context

router = APIRouter(prefix="/matches/{match_id}/workshop", tags=["matches"])

SHOW: Final = "workshop/show.html"
# Longer than any tower that can be built and any key of a goal.
LONGEST: Final = 400


class WorkshopQuery(BaseModel):
    """The address: see `Building`.  `add` and `at` put one casteller onto a level first."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    goal: str = Field("", max_length=40)
    tower: str | None = Field(None, max_length=LONGEST)
    level: int | None = Field(None, ge=1, le=200)
    back: str = Field("", max_length=12 * LONGEST)
    seat: int | None = Field(None, ge=0, le=9)
    add: int | None = Field(None, ge=1, le=10)
    at: int | None = Field(None, ge=1, le=200)


State = Annotated[WorkshopQuery, Query()]


@router.get("", name="matches.workshop")
async def show(
    request: Request, match_id: UUID, seat: PlayingSeat, session: Session, state: State
) -> Response:
    """Show the tower of the address, judged; a tower on its way goes to its own address."""
    match = await _castell(session, match_id, seat)
    if not state.goal and my_colla(match).region is None:
        # Nowhere yet: there is nothing to build for.
        address = path_for(request, "matches.show", match_id=match_id)
        return RedirectResponse(address, status.HTTP_303_SEE_OTHER)
    building = _building(match, state)
    if state.add is not None or not state.goal:
        url = path_for(request, "matches.workshop", match_id=match_id)
        return RedirectResponse(f"{url}?{building.query()}", status.HTTP_303_SEE_OTHER)
    return page(request, SHOW, **workshop_context(request, match, building))


@router.get("/part", name="matches.workshop_part")
async def part(
    request: Request, match_id: UUID, seat: PlayingSeat, session: Session, state: State
) -> Response:
    """The same without the page around it, for the script."""
    match = await _castell(session, match_id, seat)
    return fragment(
        request, SHOW, "workshop", **workshop_context(request, match, _building(match, state))
    )


async def _castell(session: Session, match_id: UUID, seat: Seat) -> MatchPage:
    """Return the match; raises NotFoundError for a game that builds no towers."""
    match = await match_page(session, match_id=match_id, seat=seat)
    if match.game != "castell":
        raise NotFoundError
    return match


def _building(match: MatchPage, state: WorkshopQuery) -> Building:
    """Return what the address says; without a tower, the one handed in already."""
    goal = state.goal or f"festival:{my_colla(match).region}"
    tower = read_tower(state.tower or "")
    if state.tower is None and match.answer is not None:
        for move in parse(match.answer):
            if isinstance(move, EnterFestival) and goal == f"festival:{move.region}":
                tower = move.tower
    building = Building(goal, tower, state.level, read_back(state.back), state.seat)
    if state.add is None:
        return building
    level = min(state.at or building.at, len(tower) + 1)
    return building.become(add(tower, level, state.add), None)
