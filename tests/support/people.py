"""People and tables for tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from app.accounts.service import create_guest
from app.accounts.values import Person
from app.db.session import Sessions
from app.lobby import seats, service
from app.lobby.links import Links
from app.lobby.queries import table_page
from app.lobby.values import NewTable, SeatOrder, TablePage, Visibility

NOON = datetime(2026, 9, 24, 12, tzinfo=UTC)
LINKS = Links(
    "a key for tests, and for nothing else at all",
    invite_url=lambda token: f"https://plaza.test/i/{token}",
    watch_url=lambda token: f"https://plaza.test/w/{token}",
)


async def guest(sessions: Sessions, name: str) -> Person:
    """Return a new guest."""
    async with sessions.begin() as session:
        return await create_guest(session, name=name, now=NOON)


@dataclass(frozen=True, slots=True)
class Gathering:
    """A table that gathers, and its host."""

    sessions: Sessions
    id: UUID
    host: Person

    @classmethod
    async def of(
        cls,
        sessions: Sessions,
        *,
        seats: int = 3,
        host: str = "Anna",
        visibility: Visibility = "private",
        seat_order: SeatOrder = "chosen",
        spectators: bool = False,
        game: str = "castell",
        options: Mapping[str, Any] | None = None,
        clock: Mapping[str, Any] | None = None,
    ) -> "Gathering":
        """Make a table with its host."""
        person = await guest(sessions, host)
        wish = NewTable(
            game=game,
            seats=seats,
            key=uuid4().hex,
            options=dict(options or {}),
            visibility=visibility,
            seat_order=seat_order,
            spectators=spectators,
            clock=clock,
        )
        async with sessions.begin() as session:
            table_id = await service.create_table(
                session, host=person, wish=wish, links=LINKS, now=NOON
            )
        return cls(sessions, table_id, person)

    async def page(self, person: Person | None = None) -> TablePage:
        """Return the table as its host, or `person`, sees it."""
        async with self.sessions.begin() as session:
            return await table_page(
                session, table_id=self.id, person=person or self.host, links=LINKS
            )

    async def token(self) -> str:
        """Return the invitation's token."""
        return ((await self.page()).invite_url or "").rpartition("/")[2]

    async def join(self, person: Person, *, name: str | None = None) -> UUID:
        """Seat `person` by invitation."""
        token = await self.token()
        async with self.sessions.begin() as session:
            return await seats.join_by_invite(
                session, token=token, person=person, name=name, now=NOON
            )

    async def joined(self, name: str) -> Person:
        """Return a new guest who sits here."""
        person = await guest(self.sessions, name)
        await self.join(person)
        return person

    async def fill_with_bots(self) -> None:
        """Put a bot into every empty seat."""
        for seat in (await self.page()).seats:
            if seat.empty:
                async with self.sessions.begin() as session:
                    await seats.add_bot(
                        session,
                        table_id=self.id,
                        position=seat.position,
                        policy="steady",
                        person=self.host,
                    )

    async def start(self, person: Person | None = None) -> UUID:
        """Start the match."""
        async with self.sessions.begin() as session:
            return await service.start(
                session, table_id=self.id, person=person or self.host, now=NOON
            )
