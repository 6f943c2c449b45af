"""Every operation of the API against what its description promises."""

import asyncio
import os
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from sqlalchemy import NullPool
from sqlalchemy.ext.asyncio import create_async_engine

from app.accounts.limits import Limiter
from app.api.surface import install_api
from app.clock import SYSTEM_CLOCK
from app.config import Settings
from app.db.engine import driver_url
from app.db.session import make_sessions
from tests.api.conftest import SECRET_KEY
from tests.support.programs import Programs

EXAMPLES = 50 if os.environ.get("CI") == "true" else 5

# Whether a line of notation or a code is acceptable no schema can say.
UNSAYABLE: list[Any] = [positive_data_acceptance]

# The API alone, described without a database; `world` gives it one.
APP = FastAPI()
APP.state.settings = Settings(secret_key=SECRET_KEY)
APP.state.clock = SYSTEM_CLOCK
install_api(APP)
schema = schemathesis.openapi.from_asgi("/api/openapi.json", APP)


@dataclass(frozen=True)
class World:
    """A person, a table and a match."""

    token: str
    table_id: str
    match_id: str


@pytest.fixture
def world(database_url: str) -> World:
    """Fill the database, so that there is something to find.

    Each call runs in an event loop of its own, so no connection may be kept.
    """
    engine = create_async_engine(driver_url(database_url), poolclass=NullPool)
    APP.state.sessions = make_sessions(engine)
    APP.state.limiter = Limiter()
    return asyncio.run(_fill(APP))


async def _fill(app: FastAPI) -> World:
    async with Programs.of(app, app.state.sessions) as programs:
        anna = await programs.make("Anna")
        table = await anna.post("/tables", game="castell", seats=3, key="table")
        match_id = await anna.match_with_bots()
        return World(anna.token, table.json()["id"], match_id)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_api_keeps_its_description(case: schemathesis.Case[Any], world: World) -> None:
    _find_something(case, world)

    case.call_and_validate(
        headers={"Authorization": f"Bearer {world.token}"}, excluded_checks=UNSAYABLE
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
