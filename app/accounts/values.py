"""What accounts hand to the rest of the application: plain values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

Kind: TypeAlias = Literal["guest", "account", "deleted"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody known on a device; `id` is a name, never a key to anything."""

    id: UUID
    name: str
    kind: Kind

    @property
    def is_account(self) -> bool:
        """Whether the person can sign in anywhere."""
        return self.kind == "account"


@dataclass(frozen=True, slots=True)
class Known:
    """Who a session cookie belongs to, and which session it is.

    `may_reset` is true for a few minutes after a login link, or after the issuer signed
    somebody in who has no password: one may then be set without the old one.
    `seen_at` is when its use was last written down.  `mail_refused`: the person's
    address takes no mail any more; `channel_refused`: another way to reach them does
    not work any more.
    """

    person: Person
    session_id: UUID
    may_reset: bool
    seen_at: datetime
    mail_refused: bool = False
    channel_refused: bool = False


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One device on which a person is known, as the account page lists it."""

    id: UUID
    label: str
    created_at: datetime
    seen_at: datetime
    current: bool


@dataclass(frozen=True, slots=True)
class TokenLine:
    """One API token, as the account page lists it; the token itself is gone."""

    id: UUID
    label: str
    created_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, slots=True)
class TakenLink:
    """Whom a one-time link signs in, and whether it stands in for a forgotten password."""

    person: Person
    resets_password: bool


@dataclass(frozen=True, slots=True)
class NewLink:
    """A one-time link just made: the only moment at which its token is known."""

    token: str
    expires_at: datetime
