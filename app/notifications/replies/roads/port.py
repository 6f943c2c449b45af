"""A port of our own that mail servers deliver to, by LMTP or by SMTP.

It takes mail for signed addresses only, one recipient at a time, and passes nothing
on.  A mail is taken (250) once it has been played; when the database is away the
mail server is told to come again.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.exc import SQLAlchemyError

from app.errors import AppError
from app.notifications.replies.inbox import Inbox
from app.notifications.replies.service import LONGEST_MAIL

IDLE_SECONDS: Final = 60.0
_LATER: Final = "451 4.3.0 Not now. Try again later."

log = structlog.get_logger("placa.replies")


class Door:
    """Answers a mail server's questions; the names of its methods are the library's."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    async def handle_RCPT(  # noqa: N802 - named by the library
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Let in one recipient that was made here."""
        if self._inbox.addresses.read(address) is None:
            return "550 5.1.1 Nobody is reached at this address."
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time."
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - named by the library
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Take the mail in."""
        content = envelope.content
        raw = content if isinstance(content, bytes) else (content or "").encode()
        if envelope.mail_from in {"", "<>"}:
            # Only what programs write has no sender.
            raw = b"Return-Path: <>\r\n" + raw
        try:
            await self._inbox.take(raw, *envelope.rcpt_tos)
        except (SQLAlchemyError, AppError, OSError) as error:
            log.warning("mail.not_taken", error=type(error).__name__)
            return _LATER
        return "250 2.0.0 Taken."

    async def handle_exception(self, error: Exception) -> str:
        """Say no more than that it did not work."""
        log.warning("mail.not_taken", error=type(error).__name__)
        return _LATER


@asynccontextmanager
async def listening(url: str, inbox: Inbox) -> AsyncIterator[None]:
    """Listen at `url` while the block runs; several processes may share a port."""
    parts = urlsplit(url)
    kind = LMTP if parts.scheme == "lmtp" else SMTP
    loop = asyncio.get_running_loop()
    door = Door(inbox)

    def answer() -> SMTP:
        return kind(
            door,
            data_size_limit=LONGEST_MAIL,
            hostname="placa",
            ident="placa",
            timeout=IDLE_SECONDS,
            loop=loop,
        )

    server = await loop.create_server(answer, parts.hostname, parts.port or 0, reuse_port=True)
    log.info("mail.listening", kind=parts.scheme, port=parts.port)
    try:
        yield
    finally:
        server.close()
