"""The address people use to get here: from the settings, or else from the request.

A shared host may serve the application under a path.  Some proxies strip that
path from what they pass on and some do not; inside it is always there.
"""

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.config import Settings
from app.errors import ForbiddenError
from app.web.below import below
from app.web.templating import root_path

LONGEST_SHOWN: Final = 100


def public_base(request: Request) -> str:
    """Return what absolute links begin with, without a trailing slash.

    With PUBLIC_URL set, nothing in the request has any influence.
    """
    settings: Settings = request.app.state.settings
    if settings.public_url is not None:
        return settings.public_url
    return f"{request.url.scheme}://{request.url.netloc}{root_path(request)}"


def opens_only_here(address: str) -> bool:
    """Whether `address` names the very computer that asks: no other device reaches it."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def public_origin(request: Request) -> str:
    """Return scheme, host and port of our own pages, as browsers name them in `Origin`."""
    parts = urlsplit(public_base(request))
    default = {"http": 80, "https": 443}.get(parts.scheme)
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    port = "" if parts.port in {None, default} else f":{parts.port}"
    return f"{parts.scheme}://{shown}{port}"


def stranger(request: Request) -> ForbiddenError:
    """Return why a form is taken for one of another site's, with what a host has to mend.

    Most of the time nobody forges anything: a proxy forgets a header, or the page
    was opened at another address than the server believes to have.
    """
    settings: Settings = request.app.state.settings
    origin = request.headers.get("Origin", "")[:LONGEST_SHOWN]
    ours = public_origin(request)
    told = {"origin": origin, "ours": ours}
    if origin in {"", "null"}:
        return ForbiddenError("csrf")
    if settings.public_url is not None:
        return ForbiddenError("csrf.other_address", **told)
    if origin.partition("://")[2] == ours.partition("://")[2]:
        return ForbiddenError("csrf.proxy_proto", **told)
    return ForbiddenError("csrf.proxy_host", **told)


class SubpathMiddleware:
    """Puts back the path of a shared host that the proxy has stripped, and keeps pages below it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        root = str(scope.get("root_path", ""))
        path = str(scope.get("path", ""))
        if root and path != root and not path.startswith(f"{root}/"):
            scope = {**scope, "path": root + path}
        with below(root):
            await self._app(scope, receive, send)
