"""What a host does to a person: hand out what is kept, sign out everywhere, forget.

Each is written into the audit log with the deed.  The caller owns the transaction.
"""

from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnClause, column, select, table, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.sessions import end_sessions
from app.accounts.values import Person
from app.hosting.service import Deed
from app.lobby.people import forget_everywhere
from app.notifications.leaving import leave_browsers

# Every column of any table that names a person, and the columns that are nobody's to read:
# hashes and what is sealed are bytes.  Who does not want to read whom is the reader's alone.
_NAMING: Final = text("""
    select c.relname as place, a.attname as names, (
        select array_agg(o.attname::text order by o.attnum) from pg_attribute o
        where o.attrelid = c.oid and o.attnum > 0 and not o.attisdropped
          and o.atttypid <> 'bytea'::regtype and o.attname not in ('password_hash', 'key')
    ) as shown
    from pg_constraint f
    join pg_class c on c.oid = f.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(f.conkey)
    where f.contype = 'f' and f.confrelid = 'people'::regclass and a.attname <> 'muted_id'
    union
    select c.relname, 'id', (
        select array_agg(o.attname::text order by o.attnum) from pg_attribute o
        where o.attrelid = c.oid and o.attnum > 0 and not o.attisdropped
          and o.atttypid <> 'bytea'::regtype and o.attname <> 'password_hash'
    )
    from pg_class c where c.oid = 'people'::regclass
    order by 1, 2
""")


async def kept_about(session: AsyncSession, person_id: UUID) -> dict[str, list[dict[str, Any]]]:
    """Return every row that names the person, table by table, without hashes and secrets.

    What a match holds beyond its seats is in its own export.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for place in await session.execute(_NAMING):
        columns: list[ColumnClause[Any]] = [column(name) for name in place.shown]
        wanted = select(*columns).select_from(table(place.place))
        rows = await session.execute(wanted.where(column(place.names) == person_id))
        kept = [dict(row) for row in rows.mappings()]
        if kept:
            found.setdefault(place.place, []).extend(kept)
    return found


async def export_person(
    session: AsyncSession, deed: Deed, *, person: Person
) -> dict[str, list[dict[str, Any]]]:
    """Return what is kept about somebody; that a host has looked is written down."""
    await deed.note(session, "person.export", person.id)
    return await kept_about(session, person.id)


async def sign_out(session: AsyncSession, deed: Deed, *, person: Person) -> None:
    """End every session of somebody; what waits for their browsers goes by what is left."""
    await leave_browsers(session, person_id=person.id, ends=lambda _one: True, now=deed.now)
    await end_sessions(session, person_id=person.id)
    await deed.note(session, "person.sign_out", person.id)


async def forget(session: AsyncSession, deed: Deed, *, person: Person) -> None:
    """Forget somebody as they could themselves; bots take their seats, the matches stay."""
    await forget_everywhere(session, person=person, now=deed.now)
    await deed.note(session, "person.delete", person.id)
