"""The settings of signing in at another server, by OpenID Connect."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationInfo, field_validator

from app.urls import site_of

# Settings that are also read without the prefix.
OIDC_PLAIN: Final = ("oidc_issuer", "oidc_client_id", "oidc_client_secret")
# Names that lead nowhere but into a network of one's own.
_INSIDE: Final = ("localhost", ".localhost", ".local", ".lan", ".internal", ".home.arpa")
_CLAIM: Final = re.compile(r"[A-Za-z0-9_:./-]{1,100}")
LONGEST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """What the issuer has to say of somebody: `groups=players` or `email=*@example.org`."""

    claim: str
    value: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the rule that `text` is; raises ValueError."""
        claim, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not value or not _CLAIM.fullmatch(claim):
            raise ValueError(f"{text} is not like groups=players, sub=1234 or email=*@example.org")
        if "*" in value and not (claim == "email" and re.fullmatch(r"\*@[^*@\s]+", value)):
            raise ValueError(f"{text}: a star stands before the @ of an email and nowhere else")
        return cls(claim, value)


class OidcSettings(BaseModel):
    """What the operator may decide of it; without an issuer there is no such thing."""

    oidc_issuer: str | None = Field(
        default=None,
        description="Where people can also sign in, by OpenID Connect: the issuer's address, as it"
        " names itself.",
    )
    oidc_client_id: str | None = Field(
        default=None, description="What this server is called there.", validate_default=True
    )
    oidc_client_secret: str | None = Field(
        default=None,
        repr=False,
        description="The secret that goes with it; none for a public client.",
    )
    oidc_name: str | None = Field(
        default=None,
        description="What the button says after “Sign in with”; else the issuer's host.",
    )
    oidc_admins: tuple[str, ...] = Field(
        default=(),
        description="Who is an administrator, by what the issuer says: groups=placa-admins, or"
        " sub=1234; one of several is enough.",
    )
    oidc_allow: tuple[str, ...] = Field(
        default=(),
        description="Whom to let in that way, likewise: groups=players,email=*@example.org; else"
        " everybody the issuer knows.",
    )
    local_sign_in: bool = Field(
        default=True,
        description="Whether names, passwords and mailed codes sign in as well; placa oidc disable"
        " turns that on whatever stands here.",
    )

    @field_validator("oidc_issuer")
    @classmethod
    def _is_an_issuer(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = site_of(value)
        if parts is None:
            raise ValueError("must be like https://id.example.org/realms/friends")
        if parts.scheme == "http" and not _is_inside(parts.hostname or ""):
            raise ValueError("must begin with https:// unless it lies in your own network")
        return value

    @field_validator("oidc_client_id")
    @classmethod
    def _goes_with_an_issuer(cls, value: str | None, info: ValidationInfo) -> str | None:
        if "oidc_issuer" in info.data and bool(value) != bool(info.data["oidc_issuer"]):
            raise ValueError("OIDC_ISSUER and OIDC_CLIENT_ID go together")
        return value

    @field_validator("oidc_name")
    @classmethod
    def _fits_a_button(cls, value: str | None) -> str | None:
        if value is not None and (len(value) > LONGEST_NAME or not value.isprintable()):
            raise ValueError(f"must be a name of at most {LONGEST_NAME} characters")
        return value

    @field_validator("oidc_admins", "oidc_allow", mode="before")
    @classmethod
    def _split_rules(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("oidc_admins", "oidc_allow")
    @classmethod
    def _are_rules(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for part in value:
            ClaimRule.read(part)
        return value

    @field_validator("local_sign_in")
    @classmethod
    def _leaves_a_way_in(cls, value: bool, info: ValidationInfo) -> bool:
        if not value and not info.data.get("oidc_issuer"):
            raise ValueError("nobody could sign in; set OIDC_ISSUER first")
        return value

    @property
    def oidc_label(self) -> str:
        """What people are shown as the issuer's name."""
        return self.oidc_name or urlsplit(self.oidc_issuer or "").hostname or ""


def _is_inside(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.lower().endswith(_INSIDE)
    return address.is_private
