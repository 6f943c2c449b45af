"""Signing in at the issuer: out, back, and a name for who is new here.

The way back is the one page that changes something by being looked at, because the protocol
has it so.  It is bound to the browser that set out and to what it set out with, and works once.

Neither of the two that talk to the issuer holds on to the database meanwhile.
"""

from typing import Annotated, Final

import structlog
from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import identities, service, sign_ins
from app.accounts.issuer import flow
from app.accounts.issuer.documents import Issuer
from app.accounts.limits import ISSUER, SIGN_UP
from app.accounts.preferences import keep_wishes
from app.accounts.sign_ins import Begun
from app.accounts.values import Person
from app.db.session import Sessions, transaction
from app.errors import AppError, ConflictError, ForbiddenError, NotFoundError, UnavailableError
from app.hosting.ways_in import check_newcomer, heed, part, ways_in
from app.i18n.errors import explain
from app.ids import new_token
from app.web.forms import FormModel, Line, Ticked
from app.web.guests import become
from app.web.origin import public_base
from app.web.people import CurrentPerson, Now, known_here
from app.web.preferences import local_path, wishes_of
from app.web.templating import page
from app.web.visits import Visit, Visiting

# These two open their own transactions, before and after they talk to the issuer.
road = APIRouter(tags=["account"])
router = APIRouter(tags=["account"])

log = structlog.get_logger("placa.security")

# What the issuer may say instead of a code, if it is not that the person would not.
_HOSTS_TO_MEND: Final = frozenset(
    {"invalid_request", "invalid_scope", "unauthorized_client", "unsupported_response_type"}
)
_PASSING: Final = frozenset({"server_error", "temporarily_unavailable"})


class BeginForm(FormModel):
    """Where to go afterwards, and whether the account of this device is to be connected."""

    next: Line = ""
    connect: Ticked = False


class NewcomerForm(FormModel):
    """The name of somebody new."""

    name: Line


class WayBack(BaseModel):
    """What the issuer sends along."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    state: Annotated[str, Field(max_length=200)] = ""
    code: Annotated[str, Field(max_length=4000)] = ""
    error: Annotated[str, Field(max_length=200)] = ""
    iss: Annotated[str | None, Field(max_length=2000)] = None


@road.post("/login/oidc", name="oidc.begin")
async def begin(request: Request, now: Now, form: Annotated[BeginForm, Form()]) -> Response:
    """Send the browser to the issuer: by a page, as policies let no form lead elsewhere."""
    issuer = _issuer(request)
    browser = _browser(request) or new_token()
    async with transaction(_sessions(request)) as session:
        visit = await _visit(request, session, now)
        visit.spend(ISSUER)
        connect = visit.person if form.connect else None
        if form.connect and (connect is None or not connect.is_account):
            raise ForbiddenError("account.guest")
        begun = Begun(local_path(form.next), connect.id if connect else None)
        state = await sign_ins.begin(
            session,
            browser=browser,
            next_=begun.next,
            connect=connect,
            now=now,
        )
    try:
        address = await flow.way_there(
            issuer,
            _question(visit, state, browser),
            visit.settings,
            back=_back(request),
            now=now,
        )
    except AppError as error:
        return _failed(visit, error, begun)
    response = page(
        request, "account/oidc_go.html", address=address, issuer=visit.settings.oidc_label
    )
    seconds = int(sign_ins.LIFE.total_seconds())
    visit.cookies.set(response, visit.cookies.sign_in, browser, seconds=seconds)
    return response


@road.get("/login/oidc/callback", name="oidc.callback")
async def come_back(request: Request, now: Now, answer: Annotated[WayBack, Query()]) -> Response:
    """Take the issuer's answer: sign in, connect, or go on to choose a name."""
    issuer = _issuer(request)
    browser = _browser(request) or ""
    begun = Begun("/", None)
    async with transaction(_sessions(request)) as session:
        visit = await _visit(request, session, now)
    try:
        # Used up for good, whatever comes of it.
        async with transaction(_sessions(request)) as session:
            begun = await sign_ins.take(session, browser=browser, state=answer.state, now=now)
        await flow.check_sender(issuer, answer.iss, now)
        if answer.error or not answer.code:
            raise _refusal(answer.error)
        proven = await flow.proven_by(
            issuer,
            _question(visit, answer.state, browser),
            visit.settings,
            code=answer.code,
            back=_back(request),
            now=now,
        )
        async with transaction(_sessions(request)) as session:
            visit = await _visit(request, session, now)
            return await _arrive(visit, issuer, begun, proven, browser)
    except AppError as error:
        return _failed(visit, error, begun)


@router.get("/login/oidc/new", name="oidc.new")
async def show_newcomer(request: Request, visit: Visiting) -> Response:
    """The form for the name of somebody new."""
    _issuer(request)
    found = await sign_ins.proof_of(visit.session, browser=_browser(request) or "", now=visit.now)
    if found is None:
        return visit.redirect("login")
    here = visit.person
    wanted = here.name if here is not None else found[0].name
    return page(
        request,
        "account/oidc_new.html",
        name=await identities.free_name(visit.session, wanted),
        ways=await ways_in(visit.session, visit.settings),
    )


