"""Engines with sane limits: nothing waits for ever."""

from typing import Any

from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

CONNECT_SECONDS = 5
POOL_WAIT_SECONDS = 10

# What one statement, one lock and one forgotten transaction may take.
LIMITS = {
    "statement_timeout": "15s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
    "timezone": "UTC",
}


def driver_url(url: str) -> URL:
    """Return `url` (`postgres://…`, `postgresql://…`) for our one driver.

    Raises ValueError when it does not name a PostgreSQL database.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() not in {"postgres", "postgresql"}:
        raise ValueError(f"{parsed.drivername} is not PostgreSQL")
    return parsed.set(drivername="postgresql+psycopg")


def connect_args(url: URL, application_name: str) -> dict[str, Any]:
    """Return what every connection is opened with; the operator's own options win."""
    options = " ".join(f"-c {name}={value}" for name, value in LIMITS.items())
    given = url.query.get("options", "")
    return {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": application_name,
        "options": f"{options} {given if isinstance(given, str) else ' '.join(given)}".strip(),
    }


def make_engine(
    url: str, *, application_name: str = "placa", pool_size: int = 10, max_overflow: int = 10
) -> AsyncEngine:
    """Return an engine that notices a restarted server and gives up on a silent one."""
    target = driver_url(url)
    return create_async_engine(
        target,
        connect_args=connect_args(target, application_name),
        pool_pre_ping=True,
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=POOL_WAIT_SECONDS,
        pool_recycle=3600,
    )
