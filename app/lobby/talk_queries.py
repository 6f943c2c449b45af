"""Everything that only looks at talk."""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotFoundError
from app.i18n.names import shown_name
from app.lobby.values import TalkLine, TalkPage

LINES_SHOWN = 100

_LINES = text("""
    select * from (
      select t.n, t.name, t.at, t.person_id,
        m.muted_id is not null as muted,
        case when m.muted_id is null then t.text else '' end as text,
        (select kit from table_seats s where s.table_id = t.table_id
           and s.person_id = t.person_id and not s.extra) as kit
      from talk t left join talk_mutes m on m.person_id = :me and m.muted_id = t.person_id
      where t.table_id = :table order by t.n desc limit :most
    ) latest order by n
""")

_COUNT_UNREAD = """
    select count(*) from talk t
    where t.table_id = :table and t.person_id <> :me
      and t.n > coalesce(
        (select n from talk_reads r where r.table_id = :table and r.person_id = :me), 0)
      and not exists (select from talk_mutes m where m.person_id = :me and m.muted_id = t.person_id)
"""

_UNREAD = text(_COUNT_UNREAD)

_HERE = text(f"""
    select match_id, talk_count, host_id = :me as hosting, ({_COUNT_UNREAD}) as unread
    from tables
    where id = :table and exists (
      select from table_seats s where s.table_id = tables.id and s.person_id = :me)
""")  # noqa: S608 - constants only


_AROUND = text("select id, talk_count from tables where match_id = :match")


async def talk_around(session: AsyncSession, match_id: UUID) -> tuple[UUID | None, int]:
    """Return the table a match was started from, and how many lines are said there."""
    row = (await session.execute(_AROUND, {"match": match_id})).one_or_none()
    return (None, 0) if row is None else (row.id, row.talk_count)


async def talk_page(session: AsyncSession, *, table_id: UUID, person_id: UUID) -> TalkPage:
    """Return the talk as one of the table's people reads it.

    Raises NotFoundError for everybody else, spectators included.
    """
    here = (await session.execute(_HERE, {"table": table_id, "me": person_id})).one_or_none()
    if here is None:
        raise NotFoundError
    return TalkPage(
        table_id=table_id,
        match_id=here.match_id,
        hosting=here.hosting,
        lines=await talk_lines(session, table_id, person_id) if here.talk_count else (),
        count=here.talk_count,
        unread=here.unread,
    )


async def talk_lines(session: AsyncSession, table_id: UUID, me: UUID) -> tuple[TalkLine, ...]:
    """Return the last lines, the oldest first."""
    found = await session.execute(_LINES, {"table": table_id, "me": me, "most": LINES_SHOWN})
    return tuple(
        TalkLine(
            n=row.n,
            name=shown_name(row.name),
            text=row.text,
            at=row.at,
            mine=row.person_id == me,
            person_id=row.person_id,
            muted=row.muted,
            kit=row.kit,
        )
        for row in found
    )


async def unread_lines(session: AsyncSession, table_id: UUID, me: UUID) -> int:
    """Return how many lines of others, not muted, came after what was read last."""
    found = await session.execute(_UNREAD, {"table": table_id, "me": me})
    return int(found.scalar_one())
