"""The pages put together: routes, middleware, error pages.

`install_pages` is all that the composition root needs to know.
"""

from functools import cache
from importlib import import_module
from typing import Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, FastAPI

from app.accounts.issuer.documents import Issuer
from app.accounts.limits import Limiter
from app.config import Settings
from app.notifications.replies.service import LONGEST_MAIL
from app.web import (
    about,
    account,
    admin,
    browsers,
    channels,
    front,
    history,
    join,
    mail_login,
    match_poll,
    matches,
    mine,
    notices,
    oidc,
    orders,
    preferences,
    replies,
    results,
    rules,
    spectators,
    tables,
    talk,
    times,
    workshop_poll,
)
from app.web.boards.registry import BOARDS
from app.web.cookies import Cookies
from app.web.csrf import CsrfMiddleware
from app.web.errors import broken, install_error_pages, refused
from app.web.forms import FieldsOnce
from app.web.head_requests import HeadMiddleware
from app.web.origin import SubpathMiddleware
from app.web.people import known_here
from app.web.preferences import LocaleMiddleware
from app.web.quiet_polls import QuietPollMiddleware
from app.web.security import BodyLimitMiddleware, SecurityMiddleware
from app.web.static import static_files

# Every page shows who is known here, so every route finds out.
PAGE: Final = (Depends(known_here), FieldsOnce)

ROUTERS: Final = (
    front.router,
    tables.router,
    talk.router,
    join.router,
    matches.router,
    results.router,
    spectators.router,
    times.router,
    orders.router,
    history.router,
    mine.router,
    account.router,
    mail_login.router,
    oidc.router,
    replies.router,
    notices.router,
    channels.router,
    browsers.router,
    preferences.router,
    about.router,
    rules.router,
    admin.router,
    *(import_module(name).router for board in BOARDS.values() for name in board.pages),
)


@cache
def pages() -> APIRouter:
    """Return the routes of all pages, put together once in a process, which takes a while."""
    together = APIRouter()
    # Polls find out only when there is something to show.  They come first: a request is
    # held against one route after the other, and most requests are polls.
    together.include_router(match_poll.router)
    together.include_router(workshop_poll.router)
    together.include_router(oidc.road, dependencies=[FieldsOnce])
    for router in ROUTERS:
        together.include_router(router, dependencies=PAGE)
    return together


def install_pages(app: FastAPI) -> None:
    """Give `app` its pages; `app.state` holds settings, clock and sessions already."""
    settings: Settings = app.state.settings
    app.root_path = urlsplit(settings.public_url or "").path.rstrip("/")
    app.state.limiter = Limiter()
    app.state.cookies = Cookies.of(settings)
    app.state.issuer = Issuer.of(settings)
    install_error_pages(app)
    # Not included: each application would make all of its routes anew.
    app.router.routes.extend(pages().routes)
    app.mount("/static", static_files(), name="static")

    # The last one added is the first to see a request.
    app.add_middleware(
        CsrfMiddleware,
        cookies=app.state.cookies,
        secret_key=settings.secret_key or "",
        refuse=refused,
    )
    app.add_middleware(BodyLimitMiddleware, larger={"/api/incoming-mail": LONGEST_MAIL})
    app.add_middleware(SecurityMiddleware, secure=settings.secure, broken=broken)
    app.add_middleware(LocaleMiddleware)
    app.add_middleware(SubpathMiddleware)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(
        QuietPollMiddleware,
        live=app.state.live,
        cookies=app.state.cookies,
        secure=settings.secure,
    )
