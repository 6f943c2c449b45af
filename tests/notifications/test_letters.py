"""A letter becomes one correct message, whatever people call themselves."""

import email
import email.policy
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from app.config import Settings
from app.notifications.letters import Attachment, Letter, Sender, message, message_id, sender_of
from tests.support.smtp import part

SENDER = Sender("Plaça", "play@plaza.test")
AT = datetime(2026, 9, 24, 12, tzinfo=UTC)
BREAKS = (
    "\r\n",
    "\n",
    "\r",
    "\0",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
)


def letter(**changes: object) -> Letter:
    values: dict[str, object] = {
        "to": "anna@example.org",
        "subject": "Your turn",
        "text": "Bon dia, plaça!\n",
        "message_id": message_id(SENDER, "match", 1),
        "at": AT,
    }
    return Letter(**{**values, **changes})  # type: ignore[arg-type]  # the fields are named above


def received(sent: Letter) -> EmailMessage:
    content = message(sent, SENDER).as_bytes()
    assert all(len(line) < 998 for line in content.split(b"\r\n"))
    assert content.isascii()
    found = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def test_text_html_and_files_arrive_as_they_were() -> None:
    found = received(
        letter(
            html="<p>Bon dia, plaça!</p>", attachments=(Attachment("a.png", "image/png", b"\x89"),)
        )
    )

    assert part(found, "plain") == "Bon dia, plaça!\n"
    assert part(found, "html") == "<p>Bon dia, plaça!</p>\n"
    assert [part.get_filename() for part in found.iter_attachments()] == ["a.png"]
    assert found["From"] == "Plaça <play@plaza.test>"
    assert found["To"] == "anna@example.org"
    assert found["Date"] == "Thu, 24 Sep 2026 12:00:00 +0000"
    assert found["Auto-Submitted"] == "auto-generated"


def test_the_same_letter_is_the_same_bytes() -> None:
    one, other = (message(letter(html="<p>x</p>"), SENDER).as_bytes() for _ in range(2))

    assert one == other


def test_an_address_longer_than_a_line_stays_whole() -> None:
    url = f"<https://plaza.test/notices/stop/{'x' * 60}>"
    reply = f"placa+{'y' * 58}@a-host-with-a-long-name.example.org"
    sent = letter(headers={"List-Unsubscribe": url, "Reply-To": reply}, subject="ç" * 150)
    content = message(sent, SENDER).as_bytes()

    assert f"\r\nList-Unsubscribe: {url}\r\n".encode() in content
    assert f"\r\nReply-To: {reply}\r\n".encode() in content
    # Every other line is as short as mail programs like it.
    lines = [line for line in content.split(b"\r\n") if not line.startswith((b"List-", b"Reply-"))]
    assert max(map(len, lines)) <= 78


def test_an_id_is_of_what_it_names_and_of_nothing_else() -> None:
    assert message_id(SENDER, "a", 1) == message_id(SENDER, "a", 1)
    assert (
        len({message_id(SENDER, "a", 1), message_id(SENDER, "a1"), message_id(SENDER, 1, "a")}) == 3
    )
    assert message_id(SENDER, "a").endswith("@plaza.test>")


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
@pytest.mark.parametrize("where", ["subject", "header", "name"])
def test_no_text_can_add_a_header_or_a_reader(end: str, where: str) -> None:
    evil = f"Anna{end}Bcc: eve@example.org{end}{end}Buy"
    sender = Sender(evil, SENDER.address) if where == "name" else SENDER
    sent = {"subject": letter(subject=evil), "header": letter(headers={"Reply-To": evil})}
    content = message(sent.get(where, letter()), sender).as_bytes()
    found = email.message_from_bytes(content, policy=email.policy.default)
    plain = email.message_from_bytes(message(letter(), SENDER).as_bytes())

    assert set(found.keys()) - {"Reply-To"} == set(plain.keys())
    assert found["To"] == "anna@example.org"
    assert found["Bcc"] is None
    assert isinstance(found, EmailMessage)
    assert part(found, "plain") == "Bon dia, plaça!\n"


@pytest.mark.parametrize(
    "word",
    [
        "=?utf8?q?=0aBcc:x@y.z?=",
        "=?utf8?q?=0d=0aBcc:_eve@example.org?=",
        "=?utf8?q?=0a=0aBuy?=",
        "=?utf8?b?DQpCY2M6IHhAeQ==?=",
        "=?utf8?q?=00?=",
        "=?utf8?q?=E2=80=AE?=",
        "==?utf8?q?=0a?=?=",
        "=?utf8?q?a?= =?utf8?q?=0aBcc:x@y.z?=",
        "=?=?utf8?q?=0aBcc:x@y.z?=",
    ],
)
@pytest.mark.parametrize("where", ["subject", "name", "Reply-To", "In-Reply-To", "X-Match"])
def test_no_encoded_word_in_a_text_is_taken_for_what_it_stands_for(word: str, where: str) -> None:
    """Somebody may be called so; the library would write the end of the line into the header."""
    sender = Sender(word, SENDER.address) if where == "name" else SENDER
    sent = letter(subject=f"Your turn, {word}") if where == "subject" else letter()
    if where not in {"subject", "name"}:
        sent = letter(headers={where: word})
    content = message(sent, sender).as_bytes()
    head = content.replace(b"\r\n", b"\n").split(b"\n\n")[0]
    names = {line.split(b":")[0] for line in head.split(b"\n") if line[:1] not in b" \t"}
    plain = message(letter(), SENDER)

    assert names - {where.encode()} == {name.encode() for name in plain} - {where.encode()}
    assert b"\x00" not in head
    assert part(email.message_from_bytes(content, policy=email.policy.default), "plain") == (
        "Bon dia, plaça!\n"
    )


@pytest.mark.parametrize(
    "to",
    [
        *(f"anna@example.org{end}Bcc: eve@example.org" for end in BREAKS),
        "anna@example.org, eve@example.org",
        "anna",
        "",
        "<anna@example.org>",
        "anna@example.org>\r\nRCPT TO:<eve@example.org",
    ],
    ids=ascii,
)
def test_what_is_not_one_address_gets_no_letter(to: str) -> None:
    with pytest.raises(ValueError, match="mail address"):
        message(letter(to=to), SENDER)


def test_mail_comes_from_the_settings_or_from_the_host() -> None:
    named = Settings(mail_from="Els Castells <c@example.org>")

    assert sender_of(named) == Sender("Els Castells", "c@example.org")
    assert sender_of(Settings(mail_from="c@example.org")) == Sender("Plaça", "c@example.org")
    assert sender_of(Settings(public_url="https://plaza.test/games")).address == "placa@plaza.test"
    assert sender_of(Settings()).address == "placa@localhost"


@pytest.mark.parametrize(
    ("written", "name", "address"),
    [
        ("play@example.org", "Plaça", "play@example.org"),
        ("Els Jocs <play@example.org>", "Els Jocs", "play@example.org"),
        ("Play, with friends <play@example.org>", "Play, with friends", "play@example.org"),
    ],
)
def test_the_sender_is_whom_the_settings_name(written: str, name: str, address: str) -> None:
    assert sender_of(Settings(mail_from=written)) == Sender(name, address)
