"""What a table does by consent: pause, go on, take a turn back, end without a result.

Everybody else who plays is asked, whatever they have seen of it: so whom a secret
prompt has asked shows in nothing.  One of a kind is open at a time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.notices import CHANNEL, match_moved
from app.errors import ConflictError, InvalidError, NotFoundError
from app.matches.asking import tell_proposal
from app.matches.clockwork import retime
from app.matches.rescue import roll_back, void_match
from app.matches.undoing import undo_of
from app.rules.game import Seat

Kind: TypeAlias = Literal["pause", "resume", "undo", "void"]

LONGEST_PAUSE: Final = timedelta(days=60)

_LOCK = text("""
    select version, status, clock is not null as clocked,
      (select max(ends_at) from match_pauses
        where match_id = matches.id and ends_at > :now) as paused_until
    from matches where id = :id for no key update
""")

_PEOPLE = text("""
    select seat, person_id from match_seats
    where match_id = :id and person_id is not null order by seat
""")

_PUT = text("""
    insert into match_proposals (match_id, kind, seat, version, until, asked, agreed, made_at)
    values (:id, :kind, :seat, :version, :until, :asked, :agreed, :now)
    on conflict (match_id, kind) do update
      set seat = excluded.seat, version = excluded.version, until = excluded.until,
          asked = excluded.asked, agreed = excluded.agreed, made_at = excluded.made_at
""")

_GET = text("""
    select seat, version, until, asked, agreed from match_proposals
    where match_id = :id and kind = :kind
""")

_AGREE = text("""
    update match_proposals set agreed = :agreed where match_id = :id and kind = :kind
""")

_DROP = text("delete from match_proposals where match_id = :id and kind = :kind returning kind")

# A proposal to take turns back, or to give up waiting, is over once somebody has played on, or
# turns were taken back; and nobody gives up waiting when the late one has answered after all.
_OPEN = text("""
    select p.kind, p.seat, p.version, p.until, p.asked, p.agreed, p.made_at
    from match_proposals p join matches m on m.id = p.match_id
    where p.match_id = :id and m.status = 'running'
      and (p.kind not in ('undo', 'void') or not exists (select from match_events e
          where e.match_id = p.match_id and e.version > p.version)
        and not exists (select from match_rollbacks r
          where r.match_id = p.match_id and r.version > p.version))
      and (p.kind <> 'void' or exists (select from match_deadlines d
        where d.match_id = p.match_id and d.missed_at is not null and not d.secret
          and d.seat is distinct from p.seat))
      and (p.until is null or p.until > :now)
    order by p.made_at, p.kind
""")

_PAUSED = text("""
    select max(ends_at) from match_pauses
    where match_id = :id and starts_at <= :now and ends_at > :now
""")

_PAUSE = text("insert into match_pauses (match_id, starts_at, ends_at) values (:id, :now, :until)")

_RESUME = text("update match_pauses set ends_at = :now where match_id = :id and ends_at > :now")

# Whose time has run out, as everybody may know.
_LATE = text("""
    select s.person_id from match_deadlines d
    join match_seats s on s.match_id = d.match_id and s.seat = d.seat
    where d.match_id = :id and d.missed_at is not null and not d.secret
      and s.person_id is not null
""")

_MOVED_SINCE = text("""
    select exists (select from match_events where match_id = :id and version > :version)
      or exists (select from match_rollbacks where match_id = :id and version > :version)
""")

# Pages see a new version; nothing of the position has changed.
_STEP = text("""
    with head as (
      update matches set version = version + 1, updated_at = :now where id = :id
    )
    select pg_notify(:channel, :moved)
""")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that waits for consent; `seat` None: nobody proposed it, a time ran out."""

    kind: Kind
    seat: Seat | None
    version: int
    until: datetime | None
    asked: frozenset[Seat]
    agreed: frozenset[Seat]
    made_at: datetime

    @property
    def waits_for(self) -> frozenset[Seat]:
        """The seats that have not agreed."""
        return self.asked - self.agreed


