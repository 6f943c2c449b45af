"""Other channels than mail: pasting one, trying it, mending it, forgetting it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Response
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.channels import (
    add_channel,
    channel_of,
    channels_of,
    resume_channel,
)
from app.accounts.limits import NEW_CHANNEL, TEST_MAIL
from app.accounts.values import Known
from app.config import Settings
from app.i18n import gettext
from app.i18n.errors import explain
from app.jobs.queue import enqueue
from app.notifications.channels.services import offered, read
from app.notifications.channels.values import Pasted
from app.notifications.leaving import leave_channel
from app.web.forms import FormModel
from app.web.people import CurrentPerson
from app.web.visits import Visiting

router = APIRouter(tags=["notices"], prefix="/account/notices/channels")

# A browser is not pasted: it subscribes (`app.web.browsers`).
NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "discord": "Discord",
        "ntfy": "ntfy",
        "matrix": "Matrix",
        "telegram": "Telegram",
        "webhook": "Webhook",
    }
)


class ChannelForm(FormModel):
    """What is pasted to be reached by a service; each wants some of it."""

    kind: Literal["discord", "ntfy", "matrix", "telegram", "webhook"]
    address: Annotated[str, Field(max_length=500)] = ""
    token: Annotated[str, Field(max_length=400)] = ""
    room: Annotated[str, Field(max_length=300)] = ""


@dataclass(frozen=True, slots=True)
class ChannelLine:
    """A channel as its person sees it: never what was pasted.  `here`: it is this browser."""

    id: UUID
    name: str
    label: str
    refused: bool
    why: str
    here: bool


async def channel_lines(session: AsyncSession, known: Known) -> tuple[ChannelLine, ...]:
    """Return the person's channels."""
    return tuple(
        ChannelLine(
            one.id,
            NAMES.get(one.kind) or gettext("Browser"),
            one.label,
            one.refused_at is not None,
            in_words(one.refusal or ""),
            one.session_id == known.session_id,
        )
        for one in await channels_of(session, known.person.id)
    )


def kinds(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return the kinds of channels that the host has on and that are pasted, with their names."""
    return tuple((kind, NAMES[kind]) for kind in offered(settings) if kind in NAMES)


def in_words(said: str) -> str:
    """Return what became of an attempt: a mail server's own words, or ours."""
    code, _, status = said.partition(" ")
    return explain(code, {"status": status}) if code.startswith("channel.") else said


@router.post("", name="notices.channel.add")
async def add(
    visit: Visiting, person: CurrentPerson, form: Annotated[ChannelForm, Form()]
) -> Response:
    """Keep another channel."""
    visit.spend(NEW_CHANNEL, person.id)
    pasted = Pasted(address=form.address.strip(), token=form.token.strip(), room=form.room.strip())
    found = read(form.kind, pasted, visit.settings)
    await add_channel(
        visit.session,
        person=person,
        kind=form.kind,
        label=found.label,
        secret=found.secret,
        key=visit.settings.secret_key or "",
        now=visit.now,
    )
    return visit.redirect("notices")


@router.post("/{channel_id}/test", name="notices.channel.test")
async def try_out(
    visit: Visiting,
    person: CurrentPerson,
    channel_id: UUID,
    form: Annotated[FormModel, Form()],
) -> Response:
    """Have something sent there, to see whether it arrives."""
    visit.spend(TEST_MAIL, person.id)
    channel = await channel_of(visit.session, person.id, channel_id)
    await enqueue(
        visit.session,
        "notices.test_wanted",
        person_id=str(person.id),
        channel_id=str(channel.id),
    )
    return visit.redirect("notices")


@router.post("/{channel_id}/resume", name="notices.channel.resume")
async def resume(
    visit: Visiting,
    person: CurrentPerson,
    channel_id: UUID,
    form: Annotated[FormModel, Form()],
) -> Response:
    """Have notices sent there again."""
    await channel_of(visit.session, person.id, channel_id)
    await resume_channel(visit.session, person_id=person.id, channel_id=channel_id)
    return visit.redirect("notices")


@router.post("/{channel_id}/forget", name="notices.channel.forget")
async def forget(
    visit: Visiting,
    person: CurrentPerson,
    channel_id: UUID,
    form: Annotated[FormModel, Form()],
) -> Response:
    """Have a channel forgotten, and what was sent there; what waits goes by what is left."""
    await channel_of(visit.session, person.id, channel_id)
    await leave_channel(visit.session, person_id=person.id, channel_id=channel_id, now=visit.now)
    return visit.redirect("notices")
