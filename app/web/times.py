"""Time: of one match (deadlines, pauses, taking a turn back) and of one person (zone, absences)."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.accounts.absences import LONGEST_DAYS, absences_ahead
from app.errors import ConflictError, InvalidError
from app.i18n.times import current_zone, until, when
from app.lobby.queries import table_of_match, table_page
from app.matches import away, proposals
from app.matches.queries import match_page
from app.matches.substitutes import vacancies
from app.matches.undoing import Undo, undo_of
from app.web.boards.opened import Opened
from app.web.boards.seats import who_is_who
from app.web.forms import Day, FormModel, Line
from app.web.match_links import MatchLinks
from app.web.match_page import notice_of
from app.web.match_times import struck_lines, times_of, turn_lines
from app.web.people import Chair, CurrentPerson, MyChair, MySeat, Now, PlayingSeat
from app.web.templating import page
from app.web.visits import Visit, Visiting, links_of

router = APIRouter(tags=["time"])

MATCH: Final = "matches/time.html"
PERSON: Final = "account/time.html"


class ProposeForm(FormModel):
    """What a seat proposes; a pause has a last day."""

    kind: Literal["pause", "resume", "undo", "void"]
    until: Day = ""


class AgreeForm(FormModel):
    """A word on what somebody has proposed: the one that was shown."""

    kind: Literal["pause", "resume", "undo", "void"]
    version: int
    word: Literal["yes", "no"]


class AwayForm(FormModel):
    """The first and the last day of an absence."""

    first: Day = ""
    last: Day = ""


class BackForm(FormModel):
    """Nothing more is said."""

    next: Line = ""


@router.get("/matches/{match_id}/time", name="matches.time")
async def show(
    request: Request, *, visit: Visiting, match_id: UUID, chair: MyChair, seat: MySeat
) -> Response:
    """Until when who has to answer, and what the table can agree on."""
    return await _match_page(request, visit, match_id, (chair, seat))


@router.post("/matches/{match_id}/propose", name="matches.propose")
async def propose(
    request: Request,
    *,
    visit: Visiting,
    match_id: UUID,
    chair: MyChair,
    seat: PlayingSeat,
    now: Now,
    form: Annotated[ProposeForm, Form()],
) -> Response:
    """Ask the others for a pause, for its end, or to take one's last turn back."""
    try:
        async with visit.session.begin_nested():
            await proposals.propose(
                visit.session,
                match_id=match_id,
                seat=seat,
                person_id=chair.person.id,
                kind=form.kind,
                until=_end_of(form.until) if form.kind == "pause" else None,
                now=now,
            )
    except (ConflictError, InvalidError) as error:
        return await _match_page(request, visit, match_id, (chair, seat), error)
    return _to_match(request, match_id, chair, seat)


@router.post("/matches/{match_id}/agree", name="matches.agree")
async def agree(
    request: Request,
    *,
    visit: Visiting,
    match_id: UUID,
    chair: MyChair,
    seat: PlayingSeat,
    now: Now,
    form: Annotated[AgreeForm, Form()],
) -> Response:
    """Agree with what somebody proposes, or take it off the table."""
    who = {"match_id": match_id, "person_id": chair.person.id}
    try:
        async with visit.session.begin_nested():
            if form.word == "yes":
                await proposals.agree(
                    visit.session, **who, kind=form.kind, version=form.version, now=now
                )
            else:
                await proposals.drop_proposal(visit.session, **who, kind=form.kind, now=now)
    except ConflictError as error:
        return await _match_page(request, visit, match_id, (chair, seat), error)
    return _to_match(request, match_id, chair, seat)


@router.get("/account/time", name="account.time")
async def show_person(request: Request, visit: Visiting, person: CurrentPerson) -> Response:
    """The person's time zone, and when they are away."""
    return await _person_page(request, visit, person.id)


