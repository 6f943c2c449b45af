"""Who was asked what and for how long, folded from the log: books of our own.

Nothing here asks the outbox or the clocks of the match.  The rules say whom a
position waits for, `minutes` says which minutes count, the rest is bookkeeping.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.weeks.minutes import DAY, Calendar, Minute, Spell, count
from app.cli.weeks.plan import Setting
from app.matches.codec import Codec
from app.rules.game import Prompt, Seat, replay

# answered: by whoever sits there.  timeout: by the table.  undone: the question was withdrawn.
How: TypeAlias = Literal["", "answered", "timeout", "undone", "over"]

NOTICE_MINUTES: Final = 6 * 60
RUNNING: Final = "running"

_HEAD = text("""
    select m.version, m.status, m.rules_version,
      (select coalesce(jsonb_agg(jsonb_build_array(a.seat, a.prompt)), '[]')
        from match_answers a where a.match_id = m.id)::text as answers,
      (select coalesce(jsonb_agg(s.seat), '[]') from match_seats s
        where s.match_id = m.id and s.person_id is not null)::text as people,
      (select coalesce(jsonb_agg(jsonb_build_array(r.to_version, r.version) order by r.version),
        '[]') from match_rollbacks r where r.match_id = m.id)::text as rollbacks,
      (select coalesce(jsonb_agg(jsonb_build_array(d.seat, extract(epoch from d.due_at),
        d.missed_at is not null)), '[]')
        from match_deadlines d where d.match_id = m.id)::text as deadlines,
      (select count(*) from match_proposals p where p.match_id = m.id
        and (p.kind not in ('undo', 'void') or not exists (select from match_events e
          where e.match_id = m.id and e.version > p.version))) as proposals
    from matches m where m.id = :id
""")
_EVENTS = text("""
    select seq, version, seat, line, rules_version, payload::text as payload
    from match_events where match_id = :id and seq > :seq order by seq
""")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter that asks for a decision, as the other mail server took it."""

    minute: Minute
    message_id: str
    reminder: bool


@dataclass(slots=True)
class Asked:
    """A decision that a person has to take, from being asked to being done with."""

    seat: int
    key: str
    secret: bool
    opened: Minute
    version: int
    allotted: int
    due: Minute | None = None
    stopped: int = 0
    closed: Minute | None = None
    how: How = ""
    missed: bool = False
    gained: int = 0
    short: int = 0
    letters: list[Arrival] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a decision took from its seat's time, and whether it earned something."""

    seat: int
    key: str
    version: int
    minutes: int
    secret: bool
    earns: bool


