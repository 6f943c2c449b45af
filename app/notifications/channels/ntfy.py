"""ntfy: a topic on ntfy.sh or on a server of one's own."""

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

_TOPIC: Final = re.compile(r"/([A-Za-z0-9_-]{1,64})/?")
_TOKEN: Final = re.compile(r"[!-~]{0,200}")


def read(pasted: Pasted) -> Destination:
    """Take the address of a topic, and the token of one that is protected."""
    target = target_of(pasted.address)
    found = _TOPIC.fullmatch(target.path)
    if found is None or not _TOKEN.fullmatch(pasted.token):
        raise NotAnAddressError
    base = pasted.address[: -len(target.path)]
    secret = {"url": f"{base}/", "room": found[1], "token": pasted.token}
    return Destination(secret, f"{target.host} {tail(found[1])}")


def request(secret: Mapping[str, str], short: Short, _host: Host) -> Request:
    """Publish it as JSON: headers would take no letters beyond ASCII."""
    body = {"topic": secret["room"], "title": short.title, "message": short.text or short.title}
    if short.link:
        body["click"] = short.link
    headers = {"Content-Type": "application/json"}
    if secret["token"]:
        headers["Authorization"] = f"Bearer {secret['token']}"
    return Request(secret["url"], msgspec.json.encode(body), headers)


SERVICE: Final = Service(read, request)
