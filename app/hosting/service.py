"""What a host does to matches and people, each written into the audit log with the deed.

The command line and the admin page call the same functions.  The caller owns
the transaction: nothing here commits.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import admins
from app.accounts.links import make_link
from app.accounts.names import name_key
from app.accounts.queries import person_by_id
from app.accounts.service import find_account, lock_people
from app.accounts.values import NewLink, Person
from app.errors import NotFoundError
from app.hosting.audit import Actor, record
from app.hosting.models import InstallationRow
from app.jobs.holding import hold, release
from app.lobby.games import check_policy
from app.lobby.reseating import lock_table_of, reseat
from app.matches.importing import import_match
from app.matches.portable import PortableMatch, portable_text
from app.matches.rescue import Occupant, names_of_seats, roll_back, seat_occupant, void_match
from app.notifications.outbox import drop_waiting
from app.rules.game import Seat

REASON_LENGTH = 200
KEY_FINGERPRINT = "key_fingerprint"


@dataclass(frozen=True, slots=True)
class Deed:
    """By whom, when and why something is done."""

    actor: Actor
    now: datetime
    reason: str = ""

    async def note(
        self, session: AsyncSession, action: str, subject: object, **details: object
    ) -> None:
        """Write it down."""
        if self.reason:
            details["reason"] = self.reason[:REASON_LENGTH]
        await record(
            session,
            actor=self.actor,
            action=action,
            subject=str(subject),
            now=self.now,
            **details,
        )


async def void(session: AsyncSession, deed: Deed, *, match_id: UUID) -> int:
    """End a match without a result; return its version.  Raises as `void_match` does."""
    version = await void_match(session, match_id=match_id, now=deed.now)
    await deed.note(session, "match.void", match_id, version=version)
    return version


async def take_back(session: AsyncSession, deed: Deed, *, match_id: UUID, to_version: int) -> int:
    """Let a match go on from an earlier version; return the new one.  Raises as `roll_back`."""
    version = await roll_back(session, match_id=match_id, to_version=to_version, now=deed.now)
    await deed.note(session, "match.rollback", match_id, version=version, to_version=to_version)
    return version


async def reassign_seat(
    session: AsyncSession, deed: Deed, *, match_id: UUID, seat: Seat, to: Person | str
) -> int:
    """Give a seat to a person, or to the bot of that name; return the match's version.

    The seat takes the person's name, but keeps its own where another seat of the
    match is called so.  Raises NotFoundError, InvalidError for a bot there is
    not, ConflictError when the match is over.
    """
    bot = check_policy(to) if isinstance(to, str) else None
    person = None if isinstance(to, str) else to
    # Tables, matches, people: the one order of locks (ARCHITECTURE.md).
    table_id = await lock_table_of(session, match_id)
    seats = await names_of_seats(session, match_id)
    if seat not in seats:
        raise NotFoundError("match.not_found")
    name, kit = seats[seat]
    others = {name_key(called) for at, (called, _) in seats.items() if at != seat}
    if person is not None and name_key(person.name) not in others:
        name = person.name
    occupant = Occupant(name=name, person_id=None if person is None else person.id, bot=bot)
    version = await seat_occupant(
        session, match_id=match_id, seat=seat, occupant=occupant, now=deed.now
    )
    if person is not None:
        await lock_people(session, person)
    if table_id is not None:
        await reseat(session, table_id=table_id, kit=kit, person=person, bot=bot, name=name)
    who = bot if person is None else str(person.id)
    await deed.note(session, "match.reassign_seat", match_id, seat=seat, to=who, version=version)
    return version


async def export(
    session: AsyncSession, deed: Deed, *, match_id: UUID, with_secrets: bool = False
) -> str:
    """Return a match as a sealed file; to have looked at secrets is written down."""
    exported = await portable_text(session, match_id=match_id, with_secrets=with_secrets)
    if with_secrets:
        await deed.note(session, "match.export_secrets", match_id)
    return exported


async def bring_in(session: AsyncSession, deed: Deed, *, found: PortableMatch) -> UUID:
    """Put a match from a file into this database.  Raises as `import_match` does."""
    match_id = await import_match(session, found, now=deed.now)
    await deed.note(session, "match.import", match_id, version=found.match.version)
    return match_id


async def make_admin(session: AsyncSession, deed: Deed, *, name: str) -> NewLink:
    """Make the account called `name` an administrator, the account too if there is none.

    The link lets them in once, to set a password.  Raises InvalidError for a name
    that cannot be one.
    """
    person = await admins.make_admin(session, name=name, now=deed.now)
    link = await make_link(session, person=person, now=deed.now, purpose="login")
    await deed.note(session, "admin.create", person.id)
    return link


async def end_admin(session: AsyncSession, deed: Deed, *, name: str) -> None:
    """Let the account be an ordinary one again; raises NotFoundError."""
    person = await find_account(session, name=name)
    await admins.end_admin(session, person=person)
    await deed.note(session, "admin.remove", person.id)


async def login_link(session: AsyncSession, deed: Deed, *, name: str) -> NewLink:
    """Return a link that signs the account in once; raises NotFoundError."""
    person = await find_account(session, name=name)
    link = await make_link(session, person=person, now=deed.now, purpose="login")
    await deed.note(session, "account.login_link", person.id)
    return link


async def hold_mail(session: AsyncSession, deed: Deed) -> None:
    """Send nothing to anybody until it is released."""
    await hold(session, now=deed.now)
    await deed.note(session, "mail.hold", "server")


async def release_mail(session: AsyncSession, deed: Deed, *, drop: bool = False) -> int:
    """Send what was on hold, or with `drop` forget it; return how much it was."""
    count = await release(session, drop=drop)
    if drop:
        count += await drop_waiting(session, now=deed.now)
    await deed.note(session, "mail.release", "server", count=count, drop=drop)
    return count


async def accept_key(session: AsyncSession, deed: Deed, *, fingerprint: str) -> None:
    """Expect the key with this fingerprint from now on."""
    await session.merge(InstallationRow(name=KEY_FINGERPRINT, value=fingerprint))
    await session.flush()
    await deed.note(session, "secrets.accept", "server", fingerprint=fingerprint)


async def somebody(session: AsyncSession, called: str) -> Person:
    """Return the person with this id, or the account of this name; raises NotFoundError."""
    try:
        person = await person_by_id(session, UUID(called))
    except ValueError:
        return await find_account(session, name=called)
    if person is None or person.kind == "deleted":
        raise NotFoundError("account.unknown", name=called)
    return person
