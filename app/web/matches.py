"""The match page: looking, drafting, committing, talking, leaving."""

from typing import Annotated, Final
from uuid import UUID, uuid4

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from app.db.session import Session
from app.errors import AppError, ConflictError, InvalidError, MoveRejectedError, NotFoundError
from app.lobby.queries import table_of_match
from app.lobby.talk import say as say_at_table
from app.matches import service
from app.matches.pages import Draft, DroppedLine
from app.matches.queries import match_page
from app.matches.standing import set_standing
from app.web.boards.opened import Opened
from app.web.forms import FormModel, Key, Line
from app.web.match_links import MatchLinks
from app.web.match_page import look, notice_of, show_page, show_part, show_text
from app.web.orders import OrderForm
from app.web.people import MyChair, MySeat, Now, PlayingSeat
from app.web.templating import is_htmx, page

router = APIRouter(prefix="/matches/{match_id}", tags=["matches"])

RESIGN: Final = "matches/resign.html"
# A refusal of these is shown beside the turn, with the board as it is now.
_EXPECTED: Final = (ConflictError, MoveRejectedError)


class OpenQuery(BaseModel):
    """What the address says is open; `fell` are the moves that an undo took along."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    open: str = Field("", max_length=20)
    pick: int = Field(0, ge=0, le=99)
    region: str = Field("", max_length=20)
    talk: bool = False
    seen: int = Field(0, ge=0, le=99)
    fell: str = Field("", max_length=600)

    @property
    def opened(self) -> Opened:
        """The same, as boards take it."""
        return Opened(self.open, self.pick, self.region, self.talk, self.seen)


OpenNow = Annotated[OpenQuery, Query()]


class DraftForm(FormModel):
    """One change of the draft: a line to add, the place of one to drop, or all of it."""

    add: Line | None = None
    drop: int | None = Field(None, ge=0, le=99, strict=False)
    clear: str | None = None
    view: str = Field("", max_length=4)


class CommitForm(FormModel):
    """A turn to end, or an answer (`line`) to hand in."""

    expected_version: int = Field(ge=0, strict=False)
    key: Key
    line: Line | None = None
    revision: int | None = Field(None, ge=0, strict=False)
    view: str = Field("", max_length=4)


class StandingForm(OrderForm):
    """What answers for the seat from now on, sent from one of the match's pages."""

    view: str = Field("", max_length=4)


class SayForm(FormModel):
    """Something said; the service limits it, with a sentence."""

    text: str = Field(max_length=4000)
    key: Key


class ResignForm(FormModel):
    """The word that leaves the match for good."""

    key: Key


@router.get("", name="matches.show")
async def show(
    request: Request,
    *,
    match_id: UUID,
    chair: MyChair,
    seat: MySeat,
    session: Session,
    now: OpenNow,
) -> Response:
    """The match, as the seat sees it."""
    return show_page(
        await look(
            request,
            session,
            chair,
            match_id=match_id,
            seat=seat,
            opened=now.opened,
            fell=now.fell,
        )
    )


@router.get("/text", name="matches.text")
async def text_board(
    request: Request,
    *,
    match_id: UUID,
    chair: MyChair,
    seat: MySeat,
    session: Session,
    now: OpenNow,
) -> Response:
    """The whole position and the same forms, in words."""
    return show_text(
        await look(
            request,
            session,
            chair,
            match_id=match_id,
            seat=seat,
            opened=Opened(now.open, now.pick, seen=now.seen),
            fell=now.fell,
        )
    )


@router.post("/draft", name="matches.draft")
async def change_draft(
    request: Request,
    *,
    match_id: UUID,
    chair: MyChair,
    seat: PlayingSeat,
    session: Session,
    now: OpenNow,
    form: Annotated[DraftForm, Form()],
) -> Response:
    """Note a move, take one back, or begin anew; nobody else sees it."""
    # What the form's address keeps open stays open: a game's next step begins where this one ended.
    opened = Opened(now.open, now.pick, now.region, seen=now.seen)
    dropped: tuple[DroppedLine, ...] = ()
    try:
        async with session.begin_nested():
            dropped = (await _changed(session, match_id=match_id, seat=seat, form=form)).dropped
    except _EXPECTED as error:
        return await _refused(
            request,
            session=session,
            chair=chair,
            match_id=match_id,
            seat=seat,
            error=error,
            view=form.view,
        )
    if not is_htmx(request):
        back = seat if len(chair.seats) > 1 else None
        return _back(request, match_id, back, opened, form.view, fell=dropped)
    looking = await look(request, session, chair, match_id=match_id, seat=seat, opened=opened)
    return show_part(looking, dropped=dropped)


async def _changed(
    session: Session, *, match_id: UUID, seat: PlayingSeat, form: DraftForm
) -> Draft:
    if form.add is not None:
        return await service.add_to_draft(session, match_id=match_id, seat=seat, line=form.add)
    if form.drop is not None:
        return await service.drop_from_draft(session, match_id=match_id, seat=seat, index=form.drop)
    if form.clear is not None:
        return await service.clear_draft(session, match_id=match_id, seat=seat)
    raise InvalidError("invalid_field", field="add")


