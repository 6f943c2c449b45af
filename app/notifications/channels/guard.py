"""Where this server may be made to send to: the answer to server-side request forgery.

People tell us addresses, and the server stands inside somebody's network.  So a name has
to be one that the host allows, and every address it stands for has to lie outside of that
network, or to be one that the host allows too.  What may be sent to is decided here; that
nothing else is connected to afterwards, in `app.notifications.channels.wire`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from app.config import ALLOWED_HOST, Settings

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

# Microsoft makes the longest, of up to 1,024.
LONGEST_URL: Final = 1_024
PORTS: Final = {"https": 443, "http": 80}
# Services that are what they are, whoever runs this server.
KNOWN_HOSTS: Final = frozenset(
    {
        "discord.com",
        "discordapp.com",
        "ptb.discord.com",
        "canary.discord.com",
        "ntfy.sh",
        "matrix.org",
        "matrix-client.matrix.org",
        "api.telegram.org",
        # Whom Chromium, Firefox, Safari and Edge have their messages brought by.
        "fcm.googleapis.com",
        "updates.push.services.mozilla.com",
        "web.push.apple.com",
        "*.notify.windows.com",
    }
)

_PRINTABLE: Final = re.compile(r"[!-~]+")
_LABEL: Final = r"(?!-)[a-z0-9_-]{1,63}(?<!-)"
# The last label of a name has a letter first: 127.1, 0x7f.1 and 2130706433 are no names.
_NAME: Final = re.compile(rf"(?:{_LABEL}\.)*(?!-)[a-z][a-z0-9-]{{0,62}}(?<!-)")

_MAPPED_64: Final = IPv6Network("64:ff9b::/96")
# All that of IPv6 is anybody's; other forms, ::ffff:0:127.0.0.1 for example, wrap addresses.
_HANDED_OUT: Final = IPv6Network("2000::/3")
# Nowhere a notice could go, whatever the host says: this network, the machine that serves
# metadata, everybody at once, and addresses that are made of others.
_NEVER: Final = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "169.254.0.0/16",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "::/128",
            "fe80::/10",
            "ff00::/8",
            "2002::/16",
            "2001::/32",
        ),
    )
)
# What lies inside: this machine, the networks around it, and those nobody has.
_INSIDE: Final = tuple(
    map(
        ip_network,
        (
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "::/96",
            "::1/128",
            "64:ff9b:1::/48",
            "100::/64",
            "2001:2::/48",
            "2001:10::/28",
            "2001:20::/28",
            "2001:db8::/32",
            "3fff::/20",
            "5f00::/16",
            "fc00::/7",
            "fec0::/10",
        ),
    )
)


class NotAllowedError(Exception):
    """This server does not send there; `code` says why, and is part of an error's code.

    Codes are `malformed` (no address of a service), `scheme`, `host`, `port` (none that
    the host allows), and `inside` (a name that leads into somebody's own network).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Target:
    """Where to send, in parts that nobody reads anew."""

    scheme: str
    host: str
    port: int
    path: str


@dataclass(frozen=True, slots=True)
class Guard:
    """What the host allows: names, and addresses of its own network, each with a port or any.

    `anywhere`: every name that leads to public addresses.
    """

    names: frozenset[tuple[str, int | None]] = frozenset()
    networks: tuple[tuple[Network, int | None], ...] = ()
    anywhere: bool = False

    def target(self, url: str) -> Target:
        """Return where `url` leads, as far as that can be told; raises NotAllowedError.

        What its name stands for has to pass `check` as well.
        """
        target = parsed(url)
        literal = _literal(target.host)
        if literal is not None and self._listed(literal, target):
            return target
        if literal is not None and not is_public(literal):
            raise NotAllowedError("inside")
        roads = self._roads(target.host)
        if not roads:
            raise NotAllowedError("host")
        if target.scheme not in {scheme for scheme, _ in roads}:
            raise NotAllowedError("scheme")
        if (target.scheme, target.port) not in roads:
            raise NotAllowedError("port")
        return target

    def check(self, addresses: Iterable[str], target: Target) -> tuple[str, ...]:
        """Return the addresses that the name of `target` stands for, if all are allowed.

        One that is not spoils the others: whoever answers like that is not to be
        trusted.  Raises NotAllowedError.
        """
        checked = []
        for text in addresses:
            address = _literal(text)
            if address is None:
                raise NotAllowedError("inside")
            if not self._listed(address, target):
                if not is_public(address):
                    raise NotAllowedError("inside")
                if target.scheme != "https":
                    raise NotAllowedError("scheme")
            # As it was given: where IPv4 is reached through IPv6, only so.
            checked.append(text)
        return tuple(dict.fromkeys(checked))

    def _roads(self, host: str) -> frozenset[tuple[str, int]]:
        """Return by which schemes and ports the host lets us go to `host`."""
        roads = set[tuple[str, int]]()
        if self.anywhere or any(_fits(host, name) for name in KNOWN_HOSTS):
            roads.add(("https", PORTS["https"]))
        for name, port in self.names:
            if _fits(host, name):
                # Plain text stays inside: `check` lets it go to listed addresses only.
                roads |= {(scheme, port or usual) for scheme, usual in PORTS.items()}
        return frozenset(roads)

    def _listed(self, address: Address, target: Target) -> bool:
        if any(address in never for never in _NEVER):
            return False
        return any(
            address in network and target.port == (port or PORTS[target.scheme])
            for network, port in self.networks
        )


def guard_of(settings: Settings) -> Guard:
    """Return what the host allows by its settings."""
    entries = list(settings.notify_allow)
    # The host has said where that is.
    telegram = urlsplit(settings.notify_telegram_url)
    if telegram.hostname not in KNOWN_HOSTS:
        entries.append(telegram.netloc)
    names, networks = set[tuple[str, int | None]](), list[tuple[Network, int | None]]()
    for entry in entries:
        found = ALLOWED_HOST.fullmatch(entry)
        if found is None:
            continue
        host = (found["v6"] or found["host"]).lower()
        port = int(found["port"]) if found["port"] else None
        try:
            networks.append((ip_network(host), port))
        except ValueError:
            names.add((host, port))
    return Guard(frozenset(names), tuple(networks), anywhere=("*", None) in names)


def parsed(url: str) -> Target:
    """Return the parts of an address of the web, read one way only.

    Whatever another program might read differently is refused: names and passwords,
    backslashes, white space, letters beyond ASCII, numbers that are no plain address,
    dots at the end, zones.  Raises NotAllowedError.
    """
    if len(url) > LONGEST_URL or not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise NotAllowedError("malformed")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotAllowedError("malformed") from None
    if parts.scheme not in PORTS:
        raise NotAllowedError("scheme")
    if not url[len(parts.scheme) :].startswith("://") or "@" in parts.netloc or "#" in url:
        raise NotAllowedError("malformed")
    host = (parts.hostname or "").lower()
    literal = _literal(host)
    if literal is None and (len(host) > 253 or not _NAME.fullmatch(host)):
        raise NotAllowedError("malformed")
    shown = f"[{host}]" if ":" in host else host
    if port == 0 or parts.netloc.lower() not in {shown, f"{shown}:{port}"}:
        raise NotAllowedError("malformed")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or PORTS[parts.scheme], path)


def is_public(address: Address) -> bool:
    """Tell whether an address is one of the Internet's, and of nobody's own network."""
    if isinstance(address, IPv6Address) and address not in _HANDED_OUT:
        return False
    # What Python knows of is not enough, and differs from version to version.
    return address.is_global and not any(address in network for network in (*_INSIDE, *_NEVER))


def _fits(host: str, name: str) -> bool:
    """Tell whether `host` is of that name, or below what is behind `*.`."""
    return name == host or (name.startswith("*.") and host.endswith(name[1:]))


def _literal(text: str) -> Address | None:
    """Return the address that `text` is, the inner one of those that wrap another."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return None
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _MAPPED_64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
