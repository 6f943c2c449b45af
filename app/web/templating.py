"""Jinja set-up: `page()` renders a template, `fragment()` one block of it for htmx.

A block that is also a fragment must stand on its own: what the page sets or
imports outside the block is not there when the block is rendered alone.  The
macros of `_parts.html` are globals for this reason.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from app import i18n
from app.i18n.clocks import clock_lines, clock_title, timeout_words
from app.i18n.times import day_and_hour, day_of, in_full, zone_city, zone_names
from app.web.below import root
from app.web.boards.registry import BOARDS
from app.web.boards.seats import letters
from app.web.cards import MAP_CREDIT, letters_of, pawns_of, rounds_of
from app.web.jinja import TextEnvironment, text
from app.web.preferences import preferences_of
from app.web.square import square
from app.web.static import static_files

TEMPLATES: Final = Path(__file__).parent.parent / "templates"
# The paths made lately, for each application.
_paths: Final[WeakKeyDictionary[FastAPI, dict[tuple[Any, ...], str]]] = WeakKeyDictionary()
_PATHS_KEPT: Final = 5_000
_PARTS: Final = ("casteller", "icon", "pawn")


def static_url(name: str) -> str:
    """Return the address of the static file `name`; raises KeyError if there is none."""
    return f"{root()}/static/{static_files()[name].public_name}"


def symbol(name: str) -> str:
    """Return the reference `<use href>` needs to draw symbol `name` of the sprite."""
    return f"{static_url('symbols.svg')}#{name}"


@cache
def environment() -> Environment:
    """Return the one Jinja environment, made on first use."""
    env = TextEnvironment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        # A new release is a new process.
        auto_reload=False,
    )
    install: Callable[..., None] = env.install_gettext_callables  # type: ignore[attr-defined]  # added by the extension
    install(i18n.raw_gettext, i18n.raw_ngettext, newstyle=True, pgettext=i18n.raw_pgettext)
    env.globals.update(gettext=_said, _=_said)
    env.filters.update(date=day_of, time=day_and_hour, in_full=in_full)
    env.globals.update(
        static_url=static_url, symbol=symbol, locales=i18n.LOCALES, locale=i18n.current_locale
    )
    env.globals.update(clock_title=clock_title, clock_lines=clock_lines)
    env.globals.update(timeout_words=timeout_words, zone_names=zone_names, zone_city=zone_city)
    env.globals.update(letters=letters, letters_of=letters_of, square=square)
    env.globals.update(pawns_of=pawns_of, rounds_of=rounds_of)
    env.globals.update(games=BOARDS, map_credit=MAP_CREDIT)
    for board in BOARDS.values():
        env.globals.update(board.helpers)
    parts = env.get_template("_parts.html").module
    env.globals.update({name: getattr(parts, name) for name in _PARTS})
    return env


def page(
    request: Request,
    template: str,
    /,
    *,
    status_code: int = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """Render the whole of `template`."""
    html = environment().get_template(template).render(_context(request, context))
    return HTMLResponse(html, status_code, headers)


def fragment(
    request: Request,
    template: str,
    block: str,
    /,
    *,
    status_code: int = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """Render only `block` of `template`; raises KeyError if it has no such block."""
    found = environment().get_template(template)
    html = render_block(found, block, _context(request, context))
    return HTMLResponse(html, status_code, headers)


def render_block(template: Template, block: str, context: Mapping[str, Any]) -> str:
    """Render one block of `template` alone."""
    return "".join(template.blocks[block](template.new_context(dict(context))))


def is_htmx(request: Request) -> bool:
    """Whether htmx asks for a fragment to put into a page it already has."""
    return request.headers.get("HX-Request") == "true"


def root_path(request: Request) -> str:
    """The path under which the application is mounted, without a trailing slash."""
    scope = request.scope
    return str(scope.get("app_root_path", scope.get("root_path", ""))).rstrip("/")


def path_for(request: Request, name: str, /, **parameters: Any) -> str:
    """Return the path of route `name`, never with a host: hosts come from the configuration."""
    known = _paths.setdefault(request.app, {})
    key = (name, *parameters.items())
    if key not in known:
        # The framework tries one route after the other, and a match page has a hundred links.
        if len(known) >= _PATHS_KEPT:
            known.clear()
        known[key] = str(request.app.url_path_for(name, **parameters))
    return root_path(request) + known[key]


def _context(request: Request, context: Mapping[str, Any]) -> dict[str, Any]:
    """What every page knows, and then the page's own values."""

    def url_for(name: str, /, **parameters: Any) -> str:
        return path_for(request, name, **parameters)

    return {
        "request": request,
        "url_for": url_for,
        "person": getattr(request.state, "person", None),
        "csrf_token": getattr(request.state, "csrf_token", ""),
        "mail_refused": getattr(request.state, "mail_refused", False),
        "channel_refused": getattr(request.state, "channel_refused", False),
        "turns_waiting": getattr(request.state, "turns_waiting", 0),
        "preferences": preferences_of(request),
        **context,
    }


def _said(message: str, /, **variables: Any) -> Markup:
    """Return what Jinja's own `gettext` does; most messages are the same every time."""
    if variables:
        escaped = {name: text(value) for name, value in variables.items()}
        return Markup(i18n.raw_gettext(message) % escaped)  # noqa: S704 - ours; values are escaped
    return _sentence(i18n.current_locale(), message)


@lru_cache(maxsize=4096)
def _sentence(_locale: str, message: str) -> Markup:
    return Markup(i18n.raw_gettext(message)) % {}  # noqa: S704 - a sentence of ours
