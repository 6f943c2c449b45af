"""The front page."""

from uuid import uuid4

from fastapi import APIRouter, Request, Response

from app.lobby.queries import my_tables, open_tables
from app.matches.lists import match_counts, my_matches
from app.web.match_times import cards_due
from app.web.templating import page
from app.web.visits import Visiting

router = APIRouter(tags=["front"])

MATCHES_SHOWN = 5


@router.get("/", name="front")
async def front(request: Request, visit: Visiting) -> Response:
    """Play at once, make a table, join one, or go on with a match."""
    person = visit.person
    matches = await my_matches(visit.session, person.id, most=MATCHES_SHOWN) if person else ()
    due = (
        await cards_due(visit.session, matches, person_id=person.id, now=visit.now)
        if person
        else {}
    )
    counts = await match_counts(visit.session, person.id) if person else None
    return page(
        request,
        "front/index.html",
        open_tables=await open_tables(visit.session, person),
        my_tables=await my_tables(visit.session, person),
        matches=matches,
        due=due,
        key=uuid4().hex,
        turns_waiting=counts.my_turn if counts else 0,
    )
