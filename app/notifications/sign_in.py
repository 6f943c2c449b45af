"""The mail that signs in: a code to type where it was asked for, and a link to click."""

from datetime import datetime
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.addresses import people_at
from app.accounts.links import make_link
from app.accounts.mail_codes import make_codes
from app.accounts.queries import person_by_id
from app.accounts.values import Person
from app.config import Settings
from app.db.session import talk_elsewhere
from app.i18n import gettext as _
from app.notifications.letters import Letter, NotSentError, message_id, send, sender_of

CODE_ASKED: Final = "notifications.code_asked"
# A family may share an address.
MOST_PEOPLE: Final = 5

log = structlog.get_logger("placa.security")


async def send_codes(
    session: AsyncSession, code_id: UUID, *, address: str, settings: Settings, now: datetime
) -> None:
    """Mail a code and a link for everybody whose address it is; nobody's is nobody told."""
    if not settings.sends_mail:
        return
    found = [await person_by_id(session, who) for who in (await people_at(session, address))]
    people = [person for person in found if person is not None and person.kind != "deleted"]
    people = people[:MOST_PEOPLE]
    codes = await make_codes(session, code_id=code_id, people=people, now=now)
    if not codes:
        return
    ways = [await _way(session, person, codes[person.id], settings, now) for person in people]
    letter = Letter(
        to=address,
        subject=_("Your code to sign in"),
        text="\n\n".join(
            [
                *ways,
                _("A code and a link work once, within ten minutes."),
                _("If it was not you who asked, do nothing: nobody gets in without this mail."),
            ]
        )
        + "\n",
        message_id=message_id(sender_of(settings), "code", code_id, *codes.values()),
        at=now,
    )
    await talk_elsewhere(session)
    try:
        await send(letter, settings)
    except NotSentError as error:
        # Whoever waits for a code asks again.
        log.warning("login.mail_not_sent", grade=error.grade)


async def _way(
    session: AsyncSession, person: Person, code: str, settings: Settings, now: datetime
) -> str:
    lines = [_("%(name)s: type %(code)s where you asked for it.", name=person.name, code=code)]
    if settings.public_url is not None:
        # An account may then set another password: a code is what is left to who forgot it.
        link = await make_link(
            session, person=person, now=now, purpose="login" if person.is_account else "device"
        )
        lines += [
            _("Or open this, on any device, and press the button there:"),
            f"{settings.public_url}/device/{link.token}",
        ]
    return "\n".join(lines)
