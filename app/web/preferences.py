"""Language, theme and sound: kept in cookies on the device, so guests have them too."""

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Annotated, Final, Literal, TypeAlias, get_args

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app import i18n

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


class PreferencesForm(BaseModel):
    """What was changed; what is missing stays as it was."""

    model_config = ConfigDict(extra="ignore")

    locale: str | None = None
    theme: Theme | None = None
    sound: Sound | None = None
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
    )


def remember(
    response: Response,
    *,
    locale: str | None = None,
    theme: Theme | None = None,
    sound: Sound | None = None,
) -> None:
    """Put what is given into the device's cookies."""
    for name, value in (("locale", locale), ("theme", theme), ("sound", sound)):
        if value is not None:
            response.set_cookie(name, value, max_age=_YEAR_SECONDS, samesite="lax", path="/")


def local_path(path: str) -> str:
    """Return `path` if it can only lead to a page of ours, else the front page."""
    ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    plain = path.isprintable() and "\\" not in path
    return path if ours and plain else "/"


@router.post("", name="preferences")
async def change(form: Annotated[PreferencesForm, Form()]) -> Response:
    """Remember what was chosen and go back to where it was chosen."""
    response = RedirectResponse(local_path(form.next), 303)
    remember(
        response,
        locale=form.locale if form.locale in i18n.LOCALES else None,
        theme=form.theme,
        sound=form.sound,
    )
    return response


class LocaleMiddleware:
    """Speak the language chosen on this device, else the best one the browser asks for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        chosen = _read(_cookies(headers.get("Cookie", ""))).locale
        locale = chosen or i18n.negotiate(headers.get("Accept-Language", ""))
        with i18n.use_locale(locale):
            await self._app(scope, receive, send)


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}
