"""A reverse proxy for tests: a real one on a real socket, as wrong as a host can make it."""

import http.client
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


@dataclass(frozen=True, slots=True)
class Habits:
    """What the proxy does.

    `strip` is taken off the path, `source` is the address it comes from, and the
    rest are headers it passes on.
    """

    strip: str = ""
    keep_host: bool = True
    forwarded_for: bool = True
    forwarded_proto: bool = True
    source: str = "127.0.0.1"


@contextmanager
def proxying(port: int, habits: Habits, *, certificate: Path | None = None) -> Iterator[str]:
    """Run a proxy before 127.0.0.1:`port`; yield its address.

    With a `certificate` (a file that holds its key too) it speaks https.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
            if habits.keep_host:
                headers["Host"] = self.headers["Host"]
            if habits.forwarded_for:
                headers["X-Forwarded-For"] = self.client_address[0]
            if habits.forwarded_proto:
                headers["X-Forwarded-Proto"] = "http" if certificate is None else "https"
            behind = http.client.HTTPConnection(
                "127.0.0.1", port, timeout=30, source_address=(habits.source, 0)
            )
            path = self.path.removeprefix(habits.strip) or "/"
            behind.request(self.command, path, body, headers)
            answer = behind.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            behind.close()

        do_GET = do_POST = do_HEAD = _pass_on  # noqa: N815 - the library's names

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    scheme = "http" if certificate is None else "https"
    try:
        yield f"{scheme}://localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def make_certificate(folder: Path, name: str = "localhost") -> Path:
    """Return a file with a certificate for `name` and its key."""
    file = folder / f"{name}.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"),
            *("-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")),
        ],
        check=True,
        capture_output=True,
    )
    file.write_text((folder / "certificate.pem").read_text() + (folder / "key.pem").read_text())
    return file
