"""One seeded run: people who forget answers, jobs that run twice, processes that die.

Everything happens one transaction after the other, in an order that the seed
decides; the services, the tasks, the letters and the database are the real ones,
the clock and the queue's loop are not.  A job is taken from the queue's own table,
done by its real handler, and deleted afterwards, unless its process died before
that: then it is there for the next.
"""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeAlias
from uuid import UUID

from sqlalchemy import insert

from app.accounts.models import AddressRow
from app.accounts.service import create_guest
from app.matches import service
from app.matches.clocks.terms import Terms, Timeout
from app.notifications.timing import NoticeWishes
from app.notifications.wishes import keep_notice_wishes
from app.worker import load_tasks
from tests.simulator import consent, people, worker
from tests.simulator.world import Table, World

GAMES = ("castell", "el_grande")
PEOPLE = 3
# When all have ended there is another match, up to so many.
TABLES = 4
CLOCKS: tuple[dict[str, Any], ...] = (
    {"kind": "turn", "days": 1},
    {"kind": "bank", "bank_days": 2, "increment_hours": 6},
)
TIMEOUTS: tuple[Timeout, ...] = ("wait", "default", "default", "bot", "substitute", "void")
# One step in so many takes a night, or a day.
LONG = 7

Deed: TypeAlias = Callable[[World, Table], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Simulation:
    """A world that goes on in steps."""

    world: World

    @property
    def digest(self) -> str:
        """The hash of all that has happened; the same seed gives the same."""
        return hashlib.sha256("\n".join(self.world.log).encode()).hexdigest()

    async def begin(self) -> None:
        """Let people come and start a match or two; nobody would know if that died."""
        load_tasks()
        world = self.world
        async with world.sessions.begin() as session:
            for n in range(PEOPLE):
                person = await create_guest(session, name=f"Person {n}", now=world.clock.now())
                await session.execute(
                    insert(AddressRow).values(
                        person_id=person.id,
                        address=f"p{n}@example.org",
                        verified_at=world.clock.now(),
                    )
                )
                await keep_notice_wishes(
                    session,
                    person_id=person.id,
                    wishes=NoticeWishes("immediate"),
                    now=world.clock.now(),
                )
                world.people.append(person.id)
        # A match alone gets farther: to festivals, and to discs.
        for game in world.rng.choice((GAMES, GAMES[:1], GAMES[1:])):
            await self._open(game)

    async def _open(self, game: str) -> None:
        world = self.world
        rng = world.rng
        occupants: list[UUID | None] = [*rng.sample(world.people, 2), None]
        rng.shuffle(occupants)
        terms = None
        if rng.randrange(5):
            terms = Terms(**rng.choice(CLOCKS), timeout=rng.choice(TIMEOUTS))
        async with world.sessions.begin() as session:
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
                now=world.clock.now(),
                seed=rng.randbytes(32),
                clock=terms,
            )
        now = world.observer.glance(match_id)
        world.tables.append(Table(len(world.tables), match_id, game, now))

    async def step(self) -> None:
        """Let some time pass, and one thing happen."""
        world = self.world
        world.steps += 1
        hours = 36 if world.rng.randrange(LONG) == 0 else 2
        world.clock.advance(timedelta(seconds=world.rng.randrange(hours * 3600)))
        running = [table for table in world.tables if table.now.status == "running"]
        if not running and len(world.tables) < TABLES:
            await self._open(world.rng.choice(GAMES))
            running.append(world.tables[-1])
        table = world.rng.choice(running or world.tables)
        often = _possible(world, table)
        (deed,) = world.rng.choices(list(often), list(often.values()))
        told = await deed(world, table)
        name = f"{deed.__name__} {told}"
        world.log.append(f"{world.steps} m{table.number} v{table.now.version} {name}")


def _possible(world: World, table: Table) -> dict[Deed, int]:
    """Return what can happen now, and how often of each other it does."""
    now = table.now
    running = now.status == "running"
    seats = running and bool(now.people)
    asked = running and bool(now.asked)
    jobs, letters = world.observer.waiting(world.clock.now())
    late = any(due < world.clock.now().timestamp() for due in now.due.values())
    deeds: dict[Deed, tuple[int, bool]] = {
        people.decide: (16, asked),
        people.change: (2, running and bool(people.answerers(table))),
        people.ask_again: (8, bool(table.unknown)),
        people.draft: (3, asked),
        people.repeat: (2, bool(table.known)),
        people.reuse: (1, bool(table.known)),
        people.be_late: (2, asked and now.version > 2),
        people.order: (2, seats),
        people.resign: (1, seats and world.steps % 16 == 0),
        consent.suggest: (3, seats),
        consent.consent: (6, seats and bool(now.proposals)),
        consent.refuse: (1, seats and bool(now.proposals)),
        # The rarest of all otherwise: while some have answered, and others have not.
        consent.take_back: (9 if now.answered else 1, running),
        consent.reseat: (1, running and world.steps % 4 == 0),
        consent.take_over: (1, running and now.clock is not None),
        worker.work: (14, jobs),
        worker.beat: (10 if world.away or late else 4, True),
        worker.be_away: (1, True),
        worker.post: (4, letters),
    }
    return {deed: weight for deed, (weight, can) in deeds.items() if can}
