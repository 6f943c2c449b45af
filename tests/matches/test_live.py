import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from uuid import UUID

import pytest

from app.db.notices import audience_changed, session_changed, talk_grew, tell
from app.errors import NotFoundError
from app.ids import new_id
from app.matches import live as live_module
from app.matches.live import Live, Standing, token
from app.matches.queries import progress_of
from app.rules.game import Seat
from tests.support.matches import Matches

pytestmark = pytest.mark.anyio

ANNA = b"a" * 32
BERTA = b"b" * 32


@dataclass
class Reader:
    """Reads a match's standing from the database and counts how often."""

    matches: Matches
    match_id: UUID
    seats: frozenset[Seat] = frozenset({Seat(0)})
    talk: int = 0
    reads: int = 0

    async def __call__(self) -> Standing:
        self.reads += 1
        async with self.matches.sessions() as session:
            progress = await progress_of(session, self.match_id)
        return Standing(self.seats, progress.version, progress.drafts, self.talk)


@dataclass
class Hand:
    """A clock moved by hand."""

    time: float = 0.0
    waits: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.time


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that happens in another task."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110 - what is awaited lies in another task
            await asyncio.sleep(0.01)


@pytest.fixture
async def live(database_url: str) -> AsyncIterator[Live]:
    """Return a cache that listens."""
    async with Live(database_url).running() as live:
        await until(lambda: live.is_on)
        yield live


async def settled(live: Live, matches: Matches) -> None:
    """Wait until what was told so far has been heard."""
    mark = new_id()
    async with matches.sessions.begin() as session:
        await tell(session, f"match {mark} 1")
    await until(lambda: mark in live._pulses)


async def test_only_the_first_poll_of_a_session_asks_the_database(
    live: Live, matches: Matches
) -> None:
    match_id = await matches.start(None, None)
    read = Reader(matches, match_id)

    since = [await live.since_token(match_id, ANNA, Seat(0), read) for _ in range(3)]

    assert since == ["1.0.0"] * 3
    assert read.reads == 1


