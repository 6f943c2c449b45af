"""What is sent late keeps quiet hours as well."""

from datetime import timedelta

import pytest

from app.notifications import tasks
from app.notifications.timing import NoticeWishes
from tests.support.post import Post

pytestmark = pytest.mark.anyio

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("why", ["no mail server", "no worker"])
async def test_what_could_not_be_sent_in_time_keeps_nobody_awake(post: Post, why: str) -> None:
    """It is noon; a letter that is late by then comes when quiet hours are over."""
    wishes = NoticeWishes("immediate", quiet_from=12 * 60 + 5, quiet_until=20 * 60)
    anna = await post.person("Anna", wishes=wishes)
    match_id = await post.matches.start(anna, None, game="castell")
    if why == "no worker":
        async with post.sessions.begin() as session:
            await tasks.turn_came(session, post.clock.now(), match_id=str(match_id))
    else:
        post.box.rcpt = "451 not now"
        await post.work()
        post.box.rcpt = ""
    for _ in range(7):
        await post.work(after=HOUR)
    assert post.box.letters == []

    await post.work(after=HOUR + MINUTE)
    assert len(post.to("Anna")) == 1
    assert await post.statuses() == ["sent"]


async def test_what_is_daily_comes_in_quiet_hours_too(post: Post) -> None:
    wishes = NoticeWishes(
        "daily", daily_at=12 * 60 + 30, quiet_from=12 * 60 + 5, quiet_until=20 * 60
    )
    anna = await post.person("Anna", wishes=wishes)
    await post.matches.start(anna, None, game="castell")
    await post.work()
    await post.work(after=HOUR)

    assert len(post.to("Anna")) == 1
