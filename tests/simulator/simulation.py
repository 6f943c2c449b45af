"""One seeded run: people who forget answers, jobs that run twice, processes that die.

Everything happens one transaction after the other, in an order that the seed
decides; the services, the tasks and the database are the real ones, the clock
and the queue's loop are not.  A job is taken from the queue's own table, done by
its real handler, and deleted afterwards, unless its process died before that:
then it is there for the next.
"""

import hashlib
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, TypeAlias, cast
from uuid import UUID

from sqlalchemy import text

from app.accounts.service import create_guest
from app.bots.random_policy import RandomPolicy
from app.db.session import Sessions
from app.errors import AppError, KeyReusedError, UnavailableError
from app.jobs.queue import queue
from app.jobs.tasks import RESOURCES, Resources
from app.matches import queries, service
from app.matches.games import codec_for
from app.matches.values import Commit
from app.rules.game import Seat
from app.worker import load_tasks
from tests.simulator.faults import POINTS, DiedError, Faults, Mortal
from tests.support.clock import SettableClock

Cause: TypeAlias = tuple[int, str]
"""The seat and the key of the command that made a version."""

# One in so many transactions dies.
MORTALITY = 4

_JOBS = text("""
    select id, task_name, args->>'match_id' as match_id, args from procrastinate_jobs
    where status = 'todo' and args->>'match_id' = any(:matches) order by id
""")
_DONE = text("delete from procrastinate_jobs where id = :id")
_HEAD = text("select version, status from matches where id = :id")


@dataclass(slots=True)
class Table:
    """A match, and what is known of it from outside."""

    number: int
    id: UUID
    game: str
    people: dict[Seat, UUID]
    version: int = 1
    finished: bool = False
    causes: dict[int, Cause] = field(default_factory=dict)
    acknowledged: dict[Cause, int] = field(default_factory=dict)
    # Sent, and no answer came: the same key has to be asked for.
    unknown: list[Commit] = field(default_factory=list)
    known: list[Commit] = field(default_factory=list)


