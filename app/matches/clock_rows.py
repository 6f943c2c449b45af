"""What the clocks of one match are reckoned from, read in few statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.absences import absences_of
from app.matches.clocks.calendar import Calendar
from app.matches.clocks.reckoning import calendar_of
from app.matches.clocks.spans import Span
from app.matches.clocks.terms import Terms, terms_from
from app.matches.codec import Prompts, StoredPrompt, load_prompts
from app.rules.game import Seat

_MATCH = text("""
    select m.clock, m.status, m.prompts::text as prompts, m.created_at,
      (select coalesce(array_agg(seat), '{}') from match_answers
        where match_id = m.id) as answered,
      (select jsonb_agg(jsonb_build_object('seat', seat, 'person', person_id) order by seat)
        from match_seats where match_id = m.id and bot is null)::text as people
    from matches m where m.id = :id and m.clock is not null
""")

_OPEN = text("""
    select seat, prompt, secret, opened_version, opened_at, allotted, due_at, missed_at
    from match_deadlines where match_id = :id order by seat
""")

_STOPPED = text("""
    select starts_at, ends_at from match_pauses where match_id = :id and ends_at > :since
    union all select starts_at, ends_at from downtimes where ends_at > :since
""")

# The last time each seat spent on each prompt, and whether that was taken back.
_SPENT = text("""
    select distinct on (t.seat, t.prompt) t.seat, t.prompt, t.allotted - t.used as remained,
      exists (select from match_rollbacks r where r.match_id = t.match_id
        and r.to_version < t.version and t.version <= r.version) as struck
    from match_times t where t.match_id = :id and t.seat = any(cast(:seats as int[]))
      and t.prompt = any(cast(:prompts as text[]))
    order by t.seat, t.prompt, t.n desc
""")

_BANKS = text("""
    select distinct on (seat) seat, bank from match_times
    where match_id = :id and bank is not null order by seat, n desc
""")

# Since `to`, each seat's bank at first, and all that it has spent from it.
_UNDONE = text("""
    select seat, (array_agg(allotted order by n))[1] - sum(used) as bank
    from match_times where match_id = :id and version > :to and bank is not null
    group by seat
""")

NOBODY: Final = UUID(int=0)


class _Sitting(msgspec.Struct, frozen=True):
    seat: Seat
    person: UUID | None


@dataclass(frozen=True, slots=True)
class OpenDeadline:
    """A row of `match_deadlines`."""

    seat: Seat
    prompt: str
    secret: bool
    opened_version: int
    opened_at: datetime
    allotted: timedelta
    due_at: datetime | None
    missed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Clocked:
    """A match with a clock: its terms, whom it waits for, and what was written down before."""

    id: UUID
    terms: Terms
    started: datetime
    waits_for: Mapping[Seat, StoredPrompt]
    people: Mapping[Seat, UUID]
    open: tuple[OpenDeadline, ...]
    stopped: tuple[Span, ...]
    absences: Mapping[UUID, Sequence[Span]]

    def calendar(self, seat: Seat) -> Calendar:
        """Return when the seat's time runs."""
        return calendar_of(
            self.terms,
            started=self.started,
            stopped=self.stopped,
            absences=self.absences.get(self.people.get(seat, NOBODY), ()),
        )


async def read_clocked(session: AsyncSession, match_id: UUID, *, now: datetime) -> Clocked | None:
    """Return what the match's clocks are reckoned from; None if it has no clock."""
    row = (await session.execute(_MATCH, {"id": match_id})).one_or_none()
    terms = None if row is None else terms_from(row.clock)
    if row is None or terms is None:
        return None
    sitting = msgspec.json.decode(row.people or "[]", type=list[_Sitting])
    prompts: Prompts = load_prompts(row.prompts) if row.status == "running" else {}
    rows = await session.execute(_OPEN, {"id": match_id})
    deadlines = tuple(_open(one) for one in rows)
    since = min((one.opened_at for one in deadlines), default=now)
    people = {one.seat: one.person for one in sitting if one.person is not None}
    away = await absences_of(session, people.values(), after=row.created_at)
    return Clocked(
        id=match_id,
        terms=terms,
        started=row.created_at,
        waits_for={
            one.seat: prompts[one.seat]
            for one in sitting
            if one.seat in prompts and one.seat not in row.answered
        },
        people=people,
        open=deadlines,
        stopped=tuple(
            Span(*span)
            for span in await session.execute(_STOPPED, {"id": match_id, "since": since})
        ),
        absences={who: [Span(*one) for one in spans] for who, spans in away.items()},
    )


async def read_spent(
    session: AsyncSession, match_id: UUID, asked: Mapping[Seat, StoredPrompt]
) -> dict[Seat, timedelta]:
    """Return what remains to each seat of a prompt that it had before turns were taken back."""
    rows = await session.execute(
        _SPENT,
        {
            "id": match_id,
            "seats": [int(seat) for seat in asked],
            "prompts": [prompt.key for prompt in asked.values()],
        },
    )
    return {
        Seat(row.seat): row.remained
        for row in rows
        if row.struck and asked[Seat(row.seat)].key == row.prompt
    }


async def read_banks(session: AsyncSession, match_id: UUID) -> dict[Seat, timedelta]:
    """Return what is left in each bank that something was taken from."""
    rows = await session.execute(_BANKS, {"id": match_id})
    return {Seat(row.seat): row.bank for row in rows}


async def read_undone(
    session: AsyncSession, match_id: UUID, to_version: int
) -> dict[Seat, timedelta]:
    """Return what each bank held after `to_version`, less all that was spent since."""
    rows = await session.execute(_UNDONE, {"id": match_id, "to": to_version})
    return {Seat(row.seat): max(row.bank, timedelta()) for row in rows}


def _open(row: Any) -> OpenDeadline:
    return OpenDeadline(
        seat=Seat(row.seat),
        prompt=row.prompt,
        secret=row.secret,
        opened_version=row.opened_version,
        opened_at=row.opened_at,
        allotted=row.allotted,
        due_at=row.due_at,
        missed_at=row.missed_at,
    )
