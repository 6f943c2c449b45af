"""A letter to see whether letters get out, sent while the host looks on."""

from datetime import datetime

from app.config import Settings
from app.ids import new_id
from app.notifications.channels.mail import Note, deliver, smtp_of
from app.notifications.letters import Letter, message, message_id, sender_of


async def send_trial(settings: Settings, address: str, *, now: datetime, note: Note) -> None:
    """Send a letter to `address`, telling `note` each step.

    Raises NotSentError, ValueError for what is no address, RuntimeError without a mail server.
    """
    smtp = smtp_of(settings)
    if smtp is None:
        raise RuntimeError("this host has no mail server")
    sender = sender_of(settings)
    letter = Letter(
        to=address,
        subject="A test from Plaça",
        text="Somebody who looks after a Plaça server tried whether its mail reaches you.\n",
        message_id=message_id(sender, "trial", new_id()),
        at=now,
    )
    await deliver(smtp, message(letter, sender), sender.address, address, note=note)
