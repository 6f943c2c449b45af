"""What answers on the port until the web process can: alive, not ready, ask again soon."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import urlsplit

RETRY_SECONDS: Final = 3
LOOK_SECONDS: Final = 0.1
LONGEST_BODY: Final = 1 << 16

_ALIVE: Final = json.dumps({"status": "ok"}).encode()
_NOT_READY: Final = json.dumps(
    {"status": "not ready", "database": False, "migrations": False, "worker": False}
).encode()
# It says nothing, which would have to be said in everybody's language, and looks again by itself.
_PAGE: Final = (
    '<!doctype html><html><head><meta charset="utf-8">'
    f'<meta http-equiv="refresh" content="{RETRY_SECONDS}"><title>Plaça …</title></head>'
    "<body><p>Plaça …</p></body></html>"
).encode()


class _Porter(BaseHTTPRequestHandler):
    """Turns everybody away for a moment."""

    timeout = 10

    def _answer(self) -> None:
        length = self.headers.get("Content-Length") or ""
        # Who is not listened to sees a broken connection instead of the answer.
        self.rfile.read(min(int(length), LONGEST_BODY) if length.isdecimal() else 0)
        path = urlsplit(self.path).path
        if path.endswith("/healthz"):
            self._send(HTTPStatus.OK, "application/json", _ALIVE)
        elif path.endswith("/readyz"):
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, "application/json", _NOT_READY)
        else:
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, "text/html; charset=utf-8", _PAGE)

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", "default-src 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if status != HTTPStatus.OK:
            self.send_header("Retry-After", str(RETRY_SECONDS))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - the library's names

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - as above
        """Keep quiet: there is no access log."""


class _Lodge(ThreadingHTTPServer):
    """Takes what comes to a socket that somebody else has opened and keeps."""

    daemon_threads = True

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening.getsockname()[:2], _Porter, bind_and_activate=False)
        self.socket.close()
        self.socket = listening.dup()
        # Whoever has gone again meanwhile would otherwise be waited for.
        self.socket.setblocking(False)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of those who hang up."""


@contextmanager
def turning_away(listening: socket.socket) -> Iterator[None]:
    """Answer on `listening` as long as the block lasts; what comes later waits for who is next."""
    lodge = _Lodge(listening)
    thread = threading.Thread(target=lodge.serve_forever, args=(LOOK_SECONDS,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        lodge.shutdown()
        thread.join()
        lodge.server_close()
        listening.setblocking(True)
