"""Mail addresses of people: claimed by typing them, theirs by typing what was mailed there.

Nothing is sent to an address before that, except the code itself.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import AddressRow
from app.accounts.values import Person
from app.errors import InvalidError

CODE_LIFE: Final = timedelta(minutes=10)
CODE_DIGITS: Final = 6
CODE_TRIES: Final = 5
LONGEST: Final = 254
LONGEST_LOCAL: Final = 64
LONGEST_REASON: Final = 300

# What mail servers of our time hand out; no quotes, no comments, no address literals.
_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)

Confirmation: TypeAlias = Literal["confirmed", "wrong", "dead"]


@dataclass(frozen=True, slots=True)
class MailAddress:
    """A person's address.

    `address` is theirs for certain, or None; `pending` was typed and waits for
    its code.  `refusal` is what the mail server said when it would not take mail
    for `address` any more, at `refused_at`: nothing is sent there until the
    person says so.
    """

    person_id: UUID
    address: str | None
    pending: str | None
    refused_at: datetime | None
    refusal: str | None

    @property
    def usable(self) -> str | None:
        """The address to which mail may be sent."""
        return None if self.refused_at is not None else self.address


def checked_address(text: str) -> str:
    """Return the address as it is stored; raises InvalidError `address.invalid`.

    The part behind the @ is in small letters and, where it is not ASCII, encoded.
    """
    local, at, domain = text.strip().rpartition("@")
    try:
        domain = domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        domain = ""
    if (
        not at
        or len(local) > LONGEST_LOCAL
        or len(local) + 1 + len(domain) > LONGEST
        or not _LOCAL.fullmatch(local)
        or not _DOMAIN.fullmatch(domain)
    ):
        raise InvalidError("address.invalid")
    return f"{local}@{domain}"


async def claim_address(
    session: AsyncSession, *, person: Person, address: str, now: datetime
) -> str:
    """Note that the person says `address` is theirs; return the code to be mailed there.

    The address they had stays theirs until then.  Raises InvalidError `address.invalid`.
    """
    pending = checked_address(address)
    code = "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
    row = await _locked(session, person.id)
    if row is None:
        row = AddressRow(person_id=person.id)
        session.add(row)
    row.pending = pending
    row.code_hash = _code_hash(person.id, pending, code)
    row.code_expires_at = now + CODE_LIFE
    row.code_tries = 0
    await session.flush()
    return code


async def confirm_address(
    session: AsyncSession, *, person: Person, code: str, now: datetime
) -> Confirmation:
    """Make the pending address the person's if `code` is the one that was mailed there.

    A wrong code counts; after five, or ten minutes, the code is dead.
    """
    row = await _locked(session, person.id)
    if row is None or row.pending is None or row.code_hash is None or row.code_expires_at is None:
        return "dead"
    if row.code_expires_at <= now or row.code_tries >= CODE_TRIES:
        return "dead"
    typed = "".join(code.split())
    if not hmac.compare_digest(row.code_hash, _code_hash(person.id, row.pending, typed)):
        row.code_tries += 1
        await session.flush()
        return "wrong"
    row.address, row.pending, row.code_hash, row.code_expires_at = row.pending, None, None, None
    row.verified_at = now
    row.refused_at = row.refusal = None
    await session.flush()
    return "confirmed"


async def address_of(session: AsyncSession, person_id: UUID) -> MailAddress | None:
    """Return the person's address, confirmed or not."""
    row = await session.get(AddressRow, person_id, populate_existing=True)
    if row is None:
        return None
    return MailAddress(row.person_id, row.address, row.pending, row.refused_at, row.refusal)


async def people_at(session: AsyncSession, address: str) -> tuple[UUID, ...]:
    """Return the people whose confirmed address this is, however its letters are cased."""
    found = await session.scalars(
        select(AddressRow.person_id)
        .where(func.lower(AddressRow.address) == address.lower())
        .order_by(AddressRow.person_id)
    )
    return tuple(found)


async def forget_address(session: AsyncSession, person_id: UUID) -> None:
    """Forget the person's address, and what was claimed."""
    await session.execute(delete(AddressRow).where(AddressRow.person_id == person_id))


async def move_address(session: AsyncSession, *, old: UUID, new: UUID) -> None:
    """Give the address of `old` to `new`, unless that one has an address."""
    if await session.get(AddressRow, new) is None:
        await session.execute(
            update(AddressRow).where(AddressRow.person_id == old).values(person_id=new)
        )


async def pause_address(
    session: AsyncSession, *, person_id: UUID, address: str, why: str, now: datetime
) -> None:
    """Send nothing more to `address`: the mail server refuses it, and `why`."""
    await session.execute(
        update(AddressRow)
        .where(AddressRow.person_id == person_id, AddressRow.address == address)
        .values(refused_at=now, refusal=why[:LONGEST_REASON])
    )


async def resume_address(session: AsyncSession, person_id: UUID) -> None:
    """Send to the person's address again."""
    await session.execute(
        update(AddressRow)
        .where(AddressRow.person_id == person_id)
        .values(refused_at=None, refusal=None)
    )


async def _locked(session: AsyncSession, person_id: UUID) -> AddressRow | None:
    return await session.get(
        AddressRow, person_id, with_for_update={"key_share": True}, populate_existing=True
    )


def _code_hash(person_id: UUID, address: str, code: str) -> bytes:
    return hashlib.sha256(f"{person_id}\0{address}\0{code}".encode()).digest()
