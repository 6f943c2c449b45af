"""What a failing database means to whoever asked."""

from typing import Final

from psycopg.errors import (
    DeadlockDetected,
    ForeignKeyViolation,
    LockNotAvailable,
    QueryCanceled,
    SerializationFailure,
)
from sqlalchemy.exc import DataError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.errors import AppError, ConflictError, InvalidError, UnavailableError

BUSY_SECONDS: Final = 5
# A conflict between transactions: the same request may well succeed the next time.
_CROSSED: Final = (DeadlockDetected, LockNotAvailable, QueryCanceled, SerializationFailure)
_AWAY: Final = (OperationalError, InterfaceError, PoolTimeoutError)


def meaning(error: DBAPIError | PoolTimeoutError) -> AppError | None:
    """Return `error` as the application's own; None for what can only be a bug.

    After UnavailableError nobody knows whether a COMMIT arrived: the same
    request with the same key finds out.
    """
    original = getattr(error, "orig", None)
    if isinstance(error, DataError):
        return InvalidError()
    if isinstance(original, ForeignKeyViolation):
        # What a request has found is gone, or still in use, by the time it writes: a guest
        # joins a table on one tab and signs in to an account on another.
        return ConflictError()
    if isinstance(error, _AWAY) or isinstance(original, _CROSSED):
        return UnavailableError(retry_after_seconds=BUSY_SECONDS)
    return None
