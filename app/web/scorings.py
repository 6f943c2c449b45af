"""El Grande’s general scorings, step by step."""

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response

from app.db.session import Session
from app.errors import NotFoundError
from app.matches.queries import events_since, match_page
from app.web.boards import el_grande
from app.web.boards.el_grande_map import map_art
from app.web.boards.el_grande_scoring import held, scoring_of
from app.web.match_links import seat_query
from app.web.people import MyChair, MySeat
from app.web.templating import page, path_for, static_url

router = APIRouter(prefix="/matches/{match_id}", tags=["matches"])

SCORING: Final = "results/scoring.html"


@router.get("/scorings/{round}", name="matches.scoring")
async def scoring(  # noqa: PLR0917 - one dependency a line
    request: Request,
    match_id: UUID,
    number: Annotated[int, Path(alias="round", ge=1, le=99)],
    chair: MyChair,
    seat: MySeat,
    session: Session,
    step: Annotated[int, Query(ge=1, le=99)] = 1,
) -> Response:
    """One step of the general scoring after a round, and the ways to the others."""
    match = await match_page(session, match_id=match_id, seat=seat)
    if match.game != el_grande.GAME:
        raise NotFoundError
    story = await events_since(session, match_id=match_id, seat=seat, version=0)
    found = scoring_of(match, story, number)
    if found is None:
        raise NotFoundError
    named = seat if len(chair.seats) > 1 else None
    rounds = held(story)
    place = rounds.index(number)
    here = found.steps[min(step, len(found.steps)) - 1]

    def link(at: int, step: int = 1) -> str:
        address = path_for(request, "matches.scoring", match_id=match_id, round=at)
        suffix = seat_query(named)
        return f"{address}{suffix}{'&' if suffix else '?'}step={step}"

    return page(
        request,
        SCORING,
        scoring=found,
        step=here,
        art=map_art(),
        sprite=static_url("symbols.svg"),
        step_link=lambda at: link(number, at),
        before_url=link(rounds[place - 1]) if place else "",
        after_url=link(rounds[place + 1]) if place + 1 < len(rounds) else "",
        before=rounds[place - 1] if place else 0,
        after=rounds[place + 1] if place + 1 < len(rounds) else 0,
        board_url=path_for(request, "matches.show", match_id=match_id)
        + seat_query(named, seen=rounds[-1]),
        match=match,
    )
