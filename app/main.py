"""Builds the ASGI application: the web process's composition root."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI

from app.api.surface import install_api
from app.clock import SYSTEM_CLOCK, Clock
from app.config import Settings, load_settings
from app.db.engine import make_engine
from app.db.session import make_sessions
from app.keys import with_secret_key
from app.matches.live import Live
from app.web import health
from app.web.metrics import install_metrics
from app.web.surface import install_pages


def create_app(settings: Settings | None = None, *, clock: Clock = SYSTEM_CLOCK) -> FastAPI:
    """Return the application for `settings`, or for those in the environment.

    Raises SettingsError without a database: starting one is the command's
    business, not a web process's.
    """
    settings = with_secret_key(settings or load_settings())
    engine = make_engine(settings.required_database_url, application_name="placa web")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(engine.dispose)
            await stack.enter_async_context(app.state.live.running())
            yield

    app = FastAPI(title="Plaça", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    app.state.clock = clock
    app.state.engine = engine
    app.state.sessions = make_sessions(engine)
    app.state.live = Live(settings.required_database_url)

    app.router.routes.extend(health.router.routes)
    install_api(app)
    install_pages(app)
    install_metrics(app)
    return app
