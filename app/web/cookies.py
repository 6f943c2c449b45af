"""Cookies: what they are called and how they are guarded, from the public address.

On https the names begin with `__Host-`, which browsers accept only with Secure,
Path=/ and no Domain.  On plain http such cookies would be dropped, so the names
are plain there.  Installations that share a host, under another path or port, do
not share the names.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import urlsplit

from starlette.responses import Response

from app.accounts.sessions import ABSOLUTE
from app.config import Settings

_YEAR_SECONDS: Final = 365 * 24 * 3600
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Cookies:
    """The names and flags of this installation's cookies.

    `session` says who somebody is; `visitor` tells browsers apart before that,
    for forms; `device` remembers whose account was opened here before; `sign_in` ties the
    answer of the issuer to the browser that has asked.
    """

    session: str
    visitor: str
    device: str
    sign_in: str
    secure: bool

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the cookies for the address players type."""
        parts = urlsplit(settings.public_url or f"http://localhost:{settings.port}")
        words = [str(parts.port or ""), *re.findall(r"[A-Za-z0-9]+", parts.path)]
        suffix = "_".join(["placa", *filter(None, words)])
        prefix = "__Host-" if settings.secure else ""
        return cls(
            session=f"{prefix}{suffix}_sid",
            visitor=f"{prefix}{suffix}_visitor",
            device=f"{prefix}{suffix}_device",
            sign_in=f"{prefix}{suffix}_sign_in",
            secure=settings.secure,
        )

    def session_token(self, cookies: Mapping[str, str]) -> str | None:
        """Return the session cookie's value, if there is one that can be ours."""
        return _ours(cookies.get(self.session, ""))

    def visitor_token(self, cookies: Mapping[str, str]) -> str | None:
        """Return the visitor cookie's value, if there is one that can be ours."""
        return _ours(cookies.get(self.visitor, ""))

    def sign_in_token(self, cookies: Mapping[str, str]) -> str | None:
        """Return the sign-in cookie's value, if there is one that can be ours."""
        return _ours(cookies.get(self.sign_in, ""))

    def set_session(self, response: Response, token: str) -> None:
        """Make the browser known by `token` from now on."""
        self.set(response, self.session, token, seconds=int(ABSOLUTE.total_seconds()))

    def set(
        self, response: Response, name: str, value: str, *, seconds: int = _YEAR_SECONDS
    ) -> None:
        """Put a cookie that no script and no other site can use."""
        response.set_cookie(
            name,
            value,
            max_age=seconds,
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )

    def forget_session(self, response: Response) -> None:
        """Make the browser drop the session cookie."""
        self.forget(response, self.session)

    def forget(self, response: Response, name: str) -> None:
        """Make the browser drop a cookie."""
        response.delete_cookie(name, path="/", secure=self.secure, httponly=True, samesite="lax")


def _ours(value: str) -> str | None:
    return value if 0 < len(value) <= _LONGEST and value.isascii() else None