@dataclass(slots=True)
class Simulation:
    """A world that goes on in steps."""

    seed: int
    sessions: Sessions
    faults: Faults
    clock: SettableClock = field(default_factory=SettableClock)
    tables: list[Table] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    steps: int = 0
    rng: random.Random = field(init=False)
    mortal: Mortal = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.mortal = Mortal(self.sessions, self.faults)
        load_tasks()

    @property
    def digest(self) -> str:
        """The hash of all that has happened; the same seed gives the same."""
        return hashlib.sha256("\n".join(self.log).encode()).hexdigest()

    async def open(self, game: str, *, people: int, bots: int) -> None:
        """Start a match; nothing dies over it, since nobody would know of it."""
        async with self.sessions.begin() as session:
            seated = [
                (await create_guest(session, name=f"Person {n}", now=self.clock.now())).id
                for n in range(people)
            ]
            occupants: list[UUID | None] = [*seated, *([None] * bots)]
            self.rng.shuffle(occupants)
            match_id = await service.start_match(
                session,
                game=game,
                options={},
                seats=[
                    service.SeatSpec(
                        person_id=person,
                        bot="random" if person is None else None,
                        name=f"Seat {n}",
                        kit=n + 1,
                    )
                    for n, person in enumerate(occupants)
                ],
                now=self.clock.now(),
                seed=self.rng.randbytes(32),
            )
        sits = {Seat(n): who for n, who in enumerate(occupants) if who is not None}
        self.tables.append(Table(len(self.tables), match_id, game, sits))

    async def step(self) -> None:
        """Let one thing happen."""
        self.steps += 1
        self.clock.advance(timedelta(seconds=self.rng.randrange(7200)))
        table = self.rng.choice(self.tables)
        deeds: list[tuple[int, Callable[[Table], Awaitable[str]]]] = [
            (8, self.decide),
            (6, self.work),
            (4, self.ask_again),
            (2, self.draft),
            (1, self.repeat),
            (1, self.reuse),
            (1, self.be_late),
        ]
        if self.steps % 97 == 0:
            deeds = [(1, self.resign)]
        (deed,) = self.rng.choices([do for _, do in deeds], [often for often, _ in deeds])
        told = await deed(table)
        self.log.append(f"{self.steps} m{table.number} v{table.version} {deed.__name__} {told}")

    def endanger(self) -> None:
        """Let the next transaction die, now and then."""
        self.faults.point = "none"
        if self.rng.randrange(MORTALITY) == 0:
            self.faults.point = self.rng.choice(POINTS)
            self.faults.statement = self.rng.randrange(9)

    # What people do.

    async def decide(self, table: Table) -> str:
        """Somebody who is asked commits a turn or an answer, or changes an answer."""
        seat, line, version = await self._choice(table)
        if seat is None:
            return "nobody"
        by_draft = self.rng.random() < 0.3 and await self._note(table, seat, line)
        command = Commit(
            match_id=table.id,
            seat=seat,
            expected_version=version,
            key=f"{self.seed}:{self.steps}",
            line=None if by_draft else line,
            now=self.clock.now(),
            person_id=table.people[seat],
        )
        return await self.send(table, command)

    async def ask_again(self, table: Table) -> str:
        """A program whose answer was lost looks its key up, or sends the same again."""
        if not table.unknown:
            return "nothing"
        command = table.unknown.pop(self.rng.randrange(len(table.unknown)))
        if self.rng.random() < 0.5:
            return await self.send(table, replace(command, now=self.clock.now()))
        async with self.sessions.begin() as session:
            found = await service.find_commit(
                session, match_id=table.id, seat=command.seat, key=command.key
            )
        cause = (command.seat, command.key)
        if found is None:
            assert cause not in table.causes.values()
            return f"{cause} was never committed"
        self._acknowledge(table, command, found.version)
        return f"{cause} made v{found.version}"

    async def repeat(self, table: Table) -> str:
        """An acknowledged command comes a second time: nothing happens, and it is told so."""
        if not table.known:
            return "nothing"
        command = self.rng.choice(table.known)
        before = table.version
        told = await self.send(table, replace(command, now=self.clock.now()))
        assert table.version == before
        return told

    async def reuse(self, table: Table) -> str:
        """A key comes with another body: it is refused."""
        if not table.known:
            return "nothing"
        command = self.rng.choice(table.known)
        other = replace(command, expected_version=command.expected_version + 1)
        try:
            async with self.sessions.begin() as session:
                await service.commit(session, other)
        except KeyReusedError:
            await self._look(table, None)
            return "refused"
        raise AssertionError("a key was taken twice")

    async def be_late(self, table: Table) -> str:
        """A page that is out of date commits: the version moves by its own doing or not at all."""
        seat, line, version = await self._choice(table)
        if seat is None or version < 3:
            return "nobody"
        command = Commit(
            match_id=table.id,
            seat=seat,
            expected_version=self.rng.randrange(1, version),
            key=f"{self.seed}:{self.steps}",
            line=line,
            now=self.clock.now(),
        )
        return await self.send(table, command)

    async def draft(self, table: Table) -> str:
        """Somebody tries a move and leaves it."""
        seat, line, _ = await self._choice(table)
        if seat is None:
            return "nobody"
        return f"{seat} {await self._note(table, seat, line)}"

    async def resign(self, table: Table) -> str:
        """Somebody leaves for good: a bot takes the seat."""
        if len(table.people) == 1 or table.finished:
            return "nobody"
        seat = self.rng.choice(sorted(table.people))
        key = f"leave:{self.steps}"
        self.endanger()
        with_fault = self.faults.point
        try:
            async with self.mortal.begin() as session:
                await service.resign(
                    session, match_id=table.id, seat=seat, key=key, now=self.clock.now()
                )
        except DiedError:
            pass
        finally:
            self.faults.point = "none"
        if await self._look(table, (seat, key)):
            del table.people[seat]
            table.unknown = [one for one in table.unknown if one.seat != seat]
            table.known = [one for one in table.known if one.seat != seat]
        return f"{seat} {with_fault}"

    # What the worker does.

    async def work(self, table: Table) -> str:
        """Do a job of any match, or die over it; what was not noted as done is done again."""
        async with self.sessions.begin() as session:
            found = await session.execute(_JOBS, {"matches": [str(one.id) for one in self.tables]})
            jobs = found.all()
        if not jobs:
            return "no job"
        job = self.rng.choice(jobs)
        whose = next(one for one in self.tables if str(one.id) == job.match_id)
        self.endanger()
        context = SimpleNamespace(
            additional_context={RESOURCES: Resources(cast(Sessions, self.mortal), self.clock)}
        )
        told = "done"
        try:
            await queue.tasks[job.task_name].func(context, **job.args)
        except DiedError as death:
            told = f"died {death}"
        finally:
            self.faults.point = "none"
        cause = await self._cause_of_bot(whose, job.args["seat"])
        await self._look(whose, cause)
        if told == "done":
            async with self.sessions.begin() as session:
                await session.execute(_DONE, {"id": job.id})
        return f"{told} m{whose.number} v{whose.version} seat {job.args['seat']}"

    async def _cause_of_bot(self, table: Table, seat: int) -> Cause | None:
        """Return the bot's newest command, if it is news."""
        async with self.sessions.begin() as session:
            key = await session.scalar(
                text(
                    "select key from match_commands where match_id = :id and seat = :seat"
                    " and version > :version and key like 'bot:%'"
                ),
                {"id": table.id, "seat": seat, "version": table.version},
            )
        return None if key is None else (seat, key)

    # What all of them have in common.

    async def send(self, table: Table, command: Commit) -> str:
        """Commit, with whatever happens over it, and see that it happened once or never."""
        cause = (int(command.seat), command.key)
        self.endanger()
        try:
            async with self.mortal.begin() as session:
                committed = await service.commit(session, command)
        except DiedError as death:
            table.unknown.append(command)
            await self._look(table, cause)
            return f"{cause} {command.line} died {death}"
        except UnavailableError:
            raise
        except AppError as error:
            assert not await self._look(table, cause), "a refusal has changed something"
            assert cause not in table.causes.values(), "a repeat was refused"
            assert cause not in table.acknowledged, "a repeat was refused"
            return f"{cause} {command.line} refused {error}"
        finally:
            self.faults.point = "none"
        await self._look(table, cause)
        self._acknowledge(table, command, committed.version)
        return f"{cause} {command.line} made v{committed.version}"

    def _acknowledge(self, table: Table, command: Commit, version: int) -> None:
        cause = (int(command.seat), command.key)
        assert table.acknowledged.get(cause, version) == version, "a repeat had another answer"
        if cause not in table.acknowledged:
            table.acknowledged[cause] = version
            table.known.append(command)

    async def _look(self, table: Table, cause: Cause | None) -> bool:
        """See how far a match is; a step up is by one, and by `cause`."""
        async with self.sessions.begin() as session:
            head = (await session.execute(_HEAD, {"id": table.id})).one()
        table.finished = head.status == "finished"
        if head.version == table.version:
            return False
        assert head.version == table.version + 1, (table.version, head.version, cause)
        assert cause is not None, "a version without a cause"
        assert cause not in table.causes.values(), "a command was carried out twice"
        table.version = head.version
        table.causes[head.version] = cause
        return True

    async def _choice(self, table: Table) -> tuple[Seat | None, str, int]:
        """Return a person who is asked, a line they may commit, and the version they saw."""
        async with self.sessions.begin() as session:
            for seat in self.rng.sample(sorted(table.people), len(table.people)):
                page = await queries.match_page(session, match_id=table.id, seat=seat)
                assert page.version == table.version, "a page of another version"
                if seat in page.asked:
                    break
            else:
                return None, "", 0
        game: Any = codec_for(table.game).game
        moves = RandomPolicy(game).choose(
            page.base_view, seat, seed=self.rng.randbytes(32), iterations=1
        )
        return seat, game.format(moves), page.version

    async def _note(self, table: Table, seat: Seat, line: str) -> bool:
        """Put `line` into the seat's draft, or die over it; tell whether it is there."""
        self.endanger()
        try:
            async with self.mortal.begin() as session:
                await service.clear_draft(session, match_id=table.id, seat=seat)
                await service.add_to_draft(session, match_id=table.id, seat=seat, line=line)
        except (DiedError, AppError):
            return False
        finally:
            self.faults.point = "none"
            assert not await self._look(table, None), "a draft has moved the match"
        return True
