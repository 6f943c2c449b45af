"""What an ID token has to be before anything in it is believed (OpenID Connect Core 3.1.3.7)."""

import base64
import hmac
import json
import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from app.accounts.issuer.documents import Issuer

# Signatures that only the issuer can make: nothing with a shared secret, and never `none`.
ALGORITHMS: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519"}
)
# By how much our clock and the issuer's may differ.
LEEWAY_SECONDS: Final = 60
OLDEST_SECONDS: Final = 600
LONGEST_SUBJECT: Final = 255


class RefusedTokenError(Exception):
    """The token proves nothing; `why` is for the host's log, never for a page."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


async def claims_of(issuer: Issuer, token: object, *, nonce: str, now: datetime) -> dict[str, Any]:
    """Return what the token says, if it is the issuer's, for us, of now and for this sign-in.

    Raises RefusedTokenError, and SilentError and GarbledError where keys have to be fetched.
    """
    if not isinstance(token, str):
        raise RefusedTokenError("none there")
    claims = await _signed(issuer, token, now)
    _check_parties(issuer, claims)
    _check_times(claims, now.timestamp())
    said = claims.get("nonce")
    # Only of ASCII can they be compared; a question of ours is nothing else.
    if not isinstance(said, str) or not said.isascii() or not hmac.compare_digest(said, nonce):
        raise RefusedTokenError("nonce")
    subject_of(claims)
    return claims


def subject_of(claims: Mapping[str, Any]) -> str:
    """Return whom the issuer means; raises RefusedTokenError."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise RefusedTokenError("sub")
    if not subject.isprintable():
        raise RefusedTokenError("sub")
    return subject


async def _signed(issuer: Issuer, token: str, now: datetime) -> dict[str, Any]:
    """Return the claims under a signature of the issuer's."""
    from joserfc import jwt  # noqa: PLC0415 - only hosts with an issuer need it
    from joserfc.errors import JoseError  # noqa: PLC0415 - as above
    from joserfc.jws import JWSRegistry  # noqa: PLC0415 - as above

    header = _header(token)
    algorithm, kid = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise RefusedTokenError("alg")
    if not isinstance(kid, str | None):
        raise RefusedTokenError("kid")
    key = await issuer.key(kid, now)
    if key is None:
        raise RefusedTokenError("kid")
    # Issuers may add to the header what they like; `crit` is looked at in any case.
    registry = JWSRegistry(algorithms=[algorithm], strict_check_header=False)
    try:
        return jwt.decode(token, key, registry=registry).claims
    except (JoseError, ValueError, TypeError) as error:
        raise RefusedTokenError("signature") from error


def _header(token: str) -> dict[str, Any]:
    first = token.partition(".")[0]
    try:
        found = json.loads(base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)))
    except (ValueError, RecursionError) as error:
        raise RefusedTokenError("header") from error
    if not isinstance(found, dict):
        raise RefusedTokenError("header")
    return found


def _check_parties(issuer: Issuer, claims: Mapping[str, Any]) -> None:
    if claims.get("iss") != issuer.address:
        raise RefusedTokenError("iss")
    audience = claims.get("aud")
    audiences = [audience] if isinstance(audience, str) else audience
    if not isinstance(audiences, list) or issuer.client_id not in audiences:
        raise RefusedTokenError("aud")
    # With others in the audience, it has to say that it was made for us.
    if (len(audiences) > 1 or "azp" in claims) and claims.get("azp") != issuer.client_id:
        raise RefusedTokenError("azp")


def _check_times(claims: Mapping[str, Any], now: float) -> None:
    ends, made = _moment(claims, "exp"), _moment(claims, "iat")
    begins = _moment(claims, "nbf") if "nbf" in claims else made
    if max(made, begins) > now + LEEWAY_SECONDS:
        raise RefusedTokenError("early")
    if ends <= now - LEEWAY_SECONDS or made < now - OLDEST_SECONDS:
        raise RefusedTokenError("late")


def _moment(claims: Mapping[str, Any], name: str) -> float:
    found = claims.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise RefusedTokenError(name)
    # Of a whole number that is too long for a float it cannot be asked.
    if isinstance(found, float) and not math.isfinite(found):
        raise RefusedTokenError(name)
    return found