async def test_a_commit_is_seen_without_asking_the_database(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    read = Reader(matches, match_id)
    await live.since_token(match_id, ANNA, Seat(0), read)

    await matches.commit(match_id, 0, 1)
    await settled(live, matches)

    assert await live.since_token(match_id, ANNA, Seat(0), read) == "2.0.0"
    assert read.reads == 1


async def test_a_draft_moves_its_own_seats_token_alone(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    mine, other = Reader(matches, match_id), Reader(matches, match_id, frozenset({Seat(1)}))
    await live.since_token(match_id, ANNA, Seat(0), mine)
    await live.since_token(match_id, BERTA, Seat(1), other)

    await matches.add(match_id, 0, "take 1", "take 2")
    await settled(live, matches)

    assert await live.since_token(match_id, ANNA, Seat(0), mine) == "1.2.0"
    assert await live.since_token(match_id, BERTA, Seat(1), other) == "1.0.0"
    assert (mine.reads, other.reads) == (1, 1)


async def test_talk_moves_everybodys_token(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    read = Reader(matches, match_id, talk=3)
    assert await live.since_token(match_id, ANNA, Seat(0), read) == "1.0.3"

    async with matches.sessions.begin() as session:
        await tell(session, talk_grew(match_id, 4))
    await settled(live, matches)

    assert await live.since_token(match_id, ANNA, Seat(0), read) == "1.0.4"


async def test_what_is_rolled_back_was_never_said(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    read = Reader(matches, match_id)
    await live.since_token(match_id, ANNA, Seat(0), read)

    async with matches.sessions() as session:
        await tell(session, talk_grew(match_id, 9))
    await settled(live, matches)

    assert await live.since_token(match_id, ANNA, Seat(0), read) == "1.0.0"


async def test_the_token_is_that_of_the_page(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 1")
    page = await matches.page(match_id, 0)

    since = await live.since_token(match_id, ANNA, Seat(0), Reader(matches, match_id))

    assert since == token(page.version, page.draft.revision, 0)


async def test_a_spectator_has_no_draft(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 1")
    read = Reader(matches, match_id, frozenset())

    assert await live.since_token(match_id, ANNA, None, read) == "1.0.0"


async def test_a_player_who_names_no_seat_gets_the_lowest(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    await matches.add(match_id, 0, "take 1")
    read = Reader(matches, match_id, frozenset({Seat(0), Seat(1)}))

    assert await live.since_token(match_id, ANNA, None, read) == "1.1.0"


async def test_somebody_elses_seat_is_not_found(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)

    with pytest.raises(NotFoundError):
        await live.since_token(match_id, ANNA, Seat(1), Reader(matches, match_id))


async def test_an_outsider_is_asked_about_every_time(live: Live, matches: Matches) -> None:
    read = Reader(matches, new_id())

    for _ in range(2):
        with pytest.raises(NotFoundError):
            await live.since_token(read.match_id, ANNA, None, read)

    assert read.reads == 2


@pytest.mark.parametrize("what", ["session", "audience"])
async def test_a_session_that_changed_is_looked_up_again(
    live: Live, matches: Matches, what: str
) -> None:
    match_id = await matches.start(None, None)
    mine, other = Reader(matches, match_id), Reader(matches, match_id)
    await live.since_token(match_id, ANNA, Seat(0), mine)
    await live.since_token(match_id, BERTA, Seat(0), other)

    async with matches.sessions.begin() as session:
        notice = session_changed(ANNA) if what == "session" else audience_changed(match_id)
        await tell(session, notice)
    await settled(live, matches)
    await live.since_token(match_id, ANNA, Seat(0), mine)
    await live.since_token(match_id, BERTA, Seat(0), other)

    assert mine.reads == 2
    assert other.reads == (1 if what == "session" else 2)


async def test_a_resignation_is_noticed(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    read = Reader(matches, match_id)
    await live.since_token(match_id, ANNA, Seat(0), read)

    await matches.resign(match_id, 0)
    await settled(live, matches)
    read.seats = frozenset()

    with pytest.raises(NotFoundError):
        await live.since_token(match_id, ANNA, Seat(0), read)


async def test_a_notice_that_arrives_while_reading_is_not_overwritten(
    live: Live, matches: Matches
) -> None:
    match_id = await matches.start(None, None)

    async def slow() -> Standing:
        before = await Reader(matches, match_id)()
        await matches.commit(match_id, 0, 1)
        await settled(live, matches)
        return before

    assert await live.since_token(match_id, ANNA, Seat(0), slow) == "2.0.0"


async def test_a_logout_while_reading_is_not_forgotten(live: Live, matches: Matches) -> None:
    match_id = await matches.start(None, None)
    read = Reader(matches, match_id)

    async def slow() -> Standing:
        before = await read()
        live.hear(session_changed(ANNA))
        return before

    await live.since_token(match_id, ANNA, Seat(0), slow)
    await live.since_token(match_id, ANNA, Seat(0), read)

    assert read.reads == 2


async def test_a_session_is_looked_up_again_after_a_while(matches: Matches) -> None:
    hand = Hand()
    live = Live("postgresql://nowhere", clock=hand, trust_seconds=10, silent_seconds=1000)
    match_id = await matches.start(None)
    read = Reader(matches, match_id)
    live.hear("beat")

    for hand.time in (0, 9, 11):
        await live.since_token(match_id, ANNA, Seat(0), read)

    assert read.reads == 2


async def test_a_silent_line_switches_the_cache_off(matches: Matches) -> None:
    hand = Hand()
    live = Live("postgresql://nowhere", clock=hand)
    read = Reader(matches, await matches.start(None))
    assert not live.is_on

    for hand.time, heard in ((0, True), (1, False), (15, False), (16, False), (17, True)):
        if heard:
            live.hear("beat")
        await live.since_token(read.match_id, ANNA, Seat(0), read)

    assert read.reads == 3
    assert live.is_on


@pytest.mark.parametrize(
    "notice",
    [
        "",
        "beat",
        "match",
        "match x 1",
        "match 00000000-0000-0000-0000-000000000000 x",
        "later news",
    ],
)
async def test_a_notice_from_another_version_is_a_sign_of_life_and_no_more(notice: str) -> None:
    live = Live("postgresql://nowhere")

    live.hear(notice)

    assert live.is_on


async def test_memory_is_bounded(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "MATCHES_KEPT", 2)
    monkeypatch.setattr(live_module, "SESSIONS_KEPT", 2)
    live = Live("postgresql://nowhere")
    live.hear("beat")
    read = Reader(matches, await matches.start(None))

    for n in range(4):
        await live.since_token(read.match_id, bytes([n]) * 32, Seat(0), read)
        live.hear(f"match {new_id()} 1")

    assert len(live._places) == 2
    assert len(live._pulses) == 2


async def test_a_lost_connection_empties_the_cache_and_is_made_anew(
    live: Live, matches: Matches
) -> None:
    match_id = await matches.start(None, None)
    read = Reader(matches, match_id)
    await live.since_token(match_id, ANNA, Seat(0), read)

    await matches.run(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where application_name = 'placa live' and datname = current_database()"
    )
    await until(lambda: not live._places)
    await until(lambda: live.is_on)
    await live.since_token(match_id, ANNA, Seat(0), read)
    await matches.commit(match_id, 0, 1)
    await settled(live, matches)

    assert await live.since_token(match_id, ANNA, Seat(0), read) == "2.0.0"
    assert read.reads == 2


async def test_without_a_database_it_keeps_trying_and_answers_from_the_reader(
    matches: Matches,
) -> None:
    read = Reader(matches, await matches.start(None))

    async with Live("postgresql://127.0.0.1:1/none?connect_timeout=1").running() as live:
        await asyncio.sleep(0.2)
        for _ in range(2):
            assert await live.since_token(read.match_id, ANNA, Seat(0), read) == "1.0.0"

    assert read.reads == 2


async def test_processes_give_each_other_signs_of_life(database_url: str, matches: Matches) -> None:
    async with (
        Live(database_url, beat_seconds=0.05).running() as live,
        matches.listening() as heard,
    ):
        await until(lambda: live.is_on)
        await asyncio.sleep(0.3)

    assert heard.count("beat") >= 2
