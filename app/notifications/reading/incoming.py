"""A mail that came in: its headers and its body as text, whatever it was sent as.

Mails come from anywhere.  What cannot be decoded is read as well as it can be;
nothing in here raises because of what a mail holds.
"""

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from typing import Final

from app.notifications.reading.html_text import html_to_text

# What a mail of one move can need, and no more: deeper or longer ones are somebody's trick.
LONGEST_BODY: Final = 200_000
MOST_PARTS: Final = 50
LONGEST_HEADER: Final = 2_000

_TO: Final = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
_ANGLED: Final = re.compile(r"<([^<>\s]{1,998})>")
_BLANK: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")


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


def parse_mail(raw: bytes) -> Incoming:
    """Take a mail apart."""
    message = message_from_bytes(raw)
    headers: dict[str, str] = {}
    for name, value in message.items():
        headers.setdefault(name.lower(), _header(value))
    sender_name, sender = _first_address(message)
    text, html = _body(message)
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


def _header(value: object) -> str:
    """Return a header as one line of text."""
    shown = str(value)[:LONGEST_HEADER]
    try:
        parts = [
            part.decode(charset or "ascii", "replace") if isinstance(part, bytes) else part
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
    text = "\n".join(plain)
    if text.strip() or not html:
        return text, False
    return html_to_text("\n".join(html)), True


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    content = content[:LONGEST_BODY]
    for charset in (part.get_content_charset() or "utf-8", "utf-8"):
        try:
            return content.decode(charset)
        except (LookupError, ValueError):
            continue
    return content.decode("latin-1")


def _flowed(part: Message, text: str) -> str:
    """Join the lines that a client broke only for the width of a screen (RFC 3676)."""
    if _parameter(part, "format") != "flowed":
        return text
    joined: list[str] = []
    going_on = False
    for line in text.splitlines():
        own = line.removeprefix(" ")
        flows = own.endswith(" ") and own != "-- " and not own.startswith(">")
        shown = own.removesuffix(" ") if flows and _parameter(part, "delsp") == "yes" else own
        if going_on and not own.startswith(">") and own != "-- ":
            joined[-1] += shown
        else:
            joined.append(shown)
        going_on = flows
    return "\n".join(joined)


def _parameter(part: Message, name: str) -> str:
    value = part.get_param(name)
    return value.lower() if isinstance(value, str) else ""