async def open_proposals(
    session: AsyncSession, match_id: UUID, *, now: datetime
) -> tuple[Proposal, ...]:
    """Return what waits for consent in a match, the oldest first."""
    rows = await session.execute(_OPEN, {"id": match_id, "now": now})
    return tuple(
        Proposal(
            kind=row.kind,
            seat=None if row.seat is None else Seat(row.seat),
            version=row.version,
            until=row.until,
            asked=frozenset(row.asked),
            agreed=frozenset(row.agreed),
            made_at=row.made_at,
        )
        for row in rows
    )


async def paused_until(session: AsyncSession, match_id: UUID, *, now: datetime) -> datetime | None:
    """Return until when the table has stopped its clocks; None if they run."""
    found: datetime | None = await session.scalar(_PAUSED, {"id": match_id, "now": now})
    return found


async def propose(
    session: AsyncSession,
    *,
    match_id: UUID,
    seat: Seat,
    person_id: UUID,
    kind: Kind,
    now: datetime,
    until: datetime | None = None,
) -> bool:
    """Ask everybody else to agree, and tell whether it was done at once: nobody is left to ask.

    Raises NotFoundError when the person does not hold the seat, ConflictError
    `match.finished`, `clock.none`, `pause.paused`, `pause.not_paused`,
    `void.nobody_late` or what `undo_of` raises, and InvalidError `pause.needs_end`
    or `pause.too_long`.
    """
    table = await _gather(session, match_id, now)
    if table.people.get(seat) != person_id:
        raise NotFoundError("match.not_found")
    await table.check(kind, seat, until)
    late = await table.late() if kind == "void" else frozenset[UUID]()
    others = [other for other, who in table.people.items() if who not in {person_id, *late}]
    return await table.put(kind, seat, others, until=until)


async def propose_void(
    session: AsyncSession, *, match_id: UUID, missed: UUID | None, now: datetime
) -> bool:
    """Let those vote whose time did not run out; `missed` is the person whose did.

    Where everybody is late, all the others are asked: nobody's silence ends a match.
    """
    table = await _gather(session, match_id, now)
    others = [other for other, who in table.people.items() if who != missed]
    late = await table.late()
    here = [other for other in others if table.people[other] not in late]
    return await table.put("void", None, here or others)


async def agree(
    session: AsyncSession,
    *,
    match_id: UUID,
    person_id: UUID,
    kind: Kind,
    version: int,
    now: datetime,
) -> bool:
    """Agree with every seat that the person holds; tell whether that was the last consent.

    `version` is that of the proposal the person was shown.  Raises NotFoundError
    when there is none of the kind or the person was not asked, ConflictError when
    it is another one by now, and what stands in the way of carrying it out.
    """
    table = await _gather(session, match_id, now)
    row = await table.proposal(kind, person_id)
    if row.version != version:
        raise ConflictError("proposal.changed")
    mine = {seat for seat, who in table.people.items() if who == person_id}
    agreed = sorted({*row.agreed, *(seat for seat in row.asked if seat in mine)})
    # Whoever has left the match since has no say any more.
    if all(seat in agreed for seat in row.asked if seat in table.people):
        await table.carry_out(kind, row)
        return True
    await session.execute(_AGREE, {"id": match_id, "kind": kind, "agreed": agreed})
    await table.step()
    return False


async def drop_proposal(
    session: AsyncSession, *, match_id: UUID, person_id: UUID, kind: Kind, now: datetime
) -> None:
    """Refuse, or take back what one has proposed: it is off the table.

    Raises NotFoundError when there is none of the kind or the person has no part in it.
    """
    table = await _gather(session, match_id, now)
    await table.proposal(kind, person_id, proposer=True)
    await session.execute(_DROP, {"id": match_id, "kind": kind})
    await table.step()


async def _gather(session: AsyncSession, match_id: UUID, now: datetime) -> "_Table":
    """Lock a match that runs, and say who plays."""
    head = (await session.execute(_LOCK, {"id": match_id, "now": now})).one_or_none()
    if head is None:
        raise NotFoundError("match.not_found")
    if head.status != "running":
        raise ConflictError("match.finished")
    rows = await session.execute(_PEOPLE, {"id": match_id})
    return _Table(session, match_id, head, {Seat(row.seat): row.person_id for row in rows}, now)


