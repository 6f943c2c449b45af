"""An HTTP client that costs little: the server is what is measured."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; `received` counts every byte of it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    received: int


class Client:
    """One kept-alive connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, port: int) -> "Client":
        """Connect to our server on `port`."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 22))

    async def send(self, request: bytes) -> Answer:
        """Send a request that `get` or `post` made; return the answer."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines)
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            body = await self._chunks()
        elif length := int(headers.get("content-length", "0")):
            body = await self._reader.readexactly(length)
        return Answer(int(first.split(" ")[1]), headers, body, len(head) + len(body))

    async def _chunks(self) -> bytes:
        body = b""
        while length := int(await self._reader.readline(), 16):
            body += await self._reader.readexactly(length)
            await self._reader.readline()
        await self._reader.readline()
        return body

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


def get(path: str, headers: Mapping[str, str]) -> bytes:
    """Return a GET request."""
    lines = [f"GET {path} HTTP/1.1", "host: 127.0.0.1"]
    return _request([*lines, *(f"{name}: {value}" for name, value in headers.items())])


def post(path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return a POST request with a JSON body."""
    lines = [f"POST {path} HTTP/1.1", "host: 127.0.0.1", "content-type: application/json"]
    sized = [*lines, f"content-length: {len(body)}"]
    return _request([*sized, *(f"{name}: {value}" for name, value in headers.items())]) + body


def _request(lines: list[str]) -> bytes:
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
