"""The person's own matches: those that wait for them, those that run, those that are over."""

from fastapi import APIRouter, Request, Response

from app.lobby.queries import my_tables
from app.matches.queries import my_matches
from app.web.people import CurrentPerson
from app.web.templating import page
from app.web.visits import Visiting

router = APIRouter(tags=["matches"])


@router.get("/matches", name="matches.mine")
async def mine(request: Request, visit: Visiting, person: CurrentPerson) -> Response:
    """All matches and gathering tables of the person."""
    cards = await my_matches(visit.session, person.id)
    running = [card for card in cards if card.status == "running"]
    return page(
        request,
        "matches/mine.html",
        mine_to_move=tuple(card for card in running if card.my_turn),
        waiting=tuple(card for card in running if not card.my_turn),
        finished=tuple(card for card in cards if card.status != "running"),
        my_tables=await my_tables(visit.session, person),
        turns_waiting=sum(card.my_turn for card in running),
    )
