"""The person's own matches: those that wait for them, those that run, those that are over."""

from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Query, Request, Response

from app.lobby.queries import my_tables
from app.matches.lists import CARDS_SHOWN, match_counts, my_matches
from app.web.match_times import cards_due
from app.web.people import CurrentPerson
from app.web.templating import page
from app.web.visits import Visiting

router = APIRouter(tags=["matches"])


@router.get("/matches", name="matches.mine")
async def mine(
    request: Request,
    visit: Visiting,
    person: CurrentPerson,
    number: Annotated[int, Query(alias="page", ge=1, le=10**6)] = 1,
) -> Response:
    """One page of the person's matches; their gathering tables on the first."""
    counts = await match_counts(visit.session, person.id)
    skip = (number - 1) * CARDS_SHOWN
    cards = await my_matches(visit.session, person.id, skip=skip)
    due = await cards_due(visit.session, cards, person_id=person.id, now=visit.now)
    running = [card for card in cards if card.status == "running"]
    return page(
        request,
        "matches/mine.html",
        mine_to_move=tuple(card for card in running if card.my_turn),
        waiting=tuple(card for card in running if not card.my_turn),
        finished=tuple(card for card in cards if card.status != "running"),
        my_tables=await my_tables(visit.session, person) if number == 1 else (),
        due=due,
        key=uuid4().hex,
        turns_waiting=counts.my_turn,
        counts=counts,
        number=number,
        pages=max(1, -(-counts.all // CARDS_SHOWN)),
    )
