"""Errors as `application/problem+json` (RFC 9457), with the codes the pages know too."""

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final, cast
from uuid import UUID

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, Route

from app.db.failures import meaning
from app.db.session import Sessions, transaction
from app.errors import AppError, MoveRejectedError, NotFoundError, code_of
from app.i18n.errors import explain
from app.i18n.sentences import SENTENCES, refusal
from app.ids import new_id
from app.matches.queries import game_of

MEDIA_TYPE: Final = "application/problem+json"

log = structlog.get_logger("placa.api")


class Problem(BaseModel):
    """What went wrong: `code` is stable, `detail` a sentence in the language asked for."""

    model_config = ConfigDict(extra="forbid")

    type: str = "about:blank"
    title: str = Field(description="The HTTP status in words.")
    status: int
    code: str = Field(description="A stable code, such as `stale_match` or `tower.not_narrower`.")
    detail: str
    rule: str = Field("", description="The paragraph of the rules that was broken.")
    details: dict[str, Any] = Field(
        default_factory=dict, description="The numbers and names involved."
    )


RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    int(status): {"model": Problem, "description": meaning_of_status}
    for status, meaning_of_status in {
        HTTPStatus.BAD_REQUEST: "The request cannot be understood.",
        HTTPStatus.UNAUTHORIZED: "The token is missing or worthless.",
        HTTPStatus.FORBIDDEN: "This is somebody else's to do.",
        HTTPStatus.NOT_FOUND: "There is no such thing, or it is not for you to see.",
        HTTPStatus.CONFLICT: "It has changed since you looked.",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is larger than 64 kB.",
        HTTPStatus.UNPROCESSABLE_ENTITY: "A value is not acceptable, or the rules refuse.",
        HTTPStatus.TOO_MANY_REQUESTS: "Too often; Retry-After says when to try again.",
        HTTPStatus.SERVICE_UNAVAILABLE: "The database is away; repeat with the same key.",
    }.items()
}


def install_problems(api: FastAPI, routes: Sequence[BaseRoute]) -> None:
    """Answer every failure of `api`, whose routes are `routes`, with a problem."""
    api.add_exception_handler(AppError, _app_error)
    api.add_exception_handler(HTTPException, partial(_http_error, routes))
    api.add_exception_handler(RequestValidationError, _validation_error)
    api.add_exception_handler(DBAPIError, _database_error)
    api.add_exception_handler(PoolTimeoutError, _database_error)
    api.add_exception_handler(Exception, _bug)


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    rule: str = "",
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return one problem as the answer."""
    body = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        code=code,
        detail=detail,
        rule=rule,
        details=dict(details or {}),
    )
    return JSONResponse(
        body.model_dump(mode="json"), status, headers=dict(headers or {}), media_type=MEDIA_TYPE
    )


async def _app_error(request: Request, error: Exception) -> JSONResponse:
    error = cast(AppError, error)
    headers = {}
    if error.status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if "retry_after_seconds" in error.details:
        headers["Retry-After"] = str(error.details["retry_after_seconds"])
    return problem(
        error.status,
        error.code,
        await _sentence(request, error),
        rule=error.rule,
        details=error.details,
        headers=headers,
    )


async def _sentence(request: Request, error: AppError) -> str:
    """Say what the rules of the match in the address refuse, or any other error."""
    match_id = request.path_params.get("match_id")
    if isinstance(error, MoveRejectedError) and match_id is not None:
        sessions: Sessions = request.app.state.sessions
        async with transaction(sessions) as session:
            game = await game_of(session, UUID(str(match_id)))
        if game is not None and game in SENTENCES and error.rule:
            return refusal(game, error.code, error.details, error.rule)
    return explain(error.code, error.details)


async def _http_error(
    routes: Sequence[BaseRoute], request: Request, error: Exception
) -> JSONResponse:
    error = cast(HTTPException, error)
    code = code_of(error.status_code)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(sorted(_allowed(routes, request)))
    return problem(error.status_code, code, explain(code, {}), headers=headers)


def _allowed(routes: Sequence[BaseRoute], request: Request) -> set[str]:
    """Return every method of this address: each of its routes knows only its own."""
    return {
        method
        for route in routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }


async def _validation_error(request: Request, error: Exception) -> JSONResponse:
    """An address that cannot name anything is not found; a field that cannot be is invalid."""
    found = cast(RequestValidationError, error).errors()
    places = [".".join(str(part)[:40] for part in item["loc"]) for item in found]
    if any(place.startswith("path.") for place in places):
        return await _app_error(request, NotFoundError())
    field = places[0].rpartition(".")[2] if places else "body"
    return problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "invalid_field",
        explain("invalid_field", {"field": field}),
        details={
            "fields": [
                {"field": place, "problem": item["type"]}
                for place, item in zip(places[:20], found[:20], strict=True)
            ]
        },
    )


async def _database_error(request: Request, error: Exception) -> JSONResponse:
    known = meaning(cast(DBAPIError | PoolTimeoutError, error))
    if known is None:
        return await _bug(request, error)
    log.warning("api.database_failed", problem=type(error).__name__)
    return await _app_error(request, known)


async def _bug(request: Request, error: Exception) -> JSONResponse:
    reference = str(new_id())
    log.error("api.uncaught", reference=reference, path=request.url.path, exc_info=error)
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "internal",
        explain("internal", {}),
        details={"reference": reference},
    )
