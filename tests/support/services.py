"""A real web server that answers like the services people are told by; its moods can be chosen."""

import json
import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

WEBHOOK = "987654321098765432"
WEBHOOK_TOKEN = "discord-token-that-nobody-may-see-0123456789"
TOPIC = "anna-castells"
TOPIC_TOKEN = "tk_ntfytokenthatnobodymaysee"
ROOM = "!QtykxKocfZaZOUrTwp:plaza.test"
ROOM_TOKEN = "syt_matrixtokenthatnobodymaysee"
BOT = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
CHAT = "1234567"
HOOK = "/hooks/secret-path-that-nobody-may-see"

_MATRIX = re.compile(r"/_matrix/client/v3/rooms/([^/]+)/send/m\.room\.message/([^/]+)")


@dataclass(frozen=True, slots=True)
class Got:
    """A request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Services:
    """What has arrived, and how the next request is met.

    `status` is an answer instead of the service's own, `location` where it leads;
    `silent` says nothing for so many seconds; `babble` is no HTTP; `drop` hangs up
    once the request is in.
    """

    port: int = 0
    status: int = 0
    location: str = ""
    silent: float = 0
    babble: bytes = b""
    drop: bool = False
    got: list[Got] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def allow(self) -> tuple[str, ...]:
        """What a host says to let notices go here."""
        return (f"127.0.0.1:{self.port}",)

    def answer(self, got: Got) -> tuple[int, dict[str, Any]]:
        """Return what the service in question would answer."""
        path, body = urlsplit(got.path).path, got.body
        if path.startswith("/api/webhooks/"):
            return self._discord(path, body)
        if path == "/":
            return self._ntfy(got.headers, body)
        if path.startswith("/bot"):
            return self._telegram(path, body)
        if found := _MATRIX.fullmatch(path):
            return self._matrix(got, unquote(found[1]), found[2])
        return (200, {}) if path == HOOK else (404, {})

    def _discord(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path != f"/api/webhooks/{WEBHOOK}/{WEBHOOK_TOKEN}":
            return 404, {"message": "Unknown Webhook", "code": 10015}
        if not 0 < len(body.get("content", "")) <= 2000:
            return 400, {"code": 50006}
        return 204, {}

    def _ntfy(self, headers: dict[str, str], body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if body.get("topic") != TOPIC or len(body.get("message", "").encode()) > 4096:
            return 400, {"code": 40007}
        if headers.get("authorization") != f"Bearer {TOPIC_TOKEN}":
            return 403, {"code": 40301}
        return 200, {"id": "x"}

    def _telegram(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path != f"/bot{BOT}/sendMessage":
            return 401, {"ok": False}
        if body.get("chat_id") != CHAT:
            return 400, {"ok": False, "description": "Bad Request: chat not found"}
        return 200, {"ok": True}

    def _matrix(self, got: Got, room: str, number: str) -> tuple[int, dict[str, Any]]:
        if got.headers.get("authorization") != f"Bearer {ROOM_TOKEN}":
            return 401, {"errcode": "M_UNKNOWN_TOKEN"}
        if room != ROOM or got.method != "PUT":
            return 403, {"errcode": "M_FORBIDDEN"}
        # The same number is the same message.
        self.shown.setdefault(number, got.body["body"])
        return 200, {"event_id": "$x"}


@contextmanager
def services(*, tls: ssl.SSLContext | None = None) -> Iterator[Services]:
    """Run them all on one port of this machine, in a thread."""
    here = Services()

    class Handler(BaseHTTPRequestHandler):
        """Answers what comes in."""

        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            headers = {name.lower(): value for name, value in self.headers.items()}
            got = Got(self.command, self.path, headers, json.loads(raw) if raw else {})
            here.got.append(got)
            if here.silent:
                time.sleep(here.silent)
            if here.drop or here.babble:
                self.wfile.write(here.babble)
                self.close_connection = True
                return
            status, told = (here.status, {}) if here.status else here.answer(got)
            self.send_response(status)
            if here.location:
                self.send_header("Location", here.location)
            content = b"" if status == 204 else json.dumps(told).encode()
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_PUT = do_GET = handle_any  # noqa: N815 - named by the library

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - as above
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    here.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
