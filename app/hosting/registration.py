"""Who may make an account here; guests with a link play in any case."""

from typing import Literal, TypeAlias

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.queries import person_by_id
from app.accounts.values import Person
from app.errors import ForbiddenError
from app.lobby.reseating import hosts_of

Registration: TypeAlias = Literal["open", "invite", "closed"]


async def check_registration(
    session: AsyncSession, *, registration: Registration, guest: Person | None
) -> None:
    """Raise ForbiddenError `registration.closed` or `registration.invite` unless `guest` may.

    With `invite` an account is for whoever sits at the table of somebody with an account:
    anybody may lay a table as a guest, and invite themselves to it.
    """
    if registration == "closed":
        raise ForbiddenError("registration.closed")
    if registration == "invite" and (guest is None or not await _was_invited(session, guest)):
        raise ForbiddenError("registration.invite")


async def _was_invited(session: AsyncSession, guest: Person) -> bool:
    for host in await hosts_of(session, person_id=guest.id):
        person = await person_by_id(session, host)
        if person is not None and person.is_account:
            return True
    return False
