"""What a push service carries and cannot read: RFC 8291, in the one form that browsers take.

It is put together from parts of `cryptography`, and a test holds the result, byte by byte,
against the example of the RFC.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

# All of it is one record, and no push service has to take more.
RECORD: Final = 4_096
POINT: Final = 65
AUTH: Final = 16
_SALT: Final = 16
_LAST: Final = b"\x02"


def sealed(
    plain: bytes,
    *,
    to: bytes,
    auth: bytes,
    size: int,
    own: "EllipticCurvePrivateKey | None" = None,
    salt: bytes | None = None,
) -> bytes:
    """Return `plain` as only the browser opens it that has the point `to` and the secret `auth`.

    It is filled up to `size`, so that its length tells nothing.  `own` and `salt` are made
    anew for each message unless they are given.
    """
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - as for channels
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as above

    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or secrets.token_bytes(_SALT)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), to)
    here = point_of(own)
    shared = own.exchange(ec.ECDH(), theirs)
    secret = derived(shared, auth, b"WebPush: info\0" + to + here, 32)
    key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    filled = plain + _LAST + bytes(max(0, size - len(plain)))
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(here)]) + here
    return head + AESGCM(key).encrypt(nonce, filled, None)


def derived(secret: bytes, salt: bytes | None, label: bytes, length: int) -> bytes:
    """Return the key for `label` that follows from `secret` (HKDF, SHA-256)."""
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415 - as above

    return HKDF(SHA256(), length, salt, label).derive(secret)


def point_of(key: "EllipticCurvePrivateKey") -> bytes:
    """Return the public half of a key, as browsers write it."""
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - as above
        Encoding,
        PublicFormat,
    )

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def is_point(raw: bytes) -> bool:
    """Tell whether `raw` is a point of the curve, as browsers write it."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - as above

    if len(raw) != POINT:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
    except ValueError:
        return False
    return True


def text_of(raw: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    """Return what base64url stands for, if it is written in the only way; raises ValueError."""
    bare = text.rstrip("=")
    raw = urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    if text_of(raw) != bare or len(text) - len(bare) > 2:
        raise ValueError("not base64url")
    return raw
