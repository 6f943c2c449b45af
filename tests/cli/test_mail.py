"""`placa mail test` and what the doctor says of mail."""

import logging
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from app.cli import __main__ as commands
from app.cli import app
from app.config import Settings
from app.hosting.doctor.mail import look_at_mail
from tests.support.smtp import Mailbox, mail_thread
from tests.support.web import free_port


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mail_thread() as box:
        yield box


def mail_test(address: str, **environment: str) -> tuple[int, str]:
    commands.load()
    root = logging.getLogger()
    before = root.handlers
    done = CliRunner().invoke(app, ["mail", "test", address], env=environment)
    # The command logs to an output that is gone with it.
    root.handlers = before
    return done.exit_code, done.output


def url(box: Mailbox) -> str:
    return f"smtp://127.0.0.1:{box.port}?security=none"


def test_the_conversation_is_printed_and_the_letter_arrives(box: Mailbox) -> None:
    status, said = mail_test("anna@example.org", SMTP_URL=url(box), PUBLIC_URL="https://plaza.test")

    assert status == 0
    assert "> RCPT TO:<anna@example.org>" in said
    assert "< 250 taken" in said
    assert [letter["From"] for letter in box.letters] == ["Plaça <placa@plaza.test>"]


def test_a_refusal_is_the_exit_status(box: Mailbox) -> None:
    box.rcpt = "550 nobody here"
    status, said = mail_test("anna@example.org", SMTP_URL=url(box))

    assert status == 1
    assert "not sent: 550 nobody here" in said


def test_without_a_mail_server_it_says_what_to_set() -> None:
    status, said = mail_test("anna@example.org", SMTP_URL="")

    assert status != 0
    assert "SMTP_URL" in said


def test_what_is_no_address_is_not_tried(box: Mailbox) -> None:
    status, _ = mail_test("anna", SMTP_URL=url(box))

    assert status == 2
    assert box.letters == []


def codes(settings: Settings) -> dict[str, str]:
    return {found.code: found.grade for found in look_at_mail(settings)}


def test_the_doctor_knows_each_state_of_mail(box: Mailbox) -> None:
    assert codes(Settings()) == {"mail.none": "ok"}
    assert codes(box.settings()) == {"mail.server": "ok"}
    assert codes(box.settings(public_url=None, mail_from=None)) == {
        "mail.server": "ok",
        "mail.no_links": "warning",
        "mail.sender": "warning",
    }
    away = f"smtp://127.0.0.1:{free_port()}?security=none"
    assert codes(box.settings(smtp_url=away)) == {"mail.refused": "fault"}
    assert codes(box.settings(smtp_url=f"smtp://127.0.0.1:{box.port}")) == {"mail.refused": "fault"}
    assert box.letters == []