@router.post("/login/oidc/new", name="oidc.new.take")
async def take_newcomer(
    request: Request, visit: Visiting, form: Annotated[NewcomerForm, Form()]
) -> Response:
    """Make an account that the issuer signs in, out of this device's guest if there is one."""
    issuer = _issuer(request)
    visit.spend(SIGN_UP)
    proven, next_ = await sign_ins.take_proof(
        visit.session, browser=_browser(request) or "", now=visit.now
    )
    await _check_on(visit)
    await check_newcomer(visit.session, visit.settings, visit.person)
    person = await service.sign_up(
        visit.session,
        guest=visit.person,
        name=form.name,
        password=None,
        now=visit.now,
        here=visit.session_id,
    )
    await keep_wishes(visit.session, person=person, wishes=wishes_of(request))
    await identities.connect(
        visit.session, person=person, issuer=issuer.address, subject=proven.subject, now=visit.now
    )
    return await _enter(visit, issuer, person, admin=proven.admin, next_=next_)


@router.post("/account/oidc/disconnect", name="oidc.disconnect")
async def disconnect(
    request: Request, visit: Visiting, person: CurrentPerson, form: Annotated[FormModel, Form()]
) -> Response:
    """Let the issuer sign the person in no more."""
    _issuer(request)
    ways = await ways_in(visit.session, visit.settings)
    await part(visit.session, person=person, settings=visit.settings, ways=ways, now=visit.now)
    return visit.redirect("account")


async def _arrive(
    visit: Visit, issuer: Issuer, begun: Begun, proven: flow.Proven, browser: str
) -> Response:
    """Make of who was proven at the issuer what they are here."""
    await _check_on(visit)
    here, who = visit.person, {"issuer": issuer.address, "subject": proven.subject}
    if begun.person_id is not None:
        if here is None or here.id != begun.person_id:
            raise ForbiddenError("oidc.stale")
        await identities.connect(visit.session, person=here, now=visit.now, **who)
        return await _enter(visit, issuer, here, admin=proven.admin, next_=begun.next)
    person = await identities.person_by_identity(visit.session, now=visit.now, **who)
    if person is not None:
        if here is not None and not here.is_account:
            await become(visit, guest=here, person=person)
        return await _enter(visit, issuer, person, admin=proven.admin, next_=begun.next)
    if here is not None and here.is_account:
        raise ConflictError("oidc.not_connected")
    await check_newcomer(visit.session, visit.settings, here)
    await sign_ins.keep_proof(
        visit.session, browser=browser, proven=proven, next_=begun.next, now=visit.now
    )
    return visit.redirect("oidc.new")


async def _enter(
    visit: Visit, issuer: Issuer, person: Person, *, admin: bool, next_: str
) -> Response:
    await heed(visit.session, person=person, issuer=issuer.address, admin=admin, now=visit.now)
    has_password = await identities.has_password(visit.session, person_id=person.id)
    await visit.enter(person, may_reset=not has_password)
    log.info("login.succeeded", person=str(person.id))
    response = visit.go(next_)
    visit.remember_device(response, person)
    visit.cookies.forget(response, visit.cookies.sign_in)
    return response


def _failed(visit: Visit, error: AppError, begun: Begun) -> Response:
    log.warning("oidc.failed", code=error.code)
    return page(
        visit.request,
        "account/oidc_failed.html",
        status_code=error.status,
        code=error.code,
        sentence=explain(error.code, {"issuer": visit.settings.oidc_label, **error.details}),
        next=begun.next,
        connecting=begun.person_id is not None,
        issuer=visit.settings.oidc_label,
    )


def _refusal(said: str) -> AppError:
    if said in _PASSING:
        return UnavailableError("oidc.silent")
    if said in _HOSTS_TO_MEND:
        log.error("oidc.client_refused", error=said)
        return UnavailableError("oidc.client")
    return ForbiddenError("oidc.refused")


async def _visit(request: Request, session: AsyncSession, now: Now) -> Visit:
    """Return this request as a visit; raises NotFoundError where there is no issuer."""
    visit = Visit(request, session, now, await known_here(request, session, now))
    await _check_on(visit)
    return visit


async def _check_on(visit: Visit) -> None:
    if not (await ways_in(visit.session, visit.settings)).issuer:
        raise NotFoundError


def _issuer(request: Request) -> Issuer:
    issuer: Issuer | None = request.app.state.issuer
    if issuer is None:
        raise NotFoundError
    return issuer


def _sessions(request: Request) -> Sessions:
    sessions: Sessions = request.app.state.sessions
    return sessions


def _browser(request: Request) -> str | None:
    """Return what only the browser that set out knows."""
    found: str | None = request.app.state.cookies.sign_in_token(request.cookies)
    return found


def _question(visit: Visit, state: str, browser: str) -> flow.Question:
    return flow.question_of(visit.settings.secret_key or "", state=state, browser=browser)


def _back(request: Request) -> str:
    return public_base(request) + str(request.app.url_path_for("oidc.callback"))
