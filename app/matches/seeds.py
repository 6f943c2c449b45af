"""The secret behind a match's chance, and the public promise about it.

A match has a 256-bit seed.  Its commitment, SHA-256 of nonce and seed, is shown
from the start; nonce and seed only once the match is over.  Every commit draws
from its own stream, keyed by the seed and the version the commit makes, so each
draw can be recomputed by anybody afterwards.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from app.rules.game import Rng
from app.rules.rng import HmacRng

SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Secret:
    """Seed and nonce of one match."""

    nonce: bytes
    seed: bytes

    @property
    def commitment(self) -> str:
        """The hexadecimal promise that may be shown before the end."""
        return hashlib.sha256(self.nonce + self.seed).hexdigest()


def new_secret(seed: bytes | None = None) -> Secret:
    """Return a fresh secret; tests and simulations may choose the seed."""
    return Secret(
        nonce=secrets.token_bytes(SECRET_BYTES),
        seed=secrets.token_bytes(SECRET_BYTES) if seed is None else seed,
    )


def rng_for(seed: bytes, version: int) -> Rng:
    """Return the stream from which the commit that makes `version` draws."""
    return HmacRng(seed, str(version))


def private_seed(seed: bytes, purpose: str) -> bytes:
    """Return what seeds a choice that rivals must not foresee, such as a bot's.

    Nobody can compute it while the match runs, and everybody once the seed is shown.
    """
    return hmac.digest(seed, b"private\0" + purpose.encode(), "sha256")
