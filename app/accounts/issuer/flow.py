"""One sign-in at the issuer: the way there, and what is made of the way back.

Everything that ties an answer to its question follows from two secrets of one browser and
one sign-in, `state` and `browser`, under the installation's key: nothing of it is stored.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote_plus, urlencode

import structlog

from app.accounts.issuer.claims import holds, name_in, needs
from app.accounts.issuer.documents import Description, Issuer
from app.accounts.issuer.tokens import RefusedTokenError, claims_of, subject_of
from app.accounts.issuer.wire import GarbledError, SilentError, ask
from app.config import Settings
from app.errors import AppError, ForbiddenError, UnavailableError

log = structlog.get_logger("placa.security")

_PERSONAL: Final = ("email", "email_verified")
# What the token endpoint says of the host's settings, and not of the sign-in.
_OURS: Final = frozenset({"invalid_client", "unauthorized_client"})


@dataclass(frozen=True, slots=True)
class Question:
    """What one browser takes along to the issuer, and what has to come back."""

    nonce: str
    verifier: str
    state: str

    @property
    def challenge(self) -> str:
        """What the issuer is shown of the verifier."""
        return _text(hashlib.sha256(self.verifier.encode()).digest())


@dataclass(frozen=True, slots=True)
class Proven:
    """Whom the issuer knows: `subject` for ever, the rest as of now."""

    subject: str
    name: str
    admin: bool


def question_of(key: str, *, state: str, browser: str) -> Question:
    """Return the question that this browser asks with this state."""

    def secret(purpose: str) -> str:
        told = f"oidc {purpose}\0{state}\0{browser}"
        return _text(hmac.digest(key.encode(), told.encode(), "sha256"))

    return Question(secret("nonce"), secret("verifier"), state)


async def way_there(
    issuer: Issuer, question: Question, settings: Settings, *, back: str, now: datetime
) -> str:
    """Return the address at which the issuer asks who it is; raises UnavailableError."""
    try:
        described = await issuer.description(now)
    except (SilentError, GarbledError) as error:
        raise _away(error) from error
    parameters = {
        "response_type": "code",
        "client_id": issuer.client_id,
        "redirect_uri": back,
        "scope": _scope(described, settings),
        "state": question.state,
        "nonce": question.nonce,
        "code_challenge": question.challenge,
        "code_challenge_method": "S256",
    }
    sign = "&" if "?" in described.authorization else "?"
    return f"{described.authorization}{sign}{urlencode(parameters)}"


async def check_sender(issuer: Issuer, named: str | None, now: datetime) -> None:
    """Raise ForbiddenError `oidc.mixed_up` if another issuer sends the answer (RFC 9207)."""
    try:
        described = await issuer.description(now)
    except (SilentError, GarbledError) as error:
        raise _away(error) from error
    if named is None and not described.names_itself:
        return
    if named != issuer.address:
        log.warning("oidc.refused", why="iss of the answer")
        raise ForbiddenError("oidc.mixed_up")


async def proven_by(
    issuer: Issuer, question: Question, settings: Settings, *, code: str, back: str, now: datetime
) -> Proven:
    """Exchange the code, and return whom it stands for.

    Raises ForbiddenError `oidc.code`, `.token`, `.clock` and `.not_allowed`, and
    UnavailableError `oidc.silent`, `.garbled`, `.untrusted` and `.client`.
    """
    try:
        described = await issuer.description(now)
        answer = await _exchange(issuer, described, question, code=code, back=back)
        claims = await claims_of(issuer, answer.get("id_token"), nonce=question.nonce, now=now)
        claims |= await _more(described, answer, claims, settings)
    except (SilentError, GarbledError) as error:
        raise _away(error) from error
    except RefusedTokenError as error:
        log.warning("oidc.refused", why=error.why)
        raise ForbiddenError(
            "oidc.clock" if error.why in {"early", "late"} else "oidc.token"
        ) from error
    if settings.oidc_allow and not holds(settings.oidc_allow, claims):
        log.warning("oidc.not_allowed")
        raise ForbiddenError("oidc.not_allowed")
    return Proven(subject_of(claims), name_in(claims), holds(settings.oidc_admins, claims))


async def _exchange(
    issuer: Issuer, described: Description, question: Question, *, code: str, back: str
) -> dict[str, Any]:
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": question.verifier,
    }
    authorization = ""
    if issuer.client_secret is None or described.secret_in_form:
        form["client_id"] = issuer.client_id
    if issuer.client_secret is not None and described.secret_in_form:
        form["client_secret"] = issuer.client_secret
    elif issuer.client_secret is not None:
        pair = f"{quote_plus(issuer.client_id)}:{quote_plus(issuer.client_secret)}"
        authorization = "Basic " + base64.b64encode(pair.encode()).decode()
    answer = await ask(described.token, form=form, authorization=authorization)
    found = answer.document()
    if answer.status == 200:
        return found
    if str(found.get("error")) in _OURS or answer.status == 401:
        log.error("oidc.client_refused")
        raise UnavailableError("oidc.client")
    if 400 <= answer.status < 500:
        log.warning("oidc.refused", why="code")
        raise ForbiddenError("oidc.code")
    raise GarbledError(f"status {answer.status}")


async def _more(
    described: Description, answer: dict[str, Any], claims: dict[str, Any], settings: Settings
) -> dict[str, Any]:
    """Return what the rules look at and the token does not say; some issuers tell it here only."""
    token = answer.get("access_token")
    wanted = needs((*settings.oidc_allow, *settings.oidc_admins))
    named = bool(name_in(claims))
    if described.userinfo is None or not isinstance(token, str) or not token.isascii():
        return {}
    if named and wanted <= claims.keys():
        return {}
    found = await ask(described.userinfo, authorization=f"Bearer {token}")
    told = found.document() if found.status == 200 else {}
    if told.get("sub") != claims["sub"]:
        return {}
    if "email" in claims:
        told = {name: value for name, value in told.items() if name not in _PERSONAL}
    return {name: value for name, value in told.items() if name not in claims}


def _scope(described: Description, settings: Settings) -> str:
    wanted = needs((*settings.oidc_allow, *settings.oidc_admins))
    words = ["openid", "profile"]
    # Nothing is asked for that nobody looks at.
    words += ["email"] if "email" in wanted else []
    words += [word for word in ("groups", "roles") if word in wanted & described.scopes]
    return " ".join(words)


def _away(error: SilentError | GarbledError) -> AppError:
    if isinstance(error, GarbledError):
        log.error("oidc.garbled", why=str(error))
        return UnavailableError("oidc.garbled")
    log.error("oidc.silent", untrusted=error.untrusted)
    return UnavailableError("oidc.untrusted" if error.untrusted else "oidc.silent")


def _text(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
