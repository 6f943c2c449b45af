"""An OpenID Connect issuer, whole and on a port of its own; its moods can be chosen.

It knows one client and keeps to the book: codes work once, the verifier has to fit, the
client's secret has to be right.  What it says wrongly it says because a test has told it to.
"""

import base64
import hashlib
import hmac
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote_plus, unquote, urlencode, urlsplit

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from tests.support.browser import HERE, Browser

CLIENT = "placa"
SECRET = "a secret & sound + one"
SUBJECT = "248289761001"

Forge = Callable[["FakeIssuer", dict[str, Any]], str]


@dataclass
class FakeIssuer:
    """Whom it knows, what it says of them, and how the next request is met.

    `forge` makes the token of the claims that would be right; `says` changes claims; `userinfo`
    is told only there; `status` is an answer instead of its own, `silent` seconds of silence.
    """

    now: Callable[[], datetime]
    port: int = 0
    path: str = "/realms/friends"
    client_secret: str | None = SECRET
    says: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    describes: dict[str, Any] = field(default_factory=dict)
    forge: Forge | None = None
    refuses: str = ""
    status: int = 0
    silent: float = 0
    names_itself: bool = True
    keys: list[RSAKey | ECKey] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rotate()

    @property
    def address(self) -> str:
        """What it calls itself."""
        return f"http://127.0.0.1:{self.port}{self.path}"

    @property
    def settings(self) -> dict[str, Any]:
        """What a host sets to sign people in here."""
        known = {"oidc_issuer": self.address, "oidc_client_id": CLIENT, "oidc_name": "Amics"}
        return known | ({"oidc_client_secret": self.client_secret} if self.client_secret else {})

    def rotate(self) -> None:
        """Sign with another key from now on, and show no other."""
        self.keys = [RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig"})]

    def token(self, claims: dict[str, Any], **header: Any) -> str:
        """Return a token with these claims, signed as it should be."""
        key = self.keys[0]
        algorithm = "RS256" if isinstance(key, RSAKey) else "ES256"
        return jwt.encode({"alg": algorithm, "kid": key.kid, **header}, claims, key, [algorithm])

    def discovery(self) -> dict[str, Any]:
        """Return the description of itself."""
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "userinfo_endpoint": f"{self.address}/me",
            "scopes_supported": ["openid", "profile", "email", "groups"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": self.names_itself,
            **self.describes,
        }

    def consent(self, query: dict[str, str]) -> str:
        """Return where the browser is sent once its person has said yes."""
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        back = {"state": query["state"]}
        if self.names_itself:
            back["iss"] = self.address
        if self.refuses:
            return f"{query['redirect_uri']}?{urlencode(back | {'error': self.refuses})}"
        code = secrets.token_urlsafe(24)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode(back | {'code': code})}"

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """Return what the token endpoint answers."""
        if not self._is_client(form, authorization):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form.get("code", ""), None)
        challenge = _b64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            asked is None
            or form.get("grant_type") != "authorization_code"
            or form.get("redirect_uri") != asked["redirect_uri"]
            or not hmac.compare_digest(challenge, asked["code_challenge"])
        ):
            return 400, {"error": "invalid_grant"}
        now = int(self.now().timestamp())
        claims = {
            "iss": self.address,
            "sub": SUBJECT,
            "aud": CLIENT,
            "exp": now + 300,
            "iat": now,
            "nonce": asked["nonce"],
            **self.says,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        made = self.forge(self, claims) if self.forge else self.token(claims)
        access = secrets.token_urlsafe(24)
        self.given += [made, access]
        return 200, {"id_token": made, "access_token": access, "token_type": "Bearer"}

    def _is_client(self, form: dict[str, str], authorization: str) -> bool:
        if self.client_secret is None:
            return form.get("client_id") == CLIENT and not authorization
        methods = self.describes.get("token_endpoint_auth_methods_supported", [])
        if methods == ["client_secret_post"]:
            return (form.get("client_id"), form.get("client_secret")) == (
                CLIENT,
                self.client_secret,
            )
        pair = f"{quote_plus(CLIENT)}:{quote_plus(self.client_secret)}"
        return authorization == "Basic " + base64.b64encode(pair.encode()).decode()


@contextmanager
def issuing(now: Callable[[], datetime], **moods: Any) -> Iterator[FakeIssuer]:
    """Run an issuer."""
    issuer = FakeIssuer(now, **moods)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(issuer))
    server.daemon_threads = True
    issuer.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def set_out(browser: Browser, **form: str) -> str:
    """Begin, and return the address the browser is sent to."""
    page = await browser.submit("/login/oidc", form)
    assert page.status_code == 200, page.text
    found = re.search(r'content="0;url=([^"]+)"', page.text)
    assert found is not None
    return found[1].replace("&amp;", "&")


