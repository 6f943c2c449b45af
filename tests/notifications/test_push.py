"""Notices in browsers, with a push service that checks who sends and opens what is sent."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.channels import Channel, add_channel, channels_of
from app.accounts.queries import known_by_session, person_by_id
from app.accounts.sessions import end_session, end_sessions, start_session
from app.config import Settings
from app.db.session import Sessions
from app.errors import InvalidError
from app.notifications import tasks
from app.notifications.channels.push import SIZE, plain
from app.notifications.channels.services import host_of, read
from app.notifications.channels.values import Pasted, Short
from app.notifications.channels.vapid import public_key
from app.notifications.leaving import leave_channel
from app.notifications.outbox import LogLine, delivery_log, note_test
from app.notifications.timing import NoticeWishes
from tests.notifications.test_reminders import DEADLINE
from tests.support.clock import SettableClock
from tests.support.post import KEY, Post, post_office
from tests.support.push import PushService, Subscriber, encoded, push_service

pytestmark = pytest.mark.anyio

HOUR = timedelta(hours=1)
ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc"
BROWSER = Subscriber(public_key(KEY))


@pytest.fixture
def service(clock: SettableClock) -> Iterator[PushService]:
    with push_service(lambda: clock.now().timestamp()) as service:
        yield service
    assert service.faults == []


@pytest.fixture
async def post(
    service: PushService,
    sessions: Sessions,
    engine: AsyncEngine,
    clock: SettableClock,
    database_url: str,
) -> AsyncIterator[Post]:
    async with post_office(
        sessions, engine, clock, database_url, notify_allow=service.allow
    ) as post:
        yield post


def pasted(one: Subscriber, url: str) -> Pasted:
    form = one.form(url)
    return Pasted(address=form["endpoint"], key=form["p256dh"], token=form["auth"])


async def subscribe(
    post: Post, service: PushService, person_id: UUID, *, token: str | None = None
) -> tuple[Subscriber, str]:
    """Let the person subscribe on a new device, or that of `token`; return it and its cookie."""
    one = service.subscribe(public_key(KEY))
    found = read("push", pasted(one, service.url), post.settings)
    now = post.clock.now()
    async with post.sessions.begin() as session:
        person = await person_by_id(session, person_id)
        assert person is not None
        token = token or await start_session(session, person=person, label="", now=now)
        known = await known_by_session(session, token=token, now=now)
        assert known is not None
        await add_channel(
            session,
            person=person,
            kind="push",
            label=f"Firefox · {one.name}",
            secret=found.secret,
            key=KEY,
            now=now,
            session_id=known.session_id,
        )
    return one, token


async def mine(post: Post, person_id: UUID) -> tuple[Channel, ...]:
    async with post.sessions.begin() as session:
        return await channels_of(session, person_id)


async def log_of(post: Post, person_id: UUID) -> tuple[LogLine, ...]:
    async with post.sessions.begin() as session:
        return await delivery_log(session, person_id)


async def play_until(post: Post, match_id: UUID, whose: int) -> None:
    """Let turns end, at least one, until it is that seat's."""
    first = True
    while first or whose not in (await post.matches.page(match_id)).asked:
        page = await post.matches.page(match_id)
        (seat,) = page.asked
        await post.matches.commit(match_id, seat, page.version, "end", key=str(page.version))
        first = False


async def test_a_browser_is_told_what_and_where_and_the_service_nothing(
    post: Post, service: PushService
) -> None:
    anna = await post.person("Anna", address=None)
    await subscribe(post, service, anna)
    match_id = await post.matches.start(anna, None, game="castell")
    await post.work()
    await post.work(after=HOUR)

    (got,) = service.got
    assert got.told == {
        "title": "A match waits for you.",
        "body": "Your turn: Castell with Seat 1, round 1 of 10",
        "link": f"https://plaza.test/matches/{match_id}",
        "tag": got.headers["topic"],
    }
    assert str(match_id) not in str(got.headers)
    assert (got.headers["urgency"], got.headers["ttl"]) == ("normal", "259200")
    assert await post.statuses() == ["sent"]


