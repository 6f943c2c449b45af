"""Who is asking: the person a token acts for, and the seat they ask about."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.accounts.api_tokens import use_api_token
from app.accounts.values import Person
from app.api.schemas import SeatQuery
from app.clock import Clock
from app.db.session import Session
from app.errors import ForbiddenError, NotFoundError, SignInRequiredError
from app.lobby.queries import may_watch
from app.matches.queries import seats_of
from app.rules.game import Seat

_bearer = HTTPBearer(auto_error=False, description="An API token, made on the account page.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


# A plain function would be sent to a thread, at twenty times the cost.
async def now_of(request: Request) -> datetime:
    """Return the instant at which this request is answered."""
    clock: Clock = request.app.state.clock
    return clock.now()


Now = Annotated[datetime, Depends(now_of)]


async def token_person(credentials: Credentials, session: Session, now: Now) -> Person:
    """Return the person the token acts for; raises SignInRequiredError."""
    if credentials is None:
        raise SignInRequiredError
    person = await use_api_token(session, token=credentials.credentials, now=now)
    if person is None:
        raise SignInRequiredError
    return person


TokenPerson = Annotated[Person, Depends(token_person)]


@dataclass(frozen=True, slots=True)
class Chair:
    """From where a person looks at a match; `seat` None is a spectator."""

    person: Person
    seat: Seat | None

    def playing(self) -> Seat:
        """Return the seat; raises ForbiddenError for spectators."""
        if self.seat is None:
            raise ForbiddenError
        return self.seat


async def chair_at(session: Session, person: Person, match_id: UUID, seat: int | None) -> Chair:
    """Return from where the person looks; their lowest seat unless they name one.

    Raises NotFoundError for outsiders, and for a seat that is somebody else's.
    """
    seats = await seats_of(session, match_id, person.id)
    if seat is not None:
        if seat not in seats:
            raise NotFoundError
        return Chair(person, Seat(seat))
    if seats:
        return Chair(person, seats[0])
    if not await may_watch(session, match_id=match_id, person_id=person.id):
        raise NotFoundError
    return Chair(person, None)


async def my_chair(
    session: Session,
    person: TokenPerson,
    match_id: UUID,
    query: Annotated[SeatQuery, Query()],
) -> Chair:
    """Return the chair that the address names with `?seat=`."""
    return await chair_at(session, person, match_id, query.seat)


MyChair = Annotated[Chair, Depends(my_chair)]
