"""The admin page: matches, what can be done about them, and the log of what was done.

It calls what the command line calls.  Whoever is no administrator finds no such page.
"""

from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.accounts.admins import require_admin
from app.accounts.values import Known
from app.db.session import Session
from app.errors import InvalidError
from app.hosting import service
from app.hosting.audit import Actor, deeds
from app.hosting.service import Deed
from app.jobs.holding import outgoing
from app.lobby.games import BOT_POLICIES
from app.matches.history import verify
from app.matches.standings import standing_of, standings
from app.rules.game import Seat
from app.web.forms import FormModel, Line, Small
from app.web.people import CurrentKnown, Now
from app.web.templating import page
from app.web.visits import Visiting

SHOWN: Final = 50


async def administrator(known: CurrentKnown, session: Session, now: Now) -> Known:
    """Return the administrator asking.

    Raises SignInRequiredError, NotFoundError for everybody else, and ForbiddenError
    once the session is older than administrators' may be.
    """
    await require_admin(session, session_id=known.session_id, now=now)
    return known


Administrator = Annotated[Known, Depends(administrator)]

router = APIRouter(prefix="/admin", tags=["admin"], dependencies=[Depends(administrator)])


class StatusQuery(BaseModel):
    """Which matches are listed."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    status: Literal["running", "finished", "void"] = "running"


class ReasonForm(FormModel):
    """Why something is done."""

    reason: Annotated[str, Field(max_length=200)] = ""


class RollbackForm(ReasonForm):
    """The version a match is to go on from."""

    version: Annotated[int, Field(ge=1, le=10**9)]


class ReassignForm(ReasonForm):
    """Who is to sit in a seat: an account's name or a person's id, or else a bot."""

    seat: Small
    to: Line = ""
    bot: Line = ""


@router.get("", name="admin")
async def show(
    request: Request, session: Session, query: Annotated[StatusQuery, Query()]
) -> Response:
    """The matches that moved last, what is to be sent, and what hosts did."""
    return page(
        request,
        "admin/show.html",
        status=query.status,
        matches=await standings(session, status=query.status, limit=SHOWN),
        mail=await outgoing(session),
        deeds=await deeds(session, limit=SHOWN),
    )


@router.get("/matches/{match_id}", name="admin.match")
async def match(request: Request, session: Session, match_id: UUID) -> Response:
    """How a match stands, without its secrets, and what can be done about it."""
    return page(
        request,
        "admin/match.html",
        match=await standing_of(session, match_id),
        problems=await verify(session, match_id),
        deeds=await deeds(session, subject=str(match_id)),
        bots=BOT_POLICIES,
    )


@router.post("/matches/{match_id}/void", name="admin.void")
async def void(
    visit: Visiting, admin: Administrator, match_id: UUID, form: Annotated[ReasonForm, Form()]
) -> Response:
    """End a match without a result."""
    await service.void(visit.session, _deed(visit, admin, form), match_id=match_id)
    return visit.redirect("admin.match", match_id=match_id)


@router.post("/matches/{match_id}/rollback", name="admin.rollback")
async def rollback(
    visit: Visiting, admin: Administrator, match_id: UUID, form: Annotated[RollbackForm, Form()]
) -> Response:
    """Take back what happened after a version."""
    deed = _deed(visit, admin, form)
    await service.take_back(visit.session, deed, match_id=match_id, to_version=form.version)
    return visit.redirect("admin.match", match_id=match_id)


@router.post("/matches/{match_id}/reassign", name="admin.reassign")
async def reassign(
    visit: Visiting, admin: Administrator, match_id: UUID, form: Annotated[ReassignForm, Form()]
) -> Response:
    """Give a seat to somebody else."""
    if bool(form.to) == bool(form.bot):
        raise InvalidError("admin.one_occupant")
    to = await service.somebody(visit.session, form.to) if form.to else form.bot
    await service.reassign_seat(
        visit.session, _deed(visit, admin, form), match_id=match_id, seat=Seat(form.seat), to=to
    )
    return visit.redirect("admin.match", match_id=match_id)


def _deed(visit: Visiting, admin: Known, form: ReasonForm) -> Deed:
    return Deed(Actor.account(admin.person.name), visit.now, form.reason)
