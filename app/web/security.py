"""Headers that every answer carries, a limit on what comes in, and a last net for bugs."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

import structlog
from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.ids import new_id

MAX_BODY_BYTES: Final = 64 * 1024

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none';"
    " object-src 'none'; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'"
)

ALWAYS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# What no browser shows as a document has no policy to follow, and a page loads many of them.
PARTS_ONLY: Final = frozenset(
    {"text/css; charset=utf-8", "text/javascript; charset=utf-8", "font/woff2"}
)
SUBRESOURCE: Final = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
ONE_YEAR: Final = "max-age=31536000"
# Pages whose address opens a door: it must not travel in a Referer.
DOORS: Final = ("/i/", "/w/", "/device/", "/join/", "/login/oidc/")

log = structlog.get_logger("placa.web")


class SecurityMiddleware:
    """Adds the headers to whatever comes from inside, and turns what falls through into a 500."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        secure: bool,
        broken: Callable[[Request, str], Awaitable[Response]],
    ) -> None:
        self._app = app
        self._secure = secure
        self._broken = broken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                guard(MutableHeaders(scope=message), path, secure=self._secure)
            await send(message)

        try:
            await self._app(scope, receive, guarded)
        except Exception:
            if started:
                raise
            reference = str(new_id())
            log.exception("web.uncaught", reference=reference, path=scope["path"])
            response = await self._broken(Request(scope, receive), reference)
            await response(scope, receive, guarded)


def guard(headers: MutableHeaders, path: str, *, secure: bool) -> None:
    """Give the answer for `path`, inside the application, the headers that every answer has."""
    if secure:
        headers["Strict-Transport-Security"] = ONE_YEAR
    if headers.get("Cache-Control", "").startswith("public"):
        for name in SUBRESOURCE if headers.get("Content-Type") in PARTS_ONLY else ALWAYS:
            headers.setdefault(name, ALWAYS[name])
        return
    for name, value in ALWAYS.items():
        headers.setdefault(name, value)
    headers["Referrer-Policy"] = "no-referrer" if path.startswith(DOORS) else "same-origin"
    # An entity tag is a hash of what it names, hidden facts included.
    for name in ("ETag", "Last-Modified"):
        if name in headers:
            del headers[name]
    headers["Cache-Control"] = "no-store"
    headers.add_vary_header("Cookie")
    headers.add_vary_header("HX-Request")


class BodyLimitMiddleware:
    """Refuses bodies of more than 64 kB, announced or not; some paths may have more."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        limit: int = MAX_BODY_BYTES,
        larger: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._app = app
        self._limit = limit
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        limit = self._larger.get(path, self._limit)
        announced = Headers(scope=scope).get("Content-Length", "0")
        too_much = announced.isdecimal() and int(announced[:20]) > limit
        received = 0

        async def counted() -> Message:
            nonlocal received
            if too_much:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return message

        await self._app(scope, counted, send)
