"""Who is asked to agree gets a letter, and who was told of a turn that was taken back."""

from datetime import timedelta
from uuid import UUID

import pytest

from app.matches.proposals import drop_proposal
from app.matches.rescue import roll_back
from app.notifications import tasks
from app.notifications.timing import NoticeWishes
from tests.support.clocks import Clocks, terms
from tests.support.matches import NOW
from tests.support.post import Post
from tests.support.smtp import part

pytestmark = pytest.mark.anyio

HOUR = timedelta(hours=1)
LONG = terms(days=30)
NAMES = ("Anna", "Berta", "Carla")


async def three(post: Post) -> tuple[UUID, list[UUID]]:
    """Start a match of three, and let the letters about it arrive."""
    people = [await post.person(name) for name in NAMES]
    match_id = await post.matches.start(*people, game="castell", clock=LONG)
    await Clocks(post.matches).alive(post.clock.now())
    await post.work()
    post.box.letters.clear()
    return match_id, people


async def end_turn(post: Post, match_id: UUID) -> tuple[int, int]:
    """Let whoever is asked end their turn; return their seat, and whose turn it is then."""
    page = await post.matches.page(match_id)
    (seat,) = page.asked
    await post.matches.commit(match_id, seat, page.version, "end", key="a")
    (after,) = (await post.matches.page(match_id)).asked
    return seat, after


def to(post: Post) -> list[str]:
    return sorted(str(letter["To"]).partition("@")[0] for letter in post.box.letters)


async def test_a_pause_is_asked_of_everybody_else(post: Post) -> None:
    match_id, people = await three(post)
    ahead = post.clock.now() + timedelta(days=3)
    until = ahead.replace(hour=0, minute=0, second=0, microsecond=0)
    await Clocks(post.matches).propose(
        match_id, 1, people[1], "pause", now=post.clock.now(), until=until
    )
    await post.work()

    assert to(post) == ["anna", "carla"]
    letter = post.box.letters[0]
    last = f"{until - timedelta(days=1):%a %-d %b}"
    assert f"Seat 1 asks for a pause until the end of {last} (UTC)" in str(letter["Subject"])
    assert f"https://plaza.test/matches/{match_id}/time" in part(letter, "plain")
    assert "Reply-To" not in letter
    await post.work(after=HOUR)
    assert len(post.box.letters) == 2


async def test_whoever_has_agreed_is_not_asked_again(post: Post) -> None:
    match_id, people = await three(post)
    clocks, now = Clocks(post.matches), post.clock.now()
    await clocks.propose(match_id, 1, people[1], "pause", now=now, until=now + timedelta(days=3))
    await clocks.agree(match_id, people[0], "pause", now=now)
    await post.work()

    assert to(post) == ["carla"]


async def test_what_is_off_the_table_is_not_asked(post: Post) -> None:
    match_id, people = await three(post)
    now = post.clock.now()
    until = now + timedelta(days=3)
    await Clocks(post.matches).propose(match_id, 1, people[1], "pause", now=now, until=until)
    await post.pending()
    async with post.sessions.begin() as session:
        await drop_proposal(session, match_id=match_id, person_id=people[1], kind="pause", now=now)
    await post.work()

    assert post.box.letters == []
    assert "waiting" not in await post.statuses()


async def test_the_end_of_a_pause_is_asked_of_everybody_else(post: Post) -> None:
    match_id, people = await three(post)
    clocks, now = Clocks(post.matches), post.clock.now()
    await clocks.propose(match_id, 1, people[1], "pause", now=now, until=now + timedelta(days=3))
    for who in (people[0], people[2]):
        await clocks.agree(match_id, who, "pause", now=now)
    await post.work()
    post.box.letters.clear()
    await clocks.propose(match_id, 0, people[0], "resume", now=now)
    await post.work()

    assert to(post) == ["berta", "carla"]
    assert str(post.box.letters[0]["Subject"]) == "Seat 0 asks to go on now."


async def test_taking_a_turn_back_is_asked_of_everybody_else(post: Post) -> None:
    match_id, people = await three(post)
    seat, _ = await end_turn(post, match_id)
    await post.work()
    post.box.letters.clear()
    now = post.clock.now()
    await Clocks(post.matches).propose(match_id, seat, people[seat], "undo", now=now)
    await post.work()

    assert to(post) == sorted(name.lower() for name in NAMES if name != NAMES[seat])
    subjects = {str(letter["Subject"]) for letter in post.box.letters}
    asks = "asks to take back their last turn, and all that came after it."
    assert subjects == {f"Seat {seat} {asks}"}


async def test_an_end_without_a_result_is_voted_on_when_time_has_run_out(post: Post) -> None:
    people = [await post.person(name) for name in NAMES]
    clock = terms(days=1, timeout="void")
    match_id = await post.matches.start(*people, game="castell", clock=clock)
    (seat,) = (await post.matches.page(match_id)).asked
    clocks = Clocks(post.matches)
    late = NOW + timedelta(days=2)
    await clocks.alive(late)
    assert await clocks.run_out(match_id, seat, 1, late)
    post.clock.advance(late - post.clock.now())
    await post.work()

    told = [letter for letter in post.box.letters if "time has run out" in str(letter["Subject"])]
    voters = sorted(name.lower() for name in NAMES if name != NAMES[seat])
    assert sorted(str(letter["To"]).partition("@")[0] for letter in told) == voters


async def rolled_back(post: Post, match_id: UUID, version: int) -> None:
    async with post.sessions.begin() as session:
        await roll_back(session, match_id=match_id, to_version=version, now=post.clock.now())


async def test_whoever_was_told_of_a_turn_that_is_taken_back_learns_it_once(post: Post) -> None:
    match_id, _ = await three(post)
    before, after = await end_turn(post, match_id)
    await post.work()
    assert to(post) == [NAMES[after].lower()]
    post.box.letters.clear()
    await rolled_back(post, match_id, 1)
    await post.work()

    assert to(post) == sorted([NAMES[before].lower(), NAMES[after].lower()])
    (letter,) = post.to(NAMES[after])
    assert str(letter["Subject"]).startswith("A turn was taken back: Castell with ")
    assert not str(post.to(NAMES[before])[0]["Subject"]).startswith("A turn was taken back")
    # The job may run twice.
    async with post.sessions.begin() as session:
        await tasks.turn_withdrawn(
            session, post.clock.now(), match_id=str(match_id), undone_to=1, undone_at=3
        )
    await post.work(after=HOUR)
    assert len(post.to(NAMES[after])) == 1


async def test_whoever_was_not_told_yet_hears_of_neither(post: Post) -> None:
    slow = NoticeWishes("coalesced", 30)
    people = [await post.person(name, wishes=slow) for name in NAMES]
    match_id = await post.matches.start(*people, game="castell")
    _, after = await end_turn(post, match_id)
    await post.work()
    await rolled_back(post, match_id, 1)
    await post.work()
    await post.work(after=HOUR)

    assert post.to(NAMES[after]) == []
    assert len(post.box.letters) == 1
