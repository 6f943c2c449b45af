"""Connections: their limits, and what a restarted server does to them."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.address import conninfo
from app.db.engine import driver_url, make_engine
from app.db.session import Sessions, make_sessions, transaction


@pytest.mark.parametrize(
    "given", ["postgres://u:p@h/d", "postgresql://u:p@h/d", "postgresql+psycopg://u:p@h/d"]
)
def test_every_spelling_of_an_address_means_our_driver(given: str) -> None:
    shown = driver_url(given).render_as_string(hide_password=False)

    assert shown == "postgresql+psycopg://u:p@h/d"
    assert conninfo(given) == "postgresql://u:p@h/d"


def test_another_kind_of_database_is_refused() -> None:
    with pytest.raises(ValueError, match="not PostgreSQL"):
        driver_url("sqlite:///placa.db")


async def test_nothing_waits_for_ever(sessions: Sessions) -> None:
    async with transaction(sessions) as session:
        limits = {
            name: (await session.execute(text(f"show {name}"))).scalar_one()
            for name in ("statement_timeout", "lock_timeout", "timezone")
        }

    assert limits == {"statement_timeout": "15s", "lock_timeout": "10s", "timezone": "UTC"}


async def test_the_operators_own_options_win(database_url: str) -> None:
    own = driver_url(database_url).update_query_dict({"options": "-c lock_timeout=1s"})
    engine = make_engine(own.render_as_string(hide_password=False))
    async with transaction(make_sessions(engine)) as session:
        limit = (await session.execute(text("show lock_timeout"))).scalar_one()
    await engine.dispose()

    assert limit == "1s"


async def test_connections_the_server_dropped_are_replaced(
    engine: AsyncEngine, sessions: Sessions
) -> None:
    async with transaction(sessions) as session:
        await session.execute(text("select 1"))
    async with engine.connect() as other:
        await other.execute(
            text(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
                " and backend_type = 'client backend'"
            )
        )
        await other.invalidate()

    async with transaction(sessions) as session:
        assert (await session.execute(text("select 1"))).scalar_one() == 1


async def test_a_statement_that_takes_too_long_is_ended(sessions: Sessions) -> None:
    with pytest.raises(DBAPIError, match="statement timeout"):
        async with transaction(sessions) as session:
            await session.execute(text("set local statement_timeout = '50ms'"))
            await session.execute(text("select pg_sleep(5)"))
