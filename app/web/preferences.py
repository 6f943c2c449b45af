"""Language, theme, sound and time zone: kept in cookies on the device, so that everybody has them.

They are kept with the person, too: where somebody signs in, the device does as they wish.
"""

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Annotated, Final, Literal, TypeAlias, get_args

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app import i18n
from app.accounts.preferences import Wishes, keep_wishes
from app.db.session import Session
from app.i18n import times
from app.web.below import root
from app.web.people import MaybePerson

Theme: TypeAlias = Literal["system", "light", "dark"]
Sound: TypeAlias = Literal["off", "on"]

_YEAR_SECONDS: Final = 365 * 24 * 3600
router = APIRouter(prefix="/preferences", tags=["preferences"])


@dataclass(frozen=True, slots=True)
class Preferences:
    """How one device shows the pages; `locale` None means as the browser asks."""

    locale: str | None = None
    theme: Theme = "system"
    sound: bool = False
    zone: str | None = None


class PreferencesForm(BaseModel):
    """What was changed; what is missing stays as it was."""

    model_config = ConfigDict(extra="ignore")

    locale: str | None = None
    theme: Theme | None = None
    sound: Sound | None = None
    zone: str | None = None
    next: str = "/"


def preferences_of(request: Request) -> Preferences:
    """Read the preferences from the request's cookies; nonsense counts as not set."""
    return _read(request.cookies)


def _read(cookies: dict[str, str]) -> Preferences:
    locale = cookies.get("locale")
    theme = cookies.get("theme")
    return Preferences(
        locale=locale if locale in i18n.LOCALES else None,
        theme=next((known for known in get_args(Theme) if known == theme), "system"),
        sound=cookies.get("sound") == "on",
        zone=_zone(cookies.get("zone")),
    )


def _zone(name: str | None) -> str | None:
    # Quoted by some cookie jars: a name has a slash in it.
    name = None if name is None else name.strip('"')
    return name if times.is_zone(name) else None


def wishes_of(request: Request) -> Wishes:
    """Return what was chosen on this device, as far as it was."""
    chosen = _read(request.cookies)
    return Wishes(
        locale=chosen.locale,
        theme=chosen.theme if "theme" in request.cookies else None,
        sound=chosen.sound if "sound" in request.cookies else None,
        time_zone=chosen.zone,
    )


def remember(response: Response, wishes: Wishes) -> None:
    """Put what was chosen into the device's cookies."""
    sound = None if wishes.sound is None else "on" if wishes.sound else "off"
    for name, value in (
        ("locale", wishes.locale),
        ("theme", wishes.theme),
        ("sound", sound),
        ("zone", wishes.time_zone),
    ):
        if value is not None:
            response.set_cookie(name, value, max_age=_YEAR_SECONDS, samesite="lax", path="/")


def local_path(path: str) -> str:
    """Return `path` if it can only lead to a page of ours, else the front page."""
    front = f"{root()}/"
    ours = path.startswith(front) and not path.startswith(("//", "/\\"))
    plain = path.isprintable() and "\\" not in path
    return path if ours and plain else front


@router.post("", name="preferences")
async def change(
    person: MaybePerson, session: Session, form: Annotated[PreferencesForm, Form()]
) -> Response:
    """Remember what was chosen and go back to where it was chosen."""
    response = RedirectResponse(local_path(form.next), 303)
    wishes = Wishes(
        locale=form.locale if form.locale in i18n.LOCALES else None,
        theme=form.theme,
        sound=None if form.sound is None else form.sound == "on",
        time_zone=_zone(form.zone),
    )
    remember(response, wishes)
    if person is not None:
        await keep_wishes(session, person=person, wishes=wishes)
    return response


class LocaleMiddleware:
    """Speak the language chosen on this device, else the best one the browser asks for.

    Instants are shown in the device's time zone.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        chosen = _read(_cookies(headers.get("Cookie", "")))
        locale = chosen.locale or i18n.negotiate(headers.get("Accept-Language", ""))
        with i18n.use_locale(locale), times.use_zone(chosen.zone):
            await self._app(scope, receive, send)


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}
