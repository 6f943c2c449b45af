"""When one person becomes another, or nobody: signing in as a guest, deleting oneself.

The caller owns the transaction: nothing here commits.
"""

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.service import delete_person, forget_guest
from app.accounts.values import Person
from app.lobby.rows import conflicts
from app.lobby.seats import leave
from app.matches.queries import my_matches
from app.matches.service import move_seats, resign

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
        """insert into table_watchers (table_id, person_id)
           select table_id, :new from table_watchers where person_id = :old
           on conflict do nothing""",
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
_GATHERING = text("""
    select distinct t.id from tables t join table_seats s on s.table_id = t.id
    where t.status = 'gathering' and s.person_id = :person order by t.id
""")
_TOUCH = text("""
    update tables set revision = revision + 1
    where id in (select table_id from table_seats where person_id = :new)
      and status = 'gathering'
""")


async def take_over(session: AsyncSession, *, guest: Person, person: Person) -> None:
    """Give `person` all that `guest` has, seats, tables and talk, and forget the guest.

    The guest's sessions end.  Raises ForbiddenError if it is an account.
    """
    both = {"old": guest.id, "new": person.id}
    async with conflicts():
        await session.execute(_MAKE_EXTRA, both)
        for statement in (*_MOVE, *_COPY):
            await session.execute(statement, both)
        await session.execute(_TOUCH, {"new": person.id})
        await move_seats(session, old=guest.id, new=person.id)
    await forget_guest(session, guest_id=guest.id)


async def delete_everywhere(
    session: AsyncSession, *, person: Person, password: str, now: datetime
) -> None:
    """Forget the person, who first leaves every gathering table and every running match.

    Raises InvalidError `account.wrong_password`; a guest needs no password.
    """
    await delete_person(session, person=person, password=password)
    gathering = await session.scalars(_GATHERING, {"person": person.id})
    for table_id in gathering.all():
        await leave(session, table_id=table_id, person=person)
    for card in await my_matches(session, person.id):
        for seat in card.mine if card.status == "running" else ():
            await resign(session, match_id=card.id, seat=seat, key=f"deleted:{person.id}", now=now)
