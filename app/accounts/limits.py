"""How often something may be tried: a leaky bucket for each key, in memory.

A process forgets its buckets when it stops; that is cheap to accept and keeps
the database out of what an attacker repeats.  Nothing here awaits, so of any
number of requests at once exactly as many pass as the limit says.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Final

from app.errors import TooManyError

_SWEEP_ABOVE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Limit:
    """`count` at once, and as many again, evenly, in each `period`."""

    name: str
    count: int
    period: timedelta


# What is limited; each is documented in SECURITY.md.
LOGIN_BY_ADDRESS: Final = Limit("login.address", 20, timedelta(hours=1))
LOGIN_BY_NAME: Final = Limit("login.name", 20, timedelta(days=1))
LOGIN_FROM_KNOWN_DEVICE: Final = Limit("login.device", 10, timedelta(hours=1))
LOGIN_MAIL: Final = Limit("login_mail", 10, timedelta(hours=1))
LOGIN_MAIL_BY_ADDRESS: Final = Limit("login_mail.address", 20, timedelta(hours=1))
LOGIN_CODE: Final = Limit("login_code", 20, timedelta(hours=1))
ISSUER: Final = Limit("issuer", 60, timedelta(hours=1))
REPLY: Final = Limit("reply", 30, timedelta(hours=1))
SIGN_UP: Final = Limit("sign_up", 20, timedelta(days=1))
NEW_GUEST: Final = Limit("new_guest", 200, timedelta(hours=1))
NEW_TABLE: Final = Limit("new_table", 200, timedelta(hours=1))
DEVICE_LINK: Final = Limit("device_link", 20, timedelta(hours=1))
ADDRESS_CODE: Final = Limit("address_code", 10, timedelta(hours=1))
TEST_MAIL: Final = Limit("test_mail", 10, timedelta(hours=1))
NEW_CHANNEL: Final = Limit("new_channel", 20, timedelta(hours=1))
PASSWORD: Final = Limit("password", 20, timedelta(days=1))
WRONG_CODE: Final = Limit("wrong_code", 10, timedelta(minutes=10))
WRONG_CODE_BY_ANYBODY: Final = Limit("wrong_code.all", 300, timedelta(hours=1))
WRONG_LINK: Final = Limit("wrong_link", 30, timedelta(minutes=10))


class Limiter:
    """The buckets of one process."""

    def __init__(self) -> None:
        # For each key, when its bucket will be empty again.
        self._empty_at: dict[Hashable, datetime] = {}

    def __len__(self) -> int:
        return len(self._empty_at)

    def check(self, limit: Limit, key: Hashable, *, now: datetime) -> None:
        """Raise TooManyError if `spend` would; count nothing."""
        step = limit.period / limit.count
        over = self._level(limit, key, now) + step - limit.period
        if over > timedelta():
            seconds = max(1, math.ceil(over.total_seconds()))
            raise TooManyError(limit=limit.name, retry_after_seconds=seconds)

    def spend(self, limit: Limit, key: Hashable, *, now: datetime) -> None:
        """Count one try for `key`; raises TooManyError, counting nothing, after too many."""
        self.check(limit, key, now=now)
        level = self._level(limit, key, now) + limit.period / limit.count
        if len(self._empty_at) > _SWEEP_ABOVE:
            self._sweep(now)
        self._empty_at[limit.name, key] = now + level

    def give_back(self, limit: Limit, key: Hashable, *, now: datetime) -> None:
        """Forget one try for `key`: it was no abuse after all."""
        level = self._level(limit, key, now) - limit.period / limit.count
        self._empty_at[limit.name, key] = now + max(level, timedelta())

    def forget(self) -> None:
        """Empty every bucket."""
        self._empty_at.clear()

    def _level(self, limit: Limit, key: Hashable, now: datetime) -> timedelta:
        empty_at = self._empty_at.get((limit.name, key), now)
        return min(max(empty_at - now, timedelta()), limit.period)

    def _sweep(self, now: datetime) -> None:
        self._empty_at = {key: at for key, at in self._empty_at.items() if at > now}


def network_of(address: str) -> str:
    """Return what stands for one household: the IPv4 address, or the /64 of an IPv6 one."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else found.exploded[:19] + "::/64"
    return str(found)
