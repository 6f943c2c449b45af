"""Everything that changes who is who: guests, accounts, names, passwords.

The caller owns the transaction: nothing here commits.
"""

from datetime import datetime, timedelta
from typing import Final, cast
from uuid import UUID

from sqlalchemy import delete, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.addresses import forget_address
from app.accounts.channels import forget_channels
from app.accounts.models import (
    AbsenceRow,
    ApiTokenRow,
    IdentityRow,
    OneTimeLinkRow,
    PersonRow,
    SignInRow,
)
from app.accounts.names import clean_name, name_key
from app.accounts.passwords import check_password, hash_password, needs_rehash, verify_password
from app.accounts.sessions import end_sessions
from app.accounts.values import Kind, Person
from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.i18n.names import FORGOTTEN
from app.ids import new_id, token_hash

SENT_AGAIN: Final = timedelta(minutes=10)


async def create_guest(
    session: AsyncSession, *, name: str, now: datetime, form: str | None = None
) -> Person:
    """Make a person of a name alone; raises InvalidError `name.…`.

    `form` is a secret between us and one form in one browser: sent again within
    minutes, it is the same guest who sends it.
    """
    shown = clean_name(name)
    form_hash = None if form is None else token_hash(form)
    if form_hash is not None:
        # The second of two clicks waits here until the first has made the guest.
        await session.execute(
            text("select pg_advisory_xact_lock(hashtextextended(:key, 0))"),
            {"key": f"guest:{form_hash.hex()}"},
        )
        made = await session.scalar(
            select(PersonRow).where(
                PersonRow.form_hash == form_hash,
                PersonRow.kind == "guest",
                PersonRow.created_at > now - SENT_AGAIN,
            )
        )
        if made is not None:
            return _person(made)
    row = PersonRow(id=new_id(), kind="guest", name=shown, form_hash=form_hash, created_at=now)
    session.add(row)
    await session.flush()
    return _person(row)


async def sign_up(
    session: AsyncSession,
    *,
    guest: Person | None,
    name: str,
    password: str | None,
    now: datetime,
    here: UUID | None = None,
) -> Person:
    """Make an account, of `guest` if there is one: it keeps its id, and so its seats.

    Without a password the caller gives it another way to sign in.  The guest's links
    end, and the sessions but the one that is `here`, in whose place the caller starts
    a new one.  Raises InvalidError `name.…` or `password.…`, ConflictError
    `account.name_taken` or `account.already`.
    """
    shown = clean_name(name)
    stored = None
    if password is not None:
        check_password(password)
        stored = await hash_password(password)
    if guest is None:
        row = PersonRow(id=new_id(), kind="guest", name=shown, created_at=now)
        session.add(row)
    else:
        row = await _locked(session, guest.id)
        if row.kind != "guest":
            raise ConflictError("account.already")
        await _revoke_all(session, guest.id, keep=here)
    row.kind, row.name, row.name_key, row.password_hash = "account", shown, name_key(shown), stored
    await _flush_name(session)
    return _person(row)


async def sign_in(session: AsyncSession, *, name: str, password: str) -> Person:
    """Return the account that `name` and `password` open.

    Raises InvalidError `account.wrong_password`, alike for a wrong password and a
    name nobody has, and after the same work.
    """
    row = await _account_called(session, name)
    right = await verify_password(row.password_hash if row else None, password)
    if row is None or not right:
        raise InvalidError("account.wrong_password")
    if row.password_hash is not None and needs_rehash(row.password_hash):
        row.password_hash = await hash_password(password)
    return _person(row)


async def find_account(session: AsyncSession, *, name: str) -> Person:
    """Return the account called `name`; raises NotFoundError `account.unknown`."""
    row = await _account_called(session, name)
    if row is None:
        raise NotFoundError("account.unknown", name=name)
    return _person(row)


async def rename(session: AsyncSession, *, person: Person, name: str) -> Person:
    """Give `person` another name; tables keep the one under which it sat down.

    Raises InvalidError `name.…`, ConflictError `account.name_taken`.
    """
    shown = clean_name(name)
    row = await _locked(session, person.id)
    row.name = shown
    if row.kind == "account":
        row.name_key = name_key(shown)
    await _flush_name(session)
    return _person(row)


