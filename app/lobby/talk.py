"""Table talk: plain text among the people of a table, before, during and after the match.

The caller owns the transaction: nothing here commits.
"""

import unicodedata
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.values import Person
from app.db.notices import talk_grew, tell
from app.errors import ConflictError, InvalidError, NotFoundError, TooManyError
from app.lobby.models import SeatRow, TalkMuteRow, TalkReadRow, TalkRow
from app.lobby.rows import conflicts, lock_table

MAX_CODE_POINTS: Final = 500
MAX_BYTES: Final = 2000
MAX_KEY: Final = 64
A_MINUTE: Final = timedelta(minutes=1)
LINES_A_MINUTE: Final = 10

# Marks that turn the direction of what follows: they make a line lie.
_DIRECTION: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def clean_text(raw: str) -> str:
    """Return `raw` as it will be shown: NFC, trimmed, no control or direction characters.

    Raises InvalidError `talk.empty` or `talk.too_long`.
    """
    if len(raw) > 4 * MAX_CODE_POINTS:
        raise InvalidError("talk.too_long", max=MAX_CODE_POINTS)
    lines = raw.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = "\n".join("".join(filter(_is_kept, line)).strip() for line in lines)
    while "\n\n\n" in kept:
        kept = kept.replace("\n\n\n", "\n\n")
    text = unicodedata.normalize("NFC", kept).strip()
    if not text:
        raise InvalidError("talk.empty")
    if len(text) > MAX_CODE_POINTS or len(text.encode()) > MAX_BYTES:
        raise InvalidError("talk.too_long", max=MAX_CODE_POINTS)
    return text


async def say(
    session: AsyncSession, *, table_id: UUID, person: Person, text: str, key: str, now: datetime
) -> int:
    """Say something at a table one sits at; return the number of the line.

    The same key again says nothing more.  Raises NotFoundError, InvalidError
    `talk.…`, ConflictError `table.closed`, TooManyError after ten in a minute.
    """
    shown = clean_text(text)
    if not 0 < len(key) <= MAX_KEY or "\0" in key:
        raise InvalidError("talk.bad_key")
    table = (await lock_table(session, table_id)).for_member(person)
    if table.row.status == "closed":
        raise ConflictError("table.closed")
    mine = (TalkRow.table_id == table_id) & (TalkRow.person_id == person.id)
    said = await session.scalar(select(TalkRow.n).where(mine, TalkRow.key == key))
    if said is not None:
        return said
    lately = (
        await session.execute(
            select(func.count(), func.min(TalkRow.at)).where(mine, TalkRow.at > now - A_MINUTE)
        )
    ).one()
    if lately[0] >= LINES_A_MINUTE:
        wait = (lately[1] + A_MINUTE - now).total_seconds()
        raise TooManyError("talk.too_many", retry_after_seconds=max(1, int(wait) + 1))

    n = table.row.talk_count + 1
    table.row.talk_count = n
    name = next(seat.name for seat in table.seats if seat.person_id == person.id)
    session.add(
        TalkRow(
            table_id=table_id,
            n=n,
            person_id=person.id,
            name=name or person.name,
            text=shown,
            key=key,
            at=now,
        )
    )
    async with conflicts():
        await session.flush()
    await mark_read(session, table_id=table_id, person_id=person.id, n=n)
    if table.row.match_id is not None:
        await tell(session, talk_grew(table.row.match_id, n))
    return n


async def mark_read(session: AsyncSession, *, table_id: UUID, person_id: UUID, n: int) -> None:
    """Remember that the person has read up to line `n`."""
    row = upsert(TalkReadRow).values(table_id=table_id, person_id=person_id, n=n)
    await session.execute(
        row.on_conflict_do_update(
            index_elements=["table_id", "person_id"],
            set_={"n": func.greatest(TalkReadRow.n, row.excluded.n)},
        )
    )


async def mute(
    session: AsyncSession, *, table_id: UUID, person: Person, muted_id: UUID, muted: bool
) -> None:
    """Stop, or start again, reading what somebody says, at every table.

    Raises NotFoundError unless both are people of this table (or the other has
    talked here).
    """
    members = await session.scalars(
        select(SeatRow.person_id).where(
            SeatRow.table_id == table_id, SeatRow.person_id.is_not(None)
        )
    )
    here = set(members)
    talkers = await session.scalars(
        select(TalkRow.person_id).where(TalkRow.table_id == table_id, TalkRow.person_id == muted_id)
    )
    if person.id not in here or muted_id == person.id or muted_id not in here | set(talkers):
        raise NotFoundError
    if muted:
        await session.execute(
            upsert(TalkMuteRow)
            .values(person_id=person.id, muted_id=muted_id)
            .on_conflict_do_nothing()
        )
    else:
        await session.execute(
            delete(TalkMuteRow).where(
                TalkMuteRow.person_id == person.id, TalkMuteRow.muted_id == muted_id
            )
        )


def _is_kept(character: str) -> bool:
    return unicodedata.category(character) not in {"Cc", "Cs"} and character not in _DIRECTION
