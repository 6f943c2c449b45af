"""Browsers that show notices: what they install for it, and their subscriptions.

The worker lies at the root of the application, because it looks after what is below it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from pydantic import Field

from app.accounts.channels import Channel, add_channel, channels_of
from app.accounts.limits import NEW_CHANNEL
from app.config import Settings
from app.errors import NotFoundError
from app.notifications.channels.services import offered, read
from app.notifications.channels.values import Pasted
from app.notifications.channels.vapid import public_key
from app.web.channels import ChannelLine
from app.web.forms import FormModel, Ticked
from app.web.people import CurrentKnown
from app.web.static import static_files
from app.web.templating import path_for, root_path
from app.web.visits import Visiting, device_label

router = APIRouter(tags=["notices"])

PUSH: Final = "push"


class SubscriptionForm(FormModel):
    """A subscription, as the browser has made it; `renewed`: in place of one that ran out."""

    endpoint: Annotated[str, Field(max_length=1024)] = ""
    p256dh: Annotated[str, Field(max_length=100)] = ""
    auth: Annotated[str, Field(max_length=40)] = ""
    renewed: Ticked = False


@dataclass(frozen=True, slots=True)
class Subscribing:
    """What the page's script has to know: the key to subscribe with, where the worker is.

    `here`: what is known of this browser, `works`, `refused` or nothing.
    """

    key: str
    worker: str
    scope: str
    here: str


def subscribing(
    request: Request, settings: Settings, mine: Iterable[ChannelLine]
) -> Subscribing | None:
    """Return how a browser subscribes; None where the host has it switched off."""
    if PUSH not in offered(settings):
        return None
    key = public_key(settings.secret_key or "")
    worker = f"{path_for(request, 'browser.worker')}?key={key}"
    here = next(("refused" if one.refused else "works" for one in mine if one.here), "")
    return Subscribing(key, worker, f"{root_path(request)}/", here)


@router.post("/account/notices/browser", name="notices.browser.add")
async def add(
    request: Request,
    visit: Visiting,
    known: CurrentKnown,
    form: Annotated[SubscriptionForm, Form()],
) -> Response:
    """Tell the person in this browser from now on, for as long as it knows them."""
    visit.spend(NEW_CHANNEL, known.person.id)
    pasted = Pasted(address=form.endpoint, key=form.p256dh, token=form.auth)
    found = read(PUSH, pasted, visit.settings)
    before = await channels_of(visit.session, known.person.id)
    if form.renewed and all(one.session_id != known.session_id for one in before):
        raise NotFoundError
    others = [one for one in before if one.session_id not in {None, known.session_id}]
    await add_channel(
        visit.session,
        person=known.person,
        kind=PUSH,
        label=_label(request.headers.get("User-Agent", ""), others),
        secret=found.secret,
        key=visit.settings.secret_key or "",
        now=visit.now,
        session_id=known.session_id,
    )
    return visit.redirect("notices")


@router.get("/worker.js", name="browser.worker")
async def worker() -> Response:
    """What shows notices while no page is open."""
    file = static_files()["js/worker.js"]
    return Response(file.content, media_type=file.media_type)


@router.get("/icon.png", name="browser.icon")
async def icon() -> Response:
    """The picture of a notice: the worker knows no name that changes."""
    file = static_files()["icon-192.png"]
    return Response(file.content, media_type=file.media_type)


def _label(agent: str, others: list[Channel]) -> str:
    """Return the browser's name, with a number if another has it already."""
    name = device_label(agent)
    taken = {one.label for one in others}
    names = [name, *(f"{name} ({number})" for number in range(2, len(taken) + 2))]
    return next(one for one in names if one not in taken)
