"""Web push: a browser, by way of the push service of whoever made it (RFC 8030)."""

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Final

import msgspec

from app.notifications.channels.envelope import AUTH, bytes_of, is_point, sealed
from app.notifications.channels.guard import parsed
from app.notifications.channels.values import (
    Destination,
    Host,
    NotAnAddressError,
    Pasted,
    Service,
    Short,
    Verdict,
    tail,
    target_of,
)
from app.notifications.channels.vapid import authorization
from app.notifications.channels.wire import Request, authority

# A browser that is off for longer learns the rest from the page of its matches.
KEPT: Final = timedelta(days=3)
# Every message is as long as every other.
SIZE: Final = 2_048
# What these say of a subscription and of a message; everything else is as with others.
MEANS: Final[Mapping[int, Verdict]] = MappingProxyType(
    {
        404: ("gone", "channel.gone"),
        410: ("gone", "channel.gone"),
        413: ("notice", "channel.too_large"),
    }
)


def read(pasted: Pasted) -> Destination:
    """Take a subscription, as the browser has made it."""
    target = target_of(pasted.address)
    try:
        key, auth = bytes_of(pasted.key), bytes_of(pasted.token)
    except ValueError as error:
        raise NotAnAddressError from error
    if target.path == "/" or len(auth) != AUTH or not is_point(key):
        raise NotAnAddressError
    secret = {"url": pasted.address, "key": pasted.key, "token": pasted.token}
    return Destination(secret, f"{target.host} {tail(target.path)}")


def request(secret: Mapping[str, str], short: Short, host: Host) -> Request:
    """Seal it for the browser; the service learns to whom, how urgent, and nothing else."""
    target = parsed(secret["url"])
    signed = authorization(
        host.secret_key,
        origin=f"{target.scheme}://{authority(target)}",
        contact=host.contact,
        now=short.at,
    )
    headers = {
        "Authorization": signed,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT.total_seconds())),
        "Urgency": "high" if short.urgent else "normal",
    }
    if short.thread:
        headers["Topic"] = short.thread
    body = sealed(
        plain(short), to=bytes_of(secret["key"]), auth=bytes_of(secret["token"]), size=SIZE
    )
    return Request(secret["url"], body, headers)


def plain(short: Short) -> bytes:
    """Return what the worker in the browser is told, with as many whole lines as there is room."""
    lines = short.text.splitlines()
    while True:
        told = {"title": short.title, "body": "\n".join(lines)}
        raw = msgspec.json.encode({**told, "link": short.link, "tag": short.thread})
        if len(raw) <= SIZE or not lines:
            return raw
        del lines[-1]


SERVICE: Final = Service(read, request, MEANS)
