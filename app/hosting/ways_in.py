"""How people sign in here: with a name and a password, at the issuer, or both.

The settings say it; a host who is locked out turns the issuer off from the shell, and that
holds until it is turned on again, whatever the settings say.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.identities import disconnect, follow_claim
from app.accounts.values import Person
from app.config import Settings
from app.errors import ConflictError, ForbiddenError
from app.hosting.audit import Actor, record
from app.hosting.models import InstallationRow
from app.hosting.registration import check_registration
from app.hosting.service import Deed

OIDC: Final = "oidc"
OFF: Final = "off"


@dataclass(frozen=True, slots=True)
class WaysIn:
    """`local`: names, passwords and mailed codes; `issuer`: its name, empty if there is none."""

    local: bool
    issuer: str


async def ways_in(session: AsyncSession, settings: Settings) -> WaysIn:
    """Return how people sign in now."""
    if settings.oidc_issuer is None or await is_off(session):
        return WaysIn(local=True, issuer="")
    return WaysIn(local=settings.local_sign_in, issuer=settings.oidc_label)


async def check_local(session: AsyncSession, settings: Settings) -> None:
    """Raise ForbiddenError `local_sign_in.off` where only the issuer's word counts."""
    if not (await ways_in(session, settings)).local:
        raise ForbiddenError("local_sign_in.off", issuer=settings.oidc_label)


async def is_off(session: AsyncSession) -> bool:
    """Whether a host has turned the issuer off from the shell."""
    return await session.get(InstallationRow, OIDC) is not None


async def turn_off(session: AsyncSession, deed: Deed) -> None:
    """Let nobody in by the issuer, and everybody by name and password."""
    await session.merge(InstallationRow(name=OIDC, value=OFF))
    await session.flush()
    await deed.note(session, "oidc.disable", "server")


async def turn_on(session: AsyncSession, deed: Deed) -> None:
    """Let the settings count again."""
    await session.execute(delete(InstallationRow).where(InstallationRow.name == OIDC))
    await deed.note(session, "oidc.enable", "server")


async def check_newcomer(session: AsyncSession, settings: Settings, guest: Person | None) -> None:
    """Raise ForbiddenError `registration.…` unless somebody the issuer knows may be new here.

    Whom the host's list names is invited by that.
    """
    if settings.who_registers == "invite" and settings.oidc_allow:
        return
    await check_registration(session, registration=settings.who_registers, guest=guest)


async def heed(
    session: AsyncSession, *, person: Person, issuer: str, admin: bool, now: datetime
) -> None:
    """Make or unmake an administrator as the issuer says, and write it down."""
    changed = await follow_claim(session, person=person, issuer=issuer, holds=admin)
    if changed is not None:
        await record(
            session,
            actor=Actor(f"issuer {issuer}"[:128]),
            action="admin.create" if changed else "admin.remove",
            subject=str(person.id),
            now=now,
        )


async def part(
    session: AsyncSession, *, person: Person, settings: Settings, ways: WaysIn, now: datetime
) -> None:
    """Disconnect the person from the issuer, whose word made them an administrator or not.

    Raises NotFoundError, and ConflictError `oidc.only_way` if they could not sign in any more.
    """
    if not ways.local:
        raise ConflictError("oidc.only_way")
    issuer = settings.oidc_issuer or ""
    await heed(session, person=person, issuer=issuer, admin=False, now=now)
    await disconnect(session, person=person, issuer=issuer)