@dataclass(frozen=True, slots=True)
class Late:
    """A time that ran out: when that was carried out, and its deadline; `bare` knows no outage."""

    at: Minute
    due: Minute
    bare: Minute


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody was told about a move: that it stands, from this version on."""

    seat: int
    version: int
    key: str
    line: str
    filed: bool


@dataclass(slots=True)
class Table:
    """A match as its log tells it."""

    setting: Setting
    id: UUID
    codec: Codec
    state: Any = None
    version: int = 0
    status: str = RUNNING
    people: frozenset[int] = frozenset()
    asked: dict[int, Asked] = field(default_factory=dict)
    past: list[Asked] = field(default_factory=list)
    spent: list[Spent] = field(default_factory=list)
    late: list[Late] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    events: list[tuple[int, Any]] = field(default_factory=list)
    lines: list[tuple[int, int, str]] = field(default_factory=list)
    filed: frozenset[tuple[int, str]] = frozenset()
    rollbacks: list[tuple[int, int]] = field(default_factory=list)
    pauses: list[Spell] = field(default_factory=list)
    proposals: int = 0

    def undone(self, version: int) -> bool:
        """Tell whether what a version brought was taken back."""
        return any(to < version <= back for to, back in self.rollbacks)

    def prompts(self) -> dict[int, Prompt]:
        """Return what each seat is asked and has not answered."""
        if self.status != RUNNING:
            return {}
        return {
            int(seat): prompt
            for seat, prompt in self.codec.game.prompts(self.state).items()
            if (int(seat), prompt.key) not in self.filed
        }


@dataclass(slots=True)
class Books:
    """The books of all tables."""

    calendar: Calendar
    tables: list[Table] = field(default_factory=list)
    # When the server was away, and how long nobody's time counted because of it.
    outages: list[Spell] = field(default_factory=list)
    away: list[Spell] = field(default_factory=list)
    # The absences of each person, by their number.
    trips: dict[int, list[Spell]] = field(default_factory=dict)

    async def look(
        self,
        session: AsyncSession,
        table: Table,
        now: Minute,
        *,
        by: int | None = None,
        late: int | None = None,
    ) -> None:
        """Read what has happened at a table: `by` that seat, or because `late` was too late."""
        head = (await session.execute(_HEAD, {"id": table.id})).one()
        rollbacks = [tuple(pair) for pair in msgspec.json.decode(head.rollbacks)]
        new = rollbacks[len(table.rollbacks) :]
        rows = []
        if head.version != table.version:
            found = await session.execute(_EVENTS, {"id": table.id, "seq": len(table.events)})
            rows = list(found)
        self._fold(table, rows, rollbacks)
        table.version, table.status, table.proposals = head.version, head.status, head.proposals
        table.people = frozenset(msgspec.json.decode(head.people, type=list[int]))
        table.filed = frozenset((seat, key) for seat, key in msgspec.json.decode(head.answers))
        asked = {seat: it for seat, it in table.prompts().items() if seat in table.people}
        self._close(table, asked, now, undone=bool(new), by=by, late=late)
        self._open(table, asked, now)
        if table.setting.clock is not None:
            self.compare(table, msgspec.json.decode(head.deadlines), now)

    def still(self, table: Table, seat: int, *, outages: bool = True) -> list[Spell]:
        """Return when the time of a seat does not count, nights and weekends apart."""
        clock = table.setting.clock or {}
        left = int(clock.get("absence_days", 0)) * DAY
        own = []
        for begins, ends in sorted(self.trips.get(table.setting.people[seat], ())):
            length = min(ends - begins, left)
            own.append((begins, begins + length))
            left -= length
        return [*own, *table.pauses, *(self.away if outages else ())]

    def due(self, table: Table, one: Asked, *, outages: bool = True) -> Minute:
        """Return by when a decision has to be taken, as far as is known now."""
        clock = table.setting.clock
        if clock is None:
            raise ValueError("a table without a clock")
        runs = self.calendar.running(clock, self.still(table, one.seat, outages=outages))
        return self.calendar.due(clock, runs, one.opened, one.allotted)

    def compare(self, table: Table, deadlines: Sequence[Any], now: Minute) -> None:
        """Hold the deadlines that people are shown against those of the books."""
        shown = {seat: (epoch, missed) for seat, epoch, missed in deadlines}
        begin = self.calendar.start.timestamp()
        for seat, one in table.asked.items():
            epoch, missed = shown.get(seat, (None, False))
            # What stops the time only ever grows.
            stopped = len(self.away) + len(self.still(table, seat))
            if one.due is None or one.stopped != stopped:
                one.due, one.stopped = self.due(table, one), stopped
            if missed:
                if not one.missed:
                    one.missed = True
                    self._note_late(table, one, now)
                continue
            promised = self.calendar.end if epoch is None else (float(epoch) - begin) / 60
            # A minute either way is a matter of rounding.
            one.gained = max(one.gained, int(promised - one.due - 1))
            one.short = max(one.short, int(one.due - promised - 1))

    def allotted(self, table: Table, seat: int, prompt: Prompt) -> int:
        """Return for how many minutes a seat may think: never more for having been asked before."""
        clock = table.setting.clock
        if clock is None:
            return 0
        before = sum(
            one.minutes for one in table.spent if (one.seat, one.key) == (seat, prompt.key)
        )
        if clock["kind"] == "turn":
            return max(int(clock["days"]) * DAY - before, 0)
        if clock["kind"] == "daily":
            return max(NOTICE_MINUTES - before, 0)
        whole = int(clock["bank_days"]) * DAY
        if prompt.secret:
            return max(min(whole, DAY) - before, 0)
        left = whole
        for one in table.spent:
            if one.seat == seat and not one.secret:
                left = max(left - one.minutes, 0)
                if one.earns and not table.undone(one.version):
                    left = min(left + int(clock["increment_hours"]) * 60, whole)
        return left

    def nearest(self, now: Minute) -> Minute | None:
        """Return the next deadline of all, by these books."""
        ahead = [
            one.due
            for table in self.tables
            for one in table.asked.values()
            if one.due is not None and one.due > now and not one.missed
        ]
        return min(ahead, default=None)

    def _fold(self, table: Table, rows: Iterable[Any], rollbacks: Sequence[Any]) -> None:
        events = []
        for row in rows:
            event = table.codec.load_event(row.payload, row.rules_version)
            table.events.append((row.version, event))
            events.append(event)
            if row.line is not None:
                table.lines.append((row.version, row.seat, row.line))
        if len(rollbacks) != len(table.rollbacks):
            table.rollbacks = list(rollbacks)
            kept = [event for version, event in table.events if not table.undone(version)]
            table.state = replay(table.codec.game, kept)
        elif events:
            table.state = replay(table.codec.game, events, table.state)

    def _close(
        self,
        table: Table,
        asked: dict[int, Prompt],
        now: Minute,
        *,
        undone: bool,
        by: int | None,
        late: int | None,
    ) -> None:
        for seat, one in list(table.asked.items()):
            if seat in asked and asked[seat].key == one.key and not undone:
                continue
            if undone and seat in asked and asked[seat].key == one.key:
                # The same question, asked again: its time goes on.
                again = Asked(
                    seat,
                    one.key,
                    one.secret,
                    now,
                    table.version,
                    one.allotted - self._used(table, one, now),
                )
                self._end(table, one, "undone", now)
                table.asked[seat] = again
                continue
            how: How = "answered" if seat == by else "timeout" if seat == late else "over"
            self._end(table, one, "undone" if undone else how, now)
            del table.asked[seat]

    def _end(self, table: Table, one: Asked, how: How, now: Minute) -> None:
        if table.setting.clock is not None:
            if how == "timeout":
                self._note_late(table, one, now)
            minutes, earns = self._used(table, one, now), how in {"answered", "timeout"}
            table.spent.append(Spent(one.seat, one.key, table.version, minutes, one.secret, earns))
        one.closed, one.how = now, how
        table.past.append(one)

    def _note_late(self, table: Table, one: Asked, now: Minute) -> None:
        bare = self.due(table, one, outages=False)
        table.late.append(Late(now, self.due(table, one), bare))

    def _used(self, table: Table, one: Asked, now: Minute) -> int:
        clock = table.setting.clock
        if clock is None:
            return 0
        runs = self.calendar.running(clock, self.still(table, one.seat))
        return min(count(runs, one.opened, now), one.allotted)

    def _open(self, table: Table, asked: dict[int, Prompt], now: Minute) -> None:
        for seat, prompt in asked.items():
            if seat not in table.asked:
                allotted = self.allotted(table, seat, prompt)
                table.asked[seat] = Asked(
                    seat, prompt.key, prompt.secret, now, table.version, allotted
                )


def seat_of(table: Table, person: int) -> Seat | None:
    """Return where a person sits; None once they have left."""
    seat = table.setting.people.index(person) if person in table.setting.people else None
    return Seat(seat) if seat is not None and seat in table.people else None
