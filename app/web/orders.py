"""Standing orders: what answers for a seat of a match, and all that answers for a person."""

from itertools import zip_longest
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from app.errors import AppError, ConflictError, MoveRejectedError
from app.i18n import sentences
from app.matches.lists import my_matches
from app.matches.queries import match_page
from app.matches.standing import orders_left, set_standing, standing_orders
from app.rules.game import Seat
from app.web.boards.opened import Opened
from app.web.boards.registry import BOARDS
from app.web.forms import FormModel, Line
from app.web.match_links import MatchLinks
from app.web.match_page import notice_of
from app.web.people import Chair, CurrentPerson, MyChair, PlayingSeat
from app.web.templating import page
from app.web.visits import Visit, Visiting

router = APIRouter(tags=["orders"])

MATCH: Final = "matches/orders.html"
PERSON: Final = "account/orders.html"
MOST_ROWS: Final = 20
# Those that run come first; nobody plays as many.
MOST_MATCHES: Final = 200


class OrderForm(FormModel):
    """What is to answer a decision; nothing at all: ask.

    A `*` in the order stands for the list of the items ticked.
    """

    decision: Line
    order: Line = ""
    items: list[Line] = Field(default_factory=list, max_length=100)

    @property
    def line(self) -> str | None:
        """The order in the game's own words."""
        return self.order.replace("*", ",".join(self.items)).strip() or None


class RowsForm(OrderForm):
    """The same, where an order may also be a list sent row by row: what to pick and when."""

    pick: list[Line] = Field(default_factory=list, max_length=MOST_ROWS)
    when: list[Line] = Field(default_factory=list, max_length=MOST_ROWS)

    @property
    def line(self) -> str | None:
        """The order in the game's own words."""
        rows = zip_longest(self.pick, self.when[: len(self.pick)], fillvalue="")
        listed = ", ".join(f"{pick} if {when}" if when else pick for pick, when in rows if pick)
        return listed or super().line


@router.get("/matches/{match_id}/orders", name="matches.orders")
async def show(
    request: Request, *, visit: Visiting, match_id: UUID, chair: MyChair, seat: PlayingSeat
) -> Response:
    """What answers for the seat, what more could, and what has become of what did."""
    return await _match_page(request, visit, chair, match_id=match_id, seat=seat)


@router.post("/matches/{match_id}/orders", name="matches.order")
async def leave(
    request: Request,
    *,
    visit: Visiting,
    match_id: UUID,
    chair: MyChair,
    seat: PlayingSeat,
    form: Annotated[RowsForm, Form()],
) -> Response:
    """Leave an order for a decision, or take it back."""
    try:
        async with visit.session.begin_nested():
            await set_standing(
                visit.session,
                match_id=match_id,
                seat=seat,
                person_id=chair.person.id,
                decision=form.decision,
                order=form.line,
            )
    except (ConflictError, MoveRejectedError) as error:
        return await _match_page(
            request, visit, chair, match_id=match_id, seat=seat, refused=(form, error)
        )
    links = _links(request, chair, match_id, seat)
    return RedirectResponse(links.own("matches.orders"), status_code=303)


@router.get("/account/orders", name="account.orders")
async def show_person(request: Request, visit: Visiting, person: CurrentPerson) -> Response:
    """Everything that answers for the person, match by match."""
    found = await orders_left(visit.session, person.id)
    cards = await my_matches(visit.session, person.id, most=MOST_MATCHES)
    return page(
        request,
        PERSON,
        cards=[card for card in cards if card.status == "running"],
        left={(match_id, seat): orders for match_id, seat, orders in found},
        said=sentences,
    )


async def _match_page(
    request: Request,
    visit: Visit,
    chair: Chair,
    *,
    match_id: UUID,
    seat: Seat,
    refused: tuple[RowsForm, AppError] | None = None,
) -> Response:
    match = await match_page(visit.session, match_id=match_id, seat=seat)
    orders = await standing_orders(visit.session, match_id=match_id, seat=seat)
    lines = dict(match.standing)
    if refused is not None:
        lines[refused[0].decision] = refused[0].line or ""
    return page(
        request,
        MATCH,
        status_code=200 if refused is None else refused[1].status,
        match=match,
        board=BOARDS[match.game],
        links=_links(request, chair, match_id, seat),
        lines=lines,
        ended=[order for order in orders if order.ended],
        notice=None if refused is None else notice_of(refused[1], match.game),
        said=sentences,
    )


def _links(request: Request, chair: Chair, match_id: UUID, seat: Seat) -> MatchLinks:
    named = seat if len(chair.seats) > 1 else None
    return MatchLinks(request, match_id, named, Opened(), (), playing=True)
