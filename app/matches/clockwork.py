"""Keeping deadlines in step with a match, in the transaction that changes it.

`settle_clocks` compares whom the match waits for with whose time runs: it is
called after every change, whatever that was, and a second call changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.matches.clock_models import MatchDeadline, MatchTime
from app.matches.clock_rows import (
    Clocked,
    OpenDeadline,
    read_banks,
    read_clocked,
    read_spent,
    read_undone,
)
from app.matches.clocks.reckoning import bank_after, due, used
from app.matches.codec import StoredPrompt
from app.rules.game import Seat

NOTHING: Final = timedelta()

_LAST = text("select coalesce(max(n), 0) from match_times where match_id = :id")

_MOVE = text("""
    update match_deadlines set due_at = :due where match_id = :id and seat = :seat
      and due_at is distinct from :due
""")

_REOPEN = text("""
    update match_deadlines set opened_version = :opened where match_id = :id and seat = :seat
""")


async def settle_clocks(
    session: AsyncSession,
    *,
    match_id: UUID,
    version: int,
    now: datetime,
    undone_to: int | None = None,
) -> None:
    """Stop the clocks of seats that need not answer any more, and start those of the others.

    The match is locked, or not yet to be seen by anybody.  `version` is the one
    that the change makes.  After turns were taken back to `undone_to` nobody has
    more time than before: what was spent stays spent, and what was earned since is
    given back.
    """
    match = await read_clocked(session, match_id, now=now)
    if match is None:
        return
    books = _Books(session, match, version, now)
    closed = [one for one in match.open if not _goes_on(one, match.waits_for)]
    await books.close(closed, withdrawn=undone_to is not None)
    if undone_to is not None:
        await books.take_back(undone_to)
    kept = {one.seat: one for one in match.open if one not in closed}
    for seat, one in kept.items():
        opened = match.waits_for[seat].opened
        if opened != one.opened_version:
            await session.execute(_REOPEN, {"id": match_id, "seat": seat, "opened": opened})
    await books.open({seat: it for seat, it in match.waits_for.items() if seat not in kept})


async def retime(session: AsyncSession, *, match_id: UUID, now: datetime) -> None:
    """Reckon the match's deadlines again: what stops the time has changed.  It is locked.

    A deadline that was missed stays missed.
    """
    match = await read_clocked(session, match_id, now=now)
    if match is None:
        return
    for one in match.open:
        if one.missed_at is None:
            moment = due(
                match.terms,
                match.calendar(one.seat),
                opened=one.opened_at,
                allotted=one.allotted,
            )
            await session.execute(_MOVE, {"id": match_id, "seat": one.seat, "due": moment})


async def refill(
    session: AsyncSession, *, match_id: UUID, seat: Seat, version: int, now: datetime
) -> None:
    """Give the seat to somebody new: what was left to the last one is not theirs to bear.

    Its deadline is dropped, for `settle_clocks` to make another.
    """
    match = await read_clocked(session, match_id, now=now)
    if match is None:
        return
    books = _Books(session, match, version, now)
    await books.drop([seat])
    if match.terms.bank is not None:
        await books.correct({seat: match.terms.bank})


def _goes_on(one: OpenDeadline, waits_for: Mapping[Seat, StoredPrompt]) -> bool:
    asked = waits_for.get(one.seat)
    return asked is not None and asked.key == one.prompt


@dataclass(frozen=True, slots=True)
class _Books:
    """The rows of one match's clocks, while one version is being made."""

    session: AsyncSession
    match: Clocked
    version: int
    now: datetime

    async def close(self, deadlines: Sequence[OpenDeadline], *, withdrawn: bool) -> None:
        """Write down what each seat took; an answer earns the increment, a withdrawal does not."""
        rows = [self._closed(one, withdrawn=withdrawn) for one in deadlines]
        await self._write(rows)
        await self.drop([one.seat for one in deadlines])

    async def drop(self, seats: Sequence[Seat]) -> None:
        """Delete the deadlines of these seats."""
        if seats:
            await self.session.execute(
                delete(MatchDeadline).where(
                    MatchDeadline.match_id == self.match.id, MatchDeadline.seat.in_(seats)
                )
            )

    async def take_back(self, to_version: int) -> None:
        """Put the banks right after turns were taken back."""
        if self.match.terms.bank is not None:
            await self.correct(await read_undone(self.session, self.match.id, to_version))

    async def correct(self, banks: Mapping[Seat, timedelta]) -> None:
        """Write down what is in these banks from now on."""
        await self._write([self._correction(seat, bank) for seat, bank in banks.items()])

    async def open(self, asked: Mapping[Seat, StoredPrompt]) -> None:
        """Start the clocks of the seats just asked."""
        if not asked:
            return
        terms, match_id = self.match.terms, self.match.id
        banks = {} if terms.bank is None else await read_banks(self.session, match_id)
        spent = await read_spent(self.session, match_id, asked)
        rows = []
        for seat, prompt in asked.items():
            allotted = terms.allotted(banks.get(seat), secret=prompt.secret)
            if seat in spent and (terms.bank is None or prompt.secret):
                allotted = min(allotted, spent[seat])
            calendar = self.match.calendar(seat)
            rows.append(
                {
                    "match_id": match_id,
                    "seat": seat,
                    "prompt": prompt.key,
                    "secret": prompt.secret,
                    "opened_version": prompt.opened,
                    "opened_at": self.now,
                    "allotted": allotted,
                    "due_at": due(terms, calendar, opened=self.now, allotted=allotted),
                }
            )
        await self.session.execute(insert(MatchDeadline), rows)

    def _closed(self, one: OpenDeadline, *, withdrawn: bool) -> dict[str, object]:
        terms, allotted = self.match.terms, one.allotted
        taken = used(
            self.match.calendar(one.seat),
            opened=one.opened_at,
            closed=self.now,
            allotted=allotted,
        )
        bank = bank_after(terms, allotted=allotted, taken=taken)
        if bank is not None and withdrawn:
            bank = allotted - taken
        return {
            "seat": one.seat,
            "prompt": one.prompt,
            "opened_at": one.opened_at,
            "allotted": allotted,
            "used": taken,
            "bank": None if one.secret else bank,
        }

    def _correction(self, seat: Seat, bank: timedelta) -> dict[str, object]:
        return {
            "seat": seat,
            "prompt": "",
            "opened_at": self.now,
            "allotted": bank,
            "used": NOTHING,
            "bank": bank,
        }

    async def _write(self, rows: Sequence[dict[str, object]]) -> None:
        if not rows:
            return
        last = int(await self.session.scalar(_LAST, {"id": self.match.id}) or 0)
        here = {"match_id": self.match.id, "version": self.version, "closed_at": self.now}
        await self.session.execute(
            insert(MatchTime), [{**here, **row, "n": last + n} for n, row in enumerate(rows, 1)]
        )
