"""Plaça behind real proxies that are told what the guide for hosts tells people to write.

Nothing is between the client and the proxy but the name, which a resolver of the test leads
to the port where the proxy listens: addresses, certificates and redirects are those of a
server on the internet.
"""

import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

import httpx
import pytest

from app.accounts.limits import WRONG_CODE
from app.config import Settings
from app.hosting.doctor.address import look_at_address
from app.keys import DOCTOR_HEADER, doctor_token
from tests.support import proxies
from tests.support.crawl import crawl
from tests.support.proxies import NAME, Ports, Proxy, changed, snippets
from tests.support.proxy import make_certificate
from tests.support.web import free_port, web_process

KINDS: Final = ("caddy", "nginx", "haproxy")
KEY: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
HOME: Final = f"https://{NAME}"
BELOW: Final = f"{HOME}/placa"
NOT_TOLD: Final = ""
# Where two people ask from; the proxies themselves are 127.0.0.1.
ANNAS: Final = "127.0.0.5"
BLAIS: Final = "127.0.0.6"
POLLS: Final = 50
GUESSERS: Final = {"caddy": "127.0.0.21", "nginx": "127.0.0.22", "haproxy": "127.0.0.23"}
CRAWLED: Final = 40

Lead: TypeAlias = Callable[[Proxy], None]


@dataclass(frozen=True, slots=True)
class Place:
    """A database, a certificate, and web processes by the address they are told."""

    folder: Path
    certificate: Path
    ports: dict[str, int]
    numbers: Iterator[int]

    @contextmanager
    def before(self, kind: str, snippet: str, told: str = HOME) -> Iterator[Proxy]:
        """Run a proxy before the web process that was told the address `told`."""
        ports = Ports(http=free_port(), https=free_port(), behind=self.ports[told])
        folder = self.folder / f"{kind}{next(self.numbers)}"
        with proxies.running(kind, snippet, ports, folder, self.certificate) as proxy:
            yield proxy


