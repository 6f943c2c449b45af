"""Where a process dies over a transaction."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.cli.weeks.chance import Chance
from app.db.session import Sessions, transaction

# One in so many hundred transactions.
MORTALITY: Final = 4
POINTS: Final = ("statement", "before commit", "after commit")


class DiedError(BaseException):
    """The process is gone: whoever asked learns nothing, and nothing catches it."""


@dataclass(slots=True)
class Deaths:
    """Sessions like those of the application, over which the process may die."""

    sessions: Sessions
    chance: Chance
    count: int = 0
    _point: str = ""
    _left: int | None = None

    @property
    def mortal(self) -> Sessions:
        """Sessions over which the process may die, to be used as if they were others."""
        return cast(Sessions, self)

    def threaten(self, *about: object, mortality: int = MORTALITY) -> None:
        """Let the next transaction, which is about that, end badly now and then."""
        self._point = ""
        if self.chance.percent(mortality, "death", *about):
            self._point = self.chance.pick(POINTS, "death", *about, "point")
            self._left = self.chance.below(12, "death", *about, "statement")

    def attach(self, engine: AsyncEngine) -> None:
        """Hear of every statement of `engine`."""
        event.listen(engine.sync_engine, "before_cursor_execute", self._statement)

    def detach(self, engine: AsyncEngine) -> None:
        """Hear no more."""
        event.remove(engine.sync_engine, "before_cursor_execute", self._statement)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that commits in the end, as `app.db.session` has it."""
        try:
            async with transaction(self.sessions) as session:
                yield session
                self._strike("before commit")
            self._strike("after commit")
        finally:
            self._point = ""

    def _statement(self, *_: Any) -> None:
        if self._point == "statement" and self._left is not None:
            if self._left == 0:
                self._strike("statement")
            self._left -= 1

    def _strike(self, point: str) -> None:
        if self._point == point:
            self._point = ""
            self.count += 1
            raise DiedError(point)
