"""Where a process can die over one transaction, and sessions that die there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.db.session import Sessions

Point: TypeAlias = Literal["none", "statement", "before_commit", "after_commit"]
POINTS: tuple[Point, ...] = ("statement", "before_commit", "after_commit")


class DiedError(BaseException):
    """The process is gone: whoever asked learns nothing, and nothing catches it."""


@dataclass(slots=True)
class Faults:
    """Decides how the next transaction ends.

    `statement` dies before the statement of that number, of those that go through
    the engine; a transaction with fewer of them lives.
    """

    point: Point = "none"
    statement: int = 0
    died: dict[Point, int] = field(default_factory=lambda: dict.fromkeys(POINTS, 0))
    _left: int | None = None

    def strike(self, point: Point) -> None:
        """Die here, if this is where."""
        if self.point == point:
            self.die(point)

    def die(self, point: Point) -> None:
        """Die."""
        self.point, self._left = "none", None
        self.died[point] += 1
        raise DiedError(point)

    def begin(self) -> None:
        """A transaction has begun."""
        self._left = self.statement if self.point == "statement" else None

    def end(self) -> None:
        """No transaction is under way any more."""
        self._left = None

    def before_statement(self, *_: Any) -> None:
        """Hear, from the engine, that a statement is about to be sent."""
        if self._left is None:
            return
        if self._left == 0:
            self.die("statement")
        self._left -= 1

    def attach(self, engine: AsyncEngine) -> None:
        """Hear of every statement of `engine`."""
        event.listen(engine.sync_engine, "before_cursor_execute", self.before_statement)

    def detach(self, engine: AsyncEngine) -> None:
        """Hear no more."""
        event.remove(engine.sync_engine, "before_cursor_execute", self.before_statement)


@dataclass(frozen=True, slots=True)
class Mortal:
    """Sessions like those of the application, over which the process may die."""

    sessions: Sessions
    faults: Faults

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that commits in the end, as `app.db.session` has it."""
        try:
            async with self.sessions.begin() as session:
                self.faults.begin()
                yield session
                self.faults.strike("before_commit")
            self.faults.strike("after_commit")
        finally:
            self.faults.end()
