"""Errors the application shows to people and programs.

Every expected failure is an `AppError`: it knows its HTTP status and a stable
`code`, and carries `details` as JSON values for the sentence shown.  Anything
else that escapes is a bug and becomes a plain 500.

* AppError                  400
  + NotFoundError           404  also: not yours to see
  + SignInRequiredError     401
  + ForbiddenError          403
  + ConflictError           409
    - StaleMatchError       409
  + InvalidError            422
    - KeyReusedError        422
    - MoveRejectedError     422
  + TooManyError            429
  + UnavailableError        503
"""

from http import HTTPStatus
from typing import Any, ClassVar, Final

_HTTP_CODES: Final = {
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
}


def code_of(status: int) -> str:
    """Return the code of a failure that the framework knows by its HTTP status only."""
    return _HTTP_CODES.get(HTTPStatus(status), "bad_request")


class AppError(Exception):
    """An expected failure; `code` is stable and may be narrowed per instance."""

    status: ClassVar[HTTPStatus] = HTTPStatus.BAD_REQUEST
    default_code: ClassVar[str] = "bad_request"

    def __init__(self, code: str | None = None, /, *, rule: str = "", **details: Any) -> None:
        self.code = code or self.default_code
        self.rule = rule
        self.details: dict[str, Any] = details
        super().__init__(self.code, details)

    def __str__(self) -> str:
        shown = " ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.code} {shown}".rstrip()


class NotFoundError(AppError):
    """It does not exist, or this person may not know that it does."""

    status = HTTPStatus.NOT_FOUND
    default_code = "not_found"


class SignInRequiredError(AppError):
    """Nobody is known on this device yet."""

    status = HTTPStatus.UNAUTHORIZED
    default_code = "sign_in_required"


class ForbiddenError(AppError):
    """The person is known and may not do this."""

    status = HTTPStatus.FORBIDDEN
    default_code = "forbidden"


class ConflictError(AppError):
    """The thing has changed since the client looked."""

    status = HTTPStatus.CONFLICT
    default_code = "conflict"


class StaleMatchError(ConflictError):
    """The match has moved on; the draft is kept and re-checked."""

    default_code = "stale_match"


class InvalidError(AppError):
    """The input is understood and not acceptable."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY
    default_code = "invalid"


class KeyReusedError(InvalidError):
    """The idempotency key was used before for a different command."""

    default_code = "idempotency_key_reused"


class MoveRejectedError(InvalidError):
    """The rules refused the move: `code`, `details`, `rule` are the rules' own."""

    default_code = "move_rejected"


class TooManyError(AppError):
    """A limit was hit; `details["retry_after_seconds"]` says when to try again."""

    status = HTTPStatus.TOO_MANY_REQUESTS
    default_code = "too_many_requests"


class UnavailableError(AppError):
    """The database is away; nothing was changed unless a key proves otherwise."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    default_code = "unavailable"
