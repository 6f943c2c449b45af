"""Mails that a mail server or a mail service posts here, as the bytes they came in."""

import hmac
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Request
from starlette.exceptions import HTTPException

from app.api.people import Now
from app.config import Settings
from app.db.session import Session
from app.errors import NotFoundError, SignInRequiredError
from app.notifications.replies.addresses import ReplyAddresses
from app.notifications.replies.service import LONGEST_MAIL, Arrival, take_in

MOST_RECIPIENTS: Final = 20

router = APIRouter(include_in_schema=False)


@router.post("/incoming-mail")
async def incoming_mail(
    request: Request,
    session: Session,
    now: Now,
    authorization: Annotated[str, Header()] = "",
    to: Annotated[list[str] | None, Query(max_length=MOST_RECIPIENTS)] = None,
) -> dict[str, str]:
    """Take one mail in; say what became of it.

    The body is the mail; `to` are the addresses it was delivered to, if known.
    Raises NotFoundError on a host that takes no mails so, SignInRequiredError
    without the secret.
    """
    settings: Settings = request.app.state.settings
    addresses = ReplyAddresses.of(settings)
    if addresses is None or settings.reply_secret is None:
        raise NotFoundError
    shown = authorization.removeprefix("Bearer ").encode()
    if not hmac.compare_digest(shown, settings.reply_secret.encode()):
        raise SignInRequiredError
    raw = await request.body()
    if len(raw) > LONGEST_MAIL:
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    result = await take_in(
        session,
        Arrival(raw=raw, to=tuple(to or ())),
        addresses=addresses,
        limiter=request.app.state.limiter,
        now=now,
    )
    return {"result": result}
