"""Addresses that a host writes into the settings, read strictly."""

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

_BROKEN: Final = re.compile(r"[\s\x00-\x1f\x7f]")
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9.])?|[0-9A-Fa-f:.]+")
_PATH: Final = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*")


def parts_of(value: str, *schemes: str) -> SplitResult | None:
    """Return the parts of an address of one of `schemes`; None: it is none.

    A host may be missing; a port is one there can be, or None.
    """
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        return None
    if _BROKEN.search(value) or parts.scheme not in schemes or port == 0:
        return None
    return parts


def site_of(value: str) -> SplitResult | None:
    """Return the parts of the address of a site: scheme, host, port and plain path alone."""
    parts = parts_of(value.rstrip("/"), "http", "https")
    if parts is None or parts.username is not None or parts.query or parts.fragment:
        return None
    if not _HOST.fullmatch(parts.hostname or "") or not _PATH.fullmatch(parts.path):
        return None
    return parts
