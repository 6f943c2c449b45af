"""A webhook: JSON, posted to an address of one's own."""

from collections.abc import Mapping
from typing import Final

import msgspec

from app.notifications.channels.values import (
    Destination,
    Host,
    Pasted,
    Service,
    Short,
    tail,
    target_of,
)
from app.notifications.channels.wire import Request


def read(pasted: Pasted) -> Destination:
    """Take an address."""
    target = target_of(pasted.address)
    return Destination({"url": pasted.address}, f"{target.host} {tail(target.path)}")


def request(secret: Mapping[str, str], short: Short, _host: Host) -> Request:
    """Post it: docs/notices.md says what the fields are."""
    body = {
        "id": short.id,
        "title": short.title,
        "message": short.text or short.title,
        "text": short.lines,
        "link": short.link,
    }
    return Request(secret["url"], msgspec.json.encode(body), {"Content-Type": "application/json"})


SERVICE: Final = Service(read, request)
