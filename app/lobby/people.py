"""When one person becomes another, or nobody: signing in as a guest, deleting oneself.

Both touch many rows that others change too, so both take their locks in the one order
that everybody keeps to (ARCHITECTURE.md): tables, matches, people, each by id.

The caller owns the transaction: nothing here commits.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.absences import move_absences
from app.accounts.addresses import move_address
from app.accounts.channels import move_channels
from app.accounts.service import delete_person, forget_guest, lock_people, prove
from app.accounts.values import Person
from app.errors import ConflictError
from app.i18n.names import FORGOTTEN
from app.lobby.rows import conflicts
from app.lobby.seats import leave
from app.matches.service import forget_name, lock_running, move_seats, resign, running_seats

# A person owns one seat of a table that is not a hot-seat one.  What was a guest's
# own becomes a hot-seat one where the other person sits already.
_MAKE_EXTRA = text("""
    update table_seats mine set extra = true
    where person_id = :old and not extra and exists (
      select from table_seats theirs
      where theirs.table_id = mine.table_id and theirs.person_id = :new and not theirs.extra)
""")
# The keys made a repeat harmless; nobody repeats as the guest any more.
_MOVE = (
    text("update table_seats set person_id = :new where person_id = :old returning table_id"),
    text(
        "update tables set host_id = :new, key = 'moved:' || id where host_id = :old returning id"
    ),
    text("update talk set person_id = :new, key = 'moved:' || n where person_id = :old"),
)
_COPY = tuple(
    text(statement)
    for statement in (
        """insert into table_watchers (table_id, person_id, kept)
           select table_id, :new, kept from table_watchers where person_id = :old
           on conflict (table_id, person_id)
           do update set kept = table_watchers.kept or excluded.kept""",
        """insert into table_removed (table_id, person_id)
           select table_id, :new from table_removed where person_id = :old
           on conflict do nothing""",
        """insert into talk_reads (table_id, person_id, n)
           select table_id, :new, n from talk_reads where person_id = :old
           on conflict (table_id, person_id)
           do update set n = greatest(talk_reads.n, excluded.n)""",
        """insert into talk_mutes (person_id, muted_id)
           select :new, muted_id from talk_mutes where person_id = :old and muted_id <> :new
           on conflict do nothing""",
        """insert into talk_mutes (person_id, muted_id)
           select person_id, :new from talk_mutes where muted_id = :old and person_id <> :new
           on conflict do nothing""",
    )
)
# Every table that holds something of the person's, and those where they sit before a match.
_TABLES_OF = """
    select t.id from tables t
    where t.id in (
      select id from tables where host_id = :person
      union select table_id from table_seats where person_id = :person
      union select table_id from talk where person_id = :person)
    order by t.id
"""
_GATHERING_OF = """
    select t.id from tables t
    where t.status = 'gathering'
      and t.id in (select table_id from table_seats where person_id = :person)
    order by t.id
"""
_SAT = text("""
    select t.match_id, s.kit from table_seats s join tables t on t.id = s.table_id
    where s.person_id = :person and t.match_id is not null
""")
_FORGET = (
    text("""
        update table_seats set name = :nobody, name_key = 'left:' || id where person_id = :person
    """),
    text("update talk set name = :nobody where person_id = :person"),
)
_TOUCH = text("""
    update tables set revision = revision + 1 where id = any(:tables) and status = 'gathering'
""")


async def take_over(session: AsyncSession, *, guest: Person, person: Person) -> None:
    """Give `person` all that `guest` has, seats, tables and talk, and forget the guest.

    The guest's sessions end.  Raises ForbiddenError if it is an account,
    NotFoundError if either is gone, ConflictError if the guest sits down
    somewhere at the same moment.
    """
    tables = await _lock_everything(session, _TABLES_OF, guest, person)
    both = {"old": guest.id, "new": person.id}
    async with conflicts():
        await session.execute(_MAKE_EXTRA, both)
        for statement in (*_MOVE, *_COPY):
            await session.execute(statement, both)
        await session.execute(_TOUCH, {"tables": tables})
        await move_seats(session, old=guest.id, new=person.id)
    await move_absences(session, old=guest.id, new=person.id)
    await move_address(session, old=guest.id, new=person.id)
    await move_channels(session, old=guest.id, new=person.id)
    await forget_guest(session, guest_id=guest.id)


async def delete_everywhere(
    session: AsyncSession, *, person: Person, password: str, fresh: bool = False, now: datetime
) -> None:
    """Forget the person, who has proven to be it, as `forget_everywhere` does.

    Raises as `prove` does (a guest needs no password) too.
    """
    await prove(session, person=person, password=password, fresh=fresh)
    await forget_everywhere(session, person=person, now=now)


async def forget_everywhere(session: AsyncSession, *, person: Person, now: datetime) -> None:
    """Forget the person, who first leaves every gathering table and every running match.

    Seats, tables and talk stay without the name.  Raises ConflictError if the
    person sits down somewhere at the same moment.
    """
    tables = await _lock_everything(session, _GATHERING_OF, person)
    for table_id in tables:
        await leave(session, table_id=table_id, person=person)
    for match_id, seat in await running_seats(session, person.id):
        await resign(session, match_id=match_id, seat=seat, key=f"deleted:{person.id}", now=now)
    await _forget_names(session, person)
    await delete_person(session, person=person)


async def _forget_names(session: AsyncSession, person: Person) -> None:
    mine = {"person": person.id, "nobody": FORGOTTEN}
    # A seat that was left for a bot says no more whose it was; the table's does.
    sat = await session.execute(_SAT, mine)
    left = [(row.match_id, row.kit) for row in sat]
    await forget_name(session, person_id=person.id, left=left)
    for statement in _FORGET:
        await session.execute(statement, mine)


async def _lock_everything(
    session: AsyncSession, tables_of: str, person: Person, *others: Person
) -> list[UUID]:
    """Lock the person's tables, running matches and row, and the `others`; return the tables.

    Raises ConflictError if there is more by now than when we asked what to lock: it
    would be too late to lock it in order.
    """
    mine = {"person": person.id}
    locked = set(await session.scalars(text(f"{tables_of} for no key update of t"), mine))
    locked |= await lock_running(session, person.id)
    await lock_people(session, person, *others)
    # Fewer they may be: a table has started, a match has ended, while we waited for it.
    tables = list(await session.scalars(text(tables_of), mine))
    matches = {match_id for match_id, _ in await running_seats(session, person.id)}
    if not locked.issuperset(matches.union(tables)):
        raise ConflictError
    return tables
