"""Accounts: signing up, in and out, sessions, links to other devices, tokens."""

import json
from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Form, Request, Response
from pydantic import Field

from app.accounts import api_tokens, links, service, sessions
from app.accounts.admins import is_admin
from app.accounts.gate import sign_in_at_the_gate
from app.accounts.identities import connected_since, has_password
from app.accounts.limits import DEVICE_LINK, PASSWORD, SIGN_UP, WRONG_LINK
from app.accounts.preferences import keep_wishes
from app.accounts.queries import person_by_link, session_lines, token_lines
from app.accounts.values import Known
from app.errors import ForbiddenError
from app.hosting.people import kept_about
from app.hosting.registration import check_registration
from app.hosting.ways_in import check_local, ways_in
from app.lobby.people import delete_everywhere
from app.notifications.leaving import leave_browsers
from app.notifications.replies.addresses import ReplyAddresses
from app.web.forms import FormModel, Line, Password
from app.web.guests import become
from app.web.origin import public_base
from app.web.people import CurrentKnown, CurrentPerson
from app.web.preferences import local_path, wishes_of
from app.web.templating import page, path_for
from app.web.values import DeviceLink
from app.web.visits import Visit, Visiting

router = APIRouter(tags=["account"])

SHOW = "account/show.html"
Token = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]


class SignUpForm(FormModel):
    """A new account."""

    name: Line
    password: Password
    next: str = ""


class LoginForm(SignUpForm):
    """An account's name and password."""


class NameForm(FormModel):
    """Another name."""

    name: Line


class LabelForm(FormModel):
    """What a token is for."""

    label: Line


class PasswordForm(FormModel):
    """Another password; the old one is not asked right after a login link."""

    old: Password = ""
    password: Password


class DeleteForm(FormModel):
    """The password, for accounts."""

    password: Password = ""


class DeviceForm(FormModel):
    """Whether the seats of this device's guest come along."""

    bring: bool = False


@router.get("/account", name="account")
async def account(request: Request, visit: Visiting, known: CurrentKnown) -> Response:
    """The person's own page."""
    return await _account_page(request, visit)


@router.get("/signup", name="signup")
async def show_signup(request: Request, visit: Visiting, next: str = "") -> Response:  # noqa: A002 - the field's name
    """The form for a new account."""
    if visit.person is not None and visit.person.is_account:
        return visit.redirect("account")
    ways = await ways_in(visit.session, visit.settings)
    if not ways.local:
        return visit.go(f"{path_for(request, 'login')}?{urlencode({'next': local_path(next)})}")
    await check_registration(
        visit.session, registration=visit.settings.who_registers, guest=visit.person
    )
    name = visit.person.name if visit.person else ""
    return page(request, "account/signup.html", name=name, next=local_path(next), ways=ways)


@router.post("/signup", name="signup.take")
async def sign_up(visit: Visiting, form: Annotated[SignUpForm, Form()]) -> Response:
    """Make an account, out of this device's guest if there is one."""
    visit.spend(SIGN_UP)
    await check_local(visit.session, visit.settings)
    await check_registration(
        visit.session, registration=visit.settings.who_registers, guest=visit.person
    )
    person = await service.sign_up(
        visit.session,
        guest=visit.person,
        name=form.name,
        password=form.password,
        now=visit.now,
        here=visit.session_id,
    )
    await keep_wishes(visit.session, person=person, wishes=wishes_of(visit.request))
    await visit.enter(person)
    response = visit.go(form.next) if form.next else visit.redirect("account")
    visit.remember_device(response, person)
    return response


@router.get("/login", name="login")
async def show_login(request: Request, visit: Visiting, next: str = "") -> Response:  # noqa: A002 - the field's name
    """The form to sign in."""
    if visit.person is not None and visit.person.is_account:
        return visit.go(next)
    guest = visit.person.name if visit.person else None
    return page(
        request,
        "account/login.html",
        guest=guest,
        next=local_path(next),
        by_mail=visit.settings.sends_mail,
        ways=await ways_in(visit.session, visit.settings),
    )


@router.post("/login", name="login.take")
async def log_in(visit: Visiting, form: Annotated[LoginForm, Form()]) -> Response:
    """Sign in; the seats of this device's guest move to the account."""
    await check_local(visit.session, visit.settings)
    person = await sign_in_at_the_gate(
        visit.session,
        limiter=visit.limiter,
        name=form.name,
        password=form.password,
        network=visit.network,
        is_device_of=visit.is_device_of,
        now=visit.now,
    )
    if visit.person is not None and not visit.person.is_account:
        await become(visit, guest=visit.person, person=person)
    await visit.enter(person)
    response = visit.go(form.next)
    visit.remember_device(response, person)
    return response


@router.post("/logout", name="logout")
async def log_out(
    request: Request, visit: Visiting, form: Annotated[FormModel, Form()]
) -> Response:
    """Make this device know nobody."""
    await visit.leave()
    response = visit.redirect("front")
    # Not "cookies": they are the host's, and other programs may live there too.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


@router.post("/account/device-link", name="account.device_link")
async def make_device_link(
    request: Request, visit: Visiting, person: CurrentPerson, form: Annotated[FormModel, Form()]
) -> Response:
    """Show a link that makes one other device know the person."""
    visit.spend(DEVICE_LINK, person.id)
    made = await links.make_link(visit.session, person=person, now=visit.now)
    path = str(request.app.url_path_for("device", token=made.token))
    shown = DeviceLink(url=public_base(request) + path, expires_at=made.expires_at)
    return await _account_page(request, visit, device_link=shown)


