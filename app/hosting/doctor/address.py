"""The way players come: from the public address through the proxy to the web process."""

import http.client
import json
import ssl
import time
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from app.config import Settings
from app.hosting.doctor.findings import Finding, fault, ok, warning
from app.keys import DOCTOR_HEADER, doctor_token

PATIENCE_SECONDS: Final = 10.0


def look_at_address(address: str, settings: Settings, key: str) -> Iterator[Finding]:
    """Ask the server at `address` what our request looked like when it arrived there."""
    begun = time.monotonic()
    try:
        status, body = _get(f"{address.rstrip('/')}/proxyz", key)
    except ssl.SSLError as error:
        yield fault(
            "address.certificate",
            f"{address}: {error.reason or error}",
            "let the proxy get a certificate for this name (Caddy does by itself)",
        )
        return
    except (OSError, http.client.HTTPException) as error:
        yield fault(
            "address.unreachable",
            f"nobody answers at {address}: {error}",
            "start placa serve and the proxy, and see that the name leads to this machine",
        )
        return
    try:
        seen: dict[str, Any] = json.loads(body) if status == http.client.OK else {}
    except ValueError:
        seen = {}
    if not seen:
        yield fault(
            "address.stranger",
            f"{address}/proxyz answers {status}, and not as this Plaça would",
            "see that the proxy passes this path on to PORT here, and that it has this SECRET_KEY",
        )
        return
    found = list(_compare(address, seen))
    yield from found
    if not found:
        took = round((time.monotonic() - begun) * 1000)
        yield ok("address", f"{address} leads here in {took} ms, with all its headers")


def _compare(address: str, seen: dict[str, Any]) -> Iterator[Finding]:
    wanted = urlsplit(address)
    if seen["public_url"].rstrip("/") != address.rstrip("/"):
        yield fault(
            "address.public_url",
            f"the server takes {seen['public_url'] or 'whatever is asked for'} as its address",
            f"set PUBLIC_URL={address} and start it again",
        )
    forwarded = seen["forwarded_for"].split(",")[0].strip()
    if (forwarded or seen["forwarded_proto"]) and not _believed(seen, forwarded):
        yield fault(
            "proxy.untrusted",
            f"the proxy at {seen['client']} sends X-Forwarded headers that are not believed",
            f"set TRUSTED_PROXIES={seen['trusted_proxies']},{seen['client']}",
        )
    elif wanted.scheme == "https" and seen["scheme"] != "https":
        yield fault(
            "proxy.no_proto",
            "the proxy does not say that players come by https",
            "let it send X-Forwarded-Proto: nginx proxy_set_header X-Forwarded-Proto $scheme;",
        )
    if not forwarded and wanted.scheme == "https":
        yield fault(
            "proxy.no_client",
            "the proxy does not say who asks, so all players share one limit",
            "let it send X-Forwarded-For: nginx proxy_set_header X-Forwarded-For"
            " $proxy_add_x_forwarded_for;",
        )
    # Of the port nothing is made, and nginx's $host has none.
    if urlsplit(f"//{seen['host']}").hostname != wanted.hostname:
        yield fault(
            "proxy.host",
            f"the proxy passes on the host {seen['host']!r} instead of {wanted.netloc!r}",
            "let it keep the name: nginx proxy_set_header Host $host;",
        )
    if wanted.scheme == "http" and wanted.hostname not in {"localhost", "127.0.0.1", "::1"}:
        yield warning(
            "address.plain",
            "on plain http everything travels readable",
            "fine at home; elsewhere put Caddy before it and use https",
        )


def _believed(seen: dict[str, Any], forwarded: str) -> bool:
    """Whether what the proxy sent has had an effect on the request."""
    if forwarded:
        hops = {part.strip() for part in seen["forwarded_for"].split(",")}
        return seen["client"] in hops
    return bool(seen["forwarded_proto"] == seen["scheme"])


def _get(url: str, key: str) -> tuple[int, bytes]:
    parts = urlsplit(url)
    connection: http.client.HTTPConnection = (
        http.client.HTTPSConnection(parts.netloc, timeout=PATIENCE_SECONDS)
        if parts.scheme == "https"
        else http.client.HTTPConnection(parts.netloc, timeout=PATIENCE_SECONDS)
    )
    try:
        connection.request("GET", parts.path, headers={DOCTOR_HEADER: doctor_token(key)})
        answer = connection.getresponse()
        return answer.status, answer.read(1 << 16)
    finally:
        connection.close()
