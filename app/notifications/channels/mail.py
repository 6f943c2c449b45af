"""Mail: handing a message to the host's mail server, and what comes of it."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

import aiosmtplib

from app.config import Settings
from app.notifications.channels.outcome import LONGEST_REPLY, Grade, NotSentError

Security: TypeAlias = Literal["starttls", "tls", "none"]
Note: TypeAlias = Callable[[str], None]

_PORTS: Final = {"starttls": 587, "tls": 465, "none": 25}
# So many answers a dialogue consists of; a server that is slow at each is given up.
_ANSWERS: Final = 4
# The codes that an answer can begin with; from where on it is a no for good.
_LOWEST: Final = 200
_FOR_GOOD: Final = 500
_HIGHEST: Final = 599


@dataclass(frozen=True, slots=True)
class Smtp:
    """Where mail is handed in, and how."""

    host: str
    port: int
    user: str | None
    password: str | None
    security: Security
    timeout: float


def smtp_of(settings: Settings) -> Smtp | None:
    """Return the mail server of the settings, SMTP_URL before its parts; None: there is none."""
    timeout = float(settings.smtp_timeout_seconds)
    if settings.smtp_url is not None:
        parts = urlsplit(settings.smtp_url)
        security: Security = "tls" if parts.scheme == "smtps" else "starttls"
        if parts.query == "security=none":
            security = "none"
        return Smtp(
            parts.hostname or "",
            parts.port or _PORTS[security],
            unquote(parts.username) if parts.username else None,
            unquote(parts.password) if parts.password else None,
            security,
            timeout,
        )
    if settings.smtp_host is None:
        return None
    return Smtp(
        settings.smtp_host,
        settings.smtp_port or _PORTS[settings.smtp_security],
        settings.smtp_user,
        settings.smtp_password,
        settings.smtp_security,
        timeout,
    )


async def deliver(
    smtp: Smtp, message: EmailMessage, sender: str, to: str, *, note: Note = lambda _line: None
) -> str:
    """Hand `message` in and return what the server said; raises NotSentError.

    `note` is told each step as it happens, without the password.
    """
    dialogue = _Dialogue(smtp, sender.rpartition("@")[2], note)
    async with _judged(dialogue):
        return await dialogue.hold(message.as_bytes(), sender, to)


async def greet(smtp: Smtp, name: str) -> None:
    """Go as far as the server lets us in, under the host's `name`; raises NotSentError."""
    dialogue = _Dialogue(smtp, name, lambda _line: None)
    async with _judged(dialogue):
        await dialogue.enter()


@asynccontextmanager
async def _judged(dialogue: "_Dialogue") -> AsyncIterator[None]:
    """End a conversation in time, and make of its failures what the caller has to know."""
    try:
        async with asyncio.timeout(dialogue.smtp.timeout * _ANSWERS):
            yield
    except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
        raise _not_sent(error, dialogue) from error
    finally:
        dialogue.client.close()


class _Dialogue:
    """One conversation with a mail server; knows how far it has come."""

    def __init__(self, smtp: Smtp, name: str, note: Note) -> None:
        self.smtp = smtp
        self.client = aiosmtplib.SMTP(
            hostname=smtp.host,
            port=smtp.port,
            timeout=smtp.timeout,
            use_tls=smtp.security == "tls",
            start_tls=False,
            local_hostname=name,
        )
        self._note = note
        self.step = "connect"

    async def enter(self) -> None:
        """Connect, encrypt and sign in, as far as the settings say so."""
        client, smtp = self.client, self.smtp
        self._note(f"connecting to {smtp.host}:{smtp.port} ({smtp.security})")
        self._heard(await client.connect())
        if smtp.security == "starttls":
            self._says("starttls", "STARTTLS")
            self._heard(await client.starttls())
        if smtp.user is not None:
            self._says("login", f"AUTH {smtp.user} (password hidden)")
            self._heard(await client.login(smtp.user, smtp.password or ""))

    async def hold(self, message: bytes, sender: str, to: str) -> str:
        """Say everything that has to be said; return the answer to the message."""
        client = self.client
        await self.enter()
        self._says("sender", f"MAIL FROM:<{sender}>")
        self._heard(await client.mail(sender))
        self._says("address", f"RCPT TO:<{to}>")
        self._heard(await client.rcpt(to))
        self._says("message", f"DATA ({len(message)} bytes)")
        answer = await client.data(message)
        self._heard(answer)
        # It has been taken; how the conversation ends does not matter.
        with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
            await client.quit()
        return f"{answer.code} {answer.message}"[:LONGEST_REPLY]

    def _says(self, step: str, line: str) -> None:
        self.step = step
        self._note(f"> {line}")

    def _heard(self, answer: aiosmtplib.SMTPResponse) -> None:
        self._note(f"< {answer.code} {answer.message}")


def _not_sent(error: Exception, dialogue: _Dialogue) -> NotSentError:
    """Judge a failure by what was said and by what it was the answer to."""
    grade: Grade
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        error = error.recipients[0]
    if isinstance(error, aiosmtplib.SMTPResponseException):
        said = " ".join(f"{error.code} {error.message}".split())
        if not _LOWEST <= error.code <= _HIGHEST:
            # That was no answer: whoever spoke is no mail server, or has lost the thread.
            return NotSentError("host", said, unknown=dialogue.step == "message")
        if error.code < _FOR_GOOD:
            return NotSentError("later", said)
        # A refused letter is refused for this reader: another's may pass.
        grade = "address" if dialogue.step in {"address", "message"} else "host"
        return NotSentError(grade, said)
    reason = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, TimeoutError):
        reason = "no answer in time"
    unsafe = isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError)
    passing = isinstance(error, OSError) and not unsafe
    grade = "later" if passing else "host"
    return NotSentError(grade, f"{dialogue.step}: {reason}", unknown=dialogue.step == "message")
