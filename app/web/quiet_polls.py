"""The answer to most requests, before anything else looks at them: nothing has happened.

An open match page asks every two seconds.  Where memory alone knows that this
session may look at the match and has seen all of it, the answer is 204, with the
headers of every other answer.  Whatever is unusual about the request, and every
other outcome, goes on to the application as if this layer were not there: it
alone refuses, and a stranger cannot tell the difference.
"""

import re
from typing import Final
from urllib.parse import parse_qsl
from uuid import UUID

from starlette.datastructures import MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.ids import token_hash
from app.matches.live import Live
from app.rules.game import Seat
from app.web.cookies import Cookies
from app.web.security import guard

_POLL: Final = re.compile(r"/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/board")
_SEAT: Final = re.compile(r"[0-9]")
_BODY: Final[Message] = {"type": "http.response.body", "body": b""}


class QuietPollMiddleware:
    """Answers 204 to the polls of matches in which nothing has happened."""

    def __init__(self, app: ASGIApp, *, live: Live, cookies: Cookies, secure: bool) -> None:
        self._app = app
        self._live = live
        self._cookies = cookies
        headers = MutableHeaders()
        guard(headers, "/matches", secure=secure)
        self._start: Message = {
            "type": "http.response.start",
            "status": 204,
            "headers": headers.raw,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET" and self._is_quiet(scope):
            await send(self._start)
            await send(_BODY)
            return
        await self._app(scope, receive, send)

    def _is_quiet(self, scope: Scope) -> bool:
        path = _POLL.fullmatch(scope["path"].removeprefix(scope.get("root_path", "")))
        if path is None:
            return False
        headers = dict(scope["headers"])
        # Only our own pages can send this header: another site's would have to ask first.
        if headers.get(b"hx-request") != b"true":
            return False
        cookies = cookie_parser(headers.get(b"cookie", b"").decode("latin-1"))
        token = self._cookies.session_token(cookies)
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        since, seat = asked.get("since"), asked.get("seat")
        if token is None or since is None or not (seat is None or _SEAT.fullmatch(seat)):
            return False
        number = None if seat is None else Seat(int(seat))
        return self._live.is_quiet(UUID(path[1]), token_hash(token), number, since)
