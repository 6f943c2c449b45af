"""The roads by which mails come in: a port, a mailbox, posts."""

import asyncio
import smtplib
import socket
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.config import Settings, SettingsError, load_settings
from app.db.session import Sessions
from app.main import create_app
from app.notifications.replies.inbox import Inbox
from app.notifications.replies.roads import open_roads
from app.notifications.replies.roads.mailbox import MailboxError, look
from app.notifications.replies.service import LONGEST_MAIL
from tests.support.clock import SettableClock
from tests.support.imap import DOVECOT, ImapServer, imap_server
from tests.support.mails import SETTINGS, Correspondence, mail
from tests.support.matches import Matches
from tests.support.web import free_port

pytestmark = pytest.mark.anyio

SECRET = "what only the mail server knows"


@pytest.fixture
async def castell(sessions: Sessions, engine: AsyncEngine, clock: SettableClock) -> Correspondence:
    match = await Correspondence.of(Matches(sessions, engine))
    match.now = clock.now()
    return match


async def letter(match: Correspondence, text: str = "1") -> tuple[str, str, bytes]:
    """Return who answers the letter of this moment, where to, and the mail."""
    seat = await match.asked()
    where, sender = await match.address(seat), f"seat{seat}@friends.test"
    return sender, where, mail(text, to=where, sender=sender)


# A port


@pytest.fixture(params=["lmtp", "smtp"])
async def port(
    request: pytest.FixtureRequest, sessions: Sessions, clock: SettableClock
) -> AsyncIterator[Callable[[], smtplib.SMTP]]:
    number = free_port()
    listen = f"{request.param}://127.0.0.1:{number}"
    client = smtplib.LMTP if request.param == "lmtp" else smtplib.SMTP
    settings = SETTINGS.model_copy(update={"reply_listen": listen})
    async with open_roads(settings, sessions, clock):
        yield lambda: client("127.0.0.1", number)


async def in_thread(port: Callable[[], smtplib.SMTP], talk: Callable[[smtplib.SMTP], Any]) -> Any:
    def run() -> Any:
        with port() as client:
            client.ehlo_or_helo_if_needed()
            return talk(client)

    return await asyncio.to_thread(run)


def sendmail(client: smtplib.SMTP, *, sender: str, to: str, raw: bytes) -> None:
    client.sendmail(sender, [to], raw)


async def test_a_mail_that_was_taken_has_been_played(
    castell: Correspondence, port: Callable[[], smtplib.SMTP]
) -> None:
    sender, where, raw = await letter(castell, "1\ncommit")
    before = await castell.asked()

    assert await in_thread(port, lambda client: client.sendmail(sender, [where], raw)) == {}
    assert await castell.asked() != before


async def test_nobody_else_is_reached_here(
    castell: Correspondence, port: Callable[[], smtplib.SMTP]
) -> None:
    sender, where, raw = await letter(castell)
    forged = where.replace(where[8], "a" if where[8] != "a" else "b")

    for address in ("play@plaza.test", "somebody@else.test", forged):
        talk = partial(sendmail, sender=sender, to=address, raw=raw)
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            await in_thread(port, talk)
        assert refused.value.recipients[address][0] == 550
    assert await castell.matches.count("incoming_mails") == 0


async def test_a_mail_of_nobody_does_not_play(
    castell: Correspondence, port: Callable[[], smtplib.SMTP]
) -> None:
    _, where, raw = await letter(castell)
    await in_thread(port, lambda client: client.sendmail("", [where], raw))

    assert await castell.matches.count("incoming_mails") == 0


async def test_one_mail_goes_to_one_decision(
    castell: Correspondence, port: Callable[[], smtplib.SMTP]
) -> None:
    sender, where, _ = await letter(castell)
    other = await castell.address(1 - await castell.asked())

    def two(client: smtplib.SMTP) -> list[int]:
        client.mail(sender)
        return [client.rcpt(where)[0], client.rcpt(other)[0]]

    assert await in_thread(port, two) == [250, 452]


async def test_a_mail_that_is_too_long_is_refused(
    castell: Correspondence, port: Callable[[], smtplib.SMTP]
) -> None:
    sender, where, _ = await letter(castell)
    raw = mail("x" * 70 + "\r\n" + ("y" * 70 + "\r\n") * 15_000, to=where, sender=sender)
    assert len(raw) > LONGEST_MAIL

    with pytest.raises(smtplib.SMTPResponseException) as refused:
        await in_thread(port, lambda client: client.sendmail(sender, [where], raw))
    assert refused.value.smtp_code == 552


