"""A mailbox at somebody's mail server, looked into again and again (IMAP).

It works behind a home router, with any provider.  What has been taken in is marked
as read, and only then; a mail that could not be is still there the next time.
"""

import asyncio
import imaplib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import unquote, urlsplit

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.errors import AppError
from app.notifications.replies.inbox import Inbox
from app.notifications.replies.service import LONGEST_MAIL

TIMEOUT_SECONDS: Final = 20
PORT: Final = 143
TLS_PORT: Final = 993
# The rest is there the next time.
MOST_AT_ONCE: Final = 100
LONGEST_PAUSE_SECONDS: Final = 900

log = structlog.get_logger("placa.replies")


class MailboxError(Exception):
    """The mail server is away, refuses, or does not do what it is asked."""


class Mailbox:
    """One visit to a mailbox.  Its methods block: they are called in a thread."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        try:
            if parts.scheme == "imaps":
                context = ssl.create_default_context()
                self._imap: imaplib.IMAP4 = imaplib.IMAP4_SSL(
                    host, parts.port or TLS_PORT, ssl_context=context, timeout=TIMEOUT_SECONDS
                )
            else:
                self._imap = imaplib.IMAP4(host, parts.port or PORT, timeout=TIMEOUT_SECONDS)
                if parts.query != "security=none":
                    self._imap.starttls(ssl.create_default_context())
        except (OSError, imaplib.IMAP4.error) as error:
            raise MailboxError(str(error)) from error

    def open(self, url: str) -> None:
        """Sign in, and open the folder that `url` names."""
        parts = urlsplit(url)
        folder = unquote(parts.path.strip("/")) or "INBOX"
        try:
            self._imap.login(unquote(parts.username or ""), unquote(parts.password or ""))
            status, _ = self._imap.select('"' + folder.replace('"', "") + '"')
        except (OSError, imaplib.IMAP4.error) as error:
            raise MailboxError(str(error)) from error
        if status != "OK":
            raise MailboxError(f"there is no folder {folder}")

    def unread(self) -> list[bytes]:
        """Return the ids of the mails nobody has read, the oldest first."""
        found = self._ask("SEARCH", "UNSEEN")
        numbers = found[0] if found else None
        return numbers.split()[:MOST_AT_ONCE] if isinstance(numbers, bytes) else []

    def fetch(self, number: bytes) -> bytes | None:
        """Return a mail's bytes without marking it; None for one that is too long, or gone."""
        told = self._ask("FETCH", number.decode(), "(RFC822.SIZE)")
        size = next((_size(line) for line in told if isinstance(line, bytes)), None)
        if size is None or size > LONGEST_MAIL:
            return None
        parts = self._ask("FETCH", number.decode(), "(BODY.PEEK[])")
        return next((part[1] for part in parts if isinstance(part, tuple)), None)

    def mark(self, number: bytes) -> None:
        """Mark a mail as read."""
        self._ask("STORE", number.decode(), "+FLAGS.SILENT", "(\\Seen)")

    def close(self) -> None:
        """Leave."""
        with suppress(OSError, imaplib.IMAP4.error):
            self._imap.logout()

    def _ask(self, *words: str) -> list[bytes | tuple[bytes, bytes]]:
        try:
            return _done(self._imap.uid(*words))
        except (OSError, imaplib.IMAP4.error) as error:
            raise MailboxError(str(error)) from error


def _done(
    answer: tuple[str, list[bytes | tuple[bytes, bytes]]],
) -> list[bytes | tuple[bytes, bytes]]:
    status, data = answer
    if status != "OK":
        raise imaplib.IMAP4.error(f"{status}: {data!r:.200}")
    return data


def _size(line: bytes) -> int | None:
    _, found, rest = line.partition(b"RFC822.SIZE ")
    digits = rest.split(b")")[0].split(b" ")[0]
    return int(digits) if found and digits.isdigit() else None


async def look(url: str, inbox: Inbox) -> int:
    """Take in what is unread; return how many mails that were.

    A mail that cannot be taken in stays unread and holds up no other; what it raised
    is raised in the end.  Raises MailboxError.
    """
    box = await asyncio.to_thread(Mailbox, url)
    try:
        await asyncio.to_thread(box.open, url)
        numbers = await asyncio.to_thread(box.unread)
        failed: Exception | None = None
        for number in numbers:
            raw = await asyncio.to_thread(box.fetch, number)
            try:
                if raw is not None:
                    await inbox.take(raw)
            except Exception as error:  # noqa: BLE001 - one mail must not hold up the others
                failed = error
            else:
                await asyncio.to_thread(box.mark, number)
        if failed is not None:
            raise failed
        return len(numbers)
    finally:
        await asyncio.to_thread(box.close)


@asynccontextmanager
async def watching(url: str, inbox: Inbox, seconds: float) -> AsyncIterator[None]:
    """Look into the mailbox every so many seconds while the block runs."""
    task = asyncio.create_task(_watch(url, inbox, seconds))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _watch(url: str, inbox: Inbox, seconds: float) -> None:
    pause = seconds
    while True:
        try:
            await look(url, inbox)
            pause = seconds
        except (MailboxError, SQLAlchemyError, AppError, OSError) as error:
            log.warning("mailbox.unreachable", error=type(error).__name__, again_in_seconds=pause)
            pause = min(pause * 2, max(seconds, LONGEST_PAUSE_SECONDS))
        except Exception:
            log.exception("mailbox.mail_broke")
            pause = min(pause * 2, max(seconds, LONGEST_PAUSE_SECONDS))
        await asyncio.sleep(pause)
