"""For whoever watches the server: does it live, and can it serve?

Neither answer needs a session, a cookie or a particular host name.
"""

import asyncio
import hmac
from http import HTTPStatus

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from psycopg import Error as DriverError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.config import Settings
from app.db.migrate import current
from app.db.revisions import head
from app.errors import NotFoundError
from app.jobs.heartbeat import worker_is_alive
from app.keys import DOCTOR_HEADER, doctor_token

router = APIRouter(include_in_schema=False)

PATIENCE_SECONDS = 3.0
RETRY_SECONDS = 3
NOT_STORED = {"Cache-Control": "no-store"}


@router.get("/healthz", name="health.live")
async def live() -> JSONResponse:
    """Answer as long as the process answers at all."""
    return JSONResponse({"status": "ok"}, headers=NOT_STORED)


@router.get("/proxyz", name="health.proxy")
async def proxy(request: Request) -> JSONResponse:
    """Tell `placa doctor`, and nobody else, what a request looks like when it arrives here."""
    settings: Settings = request.app.state.settings
    given = request.headers.get(DOCTOR_HEADER, "")
    expected = doctor_token(settings.secret_key or "")
    if not given.isascii() or not hmac.compare_digest(given, expected):
        raise NotFoundError
    seen = {
        "scheme": request.url.scheme,
        "host": request.headers.get("Host", ""),
        "client": request.client.host if request.client else "",
        "forwarded_for": request.headers.get("X-Forwarded-For", ""),
        "forwarded_proto": request.headers.get("X-Forwarded-Proto", ""),
        "forwarded_host": request.headers.get("X-Forwarded-Host", ""),
        "public_url": settings.public_url or "",
        "trusted_proxies": ",".join(settings.trusted_proxies),
    }
    return JSONResponse(seen, headers=NOT_STORED)


@router.get("/readyz", name="health.ready")
async def ready(request: Request) -> JSONResponse:
    """Say whether database, schema and worker are there; 503 if one is not."""
    checks = {"database": False, "migrations": False, "worker": False}
    engine: AsyncEngine = request.app.state.engine
    try:
        async with asyncio.timeout(PATIENCE_SECONDS), engine.connect() as connection:
            checks["database"] = True
            checks["migrations"] = await current(connection) == head()
            checks["worker"] = checks["migrations"] and await worker_is_alive(connection)
    except (SQLAlchemyError, DriverError, TimeoutError, OSError):
        pass  # what could not be asked is not ready
    good = all(checks.values())
    return JSONResponse(
        {"status": "ok" if good else "not ready", **checks},
        HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE,
        headers=NOT_STORED if good else NOT_STORED | {"Retry-After": str(RETRY_SECONDS)},
    )
