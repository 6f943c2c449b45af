"""Matrix: a room on a home server, and the token of somebody who is in it."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

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

_ROOM: Final = re.compile(r"![!-~]{1,254}")
_TOKEN: Final = re.compile(r"[!-~]{8,400}")


def read(pasted: Pasted) -> Destination:
    """Take the address of the home server, the id of the room and an access token."""
    target = target_of(pasted.address)
    if target.path != "/" or not _ROOM.fullmatch(pasted.room) or not _TOKEN.fullmatch(pasted.token):
        raise NotAnAddressError
    secret = {"url": pasted.address.rstrip("/"), "room": pasted.room, "token": pasted.token}
    return Destination(secret, f"{target.host} {tail(pasted.room.partition(':')[0])}")


def request(secret: Mapping[str, str], short: Short, _host: Host) -> Request:
    """Say it in the room, under an id by which the server knows what it has already."""
    room = quote(secret["room"], safe="")
    where = f"/_matrix/client/v3/rooms/{room}/send/m.room.message/{quote(short.id, safe='')}"
    # As text: of what programs call a notice, clients tell nobody.
    body = {"msgtype": "m.text", "body": short.lines}
    headers = {
        "Content-Type": "application/json",
        "Authorization": f"Bearer {secret['token']}",
    }
    return Request(secret["url"] + where, msgspec.json.encode(body), headers, method="PUT")


SERVICE: Final = Service(read, request)
