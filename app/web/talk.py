"""Table talk: reading, saying, muting."""

from typing import Annotated, Literal
from uuid import UUID, uuid4

from fastapi import APIRouter, Form, Query, Request, Response, status

from app.errors import NotFoundError
from app.lobby import talk
from app.lobby.queries import table_of_match
from app.lobby.talk_queries import talk_page
from app.web.forms import FormModel, Key
from app.web.people import CurrentPerson
from app.web.templating import fragment, is_htmx, page
from app.web.visits import Visit, Visiting

router = APIRouter(tags=["talk"])

PAGE = "tables/talk.html"


class SayForm(FormModel):
    """Something said; the service limits it, with a sentence."""

    text: str
    key: Key


class MuteForm(FormModel):
    """Whom not to hear, or to hear again."""

    person: UUID
    muted: Literal["on", "off"]


@router.get("/tables/{table_id}/talk", name="tables.talk")
async def show(
    request: Request,
    visit: Visiting,
    person: CurrentPerson,
    table_id: UUID,
    since: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> Response:
    """The talk of a table; opening it is reading it."""
    table = await talk_page(visit.session, table_id=table_id, person_id=person.id)
    if table.unread:
        await talk.mark_read(visit.session, table_id=table_id, person_id=person.id, n=table.count)
    if since == table.count:
        return Response(status_code=status.HTTP_204_NO_CONTENT)
    if is_htmx(request):
        return fragment(request, PAGE, "talk", table=table, talk_key=uuid4().hex)
    return page(request, PAGE, table=table, talk_key=uuid4().hex)


@router.get("/matches/{match_id}/talk", name="matches.talk")
async def show_for_match(visit: Visiting, person: CurrentPerson, match_id: UUID) -> Response:
    """The way from a match to the talk of its table; for its people only."""
    table_id = await table_of_match(visit.session, match_id)
    if table_id is None:
        raise NotFoundError
    await talk_page(visit.session, table_id=table_id, person_id=person.id)
    return visit.redirect("tables.talk", table_id=table_id)


@router.post("/tables/{table_id}/talk", name="tables.say")
async def say(
    visit: Visiting, person: CurrentPerson, table_id: UUID, form: Annotated[SayForm, Form()]
) -> Response:
    """Say something."""
    await talk.say(
        visit.session,
        table_id=table_id,
        person=person,
        text=form.text,
        key=form.key,
        now=visit.now,
    )
    return await _talk(visit, table_id, person.id)


@router.post("/tables/{table_id}/mute", name="tables.mute")
async def mute(
    visit: Visiting, person: CurrentPerson, table_id: UUID, form: Annotated[MuteForm, Form()]
) -> Response:
    """Stop, or start again, hearing somebody."""
    await talk.mute(
        visit.session,
        table_id=table_id,
        person=person,
        muted_id=form.person,
        muted=form.muted == "on",
    )
    return await _talk(visit, table_id, person.id)


async def _talk(visit: Visit, table_id: UUID, person_id: UUID) -> Response:
    if not is_htmx(visit.request):
        return visit.redirect("tables.talk", table_id=table_id)
    table = await talk_page(visit.session, table_id=table_id, person_id=person_id)
    return fragment(visit.request, PAGE, "talk", table=table, talk_key=uuid4().hex)
