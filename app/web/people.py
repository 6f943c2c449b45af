"""Who is asking: the dependencies that handlers name in their signatures."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID

from fastapi import Depends, Query, Request

from app.accounts.queries import known_by_session
from app.accounts.sessions import TOUCH_EVERY, touch_session
from app.accounts.values import Known, Person
from app.db.session import Session
from app.errors import NotFoundError, SignInRequiredError
from app.lobby.queries import may_watch
from app.matches.queries import seats_asked, seats_of
from app.rules.game import Seat
from app.web.cookies import Cookies


def now_of(request: Request) -> datetime:
    """Return the instant at which this request is answered."""
    now: datetime = request.app.state.clock.now()
    return now


async def _now_here(request: Request) -> datetime:
    # A plain function would be sent to a thread, at twenty times the cost.
    return now_of(request)


Now = Annotated[datetime, Depends(_now_here)]


def session_token(request: Request) -> str | None:
    """Return the cookie that says who somebody is; it may be worthless."""
    cookies: Cookies = request.app.state.cookies
    return cookies.session_token(request.cookies)


async def known_here(request: Request, session: Session, now: Now) -> Known | None:
    """Return whom this device knows, and remember that the session is in use."""
    token = session_token(request)
    known = None if token is None else await known_by_session(session, token=token, now=now)
    if known is not None and known.seen_at < now - TOUCH_EVERY:
        await touch_session(session, session_id=known.session_id, now=now)
    request.state.person = known.person if known else None
    request.state.mail_refused = known is not None and known.mail_refused
    request.state.channel_refused = known is not None and known.channel_refused
    return known


MaybeKnown = Annotated[Known | None, Depends(known_here)]


async def maybe_person(known: MaybeKnown) -> Person | None:
    """Return the person asking, or None if this device knows nobody."""
    return known.person if known else None


MaybePerson = Annotated[Person | None, Depends(maybe_person)]


async def current_known(known: MaybeKnown) -> Known:
    """Return whom this device knows; raises SignInRequiredError."""
    if known is None:
        raise SignInRequiredError
    return known


CurrentKnown = Annotated[Known, Depends(current_known)]


async def current_person(known: CurrentKnown) -> Person:
    """Return the person asking; raises SignInRequiredError."""
    return known.person


CurrentPerson = Annotated[Person, Depends(current_person)]


@dataclass(frozen=True, slots=True)
class Chair:
    """As what somebody looks at a match: a person's seats there, none for a spectator."""

    person: Person
    seats: tuple[Seat, ...]


async def my_chair(match_id: UUID, person: MaybePerson, session: Session) -> Chair:
    """Return as what the person may look at the match.

    Raises NotFoundError for everybody else: they do not learn that it exists.
    """
    if person is None:
        raise NotFoundError
    seats = await seats_of(session, match_id, person.id)
    if not seats and not await may_watch(session, match_id=match_id, person_id=person.id):
        raise NotFoundError
    return Chair(person, seats)


MyChair = Annotated[Chair, Depends(my_chair)]


async def my_seat(
    match_id: UUID,
    chair: MyChair,
    session: Session,
    seat: Annotated[int | None, Query(ge=0, le=9)] = None,
) -> Seat | None:
    """Return the seat the person acts for; None for spectators.

    With several seats on one device `?seat=` chooses, else the first that is
    asked.  Raises NotFoundError for a seat that is somebody else's.
    """
    if seat is not None:
        if seat not in chair.seats:
            raise NotFoundError
        return Seat(seat)
    if len(chair.seats) < 2:
        return chair.seats[0] if chair.seats else None
    asked = await seats_asked(session, match_id)
    return next((mine for mine in chair.seats if mine in asked), chair.seats[0])


MySeat: TypeAlias = Annotated[Seat | None, Depends(my_seat)]


async def playing_seat(seat: MySeat) -> Seat:
    """Return the seat the person plays; raises NotFoundError for spectators."""
    if seat is None:
        raise NotFoundError
    return seat


PlayingSeat: TypeAlias = Annotated[Seat, Depends(playing_seat)]
