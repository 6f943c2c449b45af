"""A real push service, and browsers that subscribe there: it believes nothing it can check.

Signatures are verified, and messages opened, by this file alone; of the application nothing
is used.
"""

import hmac
import json
import re
import secrets
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

P256 = ec.SECP256R1()
_VAPID = re.compile(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)")
_DAY = 24 * 60 * 60


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A browser that has subscribed, for messages of whoever has the key `only`."""

    only: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(P256))
    auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    name: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def point(self) -> bytes:
        """The public half of its key."""
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def form(self, url: str) -> dict[str, str]:
        """Return what its page sends to the server."""
        keys = {"p256dh": encoded(self.point), "auth": encoded(self.auth)}
        return {"endpoint": f"{url}/push/{self.name}", **keys}

    def opened(self, body: bytes) -> bytes:
        """Return what a message says, as RFC 8188 and RFC 8291 tell a browser to open it."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert (length, len(sealed) <= size) == (65, True)
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(P256, theirs)
        )
        first = hmac.digest(self.auth, shared, "sha256")
        told = b"WebPush: info\0" + self.point + theirs + b"\x01"
        second = hmac.digest(salt, hmac.digest(first, told, "sha256"), "sha256")
        key = hmac.digest(second, b"Content-Encoding: aes128gcm\0\x01", "sha256")[:16]
        nonce = hmac.digest(second, b"Content-Encoding: nonce\0\x01", "sha256")[:12]
        plain, end, _ = AESGCM(key).decrypt(nonce, sealed, None).rpartition(b"\x02")
        assert end, "the record has no end"
        return plain


@dataclass(frozen=True, slots=True)
class Push:
    """A message that was taken: what it says, how it came, and its length."""

    name: str
    told: dict[str, Any]
    headers: dict[str, str]
    length: int


@dataclass
class PushService:
    """Who has subscribed, what was taken, and what was wrong with the rest.

    `status` is an answer instead of its own.  `waiting` is what a browser would get that was
    off all the time: of one topic the last.
    """

    now: Callable[[], float] = time.time
    port: int = 0
    status: int = 0
    subscribers: dict[str, Subscriber] = field(default_factory=dict)
    got: list[Push] = field(default_factory=list)
    waiting: dict[tuple[str, str], Push] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def allow(self) -> tuple[str, ...]:
        """What a host says to let notices go here."""
        return (f"127.0.0.1:{self.port}",)

    def subscribe(self, only: str) -> Subscriber:
        """Let another browser subscribe."""
        one = Subscriber(only)
        self.subscribers[one.name] = one
        return one

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Return the status for a message."""
        if self.status:
            return self.status
        one = self.subscribers.get(path.removeprefix("/push/"))
        if one is None:
            return 410
        wrong = self.wrong(one, headers, body)
        if wrong:
            self.faults.append(wrong)
            return 400
        push = Push(one.name, json.loads(one.opened(body)), headers, len(body))
        self.got.append(push)
        self.waiting[one.name, headers.get("topic", str(len(self.got)))] = push
        return 201

    def wrong(self, one: Subscriber, headers: dict[str, str], body: bytes) -> str:
        """Return what is wrong with a message; nothing if it is in order."""
        found = _VAPID.fullmatch(headers.get("authorization", ""))
        if found is None:
            return "unsigned"
        head, claims, signature, key = found.groups()
        if key != one.only or not _signed(key, f"{head}.{claims}", decoded(signature)):
            return "signed by somebody else"
        told = json.loads(decoded(claims))
        checks = {
            "signed in another way": json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"},
            "signed for somebody else": told["aud"] == self.url,
            "signed for another time": self.now() < told["exp"] <= self.now() + _DAY,
            "nobody to turn to": re.fullmatch(_CONTACT, told["sub"]),
            "nothing that a browser opens": headers.get("content-encoding") == "aes128gcm",
            "too long": len(body) <= 4096,
            "no time": headers.get("ttl", "").isdecimal(),
            "no urgency": headers.get("urgency") in _URGENCIES,
            "a topic that is none": re.fullmatch(_TOPIC, headers.get("topic", "")),
        }
        return next((wrong for wrong, right in checks.items() if not right), "")


_CONTACT = r"(mailto:[^@\s]+@|https://)[^@\s]+"
_TOPIC = r"[A-Za-z0-9_-]{0,32}"
_URGENCIES = {"very-low", "low", "normal", "high"}


def _signed(key: str, what: str, signature: bytes) -> bool:
    half = len(signature) // 2
    numbers = [int.from_bytes(part, "big") for part in (signature[:half], signature[half:])]
    public = ec.EllipticCurvePublicKey.from_encoded_point(P256, decoded(key))
    try:
        public.verify(encode_dss_signature(*numbers), what.encode(), ec.ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return len(signature) == 64


@contextmanager
def push_service(now: Callable[[], float] = time.time) -> Iterator[PushService]:
    """Run one on a port of this machine, in a thread."""
    here = PushService(now)

    class Handler(BaseHTTPRequestHandler):
        """Takes messages."""

        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(here.answer(self.path, headers, body))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - named by the library
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
