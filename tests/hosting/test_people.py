"""What a host does to a person, and what a person gets of what is kept."""

import json
import os
from subprocess import CompletedProcess

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.accounts.service import find_account
from app.db.base import Base
from app.db.session import Sessions
from app.errors import NotFoundError
from app.hosting.people import kept_about
from tests.support import forked
from tests.support.browser import serving
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


def placa(database_url: str, *arguments: str) -> CompletedProcess[str]:
    return forked.placa(*arguments, environment=os.environ | {"DATABASE_URL": database_url})


async def values(sessions: Sessions, statement: str) -> list[str]:
    async with sessions.begin() as session:
        return [str(value) for value in await session.scalars(text(statement))]


async def test_every_table_that_names_people_is_handed_out(
    sessions: Sessions, world: World
) -> None:
    naming = {
        table.name
        for table in Base.metadata.tables.values()
        if any(key.column.table.name == "people" for key in table.foreign_keys)
    }
    async with sessions.begin() as session:
        found = [await kept_about(session, one.id) for one in world.people.values()]
        filled = {
            name for name in naming if await session.scalar(text(f"select count(*) from {name}"))
        }

    assert len(naming) > 10
    assert len(filled) >= 5
    assert set().union(*found) == filled | {"people"}


async def test_neither_hash_nor_token_is_handed_out(sessions: Sessions, world: World) -> None:
    async with sessions.begin() as session:
        kept = await kept_about(session, world.people["player"].id)
    told = json.dumps(kept, default=str)

    assert '"Player"' in told
    assert "argon2" not in told
    assert "hash" not in told
    for secret in (world.cookies["player"], world.tokens["player"], world.names["invite"]):
        assert secret not in told


async def test_a_person_downloads_it_and_gets_nobody_elses(
    sessions: Sessions, world: World, database_url: str
) -> None:
    async with serving(database_url) as app:
        told = await downloaded(app, world, "guest")

    assert [row["name"] for row in json.loads(told)["people"]] == ["Guest"]
    assert str(world.people["player"].id) not in told


async def downloaded(app: FastAPI, world: World, role: str) -> str:
    async with world.browser(app, role) as browser:
        page = await browser.get("/account")
        answer = await browser.get("/account/data")
    assert 'href="/account/data"' in page.text
    assert answer.headers["Content-Disposition"].startswith("attachment")
    return answer.text


async def test_a_host_exports_signs_out_and_deletes(
    sessions: Sessions, world: World, database_url: str
) -> None:
    exported = placa(database_url, "user", "export", "player")
    assert json.loads(exported.stdout)["people"][0]["name"] == "Player"

    mine = f"select count(*) from sessions where person_id = '{world.people['player'].id}'"
    assert await values(sessions, mine) != ["0"]
    assert placa(database_url, "user", "sign-out", "Player").returncode == 0
    assert await values(sessions, mine) == ["0"]

    assert placa(database_url, "user", "delete", "Player", "--yes").returncode == 0
    async with sessions.begin() as session:
        with pytest.raises(NotFoundError):
            await find_account(session, name="Player")
    logged = await values(sessions, "select action from audit_log order by id")
    assert logged == ["person.export", "person.sign_out", "person.delete"]
    # The match goes on, with a bot in the seat.
    async with sessions.begin() as session:
        status = await session.scalar(text("select status from matches"))
    assert status == "running"


async def test_nobody_of_that_name_is_one_line(world: World, database_url: str) -> None:
    for command in (("export",), ("sign-out",), ("delete", "--yes")):
        told = placa(database_url, "user", *command, "Nobody")

        assert told.returncode == 2
        assert told.stderr.strip() == "placa: there is nobody called 'Nobody'"
