"""Handing mail to a real server, in each of its moods."""

import ssl
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.config import Settings, SettingsError, describe, load_settings
from app.notifications.channels.mail import Smtp, deliver, smtp_of
from app.notifications.channels.outcome import NotSentError
from app.notifications.letters import message, send, sender_of
from tests.notifications.test_letters import letter
from tests.support.proxy import make_certificate
from tests.support.smtp import Mailbox, black_hole, mail_server, part
from tests.support.web import free_port

pytestmark = pytest.mark.anyio


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    async with mail_server() as box:
        yield box


async def refusal(settings: Settings) -> NotSentError:
    with pytest.raises(NotSentError) as caught:
        await send(letter(), settings)
    return caught.value


async def test_a_letter_arrives_once(box: Mailbox) -> None:
    said = await send(letter(), box.settings())

    assert said == "250 taken"
    assert box.recipients == ["anna@example.org"]
    assert part(box.letters[0], "plain") == "Bon dia, plaça!\n"


@pytest.mark.parametrize(
    ("mood", "grade"),
    [
        ({"rcpt": "421 too busy"}, "later"),
        ({"rcpt": "450 greylisted"}, "later"),
        ({"rcpt": "452 full"}, "later"),
        ({"rcpt": "550 nobody here"}, "address"),
        ({"rcpt": "552 over quota"}, "address"),
        ({"data": "451 try again"}, "later"),
        ({"data": "554 not wanted"}, "address"),
    ],
)
async def test_a_refusal_is_told_apart(box: Mailbox, mood: dict[str, str], grade: str) -> None:
    for name, value in mood.items():
        setattr(box, name, value)
    error = await refusal(box.settings())

    assert error.grade == grade
    assert error.said == next(iter(mood.values()))
    assert not error.unknown
    assert box.letters == []


@pytest.mark.parametrize("drop", ["before", "after"])
async def test_a_connection_lost_after_the_message_leaves_it_open(box: Mailbox, drop: str) -> None:
    box.drop = drop
    error = await refusal(box.settings())

    assert (error.grade, error.unknown) == ("later", True)


async def test_nobody_listening_is_a_matter_of_time() -> None:
    error = await refusal(Settings(smtp_url=f"smtp://127.0.0.1:{free_port()}?security=none"))

    assert (error.grade, error.unknown) == ("later", False)


async def test_a_black_hole_does_not_hold_for_ever() -> None:
    async with black_hole() as port:
        started = time.monotonic()
        error = await refusal(
            Settings(smtp_url=f"smtp://127.0.0.1:{port}?security=none", smtp_timeout_seconds=1)
        )

    assert (error.grade, error.said) == ("later", "connect: no answer in time")
    assert time.monotonic() - started < 5


async def test_a_server_without_starttls_gets_neither_password_nor_letter(box: Mailbox) -> None:
    error = await refusal(Settings(smtp_url=f"smtp://anna:geheim@127.0.0.1:{box.port}"))

    assert error.grade == "host"
    assert box.tries == 0


@pytest.mark.parametrize("way", ["starttls", "tls"])
@pytest.mark.parametrize("proof", ["good", "of nobody", "of another"])
async def test_a_letter_goes_to_a_server_that_proves_who_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, proof: str
) -> None:
    certificate = make_certificate(tmp_path, "other" if proof == "of another" else "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    if proof != "of nobody":
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with mail_server(**{way: context}) as box:
        scheme = {"starttls": "smtp", "tls": "smtps"}[way]
        settings = box.settings(smtp_url=f"{scheme}://localhost:{box.port}")
        if proof == "good":
            assert await send(letter(), settings) == "250 taken"
        else:
            error = await refusal(settings)
            assert error.grade == "host"
            assert "certificate" in error.said

        assert len(box.letters) == (proof == "good")


async def test_the_dialogue_is_told_without_the_password(box: Mailbox) -> None:
    settings = box.settings(smtp_url=f"smtp://anna:geheim@127.0.0.1:{box.port}?security=none")
    smtp, sender, told = smtp_of(settings), sender_of(settings), list[str]()
    assert smtp is not None
    with pytest.raises(NotSentError) as caught:
        await deliver(
            smtp, message(letter(), sender), sender.address, letter().to, note=told.append
        )

    assert caught.value.grade == "host"
    assert any("AUTH anna" in line for line in told)
    assert "geheim" not in "\n".join(told)


def test_a_url_or_its_parts_say_where() -> None:
    url = load_settings({"SMTP_URL": "smtp://a%40b:p%2Fq@mail.test"})
    parts = load_settings(
        {"PLACA_SMTP_HOST": "mail.test", "PLACA_SMTP_USER": "a@b", "PLACA_SMTP_PASSWORD": "p/q"}
    )

    assert smtp_of(url) == smtp_of(parts) == Smtp("mail.test", 587, "a@b", "p/q", "starttls", 15)
    tls = smtp_of(load_settings({"SMTP_URL": "smtps://mail.test"}))
    assert tls == Smtp("mail.test", 465, None, None, "tls", 15)
    assert smtp_of(load_settings({})) is None
    assert not load_settings({}).sends_mail


@pytest.mark.parametrize("url", ["http://mail.test", "mail.test", "smtp://", "smtp://h?tls=no"])
def test_what_is_no_mail_server_ends_the_start(url: str) -> None:
    with pytest.raises(SettingsError, match="SMTP_URL"):
        load_settings({"SMTP_URL": url})


def test_a_password_is_never_shown() -> None:
    lines = describe({"SMTP_URL": "smtp://a:geheim@mail.test", "PLACA_SMTP_PASSWORD": "geheim"})

    assert "geheim" not in str(lines)
