"""Error pages: every refusal is a sentence, as a page or, for htmx, as a fragment."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.db.failures import meaning
from app.errors import (
    AppError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    SignInRequiredError,
    TooManyError,
    code_of,
)
from app.i18n.errors import explain
from app.web.templating import fragment, is_htmx, page, path_for, root_path

TEMPLATE: Final = "errors/page.html"

log = structlog.get_logger("placa.security")


def install_error_pages(app: FastAPI) -> None:
    """Show every expected failure of `app` as an error page."""
    app.add_exception_handler(AppError, _app_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(DBAPIError, _database_error)
    app.add_exception_handler(PoolTimeoutError, _database_error)


async def refused(request: Request, error: AppError) -> Response:
    """Return the answer for `error`."""
    if isinstance(error, ForbiddenError | TooManyError):
        log.warning("web.refused", code=error.code, path=request.url.path, **error.details)
    if isinstance(error, SignInRequiredError) and request.method == "GET" and not is_htmx(request):
        address = path_for(request, "login") + f"?next={request.url.path}"
        return RedirectResponse(address, HTTPStatus.SEE_OTHER)
    return answer(
        request,
        error.status,
        code=error.code,
        sentence=_sentence(error),
        rule=error.rule,
        retry_after=error.details.get("retry_after_seconds"),
    )


async def broken(request: Request, reference: str) -> Response:
    """Return the answer for a bug: nothing about it but the number under which it is logged."""
    return answer(
        request,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        code="internal",
        sentence=explain("internal", {}),
        reference=reference,
    )


def answer(
    request: Request,
    status: int,
    *,
    code: str,
    sentence: str,
    rule: str = "",
    retry_after: int | None = None,
    reference: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error as a page, or as the fragment htmx puts beside the form."""
    context: dict[str, Any] = {
        "status": int(status),
        "code": code,
        "sentence": sentence,
        "rule": rule,
        "retry_after": retry_after,
        "back": back_path(request),
        "reference": reference,
    }
    extra = dict(headers or {})
    if retry_after is not None:
        extra["Retry-After"] = str(retry_after)
    if is_htmx(request):
        return fragment(request, TEMPLATE, "error", status_code=status, headers=extra, **context)
    return page(request, TEMPLATE, status_code=status, headers=extra, **context)


def back_path(request: Request) -> str:
    """Return the page of ours that a form was sent from, else the front page."""
    front = path_for(request, "front")
    if request.method in {"GET", "HEAD"}:
        return front
    referer = urlsplit(request.headers.get("Referer", ""))
    inside = referer.path.startswith(f"{root_path(request)}/") and "//" not in referer.path
    return referer.path if inside and referer.path.isascii() else front


def _sentence(error: AppError) -> str:
    return explain(error.code, error.details)


async def _app_error(request: Request, error: Exception) -> Response:
    return await refused(request, cast(AppError, error))


async def _http_error(request: Request, error: Exception) -> Response:
    error = cast(HTTPException, error)
    code = code_of(error.status_code)
    return answer(
        request,
        error.status_code,
        code=code,
        sentence=explain(code, {}),
        headers=error.headers,
    )


async def _validation_error(request: Request, error: Exception) -> Response:
    """An address that cannot name anything is not found; a field that cannot be is invalid."""
    found = cast(RequestValidationError, error).errors()
    places = [tuple(problem["loc"]) for problem in found]
    if any(place[0] == "path" for place in places):
        return await refused(request, NotFoundError())
    field = str(places[0][-1])[:40] if places else ""
    return await refused(request, InvalidError("invalid_field", field=field))


async def _database_error(request: Request, error: Exception) -> Response:
    known = meaning(cast(DBAPIError | PoolTimeoutError, error))
    if known is None:
        raise error
    log.warning("web.database_failed", problem=type(error).__name__)
    return await refused(request, known)
