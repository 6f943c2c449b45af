"""Browsers whose sessions run out by themselves: what waits there goes by what is left."""

from datetime import timedelta

import pytest

from app.accounts.channels import add_channel, channels_of
from app.accounts.queries import known_by_session, person_by_id
from app.accounts.sessions import IDLE, start_session
from app.accounts.tasks import forget_expired
from app.notifications.tasks import browsers_outlived
from app.notifications.timing import NoticeWishes
from tests.support.post import KEY, Post

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("first", [forget_expired, browsers_outlived])
async def test_what_waits_for_a_browser_goes_by_mail_when_its_session_runs_out(
    post: Post, first: object
) -> None:
    """Whichever of the two sweeps comes first."""
    wishes = NoticeWishes("coalesced", 60, turn_by="channel")
    anna = await post.person("Anna", wishes=wishes)
    began = post.clock.now() - IDLE + timedelta(minutes=30)
    async with post.sessions.begin() as session:
        person = await person_by_id(session, anna)
        assert person is not None
        token = await start_session(session, person=person, label="", now=began)
        known = await known_by_session(session, token=token, now=began)
        assert known is not None
        secret = {"url": "https://push.invalid/a", "key": "k", "token": "t"}
        await add_channel(
            session,
            person=person,
            kind="push",
            label="Firefox",
            secret=secret,
            key=KEY,
            now=began,
            session_id=known.session_id,
        )
    await post.matches.start(anna, None, game="castell")
    await post.work()
    post.clock.advance(timedelta(minutes=45))
    sweeps = [first, browsers_outlived, forget_expired]
    for sweep in sweeps:
        async with post.sessions.begin() as session:
            await sweep(session, post.clock.now())  # type: ignore[operator]  # both are sweeps

    async with post.sessions.begin() as session:
        assert await channels_of(session, anna) == ()
    assert await post.matches.count("sessions") == 0
    await post.work(after=timedelta(minutes=30))
    assert len(post.to("Anna")) == 1
