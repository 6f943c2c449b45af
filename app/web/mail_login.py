"""Signing in by a mailed code."""

from typing import Annotated

import structlog
from fastapi import APIRouter, Form, Request, Response

from app.accounts.addresses import checked_address
from app.accounts.limits import LOGIN_CODE, LOGIN_MAIL, LOGIN_MAIL_BY_ADDRESS
from app.accounts.mail_codes import ask_code, take_code
from app.errors import NotFoundError
from app.hosting.ways_in import check_local
from app.i18n import current_locale
from app.jobs.queue import enqueue
from app.notifications.sign_in import CODE_ASKED
from app.web.forms import FormModel, Line
from app.web.guests import become
from app.web.people import session_token
from app.web.templating import page
from app.web.visits import Visit, Visiting

router = APIRouter(tags=["account"])

log = structlog.get_logger("placa.security")


class AddressForm(FormModel):
    """Where the code is to be sent."""

    address: Line


class CodeForm(FormModel):
    """The code that came by mail."""

    code: Line


@router.get("/login/mail", name="login.mail")
async def show_mail_login(request: Request, visit: Visiting) -> Response:
    """The form that asks for a mail address."""
    await _check(visit)
    return page(request, "account/mail.html")


@router.post("/login/mail", name="login.mail.ask")
async def ask(request: Request, visit: Visiting, form: Annotated[AddressForm, Form()]) -> Response:
    """Have a code mailed; whether anybody has the address is not told, not even by the time."""
    await _check(visit)
    address = checked_address(form.address)
    visit.spend(LOGIN_MAIL_BY_ADDRESS)
    visit.spend(LOGIN_MAIL, _counted(address))
    browser = _browser(visit)
    if browser is not None:
        code_id = await ask_code(visit.session, browser=browser, now=visit.now)
        await enqueue(
            visit.session,
            CODE_ASKED,
            code_id=str(code_id),
            address=address,
            locale=current_locale(),
        )
    return visit.redirect("login.code")


@router.get("/login/code", name="login.code")
async def show_code(request: Request, visit: Visiting) -> Response:
    """The form that asks for the code."""
    await _check(visit)
    return page(request, "account/mail_code.html", wrong=False)


@router.post("/login/code", name="login.code.take")
async def take(request: Request, visit: Visiting, form: Annotated[CodeForm, Form()]) -> Response:
    """Sign in; the seats of this device's guest move to the account."""
    await _check(visit)
    visit.spend(LOGIN_CODE)
    browser = _browser(visit)
    person = browser and await take_code(
        visit.session, browser=browser, code=form.code, now=visit.now
    )
    if not person:
        log.warning("login.wrong_code", network=visit.network)
        return page(request, "account/mail_code.html", status_code=422, wrong=True)
    here = visit.person
    if here is not None and not here.is_account and here.id != person.id:
        await become(visit, guest=here, person=person)
    await visit.enter(person, may_reset=person.is_account)
    log.info("login.succeeded", person=str(person.id))
    response = visit.redirect("account")
    visit.remember_device(response, person)
    return response


async def _check(visit: Visit) -> None:
    """Raise NotFoundError where no mail is sent, ForbiddenError where only an issuer counts."""
    if not visit.settings.sends_mail:
        raise NotFoundError
    await check_local(visit.session, visit.settings)


def _browser(visit: Visit) -> str | None:
    """Return what only the browser that asks knows."""
    return session_token(visit.request) or visit.cookies.visitor_token(visit.request.cookies)


def _counted(address: str) -> str:
    """Return what all spellings of one mailbox are counted under."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.split('+')[0].replace('.', '')}@{domain}"
