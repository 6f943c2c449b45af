"""Who may make an account here; guests with a link play in any case."""

from typing import Literal, TypeAlias

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.values import Person
from app.errors import ForbiddenError
from app.lobby.reseating import was_seated_by_somebody

Registration: TypeAlias = Literal["open", "invite", "closed"]


async def check_registration(
    session: AsyncSession, *, registration: Registration, guest: Person | None
) -> None:
    """Raise ForbiddenError `registration.closed` or `registration.invite` unless `guest` may.

    With `invite` an account is for whoever sits at a table that somebody else laid.
    """
    if registration == "closed":
        raise ForbiddenError("registration.closed")
    if registration == "invite" and (
        guest is None or not await was_seated_by_somebody(session, person_id=guest.id)
    ):
        raise ForbiddenError("registration.invite")
