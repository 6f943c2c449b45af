"""Matches that stand where a test wants to look, and a web process beside it.

They are the same at every run: what a test needs is there, or never was.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import uvicorn
from playwright.sync_api import BrowserContext, Page

from app.accounts.service import create_guest
from app.accounts.sessions import start_session
from app.bots.random_policy import RandomPolicy
from app.config import Settings
from app.db.engine import make_engine
from app.db.session import Sessions, make_sessions
from app.main import create_app
from app.matches import service
from app.matches.editions import edition
from app.matches.pages import MatchPage
from app.matches.queries import match_page
from app.matches.values import Commit, SeatSpec
from app.rules.game import Seat
from app.rules.registry import GAMES
from app.web.cookies import Cookies
from tests.e2e.server import Server, free_port
from tests.support.played import NAMES

_KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH"
_SEEDS = 40

Wanted = Callable[[MatchPage], bool]


@dataclass(frozen=True, slots=True)
class Stored:
    """A match that waits, and the cookie of everybody who plays in it; `page` is looked for."""

    page: MatchPage
    cookie: str
    tokens: tuple[str, ...]

    @property
    def seat(self) -> Seat:
        """Whose page is looked for."""
        assert self.page.seat is not None
        return self.page.seat

    @property
    def path(self) -> str:
        """The match page."""
        return f"/matches/{self.page.id}"

    def sit(self, context: BrowserContext, url: str, seat: Seat | None = None) -> Page:
        """Give a device the cookie of a seat, and return a page of it."""
        token = self.tokens[self.seat if seat is None else seat]
        context.add_cookies([{"name": self.cookie, "value": token, "url": url}])
        return context.new_page()


def settings_for(database_url: str) -> Settings:
    """Return settings of a web process beside the test, on a port of its own."""
    port = free_port()
    return Settings(
        database_url=database_url,
        port=port,
        public_url=f"http://localhost:{port}",
        secret_key=_KEY,
    )


@contextmanager
def web_process(settings: Settings, folder: Path) -> Iterator[Server]:
    """Run the web process alone, in a thread: no bots sit in these matches."""
    web = uvicorn.Server(
        uvicorn.Config(
            create_app(settings), host="localhost", port=settings.port, log_level="error"
        )
    )
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not web.started:
        assert time.monotonic() < until, "the server does not start"
        time.sleep(0.05)
    yield Server(f"http://localhost:{settings.port}", folder, folder / "log")
    web.should_exit = True
    thread.join(30)


def stored(
    settings: Settings, wanted: Wanted, *, game: str = "el_grande", seats: int = 4, **options: Any
) -> Stored:
    """Return a match of random moves in which the page of an asked seat is `wanted`.

    Over a match that is over `wanted` is asked for seat 0.
    """
    # Playwright's own loop runs in this thread.
    with ThreadPoolExecutor(1) as other:
        return other.submit(
            lambda: asyncio.run(_find(settings, wanted, game, seats, options))
        ).result()


async def _find(
    settings: Settings, wanted: Wanted, game: str, seats: int, options: Mapping[str, Any]
) -> Stored:
    engine = make_engine(settings.required_database_url)
    sessions = make_sessions(engine)
    now = datetime.now(UTC)
    people, tokens = [], []
    async with sessions.begin() as session:
        for name in (*NAMES, "Aneu")[:seats]:
            person = await create_guest(session, name=name, now=now)
            people.append(person)
            tokens.append(await start_session(session, person=person, label="test", now=now))
    for seed in range(_SEEDS):
        async with sessions.begin() as session:
            match_id = await service.start_match(
                session,
                game=game,
                options={"edition": edition(game), **options},
                seats=[SeatSpec(who.id, None, who.name, n + 1) for n, who in enumerate(people)],
                now=now,
                seed=bytes([seed]) * 32,
            )
        page = await _play(sessions, match_id, wanted)
        if page is not None:
            break
    else:
        raise AssertionError("that position never came")
    await engine.dispose()
    return Stored(page, Cookies.of(settings).session, tuple(tokens))


async def _play(sessions: Sessions, match_id: UUID, wanted: Wanted) -> MatchPage | None:
    """Play on until a seat's page is wanted; None if the match ends before."""
    while True:
        async with sessions.begin() as session:
            page = await match_page(session, match_id=match_id, seat=Seat(0))
            if page.outcome is not None:
                return page if wanted(page) else None
            for seat in range(len(page.seats)):
                page = await match_page(session, match_id=match_id, seat=Seat(seat))
                if seat in page.asked:
                    break
            if wanted(page):
                return page
            assert page.seat is not None
            game = GAMES[page.game]
            moves = RandomPolicy(game).choose(
                page.base_view, page.seat, seed=f"{page.version}".encode(), iterations=1
            )
            command = Commit(
                match_id=match_id,
                seat=page.seat,
                expected_version=page.version,
                key=f"v{page.version}s{page.seat}",
                line=game.format(moves),
                now=page.created_at,
            )
            await service.commit(session, command)
