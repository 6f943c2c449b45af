"""Discord: a webhook of a channel, as its settings hand it out."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from app.notifications.channels.guard import NotAllowedError, parsed
from app.notifications.channels.values import (
    Destination,
    NotAnAddressError,
    Pasted,
    Service,
    Short,
    tail,
)
from app.notifications.channels.wire import Request

_PATH: Final = re.compile(r"/api(?:/v\d{1,2})?/webhooks/(\d{5,25})/[A-Za-z0-9_-]{20,200}")
# What Discord takes for formatting, or for somebody's name.
_MARKUP: Final = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


def read(pasted: Pasted) -> Destination:
    """Take the address of a webhook."""
    try:
        target = parsed(pasted.address.partition("?")[0])
    except NotAllowedError as error:
        raise NotAnAddressError from error
    found = _PATH.fullmatch(target.path)
    if found is None:
        raise NotAnAddressError
    url = pasted.address.partition("?")[0]
    return Destination({"url": url}, f"{target.host} {tail(found[1])}")


def request(secret: Mapping[str, str], short: Short, _base: str) -> Request:
    """Say it in the channel, without calling anybody by name."""
    words = [_MARKUP.sub(r"\\\1", part) for part in (short.title, short.text) if part]
    content = "\n".join([*words, *([f"<{short.link}>"] if short.link else [])])
    body = {"content": content, "allowed_mentions": {"parse": []}}
    return Request(secret["url"], msgspec.json.encode(body), {"Content-Type": "application/json"})


SERVICE: Final = Service(read, request)
