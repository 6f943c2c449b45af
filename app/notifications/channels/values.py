"""What every channel besides mail has in common: what is pasted, and what is said."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, TypeAlias

from app.notifications.channels.guard import NotAllowedError, Target, parsed
from app.notifications.channels.outcome import Grade
from app.notifications.channels.wire import Request

# Discord takes 2,000 characters, Telegram and ntfy 4,096 bytes.
LONGEST_TITLE: Final = 250
LONGEST_TEXT: Final = 1_200


class NotAnAddressError(Exception):
    """What was pasted leads nowhere: it is no address of that service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """What somebody pastes, or a browser sends, to be reached: each service wants some of it."""

    address: str = ""
    token: str = ""
    room: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where notices go: `secret` is kept sealed, `label` may be shown."""

    secret: Mapping[str, str]
    label: str


@dataclass(frozen=True, slots=True)
class Short:
    """A notice where a letter has no room: what there is to decide, until when, and a link.

    `id` tells it from every other, whoever sends it again; `thread` is that of all about one
    match by one road, and tells nobody which it is.  `urgent`: time runs out.  `at` is when
    it is sent.
    """

    title: str
    text: str
    link: str
    id: str = ""
    thread: str = ""
    urgent: bool = False
    at: datetime = datetime(1970, 1, 1, tzinfo=UTC)

    @property
    def lines(self) -> str:
        """All of it, a line each."""
        return "\n".join(part for part in (self.title, self.text, self.link) if part)


@dataclass(frozen=True, slots=True)
class Host:
    """What services have to be told of this installation: whom to turn to, who signs."""

    telegram_url: str = ""
    contact: str = ""
    secret_key: str = field(default="", repr=False)


# What a status means, and what to write into the log.
Verdict: TypeAlias = tuple[Grade, str]


@dataclass(frozen=True, slots=True)
class Service:
    """How to speak to one service.

    `read` raises NotAnAddressError for what is none of its addresses.  `means` is what
    some statuses mean there and nowhere else.
    """

    read: Callable[[Pasted], Destination]
    request: Callable[[Mapping[str, str], Short, Host], Request]
    means: Mapping[int, Verdict] = field(default_factory=lambda: MappingProxyType({}))


Services: TypeAlias = Mapping[str, Service]


def target_of(address: str) -> Target:
    """Return where a pasted address leads; raises NotAnAddressError for what is none."""
    try:
        return parsed(address)
    except NotAllowedError as error:
        raise NotAnAddressError from error


def tail(text: str) -> str:
    """Return as much of a secret's end as tells it from one's others, and no more."""
    shown = min(4, len(text) // 4)
    return f"…{text[-shown:]}" if shown else "…"
