"""The tower workshop: a page whose whole state is its address."""

from typing import Annotated, Any, Final
from uuid import UUID, uuid4

from fastapi import APIRouter, Query, Request, Response, status
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from app.db.session import Session
from app.errors import NotFoundError
from app.i18n import gettext
from app.matches.pages import MatchPage
from app.matches.queries import match_page
from app.rules.castell.components import PRIZES
from app.rules.castell.moves import EnterFestival
from app.rules.castell.notation import parse
from app.web.boards.castell_prospects import (
    Builder,
    assistants_allowed,
    builders,
    nothing_yet,
    score_note,
    suggestion,
)
from app.web.boards.castell_results import prize_word
from app.web.boards.castell_steps import Building, add, read_tower
from app.web.boards.castell_submit import submits
from app.web.boards.castell_target import Target, my_colla, target_of
from app.web.boards.castell_workshop import Workshop, workshop
from app.web.people import PlayingSeat
from app.web.templating import fragment, page, path_for

router = APIRouter(prefix="/matches/{match_id}/workshop", include_in_schema=False)

SHOW: Final = "workshop/show.html"
BUILDERS: Final = "workshop/_builders.html"
# Longer than any tower that can be built and any key of a goal.
LONGEST: Final = 400


class WorkshopQuery(BaseModel):
    """The address: see `Building`.  `add` and `at` put one casteller onto a level first."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    goal: str = Field("", max_length=40)
    tower: str | None = Field(None, max_length=LONGEST)
    level: int | None = Field(None, ge=1, le=200)
    back: tuple[Annotated[str, Field(max_length=LONGEST)], ...] = Field((), max_length=20)
    seat: int | None = Field(None, ge=0, le=9)
    add: int | None = Field(None, ge=1, le=10)
    at: int | None = Field(None, ge=1, le=200)


class BuildersQuery(BaseModel):
    """The goal whose builders are shown, and the mark of what is shown already."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    goal: str = Field(max_length=40)
    since: str = Field(max_length=40)


State = Annotated[WorkshopQuery, Query()]


@router.get("", name="matches.workshop")
async def show(
    request: Request, match_id: UUID, seat: PlayingSeat, session: Session, state: State
) -> Response:
    """Show the tower of the address, judged; a tower on its way goes to its own address."""
    match = await match_page(session, match_id=match_id, seat=seat)
    building = _building(match, state)
    if state.add is not None or not state.goal:
        url = path_for(request, "matches.workshop", match_id=match_id)
        return RedirectResponse(f"{url}?{building.query()}", status.HTTP_303_SEE_OTHER)
    return page(request, SHOW, **_context(request, match, building))


@router.get("/part", name="matches.workshop_part")
async def part(
    request: Request, match_id: UUID, seat: PlayingSeat, session: Session, state: State
) -> Response:
    """The same without the page around it, for the script."""
    match = await match_page(session, match_id=match_id, seat=seat)
    return fragment(request, SHOW, "workshop", **_context(request, match, _building(match, state)))


@router.get("/builders", name="matches.workshop_builders")
async def who_builds(
    request: Request,
    match_id: UUID,
    seat: PlayingSeat,
    session: Session,
    state: Annotated[BuildersQuery, Query()],
) -> Response:
    """Whose answer is in, or nothing if that is as it was; the tower stays untouched."""
    match = await match_page(session, match_id=match_id, seat=seat)
    if _mark(match) == state.since:
        return Response(status_code=status.HTTP_204_NO_CONTENT)
    kind, _, region = state.goal.partition(":")
    view = match.base_view
    if kind == "festival" and region not in view.entrants:
        reveal = _reveal_url(request, match, view.round)
        return fragment(request, BUILDERS, "builders", builders=(), poll_url="", reveal_url=reveal)
    target = target_of(match, state.goal)
    return fragment(request, BUILDERS, "builders", **_building_seats(request, match, target))


def _building(match: MatchPage, state: WorkshopQuery) -> Building:
    """Return what the address says; without a tower, the one handed in already."""
    if match.game != "castell":
        raise NotFoundError
    goal = state.goal or f"festival:{my_colla(match).region}"
    tower = read_tower(state.tower or "")
    if state.tower is None and match.answer is not None:
        for move in parse(match.answer):
            if isinstance(move, EnterFestival) and goal == f"festival:{move.region}":
                tower = move.tower
    building = Building(goal, tower, state.level, state.back, state.seat)
    if state.add is None:
        return building
    level = min(state.at or building.at, len(tower) + 1)
    return building.become(add(tower, level, state.add), None)


def _context(request: Request, match: MatchPage, building: Building) -> dict[str, Any]:
    work = workshop(match, building)
    target = work.target
    seats = _building_seats(request, match, target)
    assistants = assistants_allowed(match)
    handing_in = submits(match, work)
    return {
        "work": work,
        "heading": _heading(target),
        "kit": next(info.kit for info in match.seats if info.seat == match.seat),
        "page_url": path_for(request, "matches.workshop", match_id=match.id),
        "part_url": path_for(request, "matches.workshop_part", match_id=match.id),
        "board_url": path_for(request, "matches.show", match_id=match.id) + _seat(building.seat),
        "commit_url": path_for(request, "matches.commit", match_id=match.id) + _seat(building.seat),
        "draft_url": path_for(request, "matches.draft", match_id=match.id) + _seat(building.seat),
        "version": match.version,
        "key": uuid4().hex,
        "submits": handing_in,
        "assistants": assistants,
        "best": suggestion(match, target, building) if assistants else None,
        "no_best": nothing_yet(match, target) if assistants else "",
        "score_note": score_note(match, work.total, seats["builders"]),
        "prizes": _prizes(match, work, seats["builders"]),
        **seats,
    }


def _building_seats(request: Request, match: MatchPage, target: Target) -> dict[str, Any]:
    seat = request.query_params.get("seat")
    url = path_for(request, "matches.workshop_builders", match_id=match.id)
    query = f"?goal={target.key}&since={_mark(match)}" + (f"&seat={seat}" if seat else "")
    return {
        "builders": builders(match, target),
        "poll_url": url + query if target.is_open else "",
        "reveal_url": "",
    }


def _mark(match: MatchPage) -> str:
    """Return what changes whenever the list of builders may have changed."""
    return f"{match.version}.{len(match.answered)}"


def _reveal_url(request: Request, match: MatchPage, round_: int) -> str:
    """Return the address of the festivals that were held last."""
    held = [
        number.number
        for number in match.base_view.calendar
        if number.number <= round_ and any(festival.resolved for festival in number.festivals)
    ]
    if not held:
        return ""
    return path_for(request, "matches.festival", match_id=match.id, round=held[-1])


def _heading(target: Target) -> str:
    if target.tile:
        return gettext("Local tile in %(region)s", region=target.name)
    return gettext("Festival in %(region)s", region=target.name)


def _prizes(
    match: MatchPage, work: Workshop, seats: tuple[Builder, ...]
) -> tuple[tuple[str, str, int], ...]:
    """Return (symbol, word, points) of the prizes with as many towers as seats are asked."""
    if work.target.tile is not None:
        return ()
    values = match.view.values
    chart = values.prize_chart[max(len(seats), 1) - 1]
    return tuple(
        (prize, prize_word(prize), values.points_of(prize)) for prize in PRIZES if prize in chart
    )


def _seat(seat: int | None) -> str:
    return "" if seat is None else f"?seat={seat}"
