"""Refuses what another site makes a browser send.

Browsers say in `Sec-Fetch-Site` where an unsafe request comes from; on plain
http they do not, and then `Origin` counts.  Where both are missing (a privacy
tool, a page with a token in its address, whose Origin is `null`) the form must
carry a token bound to this browser's cookie, masked anew in every answer.

Programs (`/api/`) bring a token of their own and no cookie counts there, so
there is nothing to forge; nor where a mail program stops mails by an address.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import parse_qs

import structlog
from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import ForbiddenError
from app.web.cookies import Cookies
from app.web.origin import public_origin, stranger

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FIELD: Final = "csrf"
HEADER: Final = "X-CSRF-Token"
_FORM: Final = "application/x-www-form-urlencoded"
# What a page of another site may not load: only navigation and fetches are for it to try.
_EMBEDDED: Final = frozenset(
    {"script", "style", "image", "iframe", "frame", "object", "embed", "audio", "video", "font"}
)

# Here no cookie counts: programs bring a token, and mail programs one that is in the address.
_NO_COOKIES: Final = ("/api/", "/notices/stop/")

_ELSEWHERE: Final = frozenset({"cross-site", "same-site"})

log = structlog.get_logger("placa.security")


class CsrfMiddleware:
    """Gives every page its token, and checks where every change comes from."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        cookies: Cookies,
        secret_key: str,
        refuse: Callable[[Request, ForbiddenError], Awaitable[Response]],
    ) -> None:
        self._app = app
        self._cookies = cookies
        self._key = secret_key.encode()
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        browser = self._browser(request)
        fresh = browser is None
        browser = browser or secrets.token_urlsafe(32)
        token = self._token(browser)
        scope.setdefault("state", {})["csrf_token"] = masked(token)

        if not _is_program(request):
            reason, receive = await self._objection(request, receive, b"" if fresh else token)
            if reason:
                log.warning("csrf.refused", reason=reason, path=scope["path"])
                response = await self._refuse(request, stranger(request))
                await response(scope, receive, send)
                return
        await self._app(scope, receive, self._marking(send, browser) if fresh else send)

    def _token(self, browser: str) -> bytes:
        """Return the token that goes with a browser's cookie."""
        return hmac.digest(self._key, b"csrf\0" + browser.encode(), "sha256")

    def _browser(self, request: Request) -> str | None:
        cookies = request.cookies
        return self._cookies.session_token(cookies) or self._cookies.visitor_token(cookies)

    async def _objection(
        self, request: Request, receive: Receive, token: bytes
    ) -> tuple[str, Receive]:
        """Return why the request is refused, or nothing, and what is left to receive."""
        site = request.headers.get("Sec-Fetch-Site")
        if site in _ELSEWHERE and request.headers.get("Sec-Fetch-Dest") in _EMBEDDED:
            return "embedded by another site", receive
        if request.method in SAFE:
            return "", receive
        allowed = is_ours(site, request.headers.get("Origin"), public_origin(request))
        if allowed is None:
            given, receive = await _given_token(request, receive)
            allowed = bool(token) and hmac.compare_digest(unmasked(given), token)
        return ("" if allowed else f"site {site}, origin {request.headers.get('Origin')}"), receive

    def _marking(self, send: Send, browser: str) -> Send:
        """Return `send` that gives a browser without a cookie one with its first page."""

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("Content-Type", "").startswith("text/html"):
                    carrier = Response()
                    self._cookies.set(carrier, self._cookies.visitor, browser)
                    headers.append("Set-Cookie", carrier.headers["Set-Cookie"])
            await send(message)

        return marked


def masked(token: bytes) -> str:
    """Return `token` as a page carries it: different in every answer.

    Proxies compress pages, and the length of a page that also repeats what a
    visitor sent would tell, try by try, a secret that stays the same (BREACH).
    """
    pad = secrets.token_bytes(len(token))
    return (pad + _xor(pad, token)).hex()


def unmasked(text: str) -> bytes:
    """Return the token in what a form sends back, nothing if there is none."""
    try:
        given = bytes.fromhex(text)
    except ValueError:
        return b""
    half = len(given) // 2
    return _xor(given[:half], given[half : 2 * half])


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def is_ours(site: str | None, origin: str | None, ours: str) -> bool | None:
    """Whether a change comes from one of our pages, as far as the browser says.

    None: it does not say, and the form's token decides.  `site` is Sec-Fetch-Site;
    an `origin` of `null` says nothing.
    """
    match site:
        case "same-origin":
            return True
        case "none":
            return None
        case None:
            return None if origin in {None, "null"} else origin == ours
    return False


def _is_program(request: Request) -> bool:
    root = str(request.scope.get("root_path", ""))
    return request.url.path.removeprefix(root).startswith(_NO_COOKIES)


async def _given_token(request: Request, receive: Receive) -> tuple[str, Receive]:
    """Return the token of the header or the form, and a `receive` that gives the body again."""
    header = request.headers.get(HEADER)
    if header is not None:
        return header, receive
    if not request.headers.get("Content-Type", "").startswith(_FORM):
        return "", receive
    try:
        body = await request.body()
        fields = parse_qs(body.decode("latin-1"), max_num_fields=1000)
    except (ClientDisconnect, HTTPException, ValueError):
        # Cut short, or longer or of more fields than any form of ours: it carries no token.
        return "", receive
    delivered = False

    async def again() -> Message:
        nonlocal delivered
        if delivered:
            return await receive()
        delivered = True
        return {"type": "http.request", "body": body, "more_body": False}

    return fields.get(FIELD, [""])[0], again
