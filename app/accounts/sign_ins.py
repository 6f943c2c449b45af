"""Sign-ins at the issuer that have begun: for one browser, within ten minutes, once.

Neither what the browser holds nor what travels through the issuer is stored, only hashes.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.issuer.flow import Proven
from app.accounts.models import SignInRow
from app.accounts.values import Person
from app.errors import ForbiddenError
from app.ids import new_token, token_hash

LIFE: Final = timedelta(minutes=10)
LONGEST_NEXT: Final = 300


@dataclass(frozen=True, slots=True)
class Begun:
    """Where the person wants to go afterwards, and whose account is to be connected, if one is."""

    next: str
    person_id: UUID | None


async def begin(
    session: AsyncSession,
    *,
    browser: str,
    next_: str,
    connect: Person | None,
    now: datetime,
) -> str:
    """Note that a browser sets out, and return the state it takes along."""
    state = new_token()
    session.add(
        SignInRow(
            state_hash=token_hash(state),
            browser_hash=token_hash(browser),
            person_id=connect.id if connect else None,
            next=next_ if len(next_) <= LONGEST_NEXT else "",
            expires_at=now + LIFE,
        )
    )
    await session.flush()
    return state


async def take(session: AsyncSession, *, browser: str, state: str, now: datetime) -> Begun:
    """Return what the browser set out with, and use it up.

    Raises ForbiddenError `oidc.stale` for a state that is another browser's, used, too old
    or nobody's; another browser's stays as it is.
    """
    found = (
        await session.execute(
            delete(SignInRow)
            .where(
                SignInRow.state_hash == token_hash(state),
                SignInRow.browser_hash == token_hash(browser),
                SignInRow.subject.is_(None),
                SignInRow.expires_at > now,
            )
            .returning(SignInRow.next, SignInRow.person_id)
        )
    ).one_or_none()
    if found is None:
        raise ForbiddenError("oidc.stale")
    return Begun(found.next, found.person_id)


async def keep_proof(
    session: AsyncSession,
    *,
    browser: str,
    proven: Proven,
    next_: str,
    now: datetime,
) -> None:
    """Remember whom the browser has proven to be, until a name is chosen."""
    asked = token_hash(browser)
    await session.execute(
        delete(SignInRow).where(SignInRow.browser_hash == asked, SignInRow.subject.is_not(None))
    )
    session.add(
        SignInRow(
            # Nobody knows it: the browser's own secret leads here.
            state_hash=token_hash(new_token()),
            browser_hash=asked,
            next=next_,
            subject=proven.subject,
            name=proven.name,
            admin=proven.admin,
            expires_at=now + LIFE,
        )
    )
    await session.flush()


async def proof_of(
    session: AsyncSession, *, browser: str, now: datetime
) -> tuple[Proven, str] | None:
    """Return whom the browser has proven to be, and where it wants to go."""
    row = await session.scalar(_proof(browser, now))
    return None if row is None else (Proven(row.subject or "", row.name, row.admin), row.next)


async def take_proof(session: AsyncSession, *, browser: str, now: datetime) -> tuple[Proven, str]:
    """Return it, and use it up; of two requests at once one gets it.

    Raises ForbiddenError `oidc.stale`.
    """
    row = await session.scalar(_proof(browser, now).with_for_update())
    if row is None:
        raise ForbiddenError("oidc.stale")
    await session.delete(row)
    await session.flush()
    return Proven(row.subject or "", row.name, row.admin), row.next


async def delete_old_sign_ins(session: AsyncSession, *, now: datetime) -> None:
    """Delete those that have run out."""
    await session.execute(delete(SignInRow).where(SignInRow.expires_at <= now))


def _proof(browser: str, now: datetime) -> Select[SignInRow]:
    return select(SignInRow).where(
        SignInRow.browser_hash == token_hash(browser),
        SignInRow.subject.is_not(None),
        SignInRow.expires_at > now,
    )
