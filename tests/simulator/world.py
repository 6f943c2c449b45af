"""What a simulation consists of: tables, what is known of them, and attempts that may die."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.config import Settings
from app.db.session import Sessions
from app.errors import AppError, UnavailableError
from app.matches import queries
from app.matches.pages import MatchPage
from app.matches.values import Commit
from app.notifications.outbox import Notice
from app.rules.game import Seat
from tests.simulator.faults import POINTS, DiedError, Faults, Mortal
from tests.simulator.observer import NOBODY, Cause, Glance, Observer
from tests.support.clock import SettableClock

# One in so many transactions dies.
MORTALITY = 4
# Of one in so many attempts every row is compared, if nothing should have come of it.
THOROUGH = 4


@dataclass(slots=True)
class Table:
    """A match, and what is known of it from outside."""

    number: int
    id: UUID
    game: str
    now: Glance
    causes: dict[int, Cause] = field(default_factory=dict)
    acknowledged: dict[Cause, int] = field(default_factory=dict)
    # Sent, and no answer came: the same key has to be asked for.
    unknown: list[Commit] = field(default_factory=list)
    known: list[Commit] = field(default_factory=list)


@dataclass(slots=True)
class World:
    """Everything there is, and the seed's own chance."""

    seed: int
    sessions: Sessions
    faults: Faults
    observer: Observer
    settings: Settings
    clock: SettableClock = field(default_factory=SettableClock)
    tables: list[Table] = field(default_factory=list)
    people: list[UUID] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    steps: int = 0
    # The server was away, and no tick has given that time back yet.
    away: bool = False
    # What letters have said, to be compared with how things stood.
    told: list[tuple[UUID, tuple[Notice, ...]]] = field(default_factory=list)
    # Of turns taken back, of which match and when: those told of it who had to be.
    heard: set[tuple[int, int]] = field(default_factory=set)
    letters: int = 0
    timeouts: int = 0
    rng: random.Random = field(init=False)
    mortal: Mortal = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.mortal = Mortal(self.sessions, self.faults)

    @property
    def key(self) -> str:
        """The idempotency key of whatever is sent in this step."""
        return f"{self.seed}:{self.steps}"

    def endanger(self) -> None:
        """Let the next transaction die, now and then."""
        self.faults.point = "none"
        if self.rng.randrange(MORTALITY) == 0:
            self.faults.point = self.rng.choice(POINTS)
            self.faults.statement = self.rng.randrange(9)

    async def attempt(
        self,
        table: Table,
        work: Callable[[AsyncSession], Awaitable[Any]],
        cause: Cause | None,
    ) -> tuple[str, Any]:
        """Do `work` in a transaction that may die; see that it happened once or never.

        Returns what became of it (`done`, `died …` or `refused …`) and its result.
        """
        self.endanger()
        thorough = self.rng.randrange(THOROUGH) == 0
        before = self.observer.rows_of(table.id) if thorough else None
        point, result = self.faults.point, None
        try:
            async with self.mortal.begin() as session:
                result = await work(session)
            told = "done"
        except DiedError as death:
            told = f"died {death}"
        except UnavailableError:
            raise
        except AppError as error:
            told = f"refused {error}"
        finally:
            self.faults.point = "none"
        moved = self.look(table, cause)
        if told.startswith("refused") or (told.startswith("died") and point != "after_commit"):
            assert not moved, f"{told}, and the match has moved"
            if thorough:
                assert self.observer.rows_of(table.id) == before, f"{told}, and rows have changed"
        return told, result

    def look(self, table: Table, cause: Cause | None) -> bool:
        """See how far a match is; a step up is by one, and by `cause`."""
        struck, before = table.now.struck, table.now.version
        table.now = self.observer.glance(table.id)
        if table.now.version == before:
            return False
        if table.now.struck != struck:
            assert not table.now.answered, "an answer has outlived the turns that were taken back"
        assert table.now.version == before + 1, (before, table.now.version, cause)
        assert cause is not None, "a version without a cause"
        known = cause[0] != NOBODY and cause in table.causes.values()
        assert not known, "a command was carried out twice"
        table.causes[table.now.version] = cause
        return True

    def acknowledge(self, table: Table, command: Commit, version: int) -> None:
        """Note what somebody was told of their command."""
        cause = (int(command.seat), command.key)
        assert table.acknowledged.get(cause, version) == version, "a repeat had another answer"
        if cause not in table.acknowledged:
            table.acknowledged[cause] = version
            table.known.append(command)

    async def page(self, table: Table, seat: int) -> MatchPage:
        """Return what somebody sees of a match, which is how it stands."""
        async with self.sessions.begin() as session:
            page = await queries.match_page(session, match_id=table.id, seat=Seat(seat))
        assert page.version == table.now.version, "a page of another version"
        return page
