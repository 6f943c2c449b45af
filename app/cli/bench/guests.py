"""People and matches to measure with, made through the services."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import text

from app.accounts.api_tokens import create_api_token
from app.accounts.service import create_guest
from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.cli.bench.score import GAME, SEATS, Step
from app.cli.bench.setting import SEED
from app.clock import SYSTEM_CLOCK
from app.config import Settings
from app.db.session import Sessions, transaction
from app.matches.live import token
from app.matches.queries import match_page
from app.matches.service import commit, start_match
from app.matches.values import Commit, SeatSpec
from app.rules.game import Seat
from app.web.cookies import Cookies

# Copies of the last event: the length of a log, without what made it.  They are of the first
# version, for what is new to a viewer is on their page, however much it is.
_LENGTHEN = text("""
    insert into match_events (match_id, seq, version, seat, payload, line, rules_version, at)
    select e.match_id, e.seq + n, 1, e.seat, e.payload, e.line, e.rules_version, e.at
    from match_events e, generate_series(1, :more) n
    where e.match_id = :id
      and e.seq = (select max(seq) from match_events where match_id = :id)
""")
_COUNT = text("update matches set events = events + :more where id = :id")


@dataclass(frozen=True, slots=True)
class Guests:
    """Two people in two seats each; the first one's cookie and token open everything."""

    sessions: Sessions
    people: tuple[Person, Person]
    session: str
    cookies: Mapping[str, str]
    tokens: tuple[str, str]

    @classmethod
    async def invite(cls, sessions: Sessions, settings: Settings) -> "Guests":
        """Make two guests with a device and a program each."""
        now = SYSTEM_CLOCK.now()
        async with transaction(sessions) as session:
            first = await create_guest(session, name="Mar", now=now)
            second = await create_guest(session, name="Jordi", now=now)
            cookie = await start_session(session, person=first, label="bench", now=now)
            one, two = [
                await create_api_token(session, person=person, label="bench", now=now)
                for person in (first, second)
            ]
        name = Cookies.of(settings).session
        return cls(sessions, (first, second), cookie, {"cookie": f"{name}={cookie}"}, (one, two))

    async def start(self) -> UUID:
        """Start a match; every one of them goes the same way."""
        seats = [
            SeatSpec(person_id=self.people[n % 2].id, bot=None, name=f"Seat {n}", kit=n + 1)
            for n in range(SEATS)
        ]
        async with transaction(self.sessions) as session:
            return await start_match(
                session, game=GAME, options={}, seats=seats, now=SYSTEM_CLOCK.now(), seed=SEED
            )

    def bearer(self, seat: int) -> Mapping[str, str]:
        """Return the header with which the program of `seat` speaks."""
        return {"authorization": f"Bearer {self.tokens[seat % 2]}"}

    async def since(self, match_id: UUID) -> str:
        """Return what the first person's page sends back when it polls."""
        async with transaction(self.sessions) as session:
            page = await match_page(session, match_id=match_id, seat=Seat(0))
        return token(page.version, page.draft.revision, 0)

    async def play(self, match_id: UUID, steps: list[Step]) -> None:
        """Commit `steps` without a server."""
        for step in steps:
            async with transaction(self.sessions) as session:
                command = Commit(
                    match_id=match_id,
                    seat=step.seat,
                    expected_version=step.version,
                    key=f"v{step.version}",
                    line=step.line,
                    now=SYSTEM_CLOCK.now(),
                )
                await commit(session, command)

    async def lengthen(self, match_id: UUID, more: int) -> None:
        """Put `more` rows into a match's log."""
        async with transaction(self.sessions) as session:
            await session.execute(_LENGTHEN, {"id": match_id, "more": more})
            await session.execute(_COUNT, {"id": match_id, "more": more})

    async def ask(self, query: str, **values: Any) -> Any:
        """Return the one row that `query` finds."""
        async with transaction(self.sessions) as session:
            return (await session.execute(text(query), values)).one()
