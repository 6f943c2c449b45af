"""What makes a device known: becoming a guest, signing in, signing out."""

import hmac
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Final
from uuid import UUID

import structlog
from fastapi import Depends, Request
from fastapi.responses import RedirectResponse
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.limits import NEW_GUEST, Limit, Limiter, network_of
from app.accounts.preferences import Wishes, kept_wishes
from app.accounts.service import create_guest
from app.accounts.sessions import end_session, start_session
from app.accounts.values import Known, Person
from app.config import Settings
from app.db.session import Session
from app.errors import NotFoundError
from app.lobby.links import Links
from app.notifications.leaving import leave_browsers
from app.web.cookies import Cookies
from app.web.origin import public_base
from app.web.people import MaybeKnown, Now, session_token
from app.web.preferences import local_path, remember
from app.web.templating import path_for

_BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = ("Android", "iPhone", "iPad", "Windows", "Macintosh", "CrOS", "Linux")

log = structlog.get_logger("placa.security")


@dataclass(slots=True)
class Visit:
    """One request, whom it comes from, and whom the device will know afterwards."""

    request: Request
    session: AsyncSession
    now: datetime
    known: Known | None
    _token: str | None = field(default=None, init=False)
    _wishes: Wishes = field(default_factory=Wishes, init=False)

    @property
    def person(self) -> Person | None:
        """Whom the device knew when the request came."""
        return self.known.person if self.known else None

    @property
    def session_id(self) -> UUID | None:
        """The session that the request came with."""
        return self.known.session_id if self.known else None

    @property
    def settings(self) -> Settings:
        """What the host has decided."""
        settings: Settings = self.request.app.state.settings
        return settings

    async def person_or_guest(self, name: str, *, key: str | None = None) -> Person:
        """Return the person asking; somebody unknown becomes a guest called `name`.

        `key` is what the form carries: sent twice from one browser, it makes one guest.
        """
        if self.known is not None:
            return self.known.person
        self.spend(NEW_GUEST)
        browser = self.cookies.visitor_token(self.request.cookies)
        form = f"{browser}\0{key}" if browser and key else None
        person = await create_guest(self.session, name=name, now=self.now, form=form)
        await self.enter(person)
        return person

    async def enter(self, person: Person, *, may_reset: bool = False) -> None:
        """Make this device know `person`, under a new id; the old id is dead.

        It shows the pages as the person wishes from now on.
        """
        self._wishes = await kept_wishes(self.session, person=person)
        agent = self.request.headers.get("User-Agent", "")
        self._token = await start_session(
            self.session,
            person=person,
            label=device_label(agent),
            now=self.now,
            instead_of=session_token(self.request),
            may_reset=may_reset,
        )
        log.info("session.started", person=str(person.id), kind=person.kind)

    async def leave(self) -> None:
        """Make this device know nobody."""
        token = session_token(self.request)
        if self.known is not None:
            await leave_browsers(
                self.session,
                person_id=self.known.person.id,
                ends=lambda one: one == self.session_id,
                now=self.now,
            )
        if token is not None:
            await end_session(self.session, token=token)
        self._token = ""

    def redirect(self, route: str, /, **parameters: Any) -> RedirectResponse:
        """Send the browser to a route, with its new cookie if there is one."""
        return self.go(path_for(self.request, route, **parameters))

    def go(self, path: str) -> RedirectResponse:
        """Send the browser to a path of ours; anything else leads to the front page."""
        ours = local_path(path)
        # Under a path of a shared host, the host's own front page is somebody else's.
        ours = path_for(self.request, "front") if ours == "/" else ours
        response = RedirectResponse(ours, HTTPStatus.SEE_OTHER)
        if self._token:
            self.cookies.set_session(response, self._token)
        elif self._token == "":
            self.cookies.forget_session(response)
        remember(response, self._wishes)
        return response

    def spend(self, limit: Limit, key: str | UUID | None = None) -> None:
        """Count one try, by the visitor's address or by `key`; raises TooManyError."""
        self.limiter.spend(limit, key or self.network, now=self.now)

    @contextmanager
    def counting_misses(self, limit: Limit, key: str | None = None) -> Iterator[None]:
        """Count what is not found, so that nobody finds by trying; raises TooManyError."""
        self.limiter.check(limit, key or self.network, now=self.now)
        try:
            yield
        except NotFoundError:
            self.spend(limit, key)
            raise

    @property
    def network(self) -> str:
        """What stands for the visitor's household."""
        return network_of(self.request.client.host if self.request.client else "")

    @property
    def limiter(self) -> Limiter:
        """The process's limiter."""
        limiter: Limiter = self.request.app.state.limiter
        return limiter

    @property
    def cookies(self) -> Cookies:
        """The installation's cookies."""
        cookies: Cookies = self.request.app.state.cookies
        return cookies

    def remember_device(self, response: RedirectResponse, person: Person) -> None:
        """Note that the person's account was opened here: attacks elsewhere do not lock it."""
        self.cookies.set(response, self.cookies.device, self._device_mark(person.id))

    def is_device_of(self, person_id: UUID) -> bool:
        """Whether the person's account was opened in this browser before."""
        given = self.request.cookies.get(self.cookies.device, "")
        return given.isascii() and hmac.compare_digest(given, self._device_mark(person_id))

    def _device_mark(self, person_id: UUID) -> str:
        settings: Settings = self.request.app.state.settings
        key = (settings.secret_key or "").encode()
        return hmac.digest(key, b"device\0" + person_id.bytes, "sha256").hex()


async def visit_of(request: Request, session: Session, now: Now, known: MaybeKnown) -> Visit:
    """Return this request as a visit."""
    return Visit(request, session, now, known)


Visiting = Annotated[Visit, Depends(visit_of)]


def links_of(request: Request) -> Links:
    """Return what makes the addresses of invitations and spectator links."""
    settings: Settings = request.app.state.settings
    base = public_base(request)
    return Links(
        settings.secret_key or "",
        invite_url=lambda token: base + str(request.app.url_path_for("invite", token=token)),
        watch_url=lambda token: base + str(request.app.url_path_for("watch", token=token)),
    )


async def _links_here(request: Request) -> Links:
    # A plain function would be sent to a thread.
    return links_of(request)


TableLinks = Annotated[Links, Depends(_links_here)]


def device_label(agent: str) -> str:
    """Return browser and system as the list of sessions names them."""
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for name in _SYSTEMS if name in agent), "")
    other = re.sub(r"[^A-Za-z0-9 ._-]", "", agent.partition("/")[0])[:20]
    return " · ".join(filter(None, (browser or other, system.replace("Macintosh", "Mac")))) or "?"