async def test_without_a_database_the_mail_server_is_told_to_come_again(
    castell: Correspondence, port: Callable[[], smtplib.SMTP]
) -> None:
    sender, where, raw = await letter(castell)
    await castell.matches.run("alter table incoming_mails rename to elsewhere")
    try:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            await in_thread(port, lambda client: client.sendmail(sender, [where], raw))
    finally:
        await castell.matches.run("alter table elsewhere rename to incoming_mails")

    assert refused.value.smtp_code == 451
    assert await in_thread(port, lambda client: client.sendmail(sender, [where], raw)) == {}
    assert await castell.matches.count("incoming_mails") == 1


async def test_a_host_without_an_address_opens_no_port(sessions: Sessions) -> None:
    number = free_port()
    settings = Settings(reply_listen=f"lmtp://127.0.0.1:{number}", secret_key=SETTINGS.secret_key)
    async with open_roads(settings, sessions):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", number), timeout=1)


# A mailbox


@pytest.fixture(scope="module")
def dovecot() -> Any:
    if DOVECOT is None:
        pytest.skip("needs Dovecot: apt-get install dovecot-imapd")
    with imap_server() as server:
        yield server


@pytest.fixture
def inbox(sessions: Sessions, clock: SettableClock) -> Inbox:
    made = Inbox.of(SETTINGS, sessions, clock)
    assert made is not None
    return made


async def test_a_mailbox_is_emptied_of_what_is_unread(
    castell: Correspondence, dovecot: ImapServer, inbox: Inbox
) -> None:
    _, _, raw = await letter(castell, "1\ncommit")
    before = await castell.asked()
    await asyncio.to_thread(dovecot.deliver, b"From: a@b.example\r\n\r\nnot for us\r\n", raw, raw)

    assert await look(dovecot.url, inbox) == 3
    assert await castell.asked() != before
    assert await castell.matches.count("incoming_mails") == 1
    assert await asyncio.to_thread(dovecot.unread) == 0
    assert await look(dovecot.url, inbox) == 0


async def test_a_mail_that_could_not_be_taken_in_stays_unread(
    castell: Correspondence, dovecot: ImapServer, inbox: Inbox
) -> None:
    _, _, raw = await letter(castell)
    await asyncio.to_thread(dovecot.deliver, raw)
    await castell.matches.run("alter table incoming_mails rename to elsewhere")
    try:
        with pytest.raises(Exception, match="incoming_mails"):
            await look(dovecot.url, inbox)
    finally:
        await castell.matches.run("alter table elsewhere rename to incoming_mails")

    assert await asyncio.to_thread(dovecot.unread) == 1
    assert await look(dovecot.url, inbox) == 1
    assert await castell.matches.count("incoming_mails") == 1


async def test_a_mail_that_breaks_something_holds_up_no_other(
    castell: Correspondence, dovecot: ImapServer, inbox: Inbox
) -> None:
    sender, where, raw = await letter(castell, "1\ncommit")
    before = await castell.asked()
    poison = mail("what?", to=where, sender=sender, message_id="<poison@mail.test>")
    await asyncio.to_thread(dovecot.deliver, poison, raw)
    await castell.matches.run(
        "alter table incoming_mails add constraint p check (answers <> 'poison@mail.test')"
    )
    try:
        with pytest.raises(IntegrityError):
            await look(dovecot.url, inbox)
    finally:
        await castell.matches.run("alter table incoming_mails drop constraint p")

    assert await castell.asked() != before
    assert await asyncio.to_thread(dovecot.unread) == 1
    assert await look(dovecot.url, inbox) == 1


async def test_a_mail_that_is_too_long_is_left_alone(
    castell: Correspondence, dovecot: ImapServer, inbox: Inbox
) -> None:
    sender, where, _ = await letter(castell)
    raw = mail(("y" * 70 + "\r\n") * 15_000, to=where, sender=sender)
    await asyncio.to_thread(dovecot.deliver, raw)

    assert await look(dovecot.url, inbox) == 1
    assert await castell.matches.count("incoming_mails") == 0


