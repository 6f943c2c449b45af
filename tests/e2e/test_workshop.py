"""The tower workshop in a browser: tap, keys and drag; and a poll that leaves it alone."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
import uvicorn
from playwright.sync_api import Page, expect

from app.accounts.service import create_guest
from app.accounts.sessions import start_session
from app.config import Settings
from app.db.engine import make_engine
from app.db.session import make_sessions
from app.main import create_app
from app.matches.editions import edition
from app.matches.pages import MatchPage
from app.matches.service import SeatSpec, start_match
from app.web.cookies import Cookies
from tests.e2e.conftest import NewContext
from tests.e2e.server import Server, free_port
from tests.support.played import NAMES, play_on

KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH"


@dataclass(frozen=True, slots=True)
class Festival:
    """A match that waits for several seats at one festival, and a cookie for each of them."""

    match_id: UUID
    region: str
    sizes: tuple[int, ...]
    cookie: str
    tokens: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}/workshop?goal=festival:{self.region}&tower="


@pytest.fixture
def settings(database_url: str) -> Settings:
    port = free_port()
    return Settings(
        database_url=database_url,
        port=port,
        public_url=f"http://localhost:{port}",
        secret_key=KEY,
    )


@pytest.fixture
def server(settings: Settings, tmp_path: Path) -> Iterator[Server]:
    """The web process alone, beside the test: no bots sit in these matches."""
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
    yield Server(f"http://localhost:{settings.port}", tmp_path, tmp_path / "log")
    web.should_exit = True
    thread.join(30)


@pytest.fixture
def festival(settings: Settings) -> Festival:
    # Playwright's own loop runs in this thread.
    with ThreadPoolExecutor(1) as other:
        return other.submit(lambda: asyncio.run(_at_festival(settings))).result()


async def _at_festival(settings: Settings) -> Festival:
    engine = make_engine(settings.required_database_url)
    sessions = make_sessions(engine)
    now = datetime.now(UTC)
    people, tokens = [], []
    async with sessions.begin() as session:
        for name in NAMES[:3]:
            person = await create_guest(session, name=name, now=now)
            people.append(person.id)
            tokens.append(await start_session(session, person=person, label="test", now=now))
        match_id = await start_match(
            session,
            game="castell",
            options={"edition": edition("castell")},
            seats=[SeatSpec(who, None, NAMES[n], n + 1) for n, who in enumerate(people)],
            now=now,
            seed=bytes(range(32)),
        )
    page = await play_on(sessions, match_id, until=_contested)
    region, seats = next((r, s) for r, s in page.base_view.entrants.items() if len(s) > 1)
    await engine.dispose()
    hand = page.base_view.collas[seats[0]].castellers
    sizes = tuple(size for size in range(10, 0, -1) if hand[size - 1])
    cookie = Cookies.of(settings).session
    return Festival(match_id, region, sizes, cookie, tuple(tokens[seat] for seat in seats))


def _contested(page: MatchPage) -> bool:
    return page.base_view.phase == "festivals" and len(page.asked) > 1


def sit(new_context: NewContext, server: Server, festival: Festival, seat: int) -> Page:
    context = new_context(viewport={"width": 1280, "height": 900})
    cookie = {"name": festival.cookie, "value": festival.tokens[seat], "url": server.url}
    context.add_cookies([cookie])  # type: ignore[list-item] # playwright's own kind of dict
    page = context.new_page()
    page.goto(festival.path)
    return page


def drag(page: Page, size: int, target: str) -> None:
    page.locator(f"#add-{size} .card__figure").hover()
    page.mouse.down()
    box = page.locator(target).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=12)
    page.mouse.up()


def test_a_tower_is_built_by_tap_by_key_and_by_drag(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    page = sit(new_context, server, festival, 0)
    people = page.locator(".person")
    big, middle, small = festival.sizes[:3]

    page.click(f"#add-{big}")
    expect(people).to_have_count(1)
    page.keyboard.press(str(middle % 10))
    expect(page.locator("#level-2 .person")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#level-1")).to_have_class("level is-selected")
    page.keyboard.press("Backspace")
    expect(people).to_have_count(1)
    drag(page, small, "#level-1 .level__people")
    expect(page.locator("#level-1 .person")).to_have_count(2)
    drag(page, big, ".stage__head h2")
    expect(page.locator("#level-2 .person")).to_have_count(1)
    page.click("#undo")
    expect(people).to_have_count(2)
    before = page.url
    page.reload()

    expect(people).to_have_count(2)
    assert page.url == before


def test_fast_fingers_lose_no_tap(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    page = sit(new_context, server, festival, 0)

    page.evaluate(
        "sizes => sizes.forEach((size) => document.querySelector(`#add-${size}`).click())",
        list(festival.sizes[:3]),
    )

    expect(page.locator(".person")).to_have_count(3)


def test_a_rival_who_hands_in_is_seen_and_the_tower_stays_as_it_was(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    mine = sit(new_context, server, festival, 0)
    mine.click(f"#add-{festival.sizes[0]}")
    expect(mine.locator(".person")).to_have_count(1)
    before = mine.url

    other = sit(new_context, server, festival, 1)
    other.click("#use-best")
    expect(other.locator("#verdict")).to_have_class("verdict is-ready")
    other.click("#submit .button--commit")
    other.wait_for_url(lambda url: "workshop" not in url)

    expect(mine.locator("#builders .is-ok")).to_have_count(1)
    expect(mine.locator(".person")).to_have_count(1)
    expect(mine.locator(f"#add-{festival.sizes[0]}")).to_be_focused()
    assert mine.url == before


def test_without_a_script_links_alone_build_and_hand_in(
    new_context: NewContext, server: Server, festival: Festival
) -> None:
    context = new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    cookie = {"name": festival.cookie, "value": festival.tokens[0], "url": server.url}
    context.add_cookies([cookie])  # type: ignore[list-item] # playwright's own kind of dict
    page = context.new_page()
    page.goto(festival.path)

    page.click(f"#add-{festival.sizes[0]}")
    expect(page.locator(".person")).to_have_count(1)
    page.click("#clear")
    expect(page.locator(".person")).to_have_count(0)
    page.click('.tabbar a[href="#best"]')
    page.click("#use-best")
    page.click("#submit .button--commit")

    assert page.url.endswith(str(festival.match_id))
