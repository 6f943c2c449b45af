"""Short words for playing matches in tests, each in a transaction of its own."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.service import create_guest
from app.db.notices import CHANNEL
from app.db.session import Sessions
from app.matches import history, queries, service
from app.matches.clocks.terms import Terms
from app.matches.pages import Draft, MatchPage
from app.matches.values import Commit, SeatSpec
from app.rules.game import Seat

NOW = datetime(2026, 9, 24, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
SEED = bytes(range(32))

TABLES = (
    "matches",
    "match_seats",
    "match_events",
    "match_drafts",
    "match_answers",
    "match_commands",
    "procrastinate_jobs",
)


# The jobs of bots; people who are asked are told by others.
OF_BOTS = "where task_name = 'bots.seat_asked'"


@dataclass(frozen=True, slots=True)
class Matches:
    """The match service, one transaction a call."""

    sessions: Sessions
    engine: AsyncEngine

    async def person(self, name: str = "Anna") -> UUID:
        async with self.sessions.begin() as session:
            return (await create_guest(session, name=name, now=NOW)).id

    async def start(
        self,
        *seats: UUID | str | None,
        game: str = "pinya",
        options: Mapping[str, Any] | None = None,
        seed: bytes | None = SEED,
        clock: Terms | None = None,
    ) -> UUID:
        """Start a match: a person, the name of a bot, or None (a person left out) a seat."""
        specs = [
            SeatSpec(
                person_id=who if isinstance(who, UUID) else None,
                bot=who if isinstance(who, str) else None,
                name=f"Seat {n}",
                kit=n + 1,
            )
            for n, who in enumerate(seats)
        ]
        async with self.sessions.begin() as session:
            return await service.start_match(
                session,
                game=game,
                options=options or {},
                seats=specs,
                now=NOW,
                seed=seed,
                clock=clock,
            )

    async def add(self, match_id: UUID, seat: int, *lines: str) -> Draft:
        draft = Draft()
        for line in lines:
            async with self.sessions.begin() as session:
                draft = await service.add_to_draft(
                    session, match_id=match_id, seat=Seat(seat), line=line
                )
        return draft

    async def drop(self, match_id: UUID, seat: int, index: int) -> Draft:
        async with self.sessions.begin() as session:
            return await service.drop_from_draft(
                session, match_id=match_id, seat=Seat(seat), index=index
            )

    async def clear(self, match_id: UUID, seat: int) -> Draft:
        async with self.sessions.begin() as session:
            return await service.clear_draft(session, match_id=match_id, seat=Seat(seat))

    async def commit(
        self,
        match_id: UUID,
        seat: int,
        version: int,
        line: str | None = None,
        *,
        key: str = "k",
        revision: int | None = None,
        person: UUID | None = None,
        now: datetime = LATER,
    ) -> int:
        async with self.sessions.begin() as session:
            command = Commit(
                match_id=match_id,
                seat=Seat(seat),
                expected_version=version,
                key=key,
                line=line,
                now=now,
                revision=revision,
                person_id=person,
            )
            return (await service.commit(session, command)).version

    async def turns(self, match_id: UUID, seats: int, version: int) -> int:
        """End every seat's turn of one round; return the version that opens the guesses."""
        for seat in range(seats):
            version = await self.commit(match_id, seat, version, "take 1", key=f"t{version}")
        return version

    async def resign(self, match_id: UUID, seat: int, *, key: str = "r") -> int:
        async with self.sessions.begin() as session:
            return (
                await service.resign(
                    session, match_id=match_id, seat=Seat(seat), key=key, now=LATER
                )
            ).version

    async def page(self, match_id: UUID, seat: int | None = None) -> MatchPage:
        async with self.sessions.begin() as session:
            where = None if seat is None else Seat(seat)
            return await queries.match_page(session, match_id=match_id, seat=where)

    async def problems(self) -> list[str]:
        async with self.sessions.begin() as session:
            return [problem.code for problem in await history.verify_all(session)]

    async def run(self, sql: str, **values: Any) -> Sequence[Any]:
        async with self.sessions.begin() as session:
            result = await (await session.connection()).execute(text(sql), values)
            return result.all() if result.returns_rows else ()

    async def count(self, table: str) -> int:
        return int((await self.run(f"select count(*) from {table}"))[0][0])

    async def counts(self) -> dict[str, int]:
        """Return how many rows each table has."""
        return {table: await self.count(table) for table in TABLES}

    async def dump(self, *tables: str) -> dict[str, list[str]]:
        """Return every row of `tables` as text."""
        return {
            table: [row[0] for row in await self.run(f"select t::text from {table} t order by 1")]
            for table in tables
        }

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[list[str]]:
        """Collect what is notified while the block runs."""
        heard: list[str] = []
        _, arguments = self.engine.dialect.create_connect_args(self.engine.url)
        connection = await psycopg.AsyncConnection.connect(**arguments, autocommit=True)
        async with connection:
            await connection.execute(f"listen {CHANNEL}")
            yield heard
            heard.extend([notice.payload async for notice in connection.notifies(timeout=0.2)])

    @contextmanager
    def counting(self) -> Iterator[list[str]]:
        """Collect the statements sent through SQLAlchemy while the block runs."""
        sent: list[str] = []

        def note(_: Any, __: Any, statement: str, *rest: Any) -> None:
            sent.append(statement)

        event.listen(self.engine.sync_engine, "before_cursor_execute", note)
        try:
            yield sent
        finally:
            event.remove(self.engine.sync_engine, "before_cursor_execute", note)


async def all_of(*calls: Any) -> list[Any]:
    """Run every call at once; what one raises stands in its place."""
    return list(await asyncio.gather(*calls, return_exceptions=True))
