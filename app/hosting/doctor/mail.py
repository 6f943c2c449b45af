"""Is there a mail server, and would it take our mail?"""

import asyncio
from collections.abc import Iterator
from typing import Final

from app.config import Settings
from app.hosting.doctor.findings import Finding, fault, ok, warning
from app.notifications.channels.mail import greet, smtp_of
from app.notifications.channels.outcome import NotSentError
from app.notifications.letters import sender_of

_LOCAL: Final = ("localhost", "127.0.0.1", "::1")


def look_at_mail(settings: Settings) -> Iterator[Finding]:
    """Say whether mail can be handed in; nothing is sent."""
    smtp = smtp_of(settings)
    if smtp is None:
        yield ok("mail.none", "this host sends no mail")
        return
    sender = sender_of(settings)
    try:
        asyncio.run(greet(smtp, sender.domain))
    except NotSentError as error:
        fix = "look at SMTP_URL; placa mail test ADDRESS shows the whole conversation"
        yield fault("mail.refused", f"{smtp.host}:{smtp.port}: {error.said}", fix)
    else:
        yield ok("mail.server", f"{smtp.host}:{smtp.port} lets us in; from {sender.address}")
    if smtp.security == "none" and smtp.host not in _LOCAL:
        said = f"mail, and the password, go to {smtp.host} unencrypted"
        yield warning("mail.plain", said, "use smtp:// or smtps:// without ?security=none")
    if settings.public_url is None:
        said = "mails cannot say where this server is"
        yield warning("mail.no_links", said, "set PUBLIC_URL to the address players type")
    if sender.domain in _LOCAL:
        said = f"mail comes from {sender.address}, which nobody can answer"
        yield warning("mail.sender", said, "set MAIL_FROM, or PUBLIC_URL")