@router.post("/commit", name="matches.commit")
async def commit(
    request: Request,
    *,
    match_id: UUID,
    chair: MyChair,
    seat: PlayingSeat,
    session: Session,
    now: Now,
    form: Annotated[CommitForm, Form()],
) -> Response:
    """End the turn with what is drafted, or hand in an answer."""
    try:
        async with session.begin_nested():
            await service.commit(
                session,
                service.Commit(
                    match_id=match_id,
                    seat=seat,
                    person_id=chair.person.id,
                    expected_version=form.expected_version,
                    key=form.key,
                    line=form.line,
                    revision=form.revision,
                    now=now,
                ),
            )
    except _EXPECTED as error:
        return await _refused(
            request,
            session=session,
            chair=chair,
            match_id=match_id,
            seat=seat,
            error=error,
            view=form.view,
        )
    if not is_htmx(request):
        # Without a seat in the address, the next seat of this device that is asked comes up.
        return _back(request, match_id, None, Opened(), form.view)
    return show_part(
        await look(request, session, chair, match_id=match_id, seat=seat, opened=Opened())
    )


async def _refused(
    request: Request,
    *,
    session: Session,
    chair: MyChair,
    match_id: UUID,
    seat: PlayingSeat,
    error: AppError,
    view: str,
) -> Response:
    """The board as it is now, with the reason; the draft is kept."""
    looking = await look(request, session, chair, match_id=match_id, seat=seat, opened=Opened())
    notice = notice_of(error, looking.match.game)
    if view == "text":
        return show_text(looking, notice=notice, status_code=error.status)
    if is_htmx(request):
        return show_part(looking, notice=notice, status_code=error.status)
    return show_page(looking, notice=notice, status_code=error.status)


@router.post("/standing", name="matches.standing")
async def stand(
    request: Request,
    *,
    match_id: UUID,
    chair: MyChair,
    seat: PlayingSeat,
    session: Session,
    form: Annotated[StandingForm, Form()],
) -> Response:
    """Let an order answer for the seat, or ask it again."""
    try:
        async with session.begin_nested():
            await set_standing(
                session,
                match_id=match_id,
                seat=seat,
                person_id=chair.person.id,
                decision=form.decision,
                order=form.line,
            )
    except _EXPECTED as error:
        return await _refused(
            request,
            session=session,
            chair=chair,
            match_id=match_id,
            seat=seat,
            error=error,
            view=form.view,
        )
    if not is_htmx(request):
        named = seat if len(chair.seats) > 1 else None
        return _back(request, match_id, named, Opened(), form.view)
    return show_part(
        await look(request, session, chair, match_id=match_id, seat=seat, opened=Opened())
    )


@router.post("/talk", name="matches.say")
async def say(
    request: Request,
    *,
    match_id: UUID,
    chair: MyChair,
    seat: MySeat,
    session: Session,
    now: Now,
    opened: OpenNow,
    form: Annotated[SayForm, Form()],
) -> Response:
    """Say something at the match's table."""
    table_id = await table_of_match(session, match_id)
    if table_id is None or not chair.seats:
        raise NotFoundError
    await say_at_table(
        session, table_id=table_id, person=chair.person, text=form.text, key=form.key, now=now
    )
    talking = Opened(opened.open, opened.pick, opened.region, talk=True)
    if not is_htmx(request):
        return _back(request, match_id, seat if len(chair.seats) > 1 else None, talking, "talk")
    return show_part(
        await look(request, session, chair, match_id=match_id, seat=seat, opened=talking)
    )


@router.get("/resign", name="matches.resign")
async def ask_resign(
    request: Request, *, match_id: UUID, chair: MyChair, seat: PlayingSeat, session: Session
) -> Response:
    """Ask once more before leaving for good."""
    match = await match_page(session, match_id=match_id, seat=seat)
    links = _links(request, match_id, seat if len(chair.seats) > 1 else None, Opened())
    return page(request, RESIGN, match=match, links=links, key=uuid4().hex)


@router.post("/resign", name="matches.leave")
async def resign(
    request: Request,
    *,
    match_id: UUID,
    seat: PlayingSeat,
    session: Session,
    now: Now,
    form: Annotated[ResignForm, Form()],
) -> Response:
    """Hand the seat to a bot, for good."""
    await service.resign(session, match_id=match_id, seat=seat, key=form.key, now=now)
    return RedirectResponse(_links(request, match_id, None, Opened()).page, 303)


def _links(request: Request, match_id: UUID, seat: MySeat, opened: Opened) -> MatchLinks:
    return MatchLinks(request, match_id, seat, opened, (), playing=True)


def _back(
    request: Request,
    match_id: UUID,
    seat: MySeat,
    opened: Opened,
    view: str,
    *,
    fell: tuple[DroppedLine, ...] = (),
) -> RedirectResponse:
    links = _links(request, match_id, seat, opened)
    lines = "; ".join(dropped.line for dropped in fell)
    where = {"text": links.text_after(lines), "talk": links.talk, "show": links.answered}.get(
        view, links.after_undo(lines)
    )
    return RedirectResponse(where, 303)
