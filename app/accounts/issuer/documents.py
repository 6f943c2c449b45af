"""What the issuer tells of itself: its description and its keys, fetched once in a while.

Nothing is fetched before somebody signs in: a server starts, and works, without its issuer.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

from app.accounts.issuer.wire import GarbledError, SilentError, ask
from app.config import Settings

if TYPE_CHECKING:
    from joserfc.jwk import Key

KEPT: Final = timedelta(hours=1)
# One that is down is not waited for by everybody, one after the other.
AGAIN: Final = timedelta(seconds=5)
# A key nobody has heard of is asked for anew, but not with every forged token.
KEYS_AGAIN: Final = timedelta(seconds=30)
MOST_KEYS: Final = 50
_PLACE: Final = re.compile(r"[!#-;=?-\[\]_a-z~]{1,2000}")
_KINDS: Final = ("RSA", "EC", "OKP")


@dataclass(frozen=True, slots=True)
class Description:
    """Where the issuer's doors are, and what it can."""

    authorization: str
    token: str
    keys: str
    userinfo: str | None
    secret_in_form: bool
    names_itself: bool
    scopes: frozenset[str]

    @classmethod
    def read(cls, issuer: str, found: Mapping[str, Any]) -> Self:
        """Return what a discovery document says; raises GarbledError."""
        if found.get("issuer") != issuer:
            raise GarbledError("another issuer")
        auth_methods = _words(found.get("token_endpoint_auth_methods_supported"))
        return cls(
            authorization=_place(issuer, found.get("authorization_endpoint")),
            token=_place(issuer, found.get("token_endpoint")),
            keys=_place(issuer, found.get("jwks_uri")),
            userinfo=_place(issuer, found["userinfo_endpoint"])
            if found.get("userinfo_endpoint")
            else None,
            # What is not said is `client_secret_basic`.
            secret_in_form="client_secret_post" in auth_methods
            and "client_secret_basic" not in auth_methods,
            names_itself=found.get("authorization_response_iss_parameter_supported") is True,
            scopes=_words(found.get("scopes_supported")),
        )


@dataclass(slots=True)
class Issuer:
    """The issuer of this process, and what was fetched from it lately."""

    address: str
    client_id: str
    client_secret: str | None
    _described: tuple[datetime, Description] | None = None
    _failed: tuple[datetime, SilentError | GarbledError] | None = None
    _keys: "tuple[datetime, Mapping[str | None, Key]] | None" = None
    _no_keys: tuple[datetime, SilentError | GarbledError] | None = None
    _one_at_once: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Return the issuer of the settings, if the host has one."""
        if settings.oidc_issuer is None or settings.oidc_client_id is None:
            return None
        return cls(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret)

    async def description(self, now: datetime) -> Description:
        """Return what the issuer says of itself; raises SilentError and GarbledError."""
        async with self._one_at_once:
            if self._described is not None and _fresh(self._described[0], now, KEPT):
                return self._described[1]
            if self._failed is not None and _fresh(self._failed[0], now, AGAIN):
                raise self._failed[1].with_traceback(None)
            try:
                described = await self._describe()
            except (SilentError, GarbledError) as error:
                self._failed = now, error
                raise
            self._described = now, described
            return described

    async def _describe(self) -> Description:
        answer = await ask(f"{self.address.rstrip('/')}/.well-known/openid-configuration")
        if answer.status != 200:
            raise GarbledError(f"status {answer.status}")
        return Description.read(self.address, answer.document())

    async def key(self, kid: str | None, now: datetime) -> "Key | None":
        """Return the key of this name, or the only one if a token names none.

        Raises SilentError and GarbledError.
        """
        described = await self.description(now)
        async with self._one_at_once:
            if self._keys is not None and _fresh(self._keys[0], now, KEPT):
                found = _named(self._keys[1], kid)
                if found is not None or _fresh(self._keys[0], now, KEYS_AGAIN):
                    return found
            if self._no_keys is not None and _fresh(self._no_keys[0], now, AGAIN):
                raise self._no_keys[1].with_traceback(None)
            try:
                self._keys = now, await _fetch_keys(described.keys)
            except (SilentError, GarbledError) as error:
                self._no_keys = now, error
                raise
            return _named(self._keys[1], kid)


async def _fetch_keys(place: str) -> "Mapping[str | None, Key]":
    answer = await ask(place)
    if answer.status != 200:
        raise GarbledError(f"status {answer.status}")
    return read_keys(answer.document())


def read_keys(found: Mapping[str, Any]) -> "Mapping[str | None, Key]":
    """Return the keys of a JWK set that signatures can be checked with, by name.

    One that cannot be read, or is a shared secret, is as good as not there.
    """
    from joserfc.errors import JoseError  # noqa: PLC0415 - only hosts with an issuer need it
    from joserfc.jwk import import_key  # noqa: PLC0415 - as above

    keys: dict[str | None, Key] = {}
    listed = found.get("keys")
    for given in listed[:MOST_KEYS] if isinstance(listed, list) else ():
        if not isinstance(given, dict) or given.get("kty") not in _KINDS:
            continue
        if given.get("use", "sig") != "sig":
            continue
        kid = given.get("kid")
        try:
            keys[kid if isinstance(kid, str) else None] = import_key(given)
        except (JoseError, ValueError, TypeError, LookupError):
            continue
    return keys


def _named(keys: "Mapping[str | None, Key]", kid: str | None) -> "Key | None":
    if kid is None and len(keys) == 1:
        return next(iter(keys.values()))
    return keys.get(kid)


def _fresh(since: datetime, now: datetime, kept: timedelta) -> bool:
    return since <= now < since + kept


def _place(issuer: str, found: object) -> str:
    """Return an address of the issuer's: as well guarded as the issuer itself is."""
    schemes = ("https://", "http://") if issuer.startswith("http://") else ("https://",)
    if not isinstance(found, str) or not _PLACE.fullmatch(found) or not found.startswith(schemes):
        raise GarbledError("an address")
    try:
        parts = urlsplit(found)
        somewhere = bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise GarbledError("an address") from error
    if not somewhere:
        raise GarbledError("an address")
    return found


def _words(found: object) -> frozenset[str]:
    return (
        frozenset(word for word in found if isinstance(word, str))
        if isinstance(found, list)
        else frozenset()
    )
