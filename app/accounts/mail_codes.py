"""Signing in by a code that is mailed: for one browser, within ten minutes, once.

Asking leaves the same row whether anybody has the address or not; who it is, is
looked up when the mail is made, far from whoever asked.
"""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, cast
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import MailCodeRow, PersonRow
from app.accounts.values import Kind, Person
from app.ids import new_id, token_hash

LIFE: Final = timedelta(minutes=10)
DIGITS: Final = 6
TRIES: Final = 5


async def ask_code(session: AsyncSession, *, browser: str, now: datetime) -> UUID:
    """Note that a browser has asked; what it asked for before is void."""
    asked = token_hash(browser)
    await session.execute(delete(MailCodeRow).where(MailCodeRow.browser_hash == asked))
    row = MailCodeRow(id=new_id(), browser_hash=asked, codes={}, tries=0, expires_at=now + LIFE)
    session.add(row)
    await session.flush()
    return row.id


async def make_codes(
    session: AsyncSession, *, code_id: UUID, people: Sequence[Person], now: datetime
) -> dict[UUID, str]:
    """Return a code for each of `people`, to be mailed; earlier ones are void.

    None for a browser that has asked again since, or too long ago.
    """
    row = await session.get(MailCodeRow, code_id, with_for_update=True, populate_existing=True)
    if row is None or row.expires_at <= now:
        return {}
    made: dict[UUID, str] = {}
    for person in people:
        code = _new_code()
        while code in made.values():
            code = _new_code()
        made[person.id] = code
    row.codes = {_hash(code_id, code): str(person_id) for person_id, code in made.items()}
    await session.flush()
    return made


async def take_code(
    session: AsyncSession, *, browser: str, code: str, now: datetime
) -> Person | None:
    """Return whom the code signs in, and use it up; None if it is wrong, used or too old.

    Wrong codes count, so the caller has to commit either way.
    """
    row = await session.scalar(
        select(MailCodeRow)
        .where(MailCodeRow.browser_hash == token_hash(browser))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if row is None or row.expires_at <= now or row.tries >= TRIES:
        return None
    row.tries += 1
    found = row.codes.get(_hash(row.id, "".join(code.split())))
    person = await session.get(PersonRow, UUID(found)) if found is not None else None
    if person is None or person.kind == "deleted":
        await session.flush()
        return None
    await session.delete(row)
    await session.flush()
    return Person(person.id, person.name, cast(Kind, person.kind))


async def delete_old_codes(session: AsyncSession, *, now: datetime) -> None:
    """Delete the codes that have run out, used or not."""
    await session.execute(delete(MailCodeRow).where(MailCodeRow.expires_at <= now))


def _new_code() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(DIGITS))


def _hash(code_id: UUID, code: str) -> str:
    return hashlib.sha256(code_id.bytes + code.encode("utf-8", "replace")).hexdigest()