async def change_password(
    session: AsyncSession, *, person: Person, old: str | None, password: str, keep: UUID
) -> None:
    """Set another password; end every session but `keep`, every link and every token.

    `old` None: the session came by a login link and is still fresh (`Known.may_reset`).
    Raises InvalidError `account.wrong_password` or `password.…`, ForbiddenError for a guest,
    and `account.sign_in_anew` for an account that has no old one.
    """
    check_password(password)
    row = await _locked(session, person.id)
    if row.kind != "account":
        raise ForbiddenError
    if old is not None and row.password_hash is None:
        raise ForbiddenError("account.sign_in_anew")
    if old is not None and not await verify_password(row.password_hash, old):
        raise InvalidError("account.wrong_password")
    row.password_hash = await hash_password(password)
    await session.flush()
    await _revoke_all(session, person.id, keep=keep)


async def prove(
    session: AsyncSession, *, person: Person, password: str, fresh: bool = False
) -> None:
    """Raise InvalidError `account.wrong_password` unless it is the person's.

    A guest needs no password; an account that has none needs to have signed in
    just now (`fresh`), or ForbiddenError `account.sign_in_anew` is raised.
    """
    row = await session.get(PersonRow, person.id, populate_existing=True)
    if row is None or row.kind == "deleted":
        raise NotFoundError
    if row.kind == "account" and row.password_hash is None:
        if not fresh:
            raise ForbiddenError("account.sign_in_anew")
        return
    if row.kind == "account" and not await verify_password(row.password_hash, password):
        raise InvalidError("account.wrong_password")


async def lock_people(session: AsyncSession, *people: Person) -> None:
    """Let nobody else change these people, or count what is theirs, until the end.

    Raises NotFoundError if one is gone.
    """
    found = await session.scalars(
        select(PersonRow.id)
        .where(PersonRow.id.in_([person.id for person in people]), PersonRow.kind != "deleted")
        .order_by(PersonRow.id)
        .with_for_update(key_share=True)
    )
    if len(found.all()) != len({person.id for person in people}):
        raise NotFoundError


async def delete_person(session: AsyncSession, *, person: Person) -> None:
    """Forget the person: name, ways to sign in, address, channels, sessions, links, tokens.

    The id stays, for the matches it played.
    """
    row = await _locked(session, person.id)
    row.kind, row.name, row.name_key, row.password_hash = "deleted", FORGOTTEN, None, None
    row.locale = row.theme = row.sound = row.time_zone = None
    row.admin = False
    await session.flush()
    await forget_address(session, person.id)
    await forget_channels(session, person.id)
    for table in (AbsenceRow, IdentityRow, SignInRow):
        await session.execute(delete(table).where(table.person_id == person.id))
    await _revoke_all(session, person.id, keep=None)


async def forget_guest(session: AsyncSession, *, guest_id: UUID) -> None:
    """Remove a guest whose seats now belong to another person; its sessions die with it.

    Raises ForbiddenError if it is not a guest.
    """
    row = await _locked(session, guest_id)
    if row.kind != "guest":
        raise ForbiddenError
    await _revoke_all(session, guest_id, keep=None)
    await session.delete(row)
    await session.flush()


async def _account_called(session: AsyncSession, name: str) -> PersonRow | None:
    try:
        key = name_key(clean_name(name))
    except InvalidError:
        return None
    return cast(
        PersonRow | None, await session.scalar(select(PersonRow).where(PersonRow.name_key == key))
    )


async def _locked(session: AsyncSession, person_id: UUID) -> PersonRow:
    """Return the person, who cannot be changed by anybody else until the end."""
    row = await session.get(
        PersonRow, person_id, with_for_update={"key_share": True}, populate_existing=True
    )
    if row is None or row.kind == "deleted":
        raise NotFoundError
    return row


async def _flush_name(session: AsyncSession) -> None:
    try:
        await session.flush()
    except IntegrityError as error:
        raise ConflictError("account.name_taken") from error


async def _revoke_all(session: AsyncSession, person_id: UUID, *, keep: UUID | None) -> None:
    await end_sessions(session, person_id=person_id, keep=keep)
    for table in (OneTimeLinkRow, ApiTokenRow):
        await session.execute(delete(table).where(table.person_id == person_id))


def _person(row: PersonRow) -> Person:
    return Person(row.id, row.name, cast(Kind, row.kind))
