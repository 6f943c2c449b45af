"""Who sends a push message: RFC 8292.

The key follows from the secret key.  So web and worker have the same one, it is there after
a restart, and there is nothing to keep: neither the database nor a backup of it can sign.
"""

from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from app.notifications.channels.envelope import derived, point_of, text_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

# Push services take no more than a day.
VALID: Final = timedelta(hours=12)
# The number of points of P-256.
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@cache
def signing_key(secret_key: str) -> "EllipticCurvePrivateKey":
    """Return the key pair of the installation with that secret key."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - as for channels

    # So many bits more than the order has that no number is likelier than another.
    drawn = derived(secret_key.encode(), None, b"web push", 48)
    number = int.from_bytes(drawn, "big") % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())


def public_key(secret_key: str) -> str:
    """Return what a browser is told to let nobody else send to it."""
    return text_of(point_of(signing_key(secret_key)))


def authorization(secret_key: str, *, origin: str, contact: str, now: datetime) -> str:
    """Return the header that proves to the push service at `origin` who sends.

    `contact` is whom it can turn to: https: or mailto:.
    """
    from joserfc import jwt  # noqa: PLC0415 - as above
    from joserfc.jwk import ECKey  # noqa: PLC0415 - as above

    key = signing_key(secret_key)
    claims = {"aud": origin, "exp": int((now + VALID).timestamp()), "sub": contact}
    token = jwt.encode({"alg": "ES256"}, claims, ECKey(key, key), algorithms=["ES256"])
    return f"vapid t={token}, k={text_of(point_of(key))}"
