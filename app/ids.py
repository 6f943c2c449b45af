"""Identifiers and secrets.

Ids are made here and not by the database: `uuidv7()` exists only in
PostgreSQL 18, and an id known before the insert saves a round trip.  An id is
a name, never a key to anything; what opens a door is a token, and only its
hash is stored.
"""

import hashlib
import secrets
import time
from uuid import UUID


def new_id() -> UUID:
    """Return a UUID of version 7: it sorts by the millisecond it was made in."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & (1 << 48) - 1) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def new_token() -> str:
    """Return a secret of 256 bits that fits into a URL and a cookie."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """Return what is stored of `token`.

    A plain hash is enough: there is nothing to guess in 256 random bits.
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
