"""What is mailed about an address itself: the code that proves it, and that it is left.

A code is made, put down and mailed in one transaction: nothing but its hash is ever
stored, in the queue neither.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.addresses import CODE_LIFE, address_of, claim_address
from app.accounts.preferences import kept_wishes
from app.accounts.queries import person_by_id
from app.config import Settings
from app.db.session import talk_elsewhere
from app.i18n import SOURCE, gettext, use_locale
from app.ids import new_id
from app.notifications.channels.outcome import NotSentError
from app.notifications.letters import Letter, message_id, send, sender_of
from app.notifications.outbox import write_settled

ADDRESS_CLAIMED = "notifications.address_claimed"
ADDRESS_LEFT = "notifications.address_left"


async def send_code(
    session: AsyncSession, *, person_id: UUID, now: datetime, settings: Settings
) -> None:
    """Mail a fresh code to the address the person has typed; older codes are dead.

    What is refused for good stands in the person's log.  Raises NotSentError when
    trying again makes sense.
    """
    person = await person_by_id(session, person_id)
    claimed = await address_of(session, person_id)
    if person is None or claimed is None or claimed.pending is None or not settings.sends_mail:
        return
    code = await claim_address(session, person=person, address=claimed.pending, now=now)
    chosen = await kept_wishes(session, person=person)
    shown = f"{code[:3]} {code[3:]}"
    with use_locale(chosen.locale or SOURCE):
        letter = Letter(
            to=claimed.pending,
            subject=gettext("%(code)s is your code for Plaça", code=shown),
            text=_words(shown, settings.public_url),
            message_id=message_id(sender_of(settings), "code", new_id()),
            at=now,
        )
    await talk_elsewhere(session)
    try:
        said = await send(letter, settings)
    except NotSentError as error:
        if error.grade == "later":
            raise
        await write_settled(session, person_id, "code", "failed", error.said, now=now)
        return
    await write_settled(session, person_id, "code", "sent", said, now=now)


async def tell_left(
    session: AsyncSession,
    *,
    person_id: UUID,
    address: str,
    letter_id: str,
    now: datetime,
    settings: Settings,
) -> None:
    """Tell `address` that the person has no mail sent there any more.

    Whoever sits at an open browser of somebody else's cannot take their mail away
    unseen.  Tried again, it is the same letter.  Raises NotSentError when trying
    again makes sense.
    """
    person = await person_by_id(session, person_id)
    if person is None or person.kind == "deleted" or not settings.sends_mail:
        return
    chosen = await kept_wishes(session, person=person)
    with use_locale(chosen.locale or SOURCE):
        words = [
            gettext("%(name)s has no mail sent to this address any more.", name=person.name),
            gettext(
                "If that was not you, somebody has a browser in which you are signed in:"
                " sign in, end the other sessions and choose another password."
            ),
            *([f"{settings.public_url}/account"] if settings.public_url else []),
        ]
        letter = Letter(
            to=address,
            subject=gettext("This address is not in use for Plaça any more"),
            text="\n\n".join(words) + "\n",
            message_id=message_id(sender_of(settings), "left", letter_id),
            at=now,
        )
    await talk_elsewhere(session)
    try:
        await send(letter, settings)
    except NotSentError as error:
        if error.grade == "later":
            raise


def _words(shown: str, base: str | None) -> str:
    lines = [
        gettext("Type this code on the page that asked for it:"),
        f"    {shown}",
        gettext(
            "It holds for %(minutes)s minutes. If you did not ask for it, do nothing:"
            " somebody has mistyped an address.",
            minutes=int(CODE_LIFE.total_seconds() // 60),
        ),
        *([f"{base}/account/notices"] if base else []),
    ]
    return "\n\n".join(lines) + "\n"
