"""Requests to the issuer: bounded in time and size, and followed nowhere.

Where the issuer is, the host has said; so it may lie in the host's own network, where the
guard of `app.notifications.channels`, which is for what people paste, lets nobody go.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

SECONDS: Final = 8.0
LARGEST: Final = 256 * 1024
AGENT: Final = "Placa"


class SilentError(Exception):
    """No answer came; `untrusted` when the issuer's certificate is the reason."""

    def __init__(self, *, untrusted: bool = False) -> None:
        super().__init__("untrusted" if untrusted else "silent")
        self.untrusted = untrusted


class GarbledError(Exception):
    """An answer came and is none of what the protocol knows."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the issuer says."""

    status: int
    body: bytes

    def document(self) -> dict[str, Any]:
        """Return it as a JSON object; raises GarbledError."""
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise GarbledError("no JSON") from error
        if not isinstance(found, dict):
            raise GarbledError("no JSON object")
        return found


async def ask(
    url: str,
    *,
    form: Mapping[str, str] | None = None,
    authorization: str = "",
    seconds: float = SECONDS,
) -> Answer:
    """Get `url`, or post `form` to it; raises SilentError and GarbledError."""
    # Only a host with an issuer needs it.
    import httpcore  # noqa: PLC0415 - see above

    content = urlencode(form).encode() if form is not None else b""
    headers = {"Host": urlsplit(url).netloc, "User-Agent": AGENT, "Accept": "application/json"}
    headers |= {"Accept-Encoding": "identity", "Connection": "close"}
    if authorization:
        headers["Authorization"] = authorization
    if form is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        headers["Content-Length"] = str(len(content))
    method = "GET" if form is None else "POST"
    try:
        async with (
            asyncio.timeout(seconds),
            httpcore.AsyncConnectionPool(ssl_context=ssl.create_default_context()) as pool,
            pool.stream(method, url, headers=list(headers.items()), content=content) as answer,
        ):
            body = b""
            async for chunk in answer.aiter_stream():
                body += chunk
                if len(body) > LARGEST:
                    raise GarbledError("too long")
            return Answer(answer.status, body)
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol, UnicodeError) as error:
        raise GarbledError("no HTTP") from error
    except (httpcore.NetworkError, httpcore.TimeoutException, TimeoutError, OSError) as error:
        untrusted = any(isinstance(why, ssl.SSLCertVerificationError) for why in error.args)
        raise SilentError(untrusted=untrusted) from error
