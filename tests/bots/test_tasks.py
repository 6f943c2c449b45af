"""Bots answer through the match service, on real PostgreSQL."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.api.schemas import CommitWish
from app.bots import runner
from app.bots.policy import Policy
from app.bots.random_policy import RandomPolicy
from app.bots.tasks import seat_asked
from app.db.session import Sessions
from app.errors import StaleMatchError
from app.matches import history, queries
from app.matches.games import codec_for
from app.matches.rescue import roll_back
from app.rules.castell import CASTELL
from app.rules.game import Seat
from app.web.matches import CommitForm
from tests.support.matches import LATER, Matches

pytestmark = pytest.mark.anyio

RunJobs = Callable[[], Awaitable[None]]
PLACE = "move BCN"


@pytest.fixture
def matches(sessions: Sessions, engine: AsyncEngine) -> Matches:
    return Matches(sessions, engine)


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bots look at few positions only."""
    monkeypatch.setattr(runner, "ITERATIONS", 60)


async def ask(matches: Matches, match_id: UUID, seat: int, version: int = 1) -> None:
    async with matches.sessions.begin() as session:
        await seat_asked(session, LATER, match_id=str(match_id), seat=seat, version=version)


@pytest.mark.usefixtures("_quick")
async def test_bots_among_themselves_play_a_match_to_its_end(
    matches: Matches, run_jobs: RunJobs
) -> None:
    match_id = await matches.start("steady", "random", game="castell")
    await run_jobs()
    page = await matches.page(match_id)

    assert page.status == "finished"
    assert page.outcome is not None
    assert await matches.problems() == []
    assert await matches.count("procrastinate_jobs") == 0


@pytest.mark.usefixtures("_quick")
async def test_bots_stop_where_a_person_is_asked_and_go_on_after_them(
    matches: Matches, run_jobs: RunJobs
) -> None:
    anna = await matches.person()
    match_id = await matches.start(anna, "random", "random", game="castell")
    await run_jobs()
    page = await matches.page(match_id, 0)
    assert page.asked == {Seat(0)}

    version = page.version
    await matches.commit(match_id, 0, version, PLACE)
    await run_jobs()
    page = await matches.page(match_id, 0)

    assert page.version > version + 1
    assert page.asked == {Seat(0)}


@pytest.mark.usefixtures("_quick")
async def test_a_job_that_runs_twice_moves_once(matches: Matches) -> None:
    match_id = await matches.start("random", "random", game="castell")
    page = await matches.page(match_id)
    (seat,) = page.asked
    await ask(matches, match_id, seat)
    after = await matches.page(match_id)
    await ask(matches, match_id, seat)

    assert after.version == page.version + 1
    assert (await matches.page(match_id)).version == after.version
    assert seat not in after.asked


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("game", ["castell", "el_grande"])
async def test_what_was_taken_back_is_decided_anew(matches: Matches, game: str) -> None:
    match_id = await matches.start("random", "random", game=game)
    (seat,) = (await matches.page(match_id)).asked
    await ask(matches, match_id, seat)
    async with matches.sessions.begin() as session:
        back = await roll_back(session, match_id=match_id, to_version=1, now=LATER)
    assert (await matches.page(match_id)).asked == {seat}

    await ask(matches, match_id, seat)

    page = await matches.page(match_id)
    assert page.version == back + 1
    assert seat not in page.asked


async def test_a_seat_without_a_bot_is_left_alone(matches: Matches) -> None:
    anna, berta = await matches.person(), await matches.person("Berta")
    match_id = await matches.start(anna, berta, game="castell")
    page = await matches.page(match_id)
    (seat,) = page.asked
    await ask(matches, match_id, seat)

    assert (await matches.page(match_id)).version == page.version


@pytest.mark.usefixtures("_quick")
async def test_the_draft_of_who_left_the_seat_plays_no_part(matches: Matches) -> None:
    anna, berta = await matches.person(), await matches.person("Berta")
    match_id = await matches.start(anna, berta, game="castell")
    (seat,) = (await matches.page(match_id)).asked
    await matches.add(match_id, seat, PLACE)
    await matches.resign(match_id, seat)
    version = (await matches.page(match_id)).version
    await ask(matches, match_id, seat)

    assert (await matches.page(match_id)).version > version


@pytest.mark.usefixtures("_quick")
async def test_nobody_can_use_up_the_key_of_a_bot(matches: Matches) -> None:
    match_id = await matches.start("random", "random", game="castell")
    (seat,) = (await matches.page(match_id)).asked
    await ask(matches, match_id, seat)
    ((key,),) = await matches.run("select key from match_commands")

    for form in (CommitForm, CommitWish):
        with pytest.raises(ValidationError, match="key"):
            form(expected_version=1, key=key)


async def test_a_bot_sees_only_the_view_of_its_seat(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Any, Seat]] = []

    class Watching(RandomPolicy):
        def choose(self, view: Any, seat: Seat, *, seed: bytes, iterations: int) -> Any:
            seen.append((view, seat))
            return super().choose(view, seat, seed=seed, iterations=iterations)

    watching: Policy = Watching(CASTELL)
    monkeypatch.setattr(runner, "policy_for", lambda game, name: watching)
    match_id = await matches.start("random", "random", game="castell")
    page = await matches.page(match_id)
    (seat,) = page.asked
    await ask(matches, match_id, seat)
    async with matches.sessions.begin() as session:
        before = await history.state_at(session, match_id, codec_for("castell"), page.version)

    assert seen == [(CASTELL.view(before, seat), seat)]


async def test_a_match_that_moves_on_meanwhile_sends_the_job_back(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await matches.start("random", "random", game="castell")
    page = await matches.page(match_id)
    (seat,) = page.asked
    stale = queries.match_page

    async def late(session: Any, **arguments: Any) -> Any:
        found = await stale(session, **arguments)
        # Somebody else's answer for the same seat comes first.
        await matches.commit(match_id, seat, page.version, PLACE, key="other")
        return found

    monkeypatch.setattr(queries, "match_page", late)
    with pytest.raises(StaleMatchError):
        await ask(matches, match_id, seat)

    monkeypatch.undo()
    assert (await matches.page(match_id)).version == page.version + 1
    assert await matches.problems() == []


async def test_what_a_bot_rolls_comes_from_the_secret_of_the_match(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolled: list[bytes] = []

    class Noting(RandomPolicy):
        def choose(self, view: Any, seat: Seat, *, seed: bytes, iterations: int) -> Any:
            rolled.append(seed)
            return super().choose(view, seat, seed=seed, iterations=iterations)

    noting: Policy = Noting(CASTELL)
    monkeypatch.setattr(runner, "policy_for", lambda game, name: noting)
    match_id = await matches.start("random", "random", game="castell")
    (seat,) = (await matches.page(match_id)).asked
    await matches.run("delete from procrastinate_jobs")

    # The same decision, everything public alike: asked twice, and then with another secret.
    for secret in (b"one", b"one", b"two"):
        await matches.run("update matches set seed = :seed", seed=secret)
        with pytest.raises(RuntimeError, match="not yet"):
            async with matches.sessions.begin() as session:
                await runner.answer(session, match_id=match_id, seat=seat, now=LATER)
                raise RuntimeError("not yet")

    once, again, otherwise = rolled
    assert once == again
    assert once != otherwise