async def ask(address: str, here: str = HERE) -> str:
    """Say yes at the issuer, and return where it sends the browser back to."""
    async with httpx.AsyncClient() as elsewhere:
        answer = await elsewhere.get(address)
    assert answer.status_code == 302
    where: str = answer.headers["Location"]
    assert where.startswith(f"{here}/login/oidc/callback?")
    return where


async def travel(browser: Browser, **form: str) -> httpx.Response:
    """Go there and back again."""
    return await browser.get(await ask(await set_out(browser, **form)))


async def register(browser: Browser, name: str = "Roser", **form: str) -> httpx.Response:
    """Come as somebody new, and confirm a name."""
    arrived = await travel(browser, **form)
    assert arrived.headers.get("Location") == "/login/oidc/new", arrived.text
    return await browser.submit("/login/oidc/new", {"name": name})


# Forgeries: each makes a token that must not be believed.


def unsigned(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return a token that says it needs no signature."""
    head = {"alg": "none", "kid": issuer.keys[0].kid}
    return f"{_part(head)}.{_part(claims)}."


def with_public_key_as_secret(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return a token under a secret that everybody knows: the public key."""
    signed = f"{_part({'alg': 'HS256', 'kid': issuer.keys[0].kid})}.{_part(claims)}"
    secret = issuer.keys[0].as_pem(private=False)
    return f"{signed}.{_b64(hmac.digest(secret, signed.encode(), 'sha256'))}"


def with_unknown_key(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return a token under a key that the issuer does not show."""
    key = RSAKey.generate_key(2048, {"kid": "nobody"})
    return jwt.encode({"alg": "RS256", "kid": "nobody"}, claims, key, ["RS256"])


def with_own_key(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return a token under a key of the forger's that borrows a good name, and comes along."""
    key = RSAKey.generate_key(2048)
    head = {"alg": "RS256", "kid": issuer.keys[0].kid, "jwk": key.as_dict(private=False)}
    return jwt.encode(head, claims, key, ["RS256"])


def flipped(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return a token with one bit of its signature changed."""
    head, body, signature = issuer.token(claims).split(".")
    raw = bytearray(base64.urlsafe_b64decode(signature + "=="))
    raw[10] ^= 1
    return f"{head}.{body}.{_b64(bytes(raw))}"


def rewritten(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return a signed token with another person in it."""
    head, _, signature = issuer.token(claims).split(".")
    return f"{head}.{_part({**claims, 'sub': 'somebody else'})}.{signature}"


def cut(issuer: FakeIssuer, claims: dict[str, Any]) -> str:
    """Return no token at all."""
    return "e30.e30"


def _handler(issuer: FakeIssuer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers one request."""

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            door = self._door(parts.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if door == "authorize":
                return self._send(302, b"", Location=issuer.consent(query))
            found: dict[str, Any] | None = None
            if door == ".well-known/openid-configuration":
                found = issuer.discovery()
            elif door == "keys":
                found = {"keys": [key.as_dict(private=False) for key in issuer.keys]}
            elif door == "me" and self.headers.get("Authorization", "")[7:] in issuer.given:
                found = {"sub": SUBJECT, **issuer.userinfo}
            return self._json(404 if found is None else 200, found or {})

        def do_POST(self) -> None:
            door = self._door(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            assert door == "token"
            self._json(*issuer.exchange(form, self.headers.get("Authorization", "")))

        def _door(self, path: str) -> str:
            door = unquote(path).removeprefix(issuer.path).lstrip("/")
            issuer.asked.append(door)
            if issuer.silent:
                time.sleep(issuer.silent)
            return door

        def _json(self, status: int, found: dict[str, Any]) -> None:
            self._send(issuer.status or status, json.dumps(found).encode())

        def _send(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the library
            """Say nothing."""

    return Handler


def _part(found: dict[str, Any]) -> str:
    return _b64(json.dumps(found).encode())


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
