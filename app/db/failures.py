"""What a failing database means to whoever asked."""

from typing import Final

from psycopg.errors import DeadlockDetected, LockNotAvailable, QueryCanceled, SerializationFailure
from sqlalchemy.exc import DataError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.errors import AppError, InvalidError, UnavailableError

BUSY_SECONDS: Final = 5
# A conflict between transactions: the same request may well succeed the next time.
_CROSSED: Final = (DeadlockDetected, LockNotAvailable, QueryCanceled, SerializationFailure)
_AWAY: Final = (OperationalError, InterfaceError, PoolTimeoutError)


def meaning(error: DBAPIError | PoolTimeoutError) -> AppError | None:
    """Return `error` as the application's own; None for what can only be a bug.

    After UnavailableError nobody knows whether a COMMIT arrived: the same
    request with the same key finds out.
    """
    if isinstance(error, DataError):
        return InvalidError()
    if isinstance(error, _AWAY) or isinstance(getattr(error, "orig", None), _CROSSED):
        return UnavailableError(retry_after_seconds=BUSY_SECONDS)
    return None
