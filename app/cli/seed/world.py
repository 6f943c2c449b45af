"""What `placa seed` makes, through the same services as everybody."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.links import make_link
from app.accounts.service import find_account, sign_up
from app.accounts.values import Person
from app.bots.registry import policy_for
from app.cli.surroundings import open_sessions
from app.clock import SYSTEM_CLOCK
from app.config import Settings
from app.db.session import transaction
from app.errors import NotFoundError
from app.ids import new_token
from app.lobby import seats, service
from app.lobby.links import Links
from app.lobby.queries import table_page
from app.lobby.talk import say
from app.lobby.values import NewTable
from app.matches.games import codec_for
from app.matches.queries import position_of
from app.matches.service import commit
from app.matches.values import Commit
from app.rules.game import Seat

NAMES: Final = ("Mar", "Jordi", "Txell")
UNTIL_ROUND: Final = 6
# Enough to play like people, and not for long.
ITERATIONS: Final = 300


async def make(settings: Settings) -> Mapping[str, str]:
    """Make what is missing, all of it or nothing; return a sign-in link for each account."""
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    now = SYSTEM_CLOCK.now()
    async with open_sessions(settings) as sessions, transaction(sessions) as session:
        links = Links(
            settings.secret_key or "",
            invite_url=lambda token: f"{base}/i/{token}",
            watch_url=lambda token: f"{base}/w/{token}",
        )
        world = _World(session, links, now)
        people = [await world.person(name) for name in NAMES]
        await world.match(people)
        await world.table(people[1], people[2])
        signing_in = {
            person.name: await make_link(session, person=person, now=now, purpose="login")
            for person in people
        }
    return {name: f"{base}/device/{link.token}" for name, link in signing_in.items()}


@dataclass(frozen=True, slots=True)
class _World:
    """Makes things in one transaction; what is there already stays as it is."""

    session: AsyncSession
    links: Links
    now: datetime

    async def person(self, name: str) -> Person:
        """Return the account called `name`, made with a password nobody knows if need be."""
        try:
            return await find_account(self.session, name=name)
        except NotFoundError:
            return await sign_up(
                self.session, guest=None, name=name, password=new_token(), now=self.now
            )

    async def match(self, people: Sequence[Person]) -> None:
        """Start a match of all of them and play it to its middle."""
        host, *others = people
        wish = NewTable(
            game="castell", seats=len(people), key="seed match", options={}, seat_order="chosen"
        )
        table_id = await self._table(host, wish)
        page = await table_page(self.session, table_id=table_id, person=host, links=self.links)
        if page.status != "gathering":
            return
        for other in others:
            await seats.join_by_code(self.session, code=page.code or "", person=other, now=self.now)
        match_id = await service.start(self.session, table_id=table_id, person=host, now=self.now)
        while not await self._middle(match_id, len(people)):
            pass

    async def table(self, host: Person, guest: Person) -> None:
        """Make an open table with a bot, some talk, and a seat for whoever comes."""
        wish = NewTable(
            game="castell",
            seats=4,
            key="seed table",
            options={},
            visibility="open",
            spectators=True,
        )
        table_id = await self._table(host, wish)
        page = await table_page(self.session, table_id=table_id, person=host, links=self.links)
        if page.status != "gathering" or page.talk_count:
            return
        await seats.join_open(self.session, table_id=table_id, person=guest, now=self.now)
        await seats.add_bot(
            self.session, table_id=table_id, position=2, policy="steady", person=host
        )
        await say(
            self.session,
            table_id=table_id,
            person=host,
            text="Pinya! Who takes the last seat?",
            key="seed",
            now=self.now,
        )

    async def _table(self, host: Person, wish: NewTable) -> UUID:
        return await service.create_table(
            self.session, host=host, wish=wish, links=self.links, now=self.now
        )

    async def _middle(self, match_id: UUID, count: int) -> bool:
        """Let whoever is asked do what the `steady` bot would; True once it is late enough."""
        for seat in map(Seat, range(count)):
            position = await position_of(self.session, match_id=match_id, seat=seat)
            prompt = position.prompt
            if position.view.round >= UNTIL_ROUND:
                return True
            if prompt is None:
                continue
            game = codec_for(position.game).game
            moves = policy_for(game, "steady").choose(
                position.view,
                seat,
                seed=hashlib.sha256(prompt.key.encode()).digest(),
                iterations=ITERATIONS,
            )
            command = Commit(
                match_id=match_id,
                seat=seat,
                expected_version=position.version,
                key=f"seed:{prompt.key}",
                line=game.format(moves),
                now=self.now,
            )
            await commit(self.session, command)
        return False
