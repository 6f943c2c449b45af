"""What simulations run in: one emptied database after the other, over one connection."""

import gc
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.config import Settings
from app.db.engine import connect_args, driver_url
from app.db.session import make_sessions
from tests.simulator.checker import check
from tests.simulator.faults import Faults
from tests.simulator.observer import Observer
from tests.simulator.simulation import Simulation
from tests.simulator.world import World
from tests.support.postgres import TestServer
from tests.support.smtp import mail_server


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """Run on the loop that the web process has."""
    return "asyncio", {"use_uvloop": True}


@dataclass(frozen=True, slots=True)
class Worlds:
    """Where a world begins and ends; the next finds nothing of it."""

    server: TestServer
    url: str
    engine: AsyncEngine
    observer: Observer
    settings: Settings

    async def simulate(self, seed: int, *, steps: int) -> Simulation:
        """Run the world of `seed` to its end and check it."""
        self.server.clear(self.url)
        faults = Faults()
        sessions = make_sessions(self.engine)
        world = World(seed, sessions, faults, self.observer, self.settings)
        simulation = Simulation(world)
        faults.attach(self.engine)
        try:
            await simulation.begin()
            for _ in range(steps):
                await simulation.step()
            await check(world)
        except Exception as error:
            error.add_note("\n".join([f"SIMULATOR_FIRST={seed}", *world.log[-12:]]))
            raise
        finally:
            faults.detach(self.engine)
        return simulation


@pytest.fixture
async def worlds(database_url: str, postgres: TestServer) -> AsyncIterator[Worlds]:
    """Yield what runs simulations."""
    url = driver_url(database_url)
    # Like the program's own, but nothing else is there: one connection, which is not tried first.
    engine = create_async_engine(url, connect_args=connect_args(url, "simulator"), pool_size=1)
    observer = Observer(database_url)
    # What has been imported stays: to look through all of it again takes a fifth of the time.
    gc.freeze()
    async with mail_server() as box:
        settings = box.settings(secret_key="a key for tests, and for nothing else at all")
        yield Worlds(postgres, database_url, engine, observer, settings)
    gc.unfreeze()
    observer.close()
    await engine.dispose()
