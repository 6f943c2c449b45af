"""/metrics, for a Prometheus that shows the token; without PLACA_METRICS_TOKEN there is none."""

import hmac
import time
from typing import TYPE_CHECKING

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.config import Settings
from app.errors import NotFoundError

if TYPE_CHECKING:
    from app.hosting.metrics import Metrics

TEXT = "text/plain; version=0.0.4; charset=utf-8"

router = APIRouter(include_in_schema=False)


@router.get("/metrics", name="metrics")
async def show(request: Request) -> Response:
    """The figures; to whoever does not show the token there is nothing here."""
    settings: Settings = request.app.state.settings
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    expected = (settings.metrics_token or "").encode()
    if not expected or not hmac.compare_digest(given, expected):
        raise NotFoundError
    metrics: Metrics = request.app.state.metrics
    return Response(await metrics.page(), media_type=TEXT)


def install_metrics(app: FastAPI) -> None:
    """Count what `app` answers, if anybody is to read it."""
    settings: Settings = app.state.settings
    app.router.routes.extend(router.routes)
    if settings.metrics_token is None:
        return
    # The library costs memory that most servers need not pay.
    from app.hosting.metrics import Metrics  # noqa: PLC0415 - see above

    app.state.metrics = Metrics(app.state.engine)
    app.add_middleware(MetricsMiddleware, metrics=app.state.metrics)


class MetricsMiddleware:
    """Counts answers and their seconds."""

    def __init__(self, app: ASGIApp, *, metrics: "Metrics") -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            self._metrics.answered(status, time.perf_counter() - begun)
