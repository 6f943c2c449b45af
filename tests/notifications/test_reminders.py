"""Reminders: at the points a person has chosen, once each, and none after the move."""

from datetime import timedelta
from uuid import UUID

import pytest

from app.notifications import tasks
from app.notifications.timing import Mode, NoticeWishes
from tests.support.post import Post
from tests.support.smtp import part

pytestmark = pytest.mark.anyio

HOUR = timedelta(hours=1)
DEADLINE = """
    insert into match_deadlines
      (match_id, seat, prompt, secret, opened_version, opened_at, allotted, due_at)
    values (:id, :seat, :prompt, false, 1, :opened, cast('3 days' as interval), :due)
"""


async def clocked(post: Post, wishes: NoticeWishes) -> UUID:
    """Start a match in which Anna has three days."""
    anna = await post.person("Anna", wishes=wishes)
    match_id = await post.matches.start(anna, None, game="castell")
    page = await post.matches.page(match_id, 0)
    assert page.prompt is not None
    now = post.clock.now()
    await post.matches.run(
        DEADLINE,
        id=match_id,
        seat=0,
        prompt=page.prompt.key,
        opened=now,
        due=now + timedelta(days=3),
    )
    await post.work()
    return match_id


async def wait(post: Post, hours: int) -> None:
    """Let hours pass, the worker looking every half of one."""
    for _ in range(2 * hours):
        post.clock.advance(HOUR / 2)
        async with post.sessions.begin() as session:
            await tasks.reminders_came(session, post.clock.now())
    await post.work()


async def test_each_point_is_one_letter_and_says_until_when(post: Post) -> None:
    match_id = await clocked(post, NoticeWishes("immediate", remind_hours=(24, 2)))
    counts = [len(post.to("Anna"))]
    for hours in (47, 1, 21, 1, 2):
        await wait(post, hours)
        counts.append(len(post.to("Anna")))

    assert counts == [1, 1, 2, 2, 3, 3]
    last = part(post.to("Anna")[-1], "plain")
    assert "The match is still waiting for you." in last
    assert "Until " in last
    assert "in 2 h" in " ".join(last.split())
    assert str(match_id) in last
    assert len({letter["Message-ID"] for letter in post.to("Anna")}) == 3


@pytest.mark.parametrize("mode", ["immediate", "daily"])
@pytest.mark.parametrize(("until", "at_night"), [(8, 0), (13, 1)])
async def test_one_that_is_late_waits_for_the_morning_unless_time_runs_out_before(
    post: Post, mode: Mode, until: int, at_night: int
) -> None:
    """It is due at midnight and found at one, when it is quiet; time runs out at noon."""
    wishes = NoticeWishes(
        mode, daily_at=11 * 60, quiet_from=10, quiet_until=until * 60, remind_hours=(12,)
    )
    await clocked(post, wishes)
    await post.work(after=48 * HOUR)
    before = len(post.to("Anna"))
    post.clock.advance(12 * HOUR)
    async with post.sessions.begin() as session:
        await tasks.reminders_came(session, post.clock.now())
    await post.work(after=HOUR)
    assert len(post.to("Anna")) - before == at_night

    await post.work(after=7 * HOUR)
    assert len(post.to("Anna")) - before == 1


async def test_looking_at_a_decision_before_its_first_point_takes_no_statement(post: Post) -> None:
    await clocked(post, NoticeWishes("immediate", remind_hours=(24,)))

    async def look() -> int:
        with post.matches.counting() as statements:
            async with post.sessions.begin() as session:
                await tasks.reminders_came(session, post.clock.now())
        return len(statements)

    # The furthest point that can be chosen has passed before she was asked; then comes the next.
    await post.matches.run(
        "update match_deadlines set due_at = opened_at + cast('30 hours' as interval)"
    )
    assert await look() == 1
    post.clock.advance(7 * HOUR)
    assert await look() > 1


async def test_none_comes_after_the_move(post: Post) -> None:
    match_id = await clocked(post, NoticeWishes("immediate", remind_hours=(24,)))
    version = (await post.matches.page(match_id)).version
    await post.matches.commit(match_id, 0, version, "end")
    await wait(post, 71)

    assert len(post.to("Anna")) == 1


async def test_one_that_was_overtaken_on_its_way_is_not_sent(post: Post) -> None:
    match_id = await clocked(post, NoticeWishes("immediate", remind_hours=(24,)))
    post.box.rcpt = "451 later"
    await wait(post, 49)
    version = (await post.matches.page(match_id)).version
    await post.matches.commit(match_id, 0, version, "end")
    post.box.rcpt = ""
    await post.work(after=2 * HOUR)

    assert len(post.to("Anna")) == 1
    assert await post.statuses() == ["sent", "obsolete"]