@router.post("/account/absences", name="account.away")
async def go_away(
    request: Request,
    visit: Visiting,
    person: CurrentPerson,
    now: Now,
    form: Annotated[AwayForm, Form()],
) -> Response:
    """Note an absence: the person's clocks stand still, as far as each table allows."""
    if not form.first or not form.last:
        return await _person_page(request, visit, person.id, InvalidError("absence.past"))
    try:
        async with visit.session.begin_nested():
            await away.file_absence(
                visit.session,
                person=person,
                first=form.first,
                last=form.last,
                zone=current_zone(),
                now=now,
            )
    except (ConflictError, InvalidError) as error:
        return await _person_page(request, visit, person.id, error)
    return visit.redirect("account.time")


@router.post("/account/absences/{absence_id}/end", name="account.back")
async def come_back(
    visit: Visiting,
    person: CurrentPerson,
    now: Now,
    absence_id: UUID,
    form: Annotated[BackForm, Form()],
) -> Response:
    """End an absence now, or cancel one that lies ahead."""
    await away.end_absence(visit.session, person=person, absence_id=absence_id, now=now)
    return visit.redirect("account.time")


async def _match_page(
    request: Request,
    visit: Visit,
    match_id: UUID,
    sitting: tuple[Chair, MySeat],
    error: ConflictError | InvalidError | None = None,
) -> Response:
    chair, seat = sitting
    match = await match_page(visit.session, match_id=match_id, seat=seat)
    seats = who_is_who(match.seats)
    playing = match.seat is not None and match.status == "running"
    undo: Undo | None = None
    why_not = ""
    if playing and match.seat is not None:
        try:
            undo = await undo_of(visit.session, match_id, match.seat)
        except ConflictError as refused:
            why_not = notice_of(refused, match.game).text
    return page(
        request,
        MATCH,
        status_code=200 if error is None else error.status,
        match=match,
        links=MatchLinks(
            request,
            match_id,
            match.seat if len(chair.seats) > 1 else None,
            Opened(),
            (),
            playing=playing,
        ),
        times=await times_of(visit.session, match, seats, now=visit.now),
        struck=await struck_lines(visit.session, match),
        playing=playing,
        vacant_url=await _vacant_url(visit, match_id) if playing else None,
        seats=seats,
        undo=undo,
        undo_lines=await turn_lines(visit.session, match, version=undo.undone) if undo else (),
        undo_refused=why_not,
        notice=None if error is None else notice_of(error, match.game),
        today=_today(visit.now),
        furthest=_today(visit.now) + proposals.LONGEST_PAUSE - timedelta(days=1),
    )


async def _vacant_url(visit: Visit, match_id: UUID) -> str | None:
    """Return the invitation for whoever takes a seat over; None: there is none to take."""
    table_id = await table_of_match(visit.session, match_id)
    if table_id is None or not await vacancies(visit.session, match_id):
        return None
    table = await table_page(
        visit.session, table_id=table_id, person=visit.person, links=links_of(visit.request)
    )
    return table.invite_url


async def _person_page(
    request: Request,
    visit: Visit,
    person_id: UUID,
    error: ConflictError | InvalidError | None = None,
) -> Response:
    ahead = await absences_ahead(visit.session, person_id=person_id, now=visit.now)
    return page(
        request,
        PERSON,
        status_code=200 if error is None else error.status,
        absences=[
            (
                absence.id,
                when(absence.starts_at, now=visit.now),
                until(absence.ends_at, now=visit.now),
            )
            for absence in ahead
        ],
        zone=current_zone(),
        today=_today(visit.now),
        longest=LONGEST_DAYS,
        notice=None if error is None else notice_of(error, ""),
    )


def _today(now: datetime) -> date:
    return now.astimezone(ZoneInfo(current_zone())).date()


def _end_of(day: Day) -> datetime | None:
    """Return the end of a day on the reader's wall."""
    if not day or day == date.max:
        return None
    midnight = datetime.combine(day + timedelta(days=1), time(), ZoneInfo(current_zone()))
    return midnight.astimezone(UTC)


def _to_match(request: Request, match_id: UUID, chair: Chair, seat: MySeat) -> Response:
    links = MatchLinks(
        request, match_id, seat if len(chair.seats) > 1 else None, Opened(), (), playing=True
    )
    return RedirectResponse(links.page, 303)