async def test_the_mailbox_is_watched_while_the_worker_runs(
    castell: Correspondence, dovecot: ImapServer, sessions: Sessions, clock: SettableClock
) -> None:
    _, _, raw = await letter(castell, "1\ncommit")
    before = await castell.asked()
    settings = SETTINGS.model_copy(update={"reply_imap_url": dovecot.url, "reply_imap_seconds": 1})
    async with open_roads(settings, sessions, clock):
        await asyncio.to_thread(dovecot.deliver, raw)
        async with asyncio.timeout(20):
            while await castell.asked() == before:  # noqa: ASYNC110 - the mailbox tells nobody
                await asyncio.sleep(0.2)


async def test_a_mailbox_that_cannot_be_opened_says_why(dovecot: ImapServer, inbox: Inbox) -> None:
    with pytest.raises(MailboxError, match=r"(?i)auth"):
        await look(dovecot.url.replace("p%40ss", "wrong"), inbox)
    with pytest.raises(MailboxError):
        await look(f"imap://a:b@127.0.0.1:{free_port()}/INBOX?security=none", inbox)


# Posts


@pytest.fixture
async def web(database_url: str, clock: SettableClock) -> AsyncIterator[FastAPI]:
    settings = SETTINGS.model_copy(
        update={"database_url": database_url, "reply_secret": SECRET, "public_url": None}
    )
    app = create_app(settings, clock=clock)
    yield app
    await app.state.engine.dispose()


async def post(app: FastAPI, raw: bytes, *, to: str = "", secret: str | None = SECRET) -> Any:
    headers = {"Content-Type": "message/rfc822"}
    if secret is not None:
        headers["Authorization"] = f"Bearer {secret}"
    async with AsyncClient(transport=ASGITransport(app), base_url="http://localhost") as client:
        return await client.post(
            "/api/incoming-mail", content=raw, headers=headers, params={"to": to} if to else {}
        )


async def test_a_posted_mail_is_played(castell: Correspondence, web: FastAPI) -> None:
    _, where, raw = await letter(castell, "1\ncommit")
    before = await castell.asked()
    answer = await post(web, raw, to=where)

    assert (answer.status_code, answer.json()) == (200, {"result": "played"})
    assert await castell.asked() != before
    assert (await post(web, raw)).json() == {"result": "duplicate"}


@pytest.mark.parametrize("secret", [None, "", "what only the mail server know", SECRET + " "])
async def test_nobody_posts_without_the_secret(
    castell: Correspondence, web: FastAPI, secret: str | None
) -> None:
    _, _, raw = await letter(castell)

    assert (await post(web, raw, secret=secret)).status_code == 401
    assert await castell.matches.count("incoming_mails") == 0


async def test_a_posted_mail_may_be_longer_than_a_form_but_not_too_long(
    castell: Correspondence, web: FastAPI
) -> None:
    sender, where, _ = await letter(castell)
    picture = "\r\n".join(["1", "", "-- ", *["x" * 70] * 5_000])
    too_long = mail("y" * LONGEST_MAIL, to=where, sender=sender)

    assert (await post(web, mail(picture, to=where, sender=sender))).json() == {"result": "drafted"}
    assert (await post(web, too_long)).status_code == 413


async def test_the_roads_of_one_mail_lead_to_one_move(
    castell: Correspondence, web: FastAPI, dovecot: ImapServer, inbox: Inbox
) -> None:
    _, where, raw = await letter(castell, "1\ncommit")
    before = (await castell.page(0)).version
    await asyncio.to_thread(dovecot.deliver, raw)
    await asyncio.gather(post(web, raw), inbox.take(raw, where), look(dovecot.url, inbox))

    assert (await castell.page(0)).version == before + 1


# Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PLACA_REPLY_LISTEN", "127.0.0.1:24"),
        ("PLACA_REPLY_LISTEN", "lmtp://127.0.0.1"),
        ("PLACA_REPLY_IMAP_URL", "imaps://mail.example.org"),
        ("PLACA_REPLY_IMAP_URL", "pop3://a:b@mail.example.org"),
        ("PLACA_REPLY_SECRET", "short"),
    ],
)
def test_a_road_that_leads_nowhere_is_refused_at_the_start(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings({name: value})
