"""Telegram: a bot that one has made, and the chat in which it writes."""

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
)
from app.notifications.channels.wire import Request

_TOKEN: Final = re.compile(r"\d{5,20}:[A-Za-z0-9_-]{30,80}")
_CHAT: Final = re.compile(r"-?\d{1,20}|@[A-Za-z0-9_]{4,32}")


def read(pasted: Pasted) -> Destination:
    """Take the token of a bot, and the id of a chat."""
    if not _TOKEN.fullmatch(pasted.token) or not _CHAT.fullmatch(pasted.room):
        raise NotAnAddressError
    return Destination(
        {"token": pasted.token, "room": pasted.room}, f"Telegram {tail(pasted.room)}"
    )


def request(secret: Mapping[str, str], short: Short, host: Host) -> Request:
    """Let the bot say it, as plain text."""
    body = {
        "chat_id": secret["room"],
        "text": short.lines,
        "link_preview_options": {"is_disabled": True},
    }
    return Request(
        f"{host.telegram_url}/bot{secret['token']}/sendMessage",
        msgspec.json.encode(body),
        {"Content-Type": "application/json"},
    )


SERVICE: Final = Service(read, request)
