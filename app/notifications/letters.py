"""Letters: mail as a value, and the message that is handed to the mail server.

`message` makes of a letter what RFC 5322 asks for.  The same letter gives the
same bytes, so a letter that has to be sent again is the same message again, and
a mail server or a reader's program that has it already can tell.
"""

import hashlib
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from typing import Final
from urllib.parse import urlsplit

from app.config import Settings
from app.notifications.channels.mail import deliver, smtp_of
from app.notifications.channels.outcome import NotSentError
from app.notifications.choices import Choice, choices
from app.notifications.replies.addresses import reply_address

__all__ = [
    "Attachment",
    "Choice",
    "Letter",
    "NotSentError",
    "Picture",
    "Sender",
    "choices",
    "message",
    "message_id",
    "reply_address",
    "send",
    "sender_of",
]

LONGEST_SUBJECT: Final = 150
LONGEST_LINE: Final = 900
DEFAULT_NAME: Final = "Plaça"
# Mail programs have no use for these, and some take them for the end of a header.
_UNPRINTABLE: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+"
)
# The library reads this as the beginning of an encoded word, and puts what it stands for, ends of
# lines too, into the header as it is.
_ENCODED: Final = re.compile(r"=(?=\?)")
# Addresses of the web are longer than a line, and no mail program puts one together again.
_WHOLE: Final = frozenset({"list-unsubscribe", "references", "in-reply-to", "reply-to"})
_BOUNDARY: Final = "=_placa_"


class _Whole(EmailPolicy):
    """The library's policy, but for headers that must stay in one line."""

    def fold(self, name: str, value: str) -> str:
        return self._line(name, value) or super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        line = self._line(name, value)
        return line.encode("ascii") if line else super().fold_binary(name, value)

    def _line(self, name: str, value: str) -> str:
        whole = name.lower() in _WHOLE and str(value).isascii() and len(value) < LONGEST_LINE
        return f"{name}: {str(value).strip()}{self.linesep}" if whole else ""


# Everything goes through a server that knows ASCII only.
_POLICY: Final = _Whole(cte_type="7bit", max_line_length=78, linesep="\r\n")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that comes with a letter."""

    name: str
    kind: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that the letter's HTML shows, with the letter and not from afar.

    Equal pictures have an equal name: the same letter is the same bytes.
    """

    content: bytes

    @property
    def id(self) -> str:
        """What `src="cid:…"` names."""
        return f"{hashlib.sha256(self.content).hexdigest()[:32]}@picture.placa"

    @property
    def size(self) -> tuple[int, int]:
        """How many dots wide and high it is, as its head says."""
        width, height = struct.unpack(">II", self.content[16:24])
        return width, height


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One mail to one address.

    `headers` are further ones (`Reply-To`, `List-Unsubscribe`); what ends a line
    in them, in the subject or in a name becomes a space.  `message_id` tells the
    letter from every other, whoever sends it again (see `message_id`).
    """

    to: str
    subject: str
    text: str
    message_id: str
    at: datetime
    html: str | None = None
    pictures: tuple[Picture, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Sender:
    """Whom letters come from; `domain` is what their ids end with."""

    name: str
    address: str

    @property
    def domain(self) -> str:
        """The part of the address behind the @."""
        return self.address.rpartition("@")[2]


def sender_of(settings: Settings) -> Sender:
    """Return whom letters come from: MAIL_FROM, else this program at the host's name."""
    if settings.mail_from is not None:
        name, address = settings.mail_sender
        return Sender(name or DEFAULT_NAME, address)
    host = urlsplit(settings.public_url or "").hostname or "localhost"
    return Sender(DEFAULT_NAME, f"placa@{host}")


def message_id(sender: Sender, *parts: object) -> str:
    """Return the id of the letter that `parts` name; equal parts give an equal id."""
    named = "\0".join(map(str, parts))
    return f"<{hashlib.sha256(named.encode()).hexdigest()[:32]}@{sender.domain}>"


def message(letter: Letter, sender: Sender) -> EmailMessage:
    """Return the letter as a message; raises ValueError for an address that is none.

    Nothing in the letter makes a header, or ends the headers.
    """
    made = EmailMessage(policy=_POLICY)
    made["From"] = Address(_one_line(sender.name), addr_spec=sender.address)
    made["To"] = Address(addr_spec=_address(letter.to))
    made["Subject"] = _one_line(letter.subject)[:LONGEST_SUBJECT]
    made["Date"] = format_datetime(letter.at.astimezone(UTC))
    made["Message-ID"] = letter.message_id
    # Nobody's holiday notice answers a machine that says that it is one.
    made["Auto-Submitted"] = "auto-generated"
    for name, value in letter.headers.items():
        made[name] = _one_line(value)
    if any(_UNPRINTABLE.search(str(value)) for value in made.values()):
        raise ValueError("a header would be more than one line")
    made.set_content(letter.text, cte="quoted-printable")
    if letter.html is not None:
        made.add_alternative(letter.html, subtype="html", cte="quoted-printable")
        _show(made, letter.pictures)
    for attached in letter.attachments:
        kind, _, subtype = attached.kind.partition("/")
        made.add_attachment(
            attached.content, maintype=kind, subtype=subtype, filename=_one_line(attached.name)
        )
    _settle_boundaries(made, letter.message_id)
    return made


async def send(letter: Letter, settings: Settings) -> str:
    """Hand the letter to the host's mail server; return what it said.

    Raises NotSentError, with the reason and whether trying again makes sense;
    RuntimeError on a host without a mail server.
    """
    smtp = smtp_of(settings)
    if smtp is None:
        raise RuntimeError("this host has no mail server")
    sender = sender_of(settings)
    return await deliver(smtp, message(letter, sender), sender.address, letter.to)


def _one_line(value: str) -> str:
    return _ENCODED.sub("= ", _UNPRINTABLE.sub(" ", value)).strip()


def _address(value: str) -> str:
    if _UNPRINTABLE.search(value) or not re.fullmatch(
        r"[^\s<>,;:\"()\[\]\\@]+@[A-Za-z0-9.-]+", value
    ):
        raise ValueError("not a mail address")
    return value


def _show(made: EmailMessage, pictures: tuple[Picture, ...]) -> None:
    """Let the HTML part bring its pictures along."""
    _, html = made.iter_parts()
    for number, picture in enumerate(pictures, 1):
        html.add_related(
            picture.content,
            maintype="image",
            subtype="png",
            cid=f"<{picture.id}>",
            disposition="inline",
            filename=f"position-{number}.png",
        )


def _settle_boundaries(made: EmailMessage, named: str) -> None:
    """Divide the parts by what the id gives, where the library would roll dice."""
    for number, part in enumerate(made.walk()):
        if part.is_multipart():
            mark = hashlib.sha256(f"{named}\0{number}".encode()).hexdigest()[:24]
            part.set_boundary(_BOUNDARY + mark)
