"""Signed addresses: where an answer to one decision goes.

An address names match, seat, decision, version and the hour it ends; whoever can
make one up has the installation's key.  It is no password: it lets its holder answer
that one decision, from the address of the person who sits there, until it is taken.

Mail programs change the case of addresses, so base32 it is: 35 bytes are just 56
characters, which leaves eight of a local part's 64 to the host.
"""

import base64
import binascii
import hashlib
import hmac
import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Self
from uuid import UUID

from app.config import Settings

TOKEN_LENGTH: Final = 56
# For decisions that nobody has to take by a certain hour.
LIFE: Final = timedelta(days=60)

_MARK_BYTES: Final = 3
_VERSION_BYTES: Final = 3
_HOUR_BYTES: Final = 3
_SIGNED_BYTES: Final = 16 + 1 + _MARK_BYTES + _VERSION_BYTES + _HOUR_BYTES
_SIGNATURE_BYTES: Final = 9
_HOUR: Final = 3600
_TOKEN: Final = re.compile(r"[A-Za-z2-7]{56}")


@dataclass(frozen=True, slots=True)
class Question:
    """One decision, as a letter shows it: `draft` is what was drafted by then."""

    match_id: UUID
    seat: int
    prompt: str
    version: int
    draft: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """What a signed address says; whether that still holds is for the match to tell."""

    match_id: UUID
    seat: int
    version: int
    expires: datetime
    mark: bytes

    def asks(self, prompt: str, draft: tuple[str, ...]) -> bool:
        """Whether the letter with this address showed `prompt` with that draft."""
        return hmac.compare_digest(self.mark, _mark(prompt, draft))


@dataclass(frozen=True, slots=True)
class ReplyAddresses:
    """Makes and reads the addresses of one installation."""

    key: bytes
    prefix: str
    domain: str

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Return those of the settings; None on a host that takes no answers."""
        if settings.reply_address is None or settings.secret_key is None:
            return None
        prefix, _, domain = settings.reply_address.partition("*@")
        key = hmac.digest(settings.secret_key.encode(), b"placa reply addresses", "sha256")
        return cls(key, prefix.lower(), domain.lower())

    def make(self, question: Question, *, expires: datetime) -> str:
        """Return the address for answers to `question`; it ends with the hour of `expires`."""
        hours = math.ceil(expires.timestamp() / _HOUR)
        signed = (
            question.match_id.bytes
            + question.seat.to_bytes(1, "big")
            + _mark(question.prompt, question.draft)
            + question.version.to_bytes(_VERSION_BYTES, "big")
            + hours.to_bytes(_HOUR_BYTES, "big")
        )
        token = base64.b32encode(signed + self._signature(signed)).decode().lower()
        return f"{self.prefix}{token}@{self.domain}"

    def is_ours(self, address: str) -> bool:
        """Whether an address has the form of those made here, signed or not."""
        return self._token(address) is not None

    def read(self, address: str) -> ReplyTo | None:
        """Return what `address` says; None for one that was not made here."""
        token = self._token(address)
        if token is None:
            return None
        try:
            whole = base64.b32decode(token.upper())
        except binascii.Error:
            return None
        signed, signature = whole[:_SIGNED_BYTES], whole[_SIGNED_BYTES:]
        if not hmac.compare_digest(signature, self._signature(signed)):
            return None
        hours = int.from_bytes(signed[-_HOUR_BYTES:], "big")
        after = 17 + _MARK_BYTES
        return ReplyTo(
            match_id=UUID(bytes=signed[:16]),
            seat=signed[16],
            version=int.from_bytes(signed[after : after + _VERSION_BYTES], "big"),
            expires=datetime.fromtimestamp(hours * _HOUR, UTC),
            mark=signed[17:after],
        )

    def _token(self, address: str) -> str | None:
        local, _, domain = address.rpartition("@")
        if domain.lower() != self.domain or not local.lower().startswith(self.prefix):
            return None
        token = local[len(self.prefix) :]
        return token if _TOKEN.fullmatch(token) else None

    def _signature(self, signed: bytes) -> bytes:
        return hmac.digest(self.key, signed, "sha256")[:_SIGNATURE_BYTES]


def reply_address(
    settings: Settings, question: Question, *, now: datetime, expires: datetime | None = None
) -> str | None:
    """Return where an answer to `question` may be mailed; None: nowhere.

    `expires` is when the decision is taken from the person; an answer on its way
    by then is let in for another hour at most, and it is the match that refuses it.
    """
    addresses = ReplyAddresses.of(settings)
    if addresses is None:
        return None
    return addresses.make(question, expires=expires or now + LIFE)


def _mark(prompt: str, draft: tuple[str, ...]) -> bytes:
    """Tell one decision of a match, with one draft, from another."""
    shown = "\0".join((prompt, *draft))
    return hashlib.sha256(shown.encode()).digest()[:_MARK_BYTES]
