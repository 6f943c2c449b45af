"""A small world for tests of who may do what: a running match, a gathering table, six people.

Roles: `anonymous` is known nowhere; `guest` and `player` sit at both (a guest
and an account, who is the host); `elsewhere` is a guest with a table of their
own; `ex` has resigned from the match and was sent away from the table;
`spectator` came by the spectator link.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from fastapi import FastAPI

from app.accounts import api_tokens, links
from app.accounts.queries import known_by_session, token_lines
from app.accounts.service import sign_up
from app.accounts.sessions import start_session
from app.accounts.values import Person
from app.db.session import Sessions
from app.ids import new_token
from app.lobby import seats, service
from app.lobby.talk import say
from app.matches.queries import seats_of
from app.matches.service import resign
from tests.support.browser import Browser
from tests.support.people import NOON, Gathering, guest

ROLES = ("anonymous", "guest", "elsewhere", "player", "ex", "spectator")
PASSWORD = "quatre de nou amb folre"


@dataclass(frozen=True, slots=True)
class World:
    """Where everything is; `cookies` and `tokens` prove each role but `anonymous`."""

    started: Gathering
    match_id: UUID
    gathering: Gathering
    people: dict[str, Person]
    cookies: dict[str, str]
    tokens: dict[str, str]
    names: dict[str, str]

    def path(self, template: str) -> str:
        """Return `template` with the names of this world's things filled in."""
        return template.format(**self.names)

    @asynccontextmanager
    async def browser(self, app: FastAPI, role: str) -> AsyncIterator[Browser]:
        """Return a browser in which `role` is known."""
        async with Browser(app) as browser:
            if role in self.cookies:
                browser.cookies.set(app.state.cookies.session, self.cookies[role])
            yield browser


async def make_world(sessions: Sessions) -> World:
    """Make the world."""
    started = await Gathering.of(sessions, seats=4, host="Player", spectators=True)
    people = {"player": started.host, "guest": await started.joined("Guest")}
    people["ex"] = await started.joined("Ex")
    people["spectator"] = await guest(sessions, "Spectator")
    await started.fill_with_bots()
    watch_token = ((await started.page()).watch_url or "").rpartition("/")[2]
    match_id = await started.start()

    async with sessions.begin() as session:
        await seats.watch(session, token=watch_token, person=people["spectator"])
        (seat,) = await seats_of(session, match_id, people["ex"].id)
        await resign(session, match_id=match_id, seat=seat, key="resign", now=NOON)
        people["player"] = await sign_up(
            session, guest=started.host, name="Player", password=PASSWORD, now=NOON
        )

    gathering = await _gathering(sessions, people)
    own = await Gathering.of(sessions, host="Elsewhere")
    people["elsewhere"] = own.host

    cookies, tokens = {}, {}
    async with sessions.begin() as session:
        await say(
            session, table_id=started.id, person=people["guest"], text="Hola", key="h", now=NOON
        )
        for role, person in people.items():
            cookies[role] = await start_session(session, person=person, label="", now=NOON)
            tokens[role] = await api_tokens.create_api_token(
                session, person=person, label=role, now=NOON
            )
        link = await links.make_link(session, person=people["player"], now=NOON)
        known = await known_by_session(session, token=cookies["player"], now=NOON)
        (line,) = await token_lines(session, person_id=people["player"].id)
    assert known is not None
    page = await gathering.page()
    names = {
        "table": str(gathering.id),
        "started": str(started.id),
        "match": str(match_id),
        "invite": (page.invite_url or "").rpartition("/")[2],
        "code": page.code or "",
        "watch": watch_token,
        "device": link.token,
        "session": str(known.session_id),
        "api_token": str(line.id),
        "guest": str(people["guest"].id),
        "nobody": new_token(),
    }
    return World(
        Gathering(sessions, started.id, people["player"]),
        match_id,
        gathering,
        people,
        cookies,
        tokens,
        names,
    )


async def _gathering(sessions: Sessions, people: dict[str, Person]) -> Gathering:
    """Make the table that waits: host, guest, an empty seat; `ex` was sent away."""
    made = await Gathering.of(sessions, seats=4, host="Maker")
    await made.join(people["player"])
    await made.join(people["guest"])
    await made.join(people["ex"])
    async with sessions.begin() as session:
        await seats.free_seat(session, table_id=made.id, position=3, person=made.host)
        # The player inherits the table.
        await seats.leave(session, table_id=made.id, person=made.host)
        await service.change_settings(
            session,
            table_id=made.id,
            person=people["player"],
            visibility="private",
            seat_order="chosen",
            spectators=True,
        )
    return Gathering(sessions, made.id, people["player"])
