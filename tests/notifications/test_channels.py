"""Other channels than mail, with a real server that speaks like each service."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.accounts.channels import add_channel, channels_of, resume_channel
from app.accounts.queries import known_by_session, person_by_id
from app.accounts.service import delete_person
from app.accounts.sessions import start_session
from app.db.session import Sessions
from app.errors import InvalidError
from app.lobby.people import take_over
from app.notifications.channels.services import read
from app.notifications.channels.values import Pasted
from app.notifications.outbox import delivery_log
from app.notifications.timing import LONGEST_PAUSE, NoticeWishes
from tests.support.clock import SettableClock
from tests.support.post import AT_ONCE, KEY, Post, post_office
from tests.support.services import (
    BOT,
    CHAT,
    HOOK,
    ROOM,
    ROOM_TOKEN,
    TOPIC,
    TOPIC_TOKEN,
    WEBHOOK,
    WEBHOOK_TOKEN,
    Services,
    services,
)

pytestmark = pytest.mark.anyio

KINDS = ("discord", "ntfy", "matrix", "telegram", "webhook")
MINUTE = timedelta(minutes=1)
SECRETS = (WEBHOOK_TOKEN, TOPIC, TOPIC_TOKEN, ROOM_TOKEN, BOT, HOOK.rpartition("/")[2])


def pasted(kind: str, url: str) -> Pasted:
    """Return what somebody pastes who is reached at `url`."""
    return {
        "discord": Pasted(address=f"{url}/api/webhooks/{WEBHOOK}/{WEBHOOK_TOKEN}"),
        "ntfy": Pasted(address=f"{url}/{TOPIC}", token=TOPIC_TOKEN),
        "matrix": Pasted(address=url, room=ROOM, token=ROOM_TOKEN),
        "telegram": Pasted(token=BOT, room=CHAT),
        "webhook": Pasted(address=f"{url}{HOOK}"),
    }[kind]


@pytest.fixture
def peer() -> Iterator[Services]:
    with services() as peer:
        yield peer


@pytest.fixture
async def post(
    peer: Services,
    sessions: Sessions,
    engine: AsyncEngine,
    clock: SettableClock,
    database_url: str,
) -> AsyncIterator[Post]:
    async with post_office(
        sessions,
        engine,
        clock,
        database_url,
        notify_channels=KINDS,
        notify_allow=peer.allow,
        notify_telegram_url=peer.url,
    ) as post:
        yield post


async def channel(
    post: Post, peer: Services, person_id: UUID, kind: str = "webhook", **other: Any
) -> UUID:
    """Give the person a channel at the peer."""
    found = read(kind, Pasted(**other) if other else pasted(kind, peer.url), post.settings)
    async with post.sessions.begin() as session:
        person = await person_by_id(session, person_id)
        assert person is not None
        return await add_channel(
            session,
            person=person,
            kind=kind,
            label=found.label,
            secret=found.secret,
            key=KEY,
            now=post.clock.now(),
        )


async def anna_and_berta(
    post: Post, peer: Services, kind: str = "webhook", *, wishes: NoticeWishes = AT_ONCE
) -> tuple[UUID, UUID]:
    """Start a match of Anna, who is asked and has a channel, and Berta; return it and Anna."""
    anna = await post.person("Anna", wishes=wishes, address=None)
    berta = await post.person("Berta", address=None)
    await channel(post, peer, anna, kind)
    return await post.matches.start(anna, berta, game="castell"), anna


async def turn(post: Post, match_id: UUID) -> None:
    page = await post.matches.page(match_id)
    (seat,) = page.asked
    await post.matches.commit(match_id, seat, page.version, "end", key=str(page.version))


def words_of(kind: str, body: dict[str, Any]) -> str:
    match kind:
        case "discord":
            return str(body["content"]).replace("\\", "")
        case "ntfy":
            return f"{body['title']}\n{body['message']}\n{body['click']}"
        case "matrix":
            return str(body["body"])
        case "telegram":
            return str(body["text"])
        case _:
            return str(body["text"])


@pytest.mark.parametrize("kind", KINDS)
async def test_whoever_is_asked_is_told_what_and_where(
    post: Post, peer: Services, kind: str
) -> None:
    match_id, _ = await anna_and_berta(post, peer, kind)
    await post.work()

    (got,) = peer.got
    told = words_of(kind, got.body)
    assert "A match waits for you." in told
    assert "Your turn: Castell with Seat 1, round 1 of 10" in told
    assert f"https://plaza.test/matches/{match_id}" in told
    # Nothing in it stops or plays anything.
    assert "/notices/stop/" not in str(got.body)
    assert await post.statuses() == ["sent"]
    await post.work(after=timedelta(hours=1))
    assert len(peer.got) == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_a_wrong_secret_rests_the_channel_and_its_person_learns_why(
    post: Post, peer: Services, kind: str
) -> None:
    wrong: dict[str, dict[str, str]] = {
        "discord": {"address": f"{peer.url}/api/webhooks/{WEBHOOK}/{WEBHOOK_TOKEN[:-1]}x"},
        "ntfy": {"address": f"{peer.url}/{TOPIC}", "token": "tk_wrong"},
        "matrix": {"address": peer.url, "room": ROOM, "token": "syt_wrong_token"},
        "telegram": {"token": BOT, "room": "999"},
        "webhook": {"address": f"{peer.url}/gone"},
    }
    anna = await post.person("Anna", address=None)
    await channel(post, peer, anna, kind, **wrong[kind])
    async with post.sessions.begin() as session:
        person = await person_by_id(session, anna)
        assert person is not None
        token = await start_session(session, person=person, label="", now=post.clock.now())
    await post.matches.start(anna, None, game="castell")
    await post.work()

    async with post.sessions.begin() as session:
        (found,) = await channels_of(session, anna)
        (line,) = await delivery_log(session, anna)
        known = await known_by_session(session, token=token, now=post.clock.now())
    assert found.refusal is not None
    assert found.refusal.startswith("channel.refused 4")
    assert (line.status, line.channel_id) == ("failed", found.id)
    assert known is not None
    assert (known.channel_refused, known.mail_refused) == (True, False)


async def test_what_is_done_before_it_is_due_is_not_told(post: Post, peer: Services) -> None:
    match_id, _ = await anna_and_berta(post, peer, wishes=NoticeWishes("coalesced", 10))
    await post.work()
    await turn(post, match_id)
    await post.work(after=11 * MINUTE)

    assert peer.got == []
    assert await post.statuses() == ["obsolete"]


@pytest.mark.parametrize("mood", ["429", "503", "babble", "drop"])
async def test_after_an_outage_there_is_one_notice_a_match(
    post: Post, peer: Services, mood: str
) -> None:
    match_id, _ = await anna_and_berta(post, peer)
    peer.status = int(mood) if mood.isdigit() else 0
    peer.drop, peer.babble = mood == "drop", b"SSH-2.0-OpenSSH\r\n" if mood == "babble" else b""
    for _ in range(4):
        await post.work(after=15 * MINUTE)
        await turn(post, match_id)
    assert "sent" not in await post.statuses()
    tries = len(peer.got)
    assert tries >= 2
    peer.status, peer.drop, peer.babble = 0, False, b""
    for _ in range(3):
        await post.work(after=LONGEST_PAUSE)

    assert len(peer.got) - tries == 1
    assert (await post.statuses()).count("sent") == 1


async def test_matrix_shows_once_what_had_to_be_sent_twice(post: Post, peer: Services) -> None:
    await anna_and_berta(post, peer, "matrix")
    peer.drop = True
    await post.work()
    peer.drop = False
    await post.work(after=5 * MINUTE)

    first, second = peer.got
    assert first.path == second.path
    assert len(peer.shown) == 1
    assert await post.statuses() == ["sent"]


async def test_mail_and_a_channel_have_an_outage_each(post: Post, peer: Services) -> None:
    anna = await post.person("Anna")
    await channel(post, peer, anna)
    post.box.rcpt = "451 not now"
    await post.matches.start(anna, None, game="castell")
    await post.work()
    assert len(peer.got) == 1
    assert post.box.letters == []
    post.box.rcpt = ""
    await post.work(after=5 * MINUTE)

    assert len(post.box.letters) == 1
    assert len(peer.got) == 1


@pytest.mark.parametrize(
    ("by", "letters", "notices"), [("mail", 1, 0), ("channel", 0, 1), ("both", 1, 1)]
)
async def test_a_person_chooses_the_road(
    post: Post, peer: Services, by: Any, letters: int, notices: int
) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes("immediate", turn_by=by))
    await channel(post, peer, anna)
    await post.matches.start(anna, None, game="castell")
    await post.work()

    assert (len(post.box.letters), len(peer.got)) == (letters, notices)


async def test_where_mail_is_refused_the_channel_takes_over(post: Post, peer: Services) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes("immediate", turn_by="mail"))
    await channel(post, peer, anna)
    berta = await post.person("Berta", address=None)
    match_id = await post.matches.start(anna, berta, game="castell")
    post.box.rcpt = "550 nobody here"
    await post.work()
    # What the mail should have told is told as well.
    assert len(peer.got) == 1
    while 0 in (await post.matches.page(match_id)).asked:
        await turn(post, match_id)
    while 0 not in (await post.matches.page(match_id)).asked:
        await turn(post, match_id)
    await post.work()

    assert post.box.letters == []
    assert len(peer.got) == 2


async def test_a_channel_that_never_answers_rests_after_days_and_mail_takes_over(
    post: Post, peer: Services
) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes("immediate", turn_by="channel"))
    await channel(post, peer, anna)
    await post.matches.start(anna, None, game="castell")
    peer.status = 503
    for _ in range(11):
        await post.work(after=timedelta(hours=6))
        assert post.box.letters == []
    async with post.sessions.begin() as session:
        (found,) = await channels_of(session, anna)
    assert found.refused_at is None

    for _ in range(4):
        await post.work(after=timedelta(hours=6))
    async with post.sessions.begin() as session:
        (found,) = await channels_of(session, anna)
    assert found.refusal is not None
    assert "503" in found.refusal
    assert len(post.box.letters) == 1


async def test_a_daily_notice_tells_of_all_matches_and_of_nothing_twice(
    post: Post, peer: Services
) -> None:
    anna = await post.person("Anna", wishes=NoticeWishes("daily", daily_at=0), address=None)
    await channel(post, peer, anna, "discord")
    ids = [await post.matches.start(anna, None, game="castell") for _ in range(3)]
    await post.work()
    await post.work(after=timedelta(days=1))

    (got,) = peer.got
    assert "3 matches wait for you" in got.body["content"]
    assert all(str(match_id) in got.body["content"].replace("\\", "") for match_id in ids)


async def test_a_channel_of_another_key_says_so(post: Post, peer: Services) -> None:
    _, anna = await anna_and_berta(post, peer)
    changed = post.settings.model_copy(update={"secret_key": "another key, as long as it must be"})
    post.settings = changed
    await post.work()

    assert peer.got == []
    async with post.sessions.begin() as session:
        (found,) = await channels_of(session, anna)
    assert found.refusal == "channel.key"


@pytest.mark.parametrize(
    ("change", "code", "rests"),
    [
        ({"notify_channels": ("discord",)}, "channel.off", False),
        (
            {"notify_allow": (), "notify_telegram_url": "https://api.telegram.org"},
            "channel.inside",
            True,
        ),
    ],
)
async def test_what_the_host_does_not_allow_any_more_is_not_sent(
    post: Post, peer: Services, change: dict[str, Any], code: str, rests: bool
) -> None:
    _, anna = await anna_and_berta(post, peer)
    post.settings = post.settings.model_copy(update=change)
    await post.work()

    assert peer.got == []
    async with post.sessions.begin() as session:
        (found,) = await channels_of(session, anna)
        (line,) = await delivery_log(session, anna)
    assert line.said == code
    assert (found.refused_at is not None) == rests
    async with post.sessions.begin() as session:
        await resume_channel(session, person_id=anna, channel_id=found.id)
        (again,) = await channels_of(session, anna)
    assert again.refused_at is None


async def test_no_secret_lies_open_or_is_logged(
    post: Post, peer: Services, capsys: pytest.CaptureFixture[str]
) -> None:
    anna = await post.person("Anna", address=None)
    for kind in KINDS[:4]:
        await channel(post, peer, anna, kind)
    peer.status = 503
    await post.matches.start(anna, None, game="castell")
    await post.work()
    peer.status = 404
    await post.work(after=timedelta(hours=1))
    tables = await post.matches.dump("channels", "notices", "procrastinate_jobs")
    async with post.sessions.begin() as session:
        labels = [one.label for one in await channels_of(session, anna)]
    printed = "".join(capsys.readouterr())

    assert len(peer.got) == 8
    for secret in SECRETS:
        for place in (str(tables), printed, *labels):
            assert secret not in place
    assert len(set(labels)) == 4


async def test_a_channel_goes_with_its_person(post: Post, peer: Services) -> None:
    anna, berta = [await post.person(name, address=None) for name in ("Anna", "Berta")]
    await channel(post, peer, anna)
    async with post.sessions.begin() as session:
        guest, person = [await person_by_id(session, who) for who in (anna, berta)]
        assert guest is not None
        assert person is not None
        await take_over(session, guest=guest, person=person)
        (moved,) = await channels_of(session, berta)
    assert moved.opened(KEY)["url"] == f"{peer.url}{HOOK}"

    async with post.sessions.begin() as session:
        await delete_person(session, person=person)
        assert await channels_of(session, berta) == ()


async def test_nobody_has_more_channels_than_they_need(post: Post, peer: Services) -> None:
    anna = await post.person("Anna", address=None)
    for _ in range(4):
        await channel(post, peer, anna)
    with pytest.raises(InvalidError) as refused:
        await channel(post, peer, anna)

    assert refused.value.code == "channel.too_many"