@dataclass(frozen=True, slots=True)
class _Table:
    """Those who play a match, which is locked while they are asked."""

    session: AsyncSession
    match_id: UUID
    head: Row[Any]
    people: Mapping[Seat, UUID]
    now: datetime

    @property
    def here(self) -> dict[str, Any]:
        return {"id": self.match_id, "now": self.now}

    async def late(self) -> frozenset[UUID]:
        """Return whose time has run out, and who therefore is not asked."""
        return frozenset(await self.session.scalars(_LATE, {"id": self.match_id}))

    async def check(self, kind: Kind, seat: Seat, until: datetime | None) -> None:
        if kind == "undo":
            await undo_of(self.session, self.match_id, seat)
            return
        if not self.head.clocked:
            raise ConflictError("clock.none")
        if kind == "void" and not await self.late() - {self.people[seat]}:
            raise ConflictError("void.nobody_late")
        if kind == "pause":
            if self.head.paused_until is not None:
                raise ConflictError("pause.paused")
            if until is None or until <= self.now:
                raise InvalidError("pause.needs_end")
            if until - self.now > LONGEST_PAUSE:
                raise InvalidError("pause.too_long", max=LONGEST_PAUSE.days)
        if kind == "resume" and self.head.paused_until is None:
            raise ConflictError("pause.not_paused")

    async def put(
        self,
        kind: Kind,
        seat: Seat | None,
        others: Sequence[Seat],
        *,
        until: datetime | None = None,
    ) -> bool:
        await self.session.execute(
            _PUT,
            {
                **self.here,
                "kind": kind,
                "seat": seat,
                "version": self.head.version + 1,
                "until": until,
                "asked": list(others),
                "agreed": [],
            },
        )
        if others:
            await tell_proposal(self.session, self.match_id, kind, self.head.version + 1)
            await self.step()
            return False
        row = await self.session.execute(_GET, {"id": self.match_id, "kind": kind})
        await self.carry_out(kind, row.one())
        return True

    async def proposal(self, kind: Kind, person_id: UUID, *, proposer: bool = False) -> Row[Any]:
        """Return the proposal, if the person is asked or, with `proposer`, has made it."""
        found = await self.session.execute(_GET, {"id": self.match_id, "kind": kind})
        row = found.one_or_none()
        if row is not None:
            part = {*row.asked, row.seat} if proposer else set(row.asked)
            if any(who == person_id and seat in part for seat, who in self.people.items()):
                return row
        raise NotFoundError("proposal.none")

    async def carry_out(self, kind: Kind, row: Row[Any]) -> None:
        await self.session.execute(_DROP, {"id": self.match_id, "kind": kind})
        where = {"id": self.match_id, "version": row.version}
        if kind in {"undo", "void"} and await self.session.scalar(_MOVED_SINCE, where):
            raise ConflictError("proposal.changed")
        if kind == "void" and not await self.late() - {self.people.get(row.seat)}:
            raise ConflictError("proposal.changed")
        match kind:
            case "void":
                await void_match(self.session, match_id=self.match_id, now=self.now)
            case "undo":
                await self._undo(row)
            case "pause":
                if row.until <= self.now:
                    raise ConflictError("proposal.changed")
                await self.session.execute(_PAUSE, {**self.here, "until": row.until})
                await self._retime()
            case "resume":
                await self.session.execute(_RESUME, self.here)
                await self._retime()

    async def step(self) -> None:
        """Let every page see that something about the match has changed."""
        moved = match_moved(self.match_id, self.head.version + 1)
        await self.session.execute(_STEP, {**self.here, "channel": CHANNEL, "moved": moved})

    async def _undo(self, row: Row[Any]) -> None:
        undo = await undo_of(self.session, self.match_id, Seat(row.seat))
        await roll_back(
            self.session, match_id=self.match_id, to_version=undo.to_version, now=self.now
        )

    async def _retime(self) -> None:
        await retime(self.session, match_id=self.match_id, now=self.now)
        await self.step()
