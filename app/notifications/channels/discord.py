"""Discord: a webhook of a channel, as its settings hand it out."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from app.notifications.channels.values import (
    Destination,
    Host,
    NotAnAddressError,
    Pasted,
    Service,
    Short,
    tail,
    target_of,
)
from app.notifications.channels.wire import Request

_PATH: Final = re.compile(r"/api(?:/v\d{1,2})?/webhooks/(\d{5,25})/[A-Za-z0-9_-]{20,200}")
_WORD: Final = re.compile(r"\S+")
LONGEST: Final = 2000
# What Discord takes for formatting, or for somebody's name.
_MARKUP: Final = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


def read(pasted: Pasted) -> Destination:
    """Take the address of a webhook."""
    target = target_of(pasted.address.partition("?")[0])
    found = _PATH.fullmatch(target.path)
    if found is None:
        raise NotAnAddressError
    url = pasted.address.partition("?")[0]
    return Destination({"url": url}, f"{target.host} {tail(found[1])}")


def request(secret: Mapping[str, str], short: Short, _host: Host) -> Request:
    """Say it in the channel, without calling anybody by name."""
    here = "/".join(short.link.split("/")[:3])
    last = f"<{short.link}>" if short.link else ""
    lines, room = list[str](), LONGEST - len(last)
    for line in f"{short.title}\n{short.text}".splitlines():
        told = _plain(line, here)
        room -= len(told) + 1
        if room >= 0:
            lines.append(told)
    content = "\n".join([*lines, last]).strip()
    body = {"content": content, "allowed_mentions": {"parse": []}}
    return Request(secret["url"], msgspec.json.encode(body), {"Content-Type": "application/json"})


def _plain(text: str, here: str) -> str:
    """Return text in which nothing is formatting, and links are those to `here` alone."""
    return _WORD.sub(
        lambda found: (
            f"<{found[0]}>"
            if here and re.fullmatch(rf"{re.escape(here)}/[\w/?=-]*", found[0])
            else _MARKUP.sub(r"\\\1", found[0])
        ),
        text,
    )


SERVICE: Final = Service(read, request)
