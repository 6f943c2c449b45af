"""Every operation of the API against what its description promises."""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from time import sleep
from typing import Any
from uuid import UUID

import pytest
import schemathesis
import uvicorn
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.routing import Mount

from app.accounts.limits import Limiter
from app.api.surface import Api, install_api
from app.clock import SYSTEM_CLOCK
from app.config import Settings
from app.db.engine import make_engine
from app.db.session import make_sessions
from app.logs import configure_logging
from tests.api.conftest import SECRET_KEY
from tests.support.programs import Programs

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "50" if os.environ.get("CI") == "true" else "5"))

# Whether a line of notation or a code is acceptable no schema can say.
UNSAYABLE: list[Any] = [positive_data_acceptance]

# The API alone, described without a database; `world` gives it one.
APP = FastAPI()
APP.state.settings = Settings(secret_key=SECRET_KEY)
APP.state.clock = SYSTEM_CLOCK
install_api(APP)
(API,) = [
    route.app for route in APP.routes if isinstance(route, Mount) and isinstance(route.app, Api)
]
schema = schemathesis.openapi.from_dict(API.openapi())


@dataclass(frozen=True)
class World:
    """Where the API is, and a person, a table and a match in it."""

    address: str
    token: str
    table_id: str
    match_id: str


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    """Fill the database, so that there is something to find, and serve the API."""
    configure_logging(log_format="json", level="error")
    engine = make_engine(database_url)
    APP.state.sessions = make_sessions(engine)
    APP.state.limiter = Limiter()
    server = uvicorn.Server(uvicorn.Config(APP, port=0, log_level="error", lifespan="off"))
    found: Future[tuple[str, str, str]] = Future()

    async def serve() -> None:
        found.set_result(await _fill(APP))
        await server.serve()
        await engine.dispose()

    # A loop of its own: the checks call from this thread and wait.
    thread = Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    ids = found.result(60)
    while not server.started:
        sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield World(f"http://127.0.0.1:{port}/api", *ids)
    server.should_exit = True
    thread.join()


async def _fill(app: FastAPI) -> tuple[str, str, str]:
    async with Programs.of(app, app.state.sessions) as programs:
        anna = await programs.make("Anna")
        table = await anna.post("/tables", game="castell", seats=3, key="table")
        match_id = await anna.match_with_bots()
        return anna.token, table.json()["id"], match_id


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_api_keeps_its_description(case: schemathesis.Case[Any], world: World) -> None:
    _find_something(case, world)

    case.call_and_validate(
        base_url=world.address,
        headers={"Authorization": f"Bearer {world.token}"},
        excluded_checks=UNSAYABLE,
    )


def _find_something(case: schemathesis.Case[Any], world: World) -> None:
    """Let every other id that could name something name what there is."""
    for name, known in (("table_id", world.table_id), ("match_id", world.match_id)):
        try:
            given = UUID(str(case.path_parameters.get(name)))
        except ValueError:
            continue
        if given.int % 2 == 0:
            case.path_parameters[name] = known