async def test_of_one_match_the_last_notice_is_left_and_others_stay(
    post: Post, service: PushService
) -> None:
    anna = await post.person("Anna", address=None)
    await subscribe(post, service, anna)
    berta = await post.person("Berta", address=None)
    first = await post.matches.start(anna, berta, game="castell")
    await post.matches.start(anna, None, game="castell")
    await post.work()
    await play_until(post, first, 0)
    await post.work()

    assert len(service.got) == 3
    assert sorted(push.told["tag"] for push in service.waiting.values()) == sorted(
        {push.told["tag"] for push in service.got}
    )
    assert len(service.waiting) == 2
    assert {push.length for push in service.got} == {SIZE + 103}


async def test_two_people_have_no_topic_in_common(post: Post, service: PushService) -> None:
    people = [await post.person(name, address=None) for name in ("Anna", "Berta")]
    for one in people:
        await subscribe(post, service, one)
    match_id = await post.matches.start(*people, game="castell")
    await post.work()
    await play_until(post, match_id, 1)
    await post.work()

    assert {push.name for push in service.got} == set(service.subscribers)
    assert len({push.headers["topic"] for push in service.got}) == 2


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten_and_the_turn_told_by_mail(
    post: Post, service: PushService, status: int
) -> None:
    wishes = NoticeWishes("immediate", turn_by="channel")
    anna = await post.person("Anna", wishes=wishes)
    one, token = await subscribe(post, service, anna)
    service.status = status
    await post.matches.start(anna, None, game="castell")
    await post.work()
    await post.work()

    assert await mine(post, anna) == ()
    assert len(post.box.letters) == 1
    lines = {(line.status, line.said) for line in await log_of(post, anna)}
    assert ("failed", f"channel.gone Firefox · {one.name}") in lines
    async with post.sessions.begin() as session:
        known = await known_by_session(session, token=token, now=post.clock.now())
    assert known is not None
    # Nobody has to mend anything.
    assert not known.channel_refused


async def test_what_waited_for_a_browser_that_is_gone_goes_by_mail(
    post: Post, service: PushService
) -> None:
    """The notices of other matches, which are forgotten with it, and no test."""
    anna = await post.person("Anna", wishes=NoticeWishes("immediate", turn_by="channel"))
    await subscribe(post, service, anna)
    (channel,) = await mine(post, anna)
    service.status = 503
    for _ in range(2):
        await post.matches.start(anna, None, game="castell")
    async with post.sessions.begin() as session:
        await note_test(session, anna, channel.id, now=post.clock.now())
    await post.work()
    service.status = 410
    await post.work(after=2 * HOUR)
    await post.work()

    assert len(post.box.letters) == 2
    assert await mine(post, anna) == ()


