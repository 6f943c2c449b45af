"""The file of a match that is over, as players get it."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.db.session import Sessions
from app.matches.portable import read_portable
from app.matches.rescue import void_match
from tests.support.browser import serving
from tests.support.people import NOON
from tests.support.world import World, make_world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[FastAPI]:
    async with serving(database_url) as app:
        yield app


@pytest.fixture
async def world(sessions: Sessions) -> World:
    return await make_world(sessions)


async def test_players_and_spectators_get_the_whole_file_once_it_is_over(
    app: FastAPI, sessions: Sessions, world: World
) -> None:
    async with sessions.begin() as session:
        await void_match(session, match_id=world.match_id, now=NOON)

    for role, status in (("player", 200), ("spectator", 200), ("elsewhere", 404)):
        async with world.browser(app, role) as browser:
            answer = await browser.get(f"/matches/{world.match_id}/proof")
        assert answer.status_code == status
        if status == 200:
            assert read_portable(answer.content).problems() == []
            assert f'filename="{world.match_id}.placa"' in answer.headers["Content-Disposition"]