@router.get("/device/{token}", name="device")
async def show_device(request: Request, visit: Visiting, token: Token) -> Response:
    """Say whom the link signs in; looking changes nothing."""
    person = await person_by_link(visit.session, token=token, now=visit.now)
    here = visit.person
    other = here is not None and not here.is_account and person is not None and here != person
    return page(
        request,
        "account/device.html",
        status_code=200 if person else 404,
        valid=person is not None,
        name=person.name if person else "",
        guest=here.name if here and other else None,
    )


@router.post("/device/{token}", name="device.take")
async def take_device(
    visit: Visiting, token: Token, form: Annotated[DeviceForm, Form()]
) -> Response:
    """Use the link up: this device knows the person from now on."""
    with visit.counting_misses(WRONG_LINK):
        taken = await links.take_link(visit.session, token=token, now=visit.now)
    here = visit.person
    if form.bring and here is not None and not here.is_account and here.id != taken.person.id:
        await become(visit, guest=here, person=taken.person)
    await visit.enter(taken.person, may_reset=taken.resets_password)
    return visit.redirect("account" if taken.resets_password else "front")


@router.post("/account/name", name="account.rename")
async def rename(
    visit: Visiting, person: CurrentPerson, form: Annotated[NameForm, Form()]
) -> Response:
    """Be called otherwise."""
    await service.rename(visit.session, person=person, name=form.name)
    return visit.redirect("account")


@router.post("/account/password", name="account.password")
async def change_password(
    visit: Visiting, known: CurrentKnown, form: Annotated[PasswordForm, Form()]
) -> Response:
    """Set another password; every other session, link and token ends."""
    visit.spend(PASSWORD, known.person.id)
    await _leave_others(visit, known)
    await service.change_password(
        visit.session,
        person=known.person,
        old=None if known.may_reset else form.old,
        password=form.password,
        keep=known.session_id,
    )
    await visit.enter(known.person)
    return visit.redirect("account")


@router.post("/account/sessions/{session_id}/revoke", name="account.revoke_session")
async def revoke_session(
    visit: Visiting, person: CurrentPerson, session_id: UUID, form: Annotated[FormModel, Form()]
) -> Response:
    """Make another device know nobody."""
    await leave_browsers(
        visit.session, person_id=person.id, ends=lambda one: one == session_id, now=visit.now
    )
    await sessions.revoke_session(visit.session, person=person, session_id=session_id)
    return visit.redirect("account")


@router.post("/account/sessions/revoke-others", name="account.revoke_others")
async def revoke_others(
    visit: Visiting, known: CurrentKnown, form: Annotated[FormModel, Form()]
) -> Response:
    """Make every other device know nobody."""
    await _leave_others(visit, known)
    await sessions.end_sessions(visit.session, person_id=known.person.id, keep=known.session_id)
    return visit.redirect("account")


@router.post("/account/tokens", name="account.create_token")
async def create_token(
    request: Request, visit: Visiting, person: CurrentPerson, form: Annotated[LabelForm, Form()]
) -> Response:
    """Make an API token and show it, this once."""
    if not person.is_account:
        raise ForbiddenError("account.guest")
    token = await api_tokens.create_api_token(
        visit.session, person=person, label=form.label, now=visit.now
    )
    return await _account_page(request, visit, new_token=token)


@router.post("/account/tokens/{token_id}/revoke", name="account.revoke_token")
async def revoke_token(
    visit: Visiting, person: CurrentPerson, token_id: UUID, form: Annotated[FormModel, Form()]
) -> Response:
    """Make an API token worthless."""
    await api_tokens.revoke_api_token(visit.session, person=person, token_id=token_id)
    return visit.redirect("account")


@router.get("/account/data", name="account.data")
async def data(visit: Visiting, person: CurrentPerson) -> Response:
    """All that is kept about the person, as a file."""
    kept = await kept_about(visit.session, person.id)
    return Response(
        json.dumps(kept, default=str, ensure_ascii=False, indent=2),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="placa.json"'},
    )


@router.post("/account/delete", name="account.delete")
async def delete(
    visit: Visiting, known: CurrentKnown, form: Annotated[DeleteForm, Form()]
) -> Response:
    """Forget the person; the matches stay, without the name."""
    visit.spend(PASSWORD, known.person.id)
    await delete_everywhere(
        visit.session,
        person=known.person,
        password=form.password,
        fresh=known.may_reset,
        now=visit.now,
    )
    await visit.leave()
    return visit.redirect("front")


async def _leave_others(visit: Visit, known: Known) -> None:
    """Give up the other browsers that are told, before their sessions end."""
    await leave_browsers(
        visit.session,
        person_id=known.person.id,
        ends=lambda one: one != known.session_id,
        now=visit.now,
    )


async def _account_page(
    request: Request,
    visit: Visit,
    *,
    new_token: str | None = None,
    device_link: DeviceLink | None = None,
) -> Response:
    if visit.known is None:
        return visit.go(path_for(request, "login"))
    person = visit.known.person
    ways = await ways_in(visit.session, visit.settings)
    issuer = visit.settings.oidc_issuer or ""
    return page(
        request,
        SHOW,
        sessions=await session_lines(
            visit.session, person_id=person.id, current=visit.known.session_id, now=visit.now
        ),
        tokens=await token_lines(visit.session, person_id=person.id),
        may_reset=visit.known.may_reset,
        is_admin=await is_admin(visit.session, person_id=person.id),
        ways=ways,
        connected=await connected_since(visit.session, person_id=person.id, issuer=issuer)
        if ways.issuer
        else None,
        has_password=await has_password(visit.session, person_id=person.id),
        new_token=new_token,
        device_link=device_link,
        by_mail=ReplyAddresses.of(visit.settings) is not None,
    )