async def test_a_browser_that_has_subscribed_anew_meanwhile_is_not_forgotten(
    post: Post, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ran out is gone, as the push service says while the browser tells us of the new one."""
    anna = await post.person("Anna", wishes=NoticeWishes("immediate", turn_by="channel"))
    former, token = await subscribe(post, service, anna)
    loop, answer = asyncio.get_running_loop(), service.answer

    def renewing(path: str, headers: dict[str, str], body: bytes) -> int:
        if service.subscribers.pop(former.name, None) is not None:
            renewed = subscribe(post, service, anna, token=token)
            asyncio.run_coroutine_threadsafe(renewed, loop).result()
        return answer(path, headers, body)

    monkeypatch.setattr(service, "answer", renewing)
    await post.matches.start(anna, None, game="castell")
    await post.work()
    assert len(await mine(post, anna)) == 1
    await post.work()

    (got,) = service.got
    assert got.name != former.name
    assert post.box.letters == []


async def test_what_a_browser_did_not_take_while_it_was_given_up_goes_by_mail(
    post: Post, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes("immediate", turn_by="channel"))
    await subscribe(post, service, anna)
    loop = asyncio.get_running_loop()

    async def give_up() -> None:
        (here,) = await mine(post, anna)
        async with post.sessions.begin() as session:
            now = post.clock.now()
            await leave_channel(session, person_id=anna, channel_id=here.id, now=now)

    def leaving(path: str, headers: dict[str, str], body: bytes) -> int:
        asyncio.run_coroutine_threadsafe(give_up(), loop).result()
        return 503

    monkeypatch.setattr(service, "answer", leaving)
    await post.matches.start(anna, None, game="castell")
    await post.work()
    await post.work()

    assert await mine(post, anna) == ()
    assert len(post.box.letters) == 1


async def test_another_browser_goes_on_when_one_is_gone(post: Post, service: PushService) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes("immediate", turn_by="channel"))
    gone, _ = await subscribe(post, service, anna)
    stays, _ = await subscribe(post, service, anna)
    del service.subscribers[gone.name]
    await post.matches.start(anna, None, game="castell")
    await post.work()
    await post.work()

    assert [push.name for push in service.got] == [stays.name]
    assert len(await mine(post, anna)) == 1
    assert post.box.letters == []


@pytest.mark.parametrize(
    ("status", "statuses", "rests"),
    [
        (413, ["failed"], False),
        (429, ["waiting"], False),
        (500, ["waiting"], False),
        (503, ["waiting"], False),
        (400, ["failed"], True),
        (403, ["failed"], True),
    ],
)
async def test_what_a_push_service_says_is_understood(
    post: Post, service: PushService, status: int, statuses: list[str], rests: bool
) -> None:
    anna = await post.person("Anna", address=None)
    await subscribe(post, service, anna)
    service.status = status
    await post.matches.start(anna, None, game="castell")
    await post.work()

    assert await post.statuses() == statuses
    (channel,) = await mine(post, anna)
    assert (channel.refused_at is not None) == rests


async def test_a_browser_obeys_the_way_the_hours_and_the_delay(
    post: Post, service: PushService
) -> None:
    quiet = NoticeWishes("immediate", quiet_from=11 * 60, quiet_until=14 * 60)
    anna = await post.person("Anna", wishes=quiet, address=None)
    berta = await post.person("Berta", wishes=NoticeWishes("immediate", turn_by="mail"))
    carla = await post.person("Carla", wishes=NoticeWishes("coalesced", 30), address=None)
    for one in (anna, berta, carla):
        await subscribe(post, service, one)
        await post.matches.start(one, None, game="castell")
    await post.work()
    assert service.got == []
    assert len(post.box.letters) == 1
    await post.work(after=HOUR)
    assert len(service.got) == 1
    await post.work(after=2 * HOUR)

    assert len(service.got) == 2


async def test_who_signs_out_is_told_nothing_there(post: Post, service: PushService) -> None:
    anna = await post.person("Anna", address=None)
    _, token = await subscribe(post, service, anna)
    stays, _ = await subscribe(post, service, anna)
    async with post.sessions.begin() as session:
        await end_session(session, token=token)
    await post.matches.start(anna, None, game="castell")
    await post.work()
    assert [push.name for push in service.got] == [stays.name]
    async with post.sessions.begin() as session:
        await end_sessions(session, person_id=anna)

    assert await mine(post, anna) == ()


async def test_a_new_session_on_the_device_keeps_its_notices_for_the_same_person(
    post: Post, service: PushService
) -> None:
    anna, berta = [await post.person(name, address=None) for name in ("Anna", "Berta")]
    _, token = await subscribe(post, service, anna)
    now = post.clock.now()
    async with post.sessions.begin() as session:
        people = [await person_by_id(session, who) for who in (anna, berta)]
        assert people[0] is not None
        assert people[1] is not None
        again = await start_session(session, person=people[0], label="", now=now, instead_of=token)
    assert len(await mine(post, anna)) == 1
    async with post.sessions.begin() as session:
        await start_session(session, person=people[1], label="", now=now, instead_of=again)

    assert await mine(post, anna) == ()
    assert await mine(post, berta) == ()


async def test_nobody_is_told_in_more_browsers_than_they_use(
    post: Post, service: PushService
) -> None:
    anna = await post.person("Anna", address=None)
    for _ in range(8):
        await subscribe(post, service, anna)
    with pytest.raises(InvalidError) as refused:
        await subscribe(post, service, anna)

    assert refused.value.code == "channel.too_many_browsers"


async def test_what_waits_for_a_browser_reaches_what_has_taken_its_place(
    post: Post, service: PushService
) -> None:
    anna = await post.person("Anna", address=None)
    _, token = await subscribe(post, service, anna)
    service.status = 503
    await post.matches.start(anna, None, game="castell")
    await post.work()
    assert await post.statuses() == ["waiting"]
    service.status = 403
    (channel,) = await mine(post, anna)
    async with post.sessions.begin() as session:
        await note_test(session, anna, channel.id, now=post.clock.now())
    await post.work()
    fresh, _ = await subscribe(post, service, anna, token=token)
    service.status = 0
    await post.work(after=HOUR)

    assert [push.name for push in service.got] == [fresh.name]
    (channel,) = await mine(post, anna)
    assert channel.refusal is None


async def test_a_browser_of_another_key_says_so(post: Post, service: PushService) -> None:
    anna = await post.person("Anna", address=None)
    await subscribe(post, service, anna)
    other = {"secret_key": "another key, as long as it must be"}
    post.settings = post.settings.model_copy(update=other)
    await post.matches.start(anna, None, game="castell")
    await post.work()

    (channel,) = await mine(post, anna)
    assert channel.refusal == "channel.key"
    assert service.got == []


async def test_no_secret_of_a_browser_lies_open_or_is_logged(
    post: Post, service: PushService, capsys: pytest.CaptureFixture[str]
) -> None:
    anna = await post.person("Anna", address=None)
    one = service.subscribe(public_key(KEY))
    found = read("push", pasted(one, service.url), post.settings)
    async with post.sessions.begin() as session:
        person = await person_by_id(session, anna)
        assert person is not None
        await add_channel(
            session,
            person=person,
            kind="push",
            label="Firefox",
            secret=found.secret,
            key=KEY,
            now=post.clock.now(),
        )
    await post.matches.start(anna, None, game="castell")
    service.status = 503
    await post.work()
    service.status = 410
    await post.work(after=HOUR)
    tables = await post.matches.dump("channels", "notices", "procrastinate_jobs")
    printed = "".join(capsys.readouterr())

    for secret in (one.name, encoded(one.point), encoded(one.auth)):
        assert secret not in f"{tables} {printed} {found.label}"


@pytest.mark.parametrize(
    "url",
    [
        ENDPOINT,
        "https://fcm.googleapis.com/wp/f3:APA91b",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA",
        "https://web.push.apple.com/QPJ",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYA%2bx" + "A" * 700,
    ],
)
def test_the_push_services_of_the_browsers_are_known(url: str) -> None:
    found = read("push", replace(pasted(BROWSER, ""), address=url), Settings())

    assert found.secret["url"] == url


def test_what_is_too_long_for_a_browser_loses_lines_and_not_the_link() -> None:
    short = Short("é" * 250, "\n".join(["“" * 100] * 12), "https://plaza.test/m", thread="t" * 32)
    raw = plain(short)

    assert SIZE - 400 < len(raw) <= SIZE
    assert b"https://plaza.test/m" in raw


@pytest.mark.parametrize(
    ("values", "contact"),
    [
        ({"public_url": "https://plaza.test"}, "https://plaza.test"),
        (
            {"public_url": "http://plaza.test", "mail_from": "P <p@plaza.test>"},
            "mailto:p@plaza.test",
        ),
        ({}, "mailto:placa@localhost"),
    ],
)
def test_a_push_service_learns_whom_to_turn_to(values: dict[str, Any], contact: str) -> None:
    assert host_of(Settings(**values)).contact == contact


async def test_a_reminder_is_urgent_and_takes_the_place_of_the_first_notice(
    post: Post, service: PushService
) -> None:
    wishes = NoticeWishes("immediate", remind_hours=(2,))
    anna = await post.person("Anna", wishes=wishes, address=None)
    await subscribe(post, service, anna)
    match_id = await post.matches.start(anna, None, game="castell")
    page = await post.matches.page(match_id, 0)
    assert page.prompt is not None
    now = post.clock.now()
    what = {"id": match_id, "seat": 0, "prompt": page.prompt.key}
    await post.matches.run(DEADLINE, **what, opened=now, due=now + 3 * HOUR)
    await post.work()
    post.clock.advance(1.5 * HOUR)
    async with post.sessions.begin() as session:
        await tasks.reminders_came(session, post.clock.now())
    await post.work()

    assert [push.headers["urgency"] for push in service.got] == ["normal", "high"]
    (left,) = service.waiting.values()
    assert left.told["title"] == "The match is still waiting for you."
