"""What an issuer answers is bounded in time and size, and led nowhere."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from app.accounts.issuer.wire import LARGEST, GarbledError, SilentError, ask
from tests.support.web import free_port

pytestmark = pytest.mark.anyio


class Moody(BaseHTTPRequestHandler):
    """Answers as the path says."""

    def do_GET(self) -> None:
        kind = self.path.strip("/")
        if kind == "silent":
            time.sleep(1)
        body = {"large": b"x" * (LARGEST + 1), "list": b"[]", "deep": b"[" * 100_000}.get(kind)
        self.send_response(302 if kind == "moved" else 200)
        self.send_header("Location", "/good")
        self.end_headers()
        self.wfile.write(body or b'{"it": "is good"}')

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the library
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Moody)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_good_answer_is_a_document(url: str) -> None:
    assert (await ask(f"{url}/good")).document() == {"it": "is good"}


async def test_what_is_too_long_is_not_read_to_the_end(url: str) -> None:
    with pytest.raises(GarbledError, match="too long"):
        await ask(f"{url}/large")


async def test_who_says_nothing_is_not_waited_for(url: str) -> None:
    with pytest.raises(SilentError):
        await ask(f"{url}/silent", seconds=0.1)


async def test_nobody_there_is_silence() -> None:
    with pytest.raises(SilentError):
        await ask(f"http://127.0.0.1:{free_port()}/")


async def test_a_redirect_is_an_answer_like_others(url: str) -> None:
    assert (await ask(f"{url}/moved")).status == 302


@pytest.mark.parametrize("kind", ["list", "deep"])
async def test_what_is_no_object_is_no_document(url: str, kind: str) -> None:
    answer = await ask(f"{url}/{kind}")
    with pytest.raises(GarbledError):
        answer.document()


async def test_what_speaks_no_http_is_garbled(url: str) -> None:
    with pytest.raises((GarbledError, SilentError)):
        await ask(url.replace("http://", "https://"))
