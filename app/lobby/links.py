"""Invitation and spectator links: 256 bits that can be shown again and are not stored.

A link's token is derived from the server's secret key and the table's nonce, so
the waiting room can show it at any time, while the database holds its hash only.
A new nonce makes the old links worthless.
"""

import base64
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

NONCE_BYTES: Final = 16


def new_nonce() -> bytes:
    """Return what makes a table's links unlike any other's."""
    return secrets.token_bytes(NONCE_BYTES)


@dataclass(frozen=True, slots=True)
class Links:
    """Makes tokens with the server's key, and addresses of tokens."""

    secret_key: str
    invite_url: Callable[[str], str]
    watch_url: Callable[[str], str]

    def invite_token(self, table_id: UUID, nonce: bytes) -> str:
        """Return the token that lets somebody sit down."""
        return self._token(b"invite", table_id, nonce)

    def watch_token(self, table_id: UUID, nonce: bytes) -> str:
        """Return the token that lets somebody watch."""
        return self._token(b"watch", table_id, nonce)

    def _token(self, purpose: bytes, table_id: UUID, nonce: bytes) -> str:
        message = b"\0".join((b"placa table link", purpose, table_id.bytes, nonce))
        digest = hmac.digest(self.secret_key.encode(), message, "sha256")
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
