"""Secrets of people that have to be used again, so that a hash will not do.

They lie in the database sealed under a key that follows from the installation's:
neither the database nor a backup of it opens them.
"""

import hmac
import secrets
from typing import Final

_NONCE: Final = 12


class NotOursError(Exception):
    """What was sealed was sealed under another key, for something else, or is damaged."""


def seal(key: str, what: bytes, *, to: bytes) -> bytes:
    """Return `what` sealed; `to` names whose secret it is, and only there it opens."""
    # Twelve megabytes that only those need who use other channels than mail.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - see above

    nonce = secrets.token_bytes(_NONCE)
    return nonce + AESGCM(_derived(key)).encrypt(nonce, what, to)


def unseal(key: str, sealed: bytes, *, to: bytes) -> bytes:
    """Return what was sealed; raises NotOursError."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as above

    try:
        return AESGCM(_derived(key)).decrypt(sealed[:_NONCE], sealed[_NONCE:], to)
    except (InvalidTag, ValueError) as error:
        raise NotOursError from error


def _derived(key: str) -> bytes:
    return hmac.digest(key.encode(), b"channels of people", "sha256")
