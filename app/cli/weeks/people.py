"""What the friends do when they look: read mail, play, change their mind, go away, stay away."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.values import Person
from app.bots.random_policy import RandomPolicy
from app.cli.weeks.books import RUNNING, Books, Table, Told, seat_of
from app.cli.weeks.deaths import Deaths, DiedError
from app.cli.weeks.minutes import DAY, Minute
from app.cli.weeks.plan import STEP, Persona, Plan, local
from app.cli.weeks.server import FastClock
from app.db.session import transaction
from app.errors import AppError
from app.matches import service
from app.matches.away import file_absence
from app.matches.proposals import Kind, Proposal, agree, drop_proposal, open_proposals, propose
from app.matches.values import Commit
from app.rules.game import Seat

# In a hundred cases.
BY_THEMSELVES: Final = 35
PLAYS: Final = 85
DRAFTS: Final = 40
REGRETS: Final = 10
PAUSES: Final = 1
CONSENTS: Final = 85
PATIENCE: Final = DAY // 2
LONGEST_SITTING: Final = 3


@dataclass(slots=True)
class Friend:
    """Somebody, and what they have read and not yet done."""

    persona: Persona
    person: Person
    tables: list[Table] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)
    noted: int = 0


@dataclass(frozen=True, slots=True)
class _Sitting:
    """Somebody looks at a match, and decides something for the first or a further time."""

    friend: Friend
    table: Table
    seat: Seat
    now: Minute
    turn: int

    @property
    def name(self) -> tuple[int, ...]:
        """What tells it apart from all others."""
        return (self.table.setting.number, self.seat, self.now, self.turn)

    @property
    def asked(self) -> bool:
        """Whether the match waits for them."""
        return self.seat in self.table.asked and self.table.status == RUNNING


@dataclass(slots=True)
class Tally:
    """What people did."""

    moves: int = 0
    answers: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    undo_asked: int = 0
    undone: int = 0
    voided: int = 0
    pauses: int = 0
    absences: int = 0
    locked_out: int = 0


@dataclass(slots=True)
class Crowd:
    """All of them."""

    plan: Plan
    books: Books
    deaths: Deaths
    clock: FastClock
    friends: list[Friend]
    agenda: dict[Minute, list[int]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    _proposed: dict[int, Minute] = field(default_factory=dict)
    _deeds: int = 0

    def plan_looks(self) -> None:
        """Put into the agenda when everybody looks."""
        for friend in self.friends:
            for look in friend.persona.looks:
                self.agenda.setdefault(look, []).append(friend.persona.number)

    def person_of(self, person_id: UUID) -> int:
        """Return the number of a person."""
        return next(f.persona.number for f in self.friends if f.person.id == person_id)

    def turned_away(self, now: Minute) -> None:
        """Nobody gets in; those who tried come again some time later."""
        for number in self.agenda.pop(now, ()):
            self.tally.locked_out += 1
            later = now + STEP * (3 + self.plan.chance.below(20, "again", number, now))
            self.agenda.setdefault(later, []).append(number)

    async def look(self, now: Minute) -> bool:
        """Let everybody look whose time it is; tell whether anybody did something."""
        self._deeds = 0
        for number in sorted(set(self.agenda.pop(now, ()))):
            await self._visit(self.friends[number], now)
        return self._deeds > 0

    async def _visit(self, friend: Friend, now: Minute) -> None:
        persona = friend.persona
        if persona.gone is not None and now >= persona.gone:
            return
        if any(a <= now < b for a, b in self.books.trips.get(persona.number, ())):
            return
        await self._note_trips(friend, now)
        curious = self.plan.chance.percent(BY_THEMSELVES, "visit", persona.number, now)
        for table in friend.tables:
            number = table.setting.number
            if table.status == RUNNING and (curious or number in friend.unread or table.proposals):
                friend.unread.discard(number)
                if not await self._sit(friend, table, now):
                    friend.unread.add(number)

    async def _note_trips(self, friend: Friend, now: Minute) -> None:
        trips = friend.persona.trips
        while friend.noted < len(trips) and trips[friend.noted][0] <= now:
            _, first, last = trips[friend.noted]
            friend.noted += 1
            zone, calendar = friend.persona.zone, self.plan.calendar
            today = calendar.wall(zone, now).date()
            first, last = max(first, today), max(last, today)
            async with transaction(self.deaths.sessions) as session:
                await file_absence(
                    session,
                    person=friend.person,
                    first=first,
                    last=last,
                    zone=zone,
                    now=self.clock.now(),
                )
            self.tally.absences += 1
            begins = max(calendar.minute(local(zone, first)), now)
            ends = calendar.minute(local(zone, last + timedelta(1)))
            self.books.trips.setdefault(friend.persona.number, []).append((begins, ends))
            for table in friend.tables:
                await self._read(table, now)

    async def _sit(self, friend: Friend, table: Table, now: Minute) -> bool:
        """Look at a match and do what there is to do; tell whether nothing is left."""
        seat = seat_of(table, friend.persona.number)
        if seat is None:
            return True
        if table.proposals and await self._consider(friend, table, seat, now):
            return False
        for turn in range(LONGEST_SITTING):
            sitting = _Sitting(friend, table, seat, now, turn)
            if not sitting.asked:
                break
            if not await self._decide(sitting):
                return False
        return not _Sitting(friend, table, seat, now, 0).asked

    # Playing.

    async def _decide(self, here: _Sitting) -> bool:
        """Do something about a decision, or leave it for later: tell whether to look again."""
        chance, table = self.plan.chance, here.table
        if not chance.percent(PLAYS, "plays", *here.name):
            return False
        if table.setting.clock is not None and chance.percent(PAUSES, "pause", *here.name):
            length = timedelta(days=1 + chance.below(3, "until", *here.name))
            await self._propose(here, "pause", until=self.clock.now() + length)
            return False
        filed = await self._play(here)
        if not filed and chance.percent(REGRETS, "regret", *here.name):
            await self._propose(here, "undo")
            return False
        return True

    async def _play(self, here: _Sitting) -> bool:
        """Take a decision; tell whether it was an answer that waits for others."""
        table, seat, chance = here.table, here.seat, self.plan.chance
        game = table.codec.game
        prompt = game.prompts(table.state)[seat]
        moves = RandomPolicy(game).choose(
            game.view(table.state, seat),
            seat,
            seed=chance.below(1 << 64, "move", *here.name).to_bytes(8, "big"),
            iterations=0,
        )
        line = game.format(moves)
        drafted = prompt.finish is not None and chance.percent(DRAFTS, "draft", *here.name)
        if drafted:
            drafted = await self._draft(table, seat, moves[:-1])
        command = Commit(
            match_id=table.id,
            seat=seat,
            expected_version=table.version,
            key=f"{self.plan.chance.seed}:{here.now}:{here.turn}",
            line=None if drafted else line,
            now=self.clock.now(),
            person_id=here.friend.person.id,
        )
        version = await self._commit(table, command, here.now)
        if version is not None:
            table.told.append(Told(seat, version, prompt.key, line, prompt.simultaneous))
            self.tally.answers += prompt.simultaneous
            self.tally.moves += not prompt.simultaneous
        return prompt.simultaneous

    async def _draft(self, table: Table, seat: Seat, moves: Sequence[Any]) -> bool:
        """Try the moves, take one back and make it again; tell whether they stand."""
        game = table.codec.game
        lines = [game.format((move,)) for move in game.joined(moves)]
        try:
            async with transaction(self.deaths.sessions) as session:
                await service.clear_draft(session, match_id=table.id, seat=seat)
                for line in lines:
                    await service.add_to_draft(session, match_id=table.id, seat=seat, line=line)
                if lines:
                    await service.drop_from_draft(
                        session, match_id=table.id, seat=seat, index=len(lines) - 1
                    )
                    await service.add_to_draft(
                        session, match_id=table.id, seat=seat, line=lines[-1]
                    )
        except AppError as error:
            self._refused(error)
            return False
        return True

    async def _commit(self, table: Table, command: Commit, now: Minute) -> int | None:
        """Commit; who gets no answer asks again with the same key.  None: it was refused."""
        if self.plan.faults:
            self.deaths.threaten("commit", table.setting.number, command.seat, command.key)
        for sessions in (self.deaths.mortal, self.deaths.sessions):
            try:
                async with transaction(sessions) as session:
                    done = await service.commit(session, command)
            except DiedError:
                await self._read(table, now, by=command.seat)
                continue
            except AppError as error:
                self._refused(error)
                return None
            await self._read(table, now, by=command.seat)
            return done.version
        return None

    # What needs consent.

    async def _propose(self, here: _Sitting, kind: Kind, *, until: datetime | None = None) -> None:
        table, now = here.table, here.now
        try:
            async with transaction(self.deaths.sessions) as session:
                done = await propose(
                    session,
                    match_id=table.id,
                    seat=here.seat,
                    person_id=here.friend.person.id,
                    kind=kind,
                    now=self.clock.now(),
                    until=until,
                )
        except AppError as error:
            self._refused(error)
            return
        self.tally.undo_asked += kind == "undo"
        self._proposed[table.setting.number] = now
        if done:
            self._carried_out(table, kind, until, now)
        await self._read(table, now)

    async def _consider(self, friend: Friend, table: Table, seat: Seat, now: Minute) -> bool:
        """Agree or not with what is proposed; tell whether to wait for the others."""
        waits = False
        async with transaction(self.deaths.sessions) as session:
            proposals = await open_proposals(session, table.id, now=self.clock.now())
        for one in proposals:
            if seat in one.waits_for:
                await self._say(friend, table, one, now)
            elif one.kind != "void":
                since = self._proposed.get(table.setting.number, now)
                waits = waits or (bool(one.waits_for) and now - since < PATIENCE)
        return waits and table.status == RUNNING and table.proposals > 0

    async def _say(self, friend: Friend, table: Table, one: Proposal, now: Minute) -> None:
        likely = self.plan.chance.percent(
            CONSENTS, "consent", table.setting.number, friend.persona.number, now
        )
        try:
            async with transaction(self.deaths.sessions) as session:
                done = await self._answer(session, friend, table, one, yes=likely)
        except AppError as error:
            self._refused(error)
            done = False
        if done:
            self._carried_out(table, one.kind, one.until, now)
        await self._read(table, now)

    async def _answer(
        self, session: AsyncSession, friend: Friend, table: Table, one: Proposal, *, yes: bool
    ) -> bool:
        who, now = friend.person.id, self.clock.now()
        if not yes and one.kind != "void":
            await drop_proposal(session, match_id=table.id, person_id=who, kind=one.kind, now=now)
            return False
        return await agree(
            session,
            match_id=table.id,
            person_id=who,
            kind=one.kind,
            version=one.version,
            now=now,
        )

    def _carried_out(self, table: Table, kind: Kind, until: datetime | None, now: Minute) -> None:
        self.tally.undone += kind == "undo"
        self.tally.voided += kind == "void"
        if kind == "pause" and until is not None:
            self.tally.pauses += 1
            table.pauses.append((now, self.plan.calendar.minute(until)))

    async def _read(self, table: Table, now: Minute, *, by: int | None = None) -> None:
        self._deeds += 1
        async with transaction(self.deaths.sessions) as session:
            await self.books.look(session, table, now, by=by)

    def _refused(self, error: AppError) -> None:
        self.tally.refused[error.code] = self.tally.refused.get(error.code, 0) + 1
