"""A mail that came in: its headers and its body as text, whatever it was sent as.

Mails come from anywhere.  What cannot be decoded is read as well as it can be, and
what could take long to take apart is left aside: the library reads headers, parts and
some charsets in a time that grows with the square of their length.
"""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from email.utils import getaddresses
from itertools import islice
from typing import Final

from app.notifications.reading.html_text import html_to_text

# What a mail of one move can need, and no more: deeper or longer ones are somebody's trick.
LONGEST_BODY: Final = 200_000
MOST_PARTS: Final = 50
LONGEST_HEADER: Final = 2_000
LONGEST_HEAD: Final = 100_000
MOST_HEADERS: Final = 500
MOST_OF_A_NAME: Final = 20
MOST_COMMENTS: Final = 20

_TO: Final = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
_ANGLED: Final = re.compile(r"<([^<>\s]{1,998})>")
_BLANK: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
# Without this line a part holds no others: as many of them is as deep as parts can lie.
_KIND_LINE: Final = re.compile(rb"(?:\A|[\r\n])content-type:", re.IGNORECASE)
# How Python and names of hosts spell text, and nobody's mail.
_NO_CHARSETS: Final = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape"})


class _Bounded(Compat32):
    """The library's policy, but for headers that go on and on."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST_HEADER]


_POLICY: Final = _Bounded()


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a mail tells about itself.

    `headers` has lower-case names and the first value of each; `sender` is the
    address in From and `sender_name` the name beside it; `recipients` are all
    addresses it names as receiving it.  `text` is the body, `html` whether it was
    made from HTML.  `report` is set when the mail is of a kind that programs
    write about mails.
    """

    message_id: str
    sender: str
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    headers: dict[str, str]
    text: str
    html: bool
    report: bool


def recipients_of(raw: bytes) -> tuple[str, ...]:
    """Return the addresses a mail names as receiving it, without a look at its body."""
    return _recipients(_head(raw))


def parse_mail(raw: bytes) -> Incoming:
    """Take a mail apart; of one with a great many parts, its headers."""
    deep = sum(1 for _ in islice(_KIND_LINE.finditer(raw), MOST_PARTS + 1)) > MOST_PARTS
    message = _head(raw) if deep else message_from_bytes(raw, policy=_POLICY)
    headers: dict[str, str] = {}
    for name, value in islice(message.items(), MOST_HEADERS):
        headers.setdefault(name.lower(), _header(value))
    sender_name, sender = _first_address(message)
    text, html = ("", False) if deep else _body(message)
    return Incoming(
        message_id=_message_id(headers.get("message-id", "")),
        sender=sender,
        sender_name=sender_name,
        recipients=_recipients(message),
        subject=headers.get("subject", ""),
        headers=headers,
        text=text,
        html=html,
        report=message.get_content_type() in {"multipart/report", "message/delivery-status"},
    )


def _head(raw: bytes) -> Message:
    return BytesParser(policy=_POLICY).parsebytes(raw[:LONGEST_HEAD], headersonly=True)


def _header(value: object) -> str:
    """Return a header as one line of text."""
    shown = str(value)[:LONGEST_HEADER]
    try:
        parts = [
            _text(part, (charset or "ascii",), "replace") if isinstance(part, bytes) else part
            for part, charset in decode_header(shown)
        ]
    except (HeaderParseError, LookupError, ValueError):
        parts = [shown]
    return _BLANK.sub(" ", "".join(parts)).strip()


def _message_id(value: str) -> str:
    found = _ANGLED.search(value)
    return found[1] if found else value


def _first_address(message: Message) -> tuple[str, str]:
    found = _addresses(message, "From")
    return found[0] if found else ("", "")


def _recipients(message: Message) -> tuple[str, ...]:
    found = [address for name in _TO for _, address in _addresses(message, name)]
    return tuple(dict.fromkeys(found))


def _addresses(message: Message, name: str) -> list[tuple[str, str]]:
    values = [str(value)[:LONGEST_HEADER] for value in message.get_all(name, [])]
    # Comments may lie in comments, and the library goes down into each.
    values = [value for value in values[:MOST_OF_A_NAME] if value.count("(") <= MOST_COMMENTS]
    return [(_header(who), address) for who, address in getaddresses(values) if "@" in address]


def _body(message: Message) -> tuple[str, bool]:
    """Return the text somebody typed: the plain part, or the HTML one where there is no other."""
    plain: list[str] = []
    html: list[str] = []
    for number, part in enumerate(message.walk()):
        if number >= MOST_PARTS:
            break
        if part.is_multipart() or part.get_filename() is not None:
            continue
        if part.get_content_disposition() == "attachment":
            continue
        match part.get_content_type():
            case "text/plain":
                plain.append(_flowed(part, _decoded(part)))
            case "text/html":
                html.append(_decoded(part))
    text = "\n".join(plain)[:LONGEST_BODY]
    if text.strip() or not html:
        return text, False
    return html_to_text("\n".join(html)[:LONGEST_BODY]), True


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    return _text(content[:LONGEST_BODY], (part.get_content_charset() or "utf-8", "utf-8"), "strict")


def _text(content: bytes, charsets: Sequence[str], errors: str) -> str:
    """Decode by the first charset that can; latin-1 always can."""
    for charset in charsets:
        try:
            if codecs.lookup(charset).name.replace("_", "-") not in _NO_CHARSETS:
                # Half a letter, which some charsets let through, is none.
                return content.decode(charset, errors).encode("utf-8", "replace").decode()
        except (LookupError, ValueError):
            continue
    return content.decode("latin-1")


def _flowed(part: Message, text: str) -> str:
    """Join the lines that a client broke only for the width of a screen (RFC 3676)."""
    if _parameter(part, "format") != "flowed":
        return text
    spaces_go = _parameter(part, "delsp") == "yes"
    joined: list[list[str]] = []
    going_on = False
    for line in text.splitlines():
        own = line.removeprefix(" ")
        flows = own.endswith(" ") and own != "-- " and not own.startswith(">")
        shown = own.removesuffix(" ") if flows and spaces_go else own
        if going_on and not own.startswith(">") and own != "-- ":
            joined[-1].append(shown)
        else:
            joined.append([shown])
        going_on = flows
    return "\n".join(map("".join, joined))


def _parameter(part: Message, name: str) -> str:
    value = part.get_param(name)
    return value.lower() if isinstance(value, str) else ""
