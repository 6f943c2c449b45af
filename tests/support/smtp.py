"""A real mail server for tests, whose moods can be chosen."""

import asyncio
import contextlib
import email
import email.policy
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.smtp import SMTP, Envelope, Session

from app.config import Settings


@dataclass
class Mailbox:
    """What has arrived, and how the next message is met.

    `rcpt` and `data` are answers instead of a yes (`450 later`); `drop` ends the
    connection once a message is in, and takes it (`after`) or does not (`before`).
    `slow` is how many seconds it thinks about a message that it has taken.
    Without slots: aiosmtpd looks at every attribute, and Python 3.11.2 trips over them.
    """

    port: int = 0
    rcpt: str = ""
    data: str = ""
    drop: str = ""
    slow: float = 0
    letters: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    tries: int = 0

    def settings(self, **more: Any) -> Settings:
        """Return settings that hand mail in here."""
        values: dict[str, Any] = {
            "smtp_url": f"smtp://127.0.0.1:{self.port}?security=none",
            "smtp_timeout_seconds": 2,
            "public_url": "https://plaza.test",
            "mail_from": "Plaça <play@plaza.test>",
        }
        return Settings(**{**values, **more})

    async def handle_RCPT(  # noqa: N802 - named by the library
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.tries += 1
        if self.rcpt:
            return self.rcpt
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 - named by the library
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.data:
            return self.data
        if self.drop != "before":
            self._take(envelope)
        await asyncio.sleep(self.slow)
        if self.drop:
            transport = cast(asyncio.Transport, server.transport)
            transport.abort()
            return "421 gone"
        return "250 taken"

    def _take(self, envelope: Envelope) -> None:
        content = envelope.content
        assert isinstance(content, bytes)
        made = email.message_from_bytes(content, policy=email.policy.default)
        assert isinstance(made, EmailMessage)
        self.letters.append(made)
        self.recipients.extend(envelope.rcpt_tos)


@asynccontextmanager
async def mail_server(
    *, starttls: ssl.SSLContext | None = None, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Mailbox]:
    """Run a mail server on a port of its own; encrypted from a STARTTLS or from the start on."""
    box = Mailbox()

    def answering() -> SMTP:
        loop = asyncio.get_running_loop()
        return SMTP(
            box,
            hostname="mail.test",
            loop=loop,
            tls_context=starttls,
            require_starttls=starttls is not None,
        )

    async with _listening(answering, tls) as port:
        box.port = port
        yield box


@contextmanager
def mail_thread() -> Iterator[Mailbox]:
    """Run a mail server in a thread, for what has a loop of its own, or none."""
    loop, ready, made = asyncio.new_event_loop(), threading.Event(), list[Mailbox]()
    stop = asyncio.Event()

    async def serve() -> None:
        async with mail_server() as box:
            made.append(box)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert ready.wait(20)
        yield made[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@asynccontextmanager
async def black_hole() -> AsyncIterator[int]:
    """Listen on a port, and never say a word."""

    async with _listening(asyncio.Protocol) as port:
        yield port


@asynccontextmanager
async def _listening(
    protocol: Callable[[], asyncio.BaseProtocol], tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await server.wait_closed()


def part(letter: EmailMessage, kind: str) -> str:
    """Return the text or HTML of a letter."""
    found = letter.get_body((kind,))
    assert found is not None
    return "\n".join(str(found.get_content()).splitlines()) + "\n"
