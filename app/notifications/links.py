"""Addresses in mails that work without signing in: to hear nothing more.

The token is the person, signed.  It opens nothing else, and does not run out:
a mail of last year can still be stopped.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final
from uuid import UUID

_SIGNED: Final = 16


def stop_token(key: str, person_id: UUID) -> str:
    """Return what lets whoever has it stop the person's mails."""
    return urlsafe_b64encode(person_id.bytes + _mac(key, person_id)).decode().rstrip("=")


def person_of_token(key: str, token: str) -> UUID | None:
    """Return whose mails `token` stops; None for one that we have not made."""
    try:
        raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        person_id = UUID(bytes=raw[:16])
    except ValueError:
        return None
    return person_id if hmac.compare_digest(raw[16:], _mac(key, person_id)) else None


def _mac(key: str, person_id: UUID) -> bytes:
    return hmac.digest(key.encode(), b"stop notices\0" + person_id.bytes, "sha256")[:_SIGNED]
