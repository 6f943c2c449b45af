"""nginx, Caddy and HAProxy as a host runs them, with the very lines of the guide for hosts."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

PAGE: Final = Path(__file__).parents[2] / "docs" / "self-hosting.md"
NAME: Final = "play.example.org"
START_SECONDS: Final = 60.0
# Debian keeps nginx and HAProxy where only root looks.
SEARCHED: Final = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin"])

# What the main file of each package brings, cut down to what can run in a folder of its own.
_NGINX = """daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{snippet}
}}
"""
_CADDY = """{{
    admin off
    local_certs
    skip_install_trust
    default_bind 127.0.0.1
    http_port {http}
    https_port {https}
    storage file_system {folder}/caddy
}}
{snippet}
"""
_HAPROXY = """defaults
    timeout connect 5s
    timeout client 60s
    timeout server 60s
{snippet}
"""


def program(name: str) -> str:
    """Return the path of a proxy; where there is none the test is skipped, but never in CI."""
    found = shutil.which(name, path=SEARCHED)
    if found is None:
        said = f"{name} is not installed; as root on Debian, `sh .ci/proxies` does it"
        if os.environ.get("CI") == "true":
            pytest.fail(said)
        pytest.skip(said)
    return found


def snippets(kind: str) -> list[str]:
    """Return what the guide for hosts tells users of a proxy to write, in its order."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found, f"the guide says nothing of {kind}"
    return found


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return `text` with each change made; what is to be changed must be there."""
    for old, new in changes:
        assert old in text, f"{old!r} is not in:\n{text}"
        text = text.replace(old, new)
    return text


@dataclass(frozen=True, slots=True)
class Ports:
    """Where a proxy listens, and what it stands before."""

    http: int
    https: int
    behind: int


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running proxy: its ports and the file with whom it is to be trusted by."""

    kind: str
    ports: Ports
    authority: Path


@contextmanager
def running(
    kind: str, snippet: str, ports: Ports, folder: Path, certificate: Path
) -> Iterator[Proxy]:
    """Run a proxy with `snippet`, its ports and the paths of its certificate put in place."""
    folder.mkdir()
    file = folder / "config"
    file.write_text(_config(kind, snippet, ports, folder, certificate), encoding="utf-8")
    command = {
        "nginx": ("-e", "stderr", "-p", str(folder), "-c", str(file)),
        "caddy": ("run", "--adapter", "caddyfile", "--config", str(file)),
        "haproxy": ("-db", "-f", str(file)),
    }[kind]
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    authority = certificate
    if kind == "caddy":
        authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    log = folder / "log"
    with log.open("w") as said:
        process = subprocess.Popen(
            [program(kind), *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        until = time.monotonic() + START_SECONDS
        while not _speaks(ports.https, authority):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.02)
        yield Proxy(kind, ports, authority)
    finally:
        process.terminate()
        process.wait(30)


def _config(kind: str, snippet: str, ports: Ports, folder: Path, certificate: Path) -> str:
    behind = ("127.0.0.1:8000", f"127.0.0.1:{ports.behind}")
    if kind == "caddy":
        return _CADDY.format(
            http=ports.http, https=ports.https, folder=folder, snippet=changed(snippet, behind)
        )
    if kind == "nginx":
        placed = changed(
            snippet,
            behind,
            ("listen 80;", f"listen 127.0.0.1:{ports.http};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{ports.https} ssl;"),
            (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificate)),
            (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(certificate)),
        )
        return _NGINX.format(folder=folder, snippet=placed)
    placed = changed(
        snippet,
        behind,
        ("bind :80\n", f"bind 127.0.0.1:{ports.http}\n"),
        ("bind :443 ", f"bind 127.0.0.1:{ports.https} "),
        (f"/etc/haproxy/{NAME}.pem", str(certificate)),
    )
    return _HAPROXY.format(snippet=placed)


def _speaks(port: int, authority: Path) -> bool:
    """Whether a certificate for the name is shown there."""
    try:
        context = ssl.create_default_context(cafile=str(authority))
        with (
            socket.create_connection(("127.0.0.1", port), 5) as plain,
            context.wrap_socket(plain, server_hostname=NAME),
        ):
            return True
    except (OSError, ssl.SSLError):
        return False