@pytest.fixture(scope="module")
def place(
    make_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    for kind in KINDS:
        proxies.program(kind)
    url = make_database("proxies")
    folder = tmp_path_factory.mktemp("proxies")
    ports = {told: free_port() for told in (HOME, BELOW, NOT_TOLD)}
    with (
        _web(url, folder, ports, HOME),
        _web(url, folder, ports, BELOW),
        _web(url, folder, ports, NOT_TOLD),
    ):
        yield Place(folder, make_certificate(folder, NAME), ports, count())


@contextmanager
def _web(url: str, folder: Path, ports: dict[str, int], told: str) -> Iterator[None]:
    data = folder / f"data{len(told)}"
    data.mkdir()
    with web_process(url, data, ports[told], PUBLIC_URL=told, SECRET_KEY=KEY, REGISTRATION="open"):
        yield


@pytest.fixture
def lead(monkeypatch: pytest.MonkeyPatch) -> Lead:
    """Return what leads the name to a proxy, as the domain name system would."""
    real = socket.getaddrinfo

    def to(proxy: Proxy) -> None:
        there = {80: proxy.ports.http, 443: proxy.ports.https}

        def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
            if host in {NAME, NAME.encode()}:
                return real("127.0.0.1", there.get(port, port), *rest, **more)
            return real(host, port, *rest, **more)

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        monkeypatch.setenv("SSL_CERT_FILE", str(proxy.authority))

    return to


def person(proxy: Proxy, address: str = ANNAS) -> httpx.Client:
    """Return a browser at `address`."""
    context = ssl.create_default_context(cafile=str(proxy.authority))
    return httpx.Client(
        base_url=HOME,
        transport=httpx.HTTPTransport(verify=context, local_address=address),
        timeout=60,
    )


def click(
    browser: httpx.Client, address: str, data: dict[str, str], **headers: str
) -> httpx.Response:
    """Send a form as a browser that says nothing but where its page came from."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return browser.post(address, data={"csrf": ""} | data, headers={"Origin": HOME} | named)


def begun(anna: httpx.Client, blai: httpx.Client, below: str = HOME) -> tuple[str, str]:
    """Let Anna lay a table and Blai follow her invitation; return addresses of table and match."""
    wish = {
        "name": "Anna",
        "game": "castell",
        "seats": "2",
        "visibility": "private",
        "seat_order": "chosen",
        "wheel_side": "all_regions",
        "key": uuid4().hex,
    }
    table = led(click(anna, f"{below}/new", wish))
    invitation = re.search(rf"{re.escape(below)}/i/[\w-]+", unescape(anna.get(table).text))
    assert invitation is not None, "no invitation to the address that players type"
    assert led(click(blai, invitation[0], {"name": "Blai"})) == table
    return table, led(click(anna, f"{table}/start", {}))


def led(answer: httpx.Response) -> str:
    """Return the whole address an answer leads to."""
    assert answer.status_code == 303, answer.text
    return urljoin(HOME, answer.headers["Location"])


def move(players: tuple[httpx.Client, ...], match: str) -> httpx.Response:
    """Let whoever is asked commit a move by the form of the page; return what a poll shows then."""
    path = urlsplit(match).path
    for player in players:
        page = unescape(player.get(match).text)
        form = re.search(rf'<form[^>]*action="{path}/commit".*?</form>', page, re.DOTALL)
        if form is not None:
            break
    else:
        raise AssertionError("nobody is asked")
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    polled = re.search(rf'hx-get="({path}/board[^"]*)"', page)
    assert polled is not None
    still = player.get(polled[1], headers={"HX-Request": "true"})
    assert still.status_code == 204
    assert led(click(player, f"{match}/commit", hidden | {"line": "move BCN"})) == match
    # A page asks again and again: the news comes to the process a moment later.
    for _ in range(POLLS):
        shown = player.get(polled[1], headers={"HX-Request": "true"})
        if shown.status_code != 204:
            break
        time.sleep(0.2)
    return shown


@pytest.mark.parametrize("kind", KINDS)
def test_people_come_in_play_and_sign_in(kind: str, place: Place, lead: Lead) -> None:
    account = {"name": f"Roser {kind}", "password": "quatre de nou amb folre"}
    with place.before(kind, snippets(kind)[0]) as proxy, person(proxy) as anna:
        lead(proxy)
        plainly = httpx.get(f"http://{NAME}/rules?a=b", timeout=60)
        front = anna.get("/", headers={"Accept-Encoding": "gzip"})
        with person(proxy, BLAIS) as blai:
            _, match = begun(anna, blai)
            after = move((anna, blai), match)
            signed_up = click(blai, "/signup", account)
        with person(proxy, BLAIS) as blai:
            signed_in = click(blai, "/login", account | {"next": "/account"})
            theirs = blai.get("/account").text
        doctor = list(look_at_address(HOME, Settings(), KEY))

    assert plainly.status_code in {301, 308}
    assert plainly.headers["Location"] in {
        f"{HOME}/rules?a=b",
        # Caddy knows that its port is another here.
        f"{HOME}:{proxy.ports.https}/rules?a=b",
    }
    assert front.headers["Content-Encoding"] == "gzip"
    assert "max-age" in front.headers["Strict-Transport-Security"]
    assert after.status_code == 200
    assert 'id="board"' in after.text
    assert led(signed_in) == f"{HOME}/account"
    assert account["name"] in theirs
    for answer in (front, signed_up, signed_in):
        cookies = answer.headers.get_list("Set-Cookie")
        assert cookies
        assert all(one.startswith("__Host-") and "; Secure" in one for one in cookies)
    assert [found.code for found in doctor] == ["address"]


@pytest.mark.parametrize(("kind", "address"), list(GUESSERS.items()))
def test_limits_count_who_asks_and_not_whom_they_name(
    kind: str, address: str, place: Place, lead: Lead
) -> None:
    named = ("203.0.113.77", "203.0.113.78, 127.0.0.1", "127.0.0.1")
    asks = {DOCTOR_HEADER: doctor_token(KEY)}
    tries = WRONG_CODE.count + 2
    with place.before(kind, snippets(kind)[0]) as proxy, person(proxy, address) as guessing:
        lead(proxy)
        seen = {
            guessing.get("/proxyz", headers=asks | {"X-Forwarded-For": one}).json()["client"]
            for one in named
        }
        guesses = [
            click(guessing, "/join", {"code": f"AAAA{n}"}, X_Forwarded_For=named[n % 3])
            for n in range(tries)
        ]
        with person(proxy, ANNAS) as anna:
            other = click(anna, "/join", {"code": "AAAAA"})

    assert seen == {address}
    assert [answer.status_code for answer in guesses][-2:] == [429, 429]
    assert other.status_code == guesses[0].status_code != 429


def stripped(kind: str) -> str:
    """Return the guide's lines for a path, changed as it says for a proxy that strips it."""
    change = {
        "caddy": ("handle /placa*", "handle_path /placa*"),
        "nginx": (
            "location /placa/ {\n        proxy_pass http://127.0.0.1:8000;",
            "location /placa/ {\n        proxy_pass http://127.0.0.1:8000/;",
        ),
        "haproxy": (
            "    server placa ",
            "    http-request replace-path /placa(.*) \\1\n    server placa ",
        ),
    }
    return changed(below(kind), change[kind])


def below(kind: str) -> str:
    """Return what the guide tells users of a proxy to write where Plaça has a path of its own."""
    if kind == "caddy":
        return snippets(kind)[1]
    text = proxies.PAGE.read_text(encoding="utf-8")
    change = {
        "nginx": ("location / {", "location /placa/ {"),
        "haproxy": ("default_backend placa", "use_backend placa if { path_beg /placa }"),
    }[kind]
    assert f"`{change[1]}`" in text
    return changed(snippets(kind)[0], change)


@pytest.mark.parametrize("lines", [below, stripped], ids=["kept", "stripped"])
@pytest.mark.parametrize("kind", KINDS)
def test_below_a_path_no_address_leads_outside(
    kind: str, lines: Callable[[str], str], place: Place, lead: Lead
) -> None:
    with (
        place.before(kind, lines(kind), BELOW) as proxy,
        person(proxy) as anna,
        person(proxy, BLAIS) as blai,
    ):
        lead(proxy)
        table, match = begun(anna, blai, BELOW)
        after = move((anna, blai), match)
        seen = crawl(anna, BELOW, most=CRAWLED)
        doctor = list(look_at_address(BELOW, Settings(), KEY))

    assert table.startswith(f"{BELOW}/tables/")
    assert match.startswith(f"{BELOW}/matches/")
    assert after.status_code == 200
    assert len(seen.statuses) == CRAWLED
    assert match in seen.named
    assert seen.outside(BELOW) == set()
    assert seen.foreign(BELOW) == set()
    assert {status for status in seen.statuses.values() if status >= 400} == set()
    assert [found.code for found in doctor] == ["address"]


def test_an_odd_port_is_no_fault_of_the_proxy(place: Place, lead: Lead) -> None:
    with place.before("nginx", snippets("nginx")[0], NOT_TOLD) as proxy:
        lead(proxy)
        doctor = look_at_address(f"{HOME}:{proxy.ports.https}", Settings(), KEY)

        assert [found.code for found in doctor] == ["address.public_url"]


@dataclass(frozen=True, slots=True)
class Wrong:
    """A change to the guide's lines, and the faults that the doctor finds then."""

    kind: str
    change: tuple[str, str]
    faults: set[str]
    named: tuple[str, ...] = ()


PROTO = ("X-Forwarded-Proto", "TRUSTED_PROXIES", "PUBLIC_URL")
WRONGS = {
    "nginx without the scheme": Wrong(
        "nginx",
        ("    proxy_set_header X-Forwarded-Proto $scheme;\n", ""),
        {"proxy.no_proto"},
        PROTO,
    ),
    "nginx without the name": Wrong(
        "nginx",
        ("    proxy_set_header Host $host;\n", ""),
        {"proxy.host"},
        ("header Host", "PUBLIC_URL"),
    ),
    "nginx without who asks": Wrong(
        "nginx",
        ("    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\n", ""),
        {"proxy.no_client"},
    ),
    "nginx at an address that is not trusted": Wrong(
        "nginx",
        ("proxy_pass http:", "proxy_bind 127.0.0.9;\n        proxy_pass http:"),
        {"proxy.untrusted"},
        PROTO,
    ),
    "HAProxy without the scheme": Wrong(
        "haproxy",
        ("    http-request set-header X-Forwarded-Proto https\n", ""),
        {"proxy.no_proto"},
        PROTO,
    ),
    "HAProxy without who asks": Wrong(
        "haproxy", ("    option forwardfor\n", ""), {"proxy.no_client"}
    ),
    "Caddy without the scheme": Wrong(
        "caddy",
        (
            "reverse_proxy 127.0.0.1:8000",
            "reverse_proxy 127.0.0.1:8000 {\n header_up -X-Forwarded-Proto\n }",
        ),
        {"proxy.no_proto"},
        PROTO,
    ),
    "Caddy with another name": Wrong(
        "caddy",
        (
            "reverse_proxy 127.0.0.1:8000",
            "reverse_proxy 127.0.0.1:8000 {\n header_up Host {upstream_hostport}\n }",
        ),
        {"proxy.host"},
        ("header Host", "PUBLIC_URL"),
    ),
}


@pytest.mark.parametrize("wrong", list(WRONGS.values()), ids=list(WRONGS))
def test_a_wrong_line_is_named_by_the_doctor_and_by_the_page(
    wrong: Wrong, place: Place, lead: Lead
) -> None:
    lines = changed(snippets(wrong.kind)[0], wrong.change)
    with place.before(wrong.kind, lines) as proxy:
        lead(proxy)
        doctor = {found.code: found for found in look_at_address(HOME, Settings(), KEY)}
    # Where the server is told no address, it goes by what the proxy says.
    with place.before(wrong.kind, lines, NOT_TOLD) as proxy, person(proxy) as anna:
        lead(proxy)
        refused = click(anna, "/preferences", {"theme": "dark"})

    assert set(doctor) == wrong.faults
    assert all(found.fix for found in doctor.values())
    assert refused.status_code == (403 if wrong.named else 303)
    assert all(word in unescape(refused.text) for word in wrong.named)
