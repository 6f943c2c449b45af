"""Getting in: by link, by code, as a spectator.

Looking at a link or a code changes nothing; taking the seat is a POST.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from pydantic import Field

from app.accounts.limits import WRONG_CODE, WRONG_CODE_BY_ANYBODY, WRONG_LINK
from app.i18n import gettext as _
from app.lobby import seats
from app.lobby.codes import read_code
from app.lobby.queries import (
    invitation_by_code,
    invitation_by_token,
    invitation_to_watch,
    match_of_table,
)
from app.lobby.values import Invitation
from app.web.forms import FormModel, Line
from app.web.templating import page, path_for
from app.web.visits import Visit, Visiting

router = APIRouter(tags=["join"])

Token = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
Code = Annotated[str, Field(max_length=40)]


class CodeForm(FormModel):
    """A code as somebody typed it."""

    code: Line


class SeatForm(FormModel):
    """Under which name to sit down; a person known here may leave it out."""

    name: Line = ""


@router.get("/join", name="join")
async def show_join(request: Request) -> Response:
    """The form for a code."""
    return page(request, "join/code.html")


@router.post("/join", name="join.find")
async def find(visit: Visiting, form: Annotated[CodeForm, Form()]) -> Response:
    """Go where the code leads."""
    await _by_code(visit, form.code)
    return visit.redirect("join.code", code=read_code(form.code) or "")


@router.get("/join/{code}", name="join.code")
async def show_code(request: Request, visit: Visiting, code: Code) -> Response:
    """Say whose table waits under the code."""
    return _invitation_page(request, visit, await _by_code(visit, code))


@router.post("/join/{code}", name="join.take")
async def take_code(visit: Visiting, code: Code, form: Annotated[SeatForm, Form()]) -> Response:
    """Take a seat at the table with this code."""
    await _by_code(visit, code)
    person = await visit.person_or_guest(form.name)
    table_id = await seats.join_by_code(
        visit.session, code=code, person=person, name=form.name or None, now=visit.now
    )
    return visit.redirect("tables.show", table_id=table_id)


@router.get("/i/{token}", name="invite")
async def show_invite(request: Request, visit: Visiting, token: Token) -> Response:
    """Say whose table the invitation is to."""
    with visit.counting_misses(WRONG_LINK):
        invitation = await invitation_by_token(visit.session, token=token, person=visit.person)
    return _invitation_page(request, visit, invitation)


@router.post("/i/{token}", name="invite.take")
async def take_invite(visit: Visiting, token: Token, form: Annotated[SeatForm, Form()]) -> Response:
    """Take a seat at the table the invitation is to."""
    with visit.counting_misses(WRONG_LINK):
        await invitation_by_token(visit.session, token=token, person=visit.person)
    person = await visit.person_or_guest(form.name)
    table_id = await seats.join_by_invite(
        visit.session, token=token, person=person, name=form.name or None, now=visit.now
    )
    return visit.redirect("tables.show", table_id=table_id)


@router.get("/w/{token}", name="watch")
async def show_watch(request: Request, visit: Visiting, token: Token) -> Response:
    """Say whose match the spectator link is for."""
    with visit.counting_misses(WRONG_LINK):
        invitation = await invitation_to_watch(visit.session, token=token, person=visit.person)
    running = invitation.state in {"started", "vacant", "seated"}
    return page(
        request,
        "join/watch.html",
        invitation=invitation,
        action=path_for(request, "watch.take", token=token),
        state="running" if running else "gathering",
    )


@router.post("/w/{token}", name="watch.take")
async def take_watch(visit: Visiting, token: Token, form: Annotated[FormModel, Form()]) -> Response:
    """Watch the match; somebody unknown becomes a guest to be remembered by."""
    with visit.counting_misses(WRONG_LINK):
        await invitation_to_watch(visit.session, token=token, person=visit.person)
    person = await visit.person_or_guest(_("Spectator"))
    table_id = await seats.watch(visit.session, token=token, person=person)
    match_id = await match_of_table(visit.session, table_id)
    return visit.redirect("matches.show", match_id=match_id)


async def _by_code(visit: Visit, code: str) -> Invitation:
    """Return the invitation; wrong codes are counted, by household and over all."""
    with visit.counting_misses(WRONG_CODE), visit.counting_misses(WRONG_CODE_BY_ANYBODY, "all"):
        return await invitation_by_code(visit.session, code=code, person=visit.person)


def _invitation_page(request: Request, visit: Visit, invitation: Invitation) -> Response:
    if invitation.state == "seated":
        return visit.redirect("tables.show", table_id=invitation.table_id)
    return page(
        request,
        "join/invite.html",
        invitation=invitation,
        action=request.url.path,
        needs_name=visit.person is None,
        name=visit.person.name if visit.person else "",
    )
